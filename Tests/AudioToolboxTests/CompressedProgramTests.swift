// Programs in C that encode and decode, and FFmpeg's own program beside them.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

private let hasCodec = FileManager.default.fileExists(
  atPath: Places.builtProducts + "/Codecs/FFmpeg.so")
private let hasPrograms =
  hasCodec && ["ffmpeg", "sox"].allSatisfy { (try? runProcess("which", [$0]))?.exitCode == 0 }

@Suite(.enabled(if: hasCodec, "the FFmpeg codec is not built: make codecs"))
struct CompressedProgramTests {
  private func build(_ name: String, with compiler: String, in folder: TemporaryFolder) throws {
    let programs = CProgramTests()
    try programs.compile(
      name, to: folder(name), with: compiler,
      ["-Wl,-rpath," + Places.builtProducts, "-Wl,-rpath," + (try programs.runtimeLibraries())])
  }

  @Test(
    "Frame n that is encoded is frame n that is decoded, in every format, with pauses and in pieces",
    arguments: ["gcc", "clang"])
  func roundTrips(compiler: String) throws {
    let folder = try TemporaryFolder()
    try build("Compressed", with: compiler, in: folder)
    let result = try runProcess(folder("Compressed"))
    #expect(result.exitCode == 0 && result.standardOutput == "", "\(result.summary)")
  }

  @Test(
    "Codecs are found, opened and used as components, and refuse mistakes",
    arguments: ["gcc", "clang"])
  func components(compiler: String) throws {
    let folder = try TemporaryFolder()
    try build("Codecs", with: compiler, in: folder)
    let result = try runProcess(folder("Codecs"))
    #expect(result.exitCode == 0 && result.standardOutput == "", "\(result.summary)")
  }

  @Test(
    "Settings are read as dictionaries, and changes in them are set",
    arguments: ["gcc", "clang"])
  func settings(compiler: String) throws {
    let folder = try TemporaryFolder()
    try build("ConverterSettings", with: compiler, in: folder)
    let result = try runProcess(folder("ConverterSettings"))
    #expect(result.exitCode == 0 && result.standardOutput == "", "\(result.summary)")
  }

  @Test(
    "Packets of files decode as in FFmpeg, sample for sample",
    .enabled(if: hasPrograms, "ffmpeg or sox is not there"))
  func sameAsFFmpeg() throws {
    let folder = try TemporaryFolder()
    try build("DecodeFile", with: "clang", in: folder)
    let sound = try runProcess(
      "sox",
      [
        "-n", "-r", "44100", "-c", "2", "-b", "24", folder("in.wav"), "synth", "1.7", "sine",
        "100:9000", "gain", "-6",
      ])
    try #require(sound.exitCode == 0, "\(sound.summary)")
    for (name, bits, options) in Self.files {
      let made = try runProcess(
        "ffmpeg", ["-v", "error", "-i", folder("in.wav")] + options + [folder(name)])
      try #require(made.exitCode == 0, "\(made.summary)")
      let decoded = try runProcess(folder("DecodeFile"), [folder(name), folder("ours"), "\(bits)"])
      #expect(decoded.exitCode == 0, "\(name): \(decoded.summary)")
      let kind = [16: "s16le", 24: "s24le", 32: "f32le"][bits] ?? ""
      let reference = try runProcess(
        "ffmpeg", ["-v", "error", "-i", folder(name), "-f", kind, folder("theirs")])
      try #require(reference.exitCode == 0, "\(reference.summary)")
      let ours = try Data(contentsOf: URL(fileURLWithPath: folder("ours")))
      let frameSize = 2 * bits / 8
      // For AC-3, FFmpeg keeps the 256 frames of the decoder's delay.
      let late = name == "a.ac3" ? 256 * frameSize : 0
      let theirs = try Data(
        Data(contentsOf: URL(fileURLWithPath: folder("theirs"))).dropFirst(late))
      // For AAC in M4A, FFmpeg keeps the padding of the last packet; 1.7 s are 74970 frames.
      let isCut = name == "a.m4a"
      #expect(ours.count == (isCut ? 74_970 * frameSize : theirs.count), "\(name)")
      #expect(ours == theirs.prefix(ours.count), "\(name)")
      try FileManager.default.removeItem(atPath: folder("theirs"))
    }
  }

  private static let files: [(name: String, bits: Int, options: [String])] = [
    ("a.m4a", 32, ["-c:a", "aac", "-b:a", "128k"]),
    ("l.m4a", 16, ["-c:a", "alac", "-sample_fmt", "s16p"]),
    ("l24.m4a", 24, ["-c:a", "alac", "-sample_fmt", "s32p"]), ("a.mp3", 32, ["-b:a", "160k"]),
    ("v.mp3", 32, ["-q:a", "3"]), ("low.mp3", 32, ["-ar", "22050", "-b:a", "64k"]),
    ("a.aac", 32, ["-c:a", "aac"]), ("a.ac3", 32, ["-ar", "48000", "-c:a", "ac3"]),
    ("a.flac", 16, ["-sample_fmt", "s16"]), ("a24.flac", 24, ["-sample_fmt", "s32"]),
    ("a.caf", 16, ["-c:a", "adpcm_ima_qt"]), ("a.aifc", 16, ["-c:a", "adpcm_ima_qt"]),
    ("u.wav", 16, ["-c:a", "pcm_mulaw"]), ("u.caf", 16, ["-c:a", "pcm_alaw"]),
    ("a.mp2", 16, ["-c:a", "mp2"]),
  ]
}
