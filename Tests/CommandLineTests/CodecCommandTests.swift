// Files that need the codec, their metadata, and damaged ones, through the whole program.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioFiles
import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct CodecCommandTests {
  private static let chain = ["--unit", "aufx:dely:appl", "--mix", "0", "--tail", "none"]

  /// A second of sound with a title and a picture.
  private func source(_ box: Sandbox, _ name: String) throws {
    var metadata = AudioFileMetadata()
    metadata[.title] = "A title"
    metadata.tags["MOOD"] = ["calm"]
    metadata.pictures = [
      AudioPicture(mimeType: "image/png", bytes: [0x89, 0x50, 0x4E, 0x47, 1, 2])
    ]
    try Sound([TestSignal.noise(seed: 1, amplitude: 0.25, frameCount: 48_000)]).write(
      to: box(name), encoding: name.hasSuffix("m4a") ? .aac : .pcm16, metadata: metadata)
  }

  private func process(_ box: Sandbox, _ arguments: String...) throws -> ProcessResult {
    try runAuricle(
      ["process", "--quiet"] + Self.chain + arguments, environment: box.environment,
      in: box.folder.path)
  }

  @Test(.enabled(if: CodecLibrary.path != nil, "the FFmpeg codec is not built: make codecs"))
  func inTheSandbox() throws {
    let box = try Sandbox()
    try source(box, "in.flac")
    let there = try process(box, "--output-file", "a.m4a", "--bit-rate", "128k", "in.flac")
    #expect(there.exitCode == 0, "\(there.summary)")
    let back = try process(box, "--output-file", "b.flac", "--encoding", "pcm24", "a.m4a")
    #expect(back.exitCode == 0, "\(back.summary)")
    for name in ["a.m4a", "b.flac"] {
      let reader = try AudioFileReader(path: box(name))
      #expect(reader.metadata[.title] == "A title", "\(name)")
      #expect(reader.metadata.tags["MOOD"] == ["calm"], "\(name)")
      #expect(reader.metadata.pictures.map(\.bytes) == [[0x89, 0x50, 0x4E, 0x47, 1, 2]], "\(name)")
    }
    #expect(try Sound(path: box("b.flac")).frameCount == 48_000)
    // Cut off: a failure with its reason, and nothing written; with --tolerant the readable part.
    let whole = try Data(contentsOf: URL(fileURLWithPath: box("a.m4a")))
    try whole.dropLast(10).write(to: URL(fileURLWithPath: box("cut.m4a")))
    let refused = try process(box, "--output-file", "cut.wav", "cut.m4a")
    #expect(refused.exitCode == 65, "\(refused.summary)")
    #expect(refused.standardError.contains("cut short"), "\(refused.summary)")
    #expect(!FileManager.default.fileExists(atPath: box("cut.wav")))
    let used = try process(box, "--tolerant", "--output-file", "cut.wav", "cut.m4a")
    #expect(used.exitCode == 0, "\(used.summary)")
    #expect(FileManager.default.fileExists(atPath: box("cut.wav")))
  }

  private static let ffmpeg = ["/usr/bin/ffmpeg", "/usr/local/bin/ffmpeg"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// A video of a second: sound, and moving pictures that begin so much before it.
  private func makeVideo(_ box: Sandbox, _ name: String, codec: String, lead: String = "0") throws {
    let program = try #require(Self.ffmpeg)
    let made = try runProcess(
      program,
      [
        "-v", "error", "-nostdin", "-itsoffset", lead, "-i", box("a.flac"), "-f", "lavfi", "-i",
        "testsrc=d=1:s=64x64:r=25", "-map", "0:a", "-map", "1:v", "-c:v", "mpeg4", "-c:a", codec,
        box("in/" + name),
      ])
    try #require(made.exitCode == 0, "\(made.summary)")
  }

  /// Lists the pictures of a file, one line each with its time; empty without any.
  private func pictures(_ path: String) throws -> [Substring] {
    let program = try #require(Self.ffmpeg)
    let read = try runProcess(
      program,
      [
        "-v", "error", "-nostdin", "-copyts", "-i", path, "-map", "0:V?", "-an", "-f", "framemd5",
        "-",
      ])
    return read.standardOutput.split(separator: "\n").filter { !$0.hasPrefix("#") }
  }

  /// The pictures of a video come out as they were, with the sound at its place; only a part of them cannot.
  @Test(
    .enabled(
      if: CodecLibrary.path != nil && ffmpeg != nil, "the FFmpeg codec or ffmpeg is not there"))
  func videos() throws {
    let box = try Sandbox()
    try FileManager.default.createDirectory(atPath: box("in"), withIntermediateDirectories: true)
    try source(box, "a.flac")
    for name in ["a.mp4", "b.mov", "c.mkv"] { try makeVideo(box, name, codec: "aac") }
    let kept = try process(box, "--output", "out", "in")
    #expect(kept.exitCode == 0 && !kept.standardError.contains("left out"), "\(kept.summary)")
    for name in ["a.mp4", "b.mov", "c.mkv"] {
      let before = try pictures(box("in/" + name)).map { $0.split(separator: ",").last }
      let after = try pictures(box("out/" + name)).map { $0.split(separator: ",").last }
      #expect(before.count == 25 && after == before, "\(name)")
    }
    #expect(try pictures(box("out/a.mp4")) == pictures(box("in/a.mp4")))
    let dropped = try process(box, "--video", "drop", "--output", "drop", "in/a.mp4")
    #expect(dropped.exitCode == 0 && !dropped.standardError.contains("note:"), "\(dropped.summary)")
    #expect(try pictures(box("drop/a.mp4")).isEmpty)
    let part = try runAuricle(
      ["process"] + Self.chain + ["--start", "0.2", "--output", "part", "in/a.mp4"],
      environment: box.environment, in: box.folder.path)
    #expect(part.standardError.contains("its picture track is left out"), "\(part.summary)")
    #expect(try pictures(box("part/a.mp4")).isEmpty)
    let sound = try process(box, "--output-file", "a.m4a", "in/a.mp4")
    #expect(sound.exitCode == 0 && !sound.standardError.contains("left out"), "\(sound.summary)")
    #expect(try pictures(box("a.m4a")).isEmpty)
  }

  /// The sound of a video that begins later is as late in the result.
  @Test(
    .enabled(
      if: CodecLibrary.path != nil && ffmpeg != nil, "the FFmpeg codec or ffmpeg is not there"))
  func soundThatBeginsAfterThePictures() throws {
    let box = try Sandbox()
    try FileManager.default.createDirectory(atPath: box("in"), withIntermediateDirectories: true)
    try source(box, "a.flac")
    try makeVideo(box, "late.mkv", codec: "alac", lead: "0.5")
    let run = try runAuricle(
      ["process"] + Self.chain + ["--output", "out", "in/late.mkv"],
      environment: box.environment, in: box.folder.path)
    #expect(run.exitCode == 0 && run.standardError.contains("silence is put in front"))
    let before = try Sound(path: box("in/late.mkv")).channels[0]
    let after = try Sound(path: box("out/late.mkv")).channels[0]
    let rate = try AudioFileReader(path: box("in/late.mkv")).format.sampleRate
    let lead = after.count - before.count
    #expect(abs(Double(lead) / rate - 0.5) < 0.0011, "\(lead) frames")
    #expect(after.prefix(lead).allSatisfy { $0 == 0 })
  }

  /// Streams of a video other than sound cost nothing, and a video is replaced only by one that has all of them.
  @Test(
    .enabled(
      if: CodecLibrary.path != nil && ffmpeg != nil, "the FFmpeg codec or ffmpeg is not there"))
  func videosInPlace() throws {
    let box = try Sandbox()
    try FileManager.default.createDirectory(atPath: box("in"), withIntermediateDirectories: true)
    try source(box, "a.flac")
    try makeVideo(box, "a.mp4", codec: "aac")
    try makeVideo(box, "b.ts", codec: "mp2")
    // Ends like a transport stream, and is none.
    try Data("export {}\n".utf8).write(to: URL(fileURLWithPath: box("in/c.ts")))
    let sound = try process(box, "--container", "wav", "--output", "out", "in")
    #expect(sound.exitCode == 0 && !sound.standardError.contains("left out"), "\(sound.summary)")
    let found = try FileManager.default.contentsOfDirectory(atPath: box("out")).sorted()
    #expect(found.filter { !$0.hasPrefix(".") } == ["a.wav", "b.wav"], "\(found)")
    let before = try Data(contentsOf: URL(fileURLWithPath: box("in/a.mp4")))
    let place = try process(box, "--in-place", "--backup", "--video", "drop", "in/a.mp4")
    #expect(place.exitCode != 0 && place.standardError.contains("would lose its picture track"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: box("in/a.mp4"))) == before)
    let names = try FileManager.default.contentsOfDirectory(atPath: box("in"))
    #expect(!names.contains { $0.hasSuffix(".bak") || $0.hasSuffix(".part") }, "\(names)")
    let pictures = try pictures(box("in/a.mp4"))
    let replaced = try process(box, "--in-place", "--backup", "in/a.mp4")
    #expect(replaced.exitCode == 0, "\(replaced.summary)")
    #expect(try self.pictures(box("in/a.mp4")) == pictures)
  }

  @Test func metadataStaysBehindWhenAsked() throws {
    let box = try Sandbox()
    try source(box, "in.flac")
    let result = try process(box, "--metadata", "none", "--output-file", "out.flac", "in.flac")
    #expect(result.exitCode == 0, "\(result.summary)")
    let found = try AudioFileReader(path: box("out.flac")).metadata
    #expect(found[.title] == nil)
    #expect(found.pictures.isEmpty)
    #expect(try AudioFileReader(path: box("in.flac")).metadata.pictures.count == 1)
  }

  /// A program without the codec names the missing part.
  @Test(
    .enabled(
      if: CodecLibrary.path?.hasPrefix("/usr/") == false, "a codec is installed for all programs"))
  func withoutTheCodec() throws {
    let box = try Sandbox()
    try source(box, "in.m4a")
    // Copied by a separate process: a program that this one had open for writing cannot be run
    // while a child that another test has just forked still holds the descriptor.
    let copying = try runProcess("/bin/cp", [Places.auricle, box("auricle")])
    try #require(copying.exitCode == 0, "\(copying.summary)")
    let reading = try runProcess(
      box("auricle"), ["measure", "in.m4a"], environment: box.environment, in: box.folder.path)
    #expect(reading.exitCode == 69, "\(reading.summary)")
    #expect(reading.standardError.contains("package auricle-plugin-ffmpeg"), "\(reading.summary)")
    let writing = try runProcess(
      box("auricle"), ["process"] + Self.chain + ["--output-file", "x.ac3", "in.m4a"],
      environment: box.environment, in: box.folder.path)
    #expect(writing.exitCode == 69, "\(writing.summary)")
  }

  /// A codec of another version is not used, in either direction, and no file is blamed for it.
  @Test(arguments: [3, 5]) func aCodecOfAnotherVersion(version: Int) throws {
    let box = try Sandbox()
    try source(box, "in.flac")
    // The beginning of an M4A.
    try Data([0, 0, 0, 24] + Array("ftypM4A ".utf8) + [UInt8](repeating: 0, count: 500)).write(
      to: URL(fileURLWithPath: box("in.m4a")))
    try """
    static const unsigned codec[64] = { \(version) };
    const void *AuricleCodecEntry(unsigned version) { return version == \(version) ? codec : 0; }
    """.write(toFile: box("codec.c"), atomically: true, encoding: .utf8)
    let arguments = ["-shared", "-fPIC", "-o", box("FFmpeg.so"), box("codec.c")]
    let built = try (try? runProcess("cc", arguments)) ?? runProcess("clang", arguments)
    try #require(built.exitCode == 0, "\(built.summary)")
    var environment = box.environment
    environment["AURICLE_CODEC_PATH"] = box.folder.path
    let reason = "is of another version: install that of this program"
    for words in [
      ["measure", "in.m4a"], ["process"] + Self.chain + ["--output-file", "x.ac3", "in.flac"],
    ] {
      let result = try runAuricle(words, environment: environment, in: box.folder.path)
      #expect(result.exitCode == 69, "\(result.summary)")
      #expect(result.standardError.contains(reason), "\(result.summary)")
      #expect(!result.standardError.contains("damaged"), "\(result.summary)")
    }
  }

  /// A codec for libraries that this machine lacks is passed over for the next one beside it.
  @Test(.enabled(if: CodecLibrary.path != nil, "the FFmpeg codec is not built: make codecs"))
  func aCodecForOtherLibraries() throws {
    let box = try Sandbox()
    try source(box, "in.flac")
    try box.folder.write("int nothing(void) { return 0; }", to: "absent.c")
    try box.folder.write("int nothing(void); int codec(void) { return nothing(); }", to: "codec.c")
    let absent = ["-shared", "-fPIC", "-o", box("libabsent.so"), box("absent.c")]
    let codec = ["-shared", "-fPIC", "-o", box("FFmpeg.so"), box("codec.c"), box("libabsent.so")]
    for arguments in [absent, codec] {
      let built = try (try? runProcess("cc", arguments)) ?? runProcess("clang", arguments)
      try #require(built.exitCode == 0, "\(built.summary)")
    }
    try FileManager.default.removeItem(atPath: box("libabsent.so"))
    let words = ["convert", "--overwrite", "in.flac", "out.m4a"]
    let environment = box.environment.merging(["AURICLE_CODEC_PATH": box.folder.path]) { $1 }
    let refused = try runAuricle(words, environment: environment, in: box.folder.path)
    #expect(refused.exitCode == 69, "\(refused.summary)")
    #expect(refused.standardError.contains("Debian 13: libavformat61"), "\(refused.summary)")
    try FileManager.default.copyItem(
      atPath: #require(CodecLibrary.path), toPath: box("FFmpeg-61.so"))
    let done = try runAuricle(words, environment: environment, in: box.folder.path)
    #expect(done.exitCode == 0, "\(done.summary)")
  }

  /// The short form of `make fuzz-audio`.
  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"),
      "python3 is not installed"))
  func damagedFiles() throws {
    let box = try Sandbox()
    let result = try runProcess(
      "/usr/bin/python3",
      [
        Places.inPackage("Stress/fuzz-audio"), "--program", Places.auricle, "--files", "340",
        "--batch", "340", "--seed", "20261121", "--keep", box("findings"),
      ], environment: box.environment, in: box.folder.path)
    #expect(result.exitCode == 0, "\(result.summary)")
  }
}
