// Texts of any name, pictures, marks with names, regions and iXML go from file to file.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioFiles
import AudioTypes
import Foundation
import TestSupport
import Testing

private let hasCodec = CodecLibrary.path != nil

@Suite struct TagTests {
  /// A picture of 2 × 2 pixels, with some bytes behind to make it large.
  static let picture: [UInt8] = {
    let base64 =
      "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8DAwMDAxAADCBYDAwAtEgED"
      + "y2mUhAAAAABJRU5ErkJggg=="
    return [UInt8](Data(base64Encoded: base64) ?? Data())
      + (0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
  }()

  static var everything: AudioFileMetadata {
    var metadata = AudioFileMetadata()
    metadata.texts = [
      .title: "Sturm & Drang: „Öl“", .artist: "Zoë; Bob", .album: "First", .comment: "Short",
      .date: "2026-11-21", .genre: "Speech", .trackNumber: "7", .copyright: "2026 nobody",
    ]
    metadata.tags = ["ARTIST": ["Zoë", "Bob"], "MOOD": ["calm"], "ISRC": ["DEABC2600001"]]
    metadata.pictures = [
      AudioPicture(mimeType: "image/png", text: "front", bytes: picture)
    ]
    metadata.cuePoints = [
      AudioCuePoint(identifier: 1, frame: 0, name: "Begin"),
      AudioCuePoint(identifier: 2, frame: 24_000, name: "Mitte „ö“"),
    ]
    return metadata
  }

  static let containers: [AudioContainer] =
    [.wav, .wavex, .rf64, .aiff, .flac, .ogg, .opus, .mp3] + (hasCodec ? [.m4a] : [])

  private func write(
    _ metadata: AudioFileMetadata, _ container: AudioContainer, _ folder: TemporaryFolder,
    _ name: String = "sound"
  ) throws -> AudioFileWriter {
    let encoding = try #require(container.defaultEncoding)
    let format = AudioFileFormat(
      container: container, encoding: encoding, sampleRate: 48_000, channelCount: 2)
    return try writeFile(
      folder.file("\(name).\(container.fileExtension)"),
      RoundTripTests.signal(channels: 2, frames: 48_000, rate: 48_000), format, metadata: metadata,
      overwrite: true)
  }

  @Test(arguments: containers)
  func everythingComesBack(container: AudioContainer) throws {
    let folder = try TemporaryFolder()
    let writer = try write(Self.everything, container, folder)
    let dropped = container == .m4a ? ["kinds and descriptions of pictures"] : []
    #expect(writer.droppedMetadata == dropped, "\(container)")
    let (channels, reader) = try readFile(folder.file("sound.\(container.fileExtension)"))
    #expect(abs(channels[0].count - 48_000) < 2_000)
    let found = reader.metadata
    for key in AudioFileMetadata.TextKey.allCases where key != .software {
      #expect(found.texts[key] == Self.everything.texts[key], "\(container) \(key)")
    }
    #expect(found.tags["ARTIST"] == ["Zoë", "Bob"], "\(container)")
    #expect(found.tags["MOOD"] == ["calm"], "\(container)")
    #expect(found.tags["ISRC"] == ["DEABC2600001"], "\(container)")
    #expect(found.pictures.map(\.bytes) == [Self.picture], "\(container)")
    #expect(found.pictures.first?.mimeType == "image/png")
    // iTunes has no names for its covers.
    if container != .m4a { #expect(found.pictures.first?.text == "front") }
    #expect(found.cuePoints.map(\.frame) == [0, 24_000], "\(container)")
    #expect(found.cuePoints.map(\.name) == ["Begin", "Mitte „ö“"], "\(container)")
  }

  /// From each kind to each other: nothing is lost on the way.
  @Test(arguments: containers)
  func chains(first: AudioContainer) throws {
    let folder = try TemporaryFolder()
    _ = try write(Self.everything, first, folder)
    let carried = try AudioFileReader(path: folder.file("sound.\(first.fileExtension)")).metadata
    for second in [AudioContainer.flac, .wav, .mp3] + (hasCodec ? [.m4a] : []) {
      _ = try write(carried, second, folder, "second")
      let found = try AudioFileReader(path: folder.file("second.\(second.fileExtension)")).metadata
      #expect(found.texts[.title] == Self.everything.texts[.title], "\(first) → \(second)")
      #expect(found.tags["MOOD"] == ["calm"], "\(first) → \(second)")
      #expect(found.pictures.map(\.bytes) == [Self.picture], "\(first) → \(second)")
      #expect(found.cuePoints.map(\.frame) == [0, 24_000], "\(first) → \(second)")
    }
  }

  @Test func sameTagsSameBytes() throws {
    let folder = try TemporaryFolder()
    for container in Self.containers {
      _ = try write(Self.everything, container, folder, "a")
      _ = try write(Self.everything, container, folder, "b")
      let ending = container.fileExtension
      #expect(try bytes(of: folder.file("a.\(ending)")) == bytes(of: folder.file("b.\(ending)")))
    }
  }

  /// Texts of RIFF that the file library passes over.
  @Test func everyInfoTextIsRead() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("sound.wav")
    _ = try write(AudioFileMetadata(), .wav, folder)
    func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 255) } }
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Array(name.utf8) + number(content.count) + content + (content.count & 1 == 1 ? [0] : [])
    }
    let texts = [("IPRT", "3"), ("IENG", "Zo\u{EB}"), ("ILNG", "de"), ("IXXX", "?")]
    let list = texts.reduce(Array("INFO".utf8)) { $0 + chunk($1.0, Array($1.1.utf8) + [0]) }
    var file = try bytes(of: path) + chunk("LIST", list)
    file.replaceSubrange(4..<8, with: number(file.count - 8))
    try put(file, path)
    let found = try AudioFileReader(path: path).metadata
    #expect(found[.trackNumber] == "3")
    #expect(found.tags["ENGINEER"] == ["Zo\u{EB}"] && found.tags["LANGUAGE"] == ["de"])
    #expect(try write(found, .flac, folder).droppedMetadata == [])
    let again = try AudioFileReader(path: folder.file("sound.flac")).metadata
    #expect(again.tags["LANGUAGE"] == ["de"] && again[.trackNumber] == "3")
  }

  /// A comment in other formats is a description in many files of Vorbis and FLAC.
  @Test func descriptionsAreComments() throws {
    let folder = try TemporaryFolder()
    var metadata = AudioFileMetadata()
    metadata.tags = ["DESCRIPTION": ["Take 2"]]
    _ = try write(metadata, .flac, folder)
    let found = try AudioFileReader(path: folder.file("sound.flac")).metadata
    #expect(found[.comment] == "Take 2")
    for container in [AudioContainer.flac, .ogg] {
      _ = try write(found, container, folder)
      let again = try AudioFileReader(path: folder.file("sound.\(container.fileExtension)"))
      #expect(again.metadata.tags == metadata.tags)
    }
    for container in [AudioContainer.wav, .mp3, .aiff, .caf] {
      #expect(try write(found, container, folder).droppedMetadata == [])
      let again = try AudioFileReader(path: folder.file("sound.\(container.fileExtension)"))
      #expect(again.metadata[.comment] == "Take 2", "\(container)")
      #expect(again.metadata.tags["DESCRIPTION"] == nil, "\(container)")
    }
  }

  @Test func whatHasNoPlaceIsNamed() throws {
    let folder = try TemporaryFolder()
    let dropped = try write(Self.everything, .w64, folder).droppedMetadata
    for kind in ["pictures", "MOOD", "ISRC", "title", "cue points"] {
      #expect(dropped.contains(kind), "\(kind)")
    }
  }

  @Test(arguments: [AudioContainer.wav, .wavex, .rf64])
  func regionsNotesAndProductionData(container: AudioContainer) throws {
    let folder = try TemporaryFolder()
    var metadata = AudioFileMetadata()
    var region = AudioCuePoint(identifier: 5, frame: 1_000, name: "Verse")
    region.length = 5_000
    region.note = "Take 2"
    metadata.cuePoints = [region]
    metadata.productionXML = Array("<BWFXML><SCENE>12</SCENE></BWFXML>".utf8)
    #expect(try write(metadata, container, folder).droppedMetadata == [])
    let found = try AudioFileReader(path: folder.file("sound.wav")).metadata
    #expect(found.cuePoints == [region])
    #expect(found.productionXML == metadata.productionXML)
    #expect(
      try write(metadata, .flac, folder).droppedMetadata
        == ["iXML", "lengths of marks", "notes to marks"])
  }

  /// Loudness and gapless figures of the input would be lies about the result.
  @Test func staleTextsStayBehind() throws {
    let folder = try TemporaryFolder()
    var metadata = Self.everything
    metadata.tags["REPLAYGAIN_TRACK_GAIN"] = ["-7 dB"]
    metadata.tags["ITUNSMPB"] = ["00000000 00000840"]
    _ = try write(metadata, .flac, folder)
    let tags = try AudioFileReader(path: folder.file("sound.flac")).metadata.tags
    #expect(tags["REPLAYGAIN_TRACK_GAIN"] == nil)
    #expect(tags["ITUNSMPB"] == nil)
    #expect(tags["MOOD"] != nil)
  }

  @Test func positionsMoveWithTheSound() {
    var metadata = AudioFileMetadata()
    var region = AudioCuePoint(identifier: 3, frame: 500)
    region.length = 1_000
    metadata.cuePoints = [
      AudioCuePoint(identifier: 1, frame: 100), AudioCuePoint(identifier: 2, frame: 2_000), region,
      AudioCuePoint(identifier: 4, frame: 9_000),
    ]
    // A thousand frames are cut off in front, the rate is doubled, and 6000 frames are left.
    let moved = metadata.movingPositions(by: -1_000, scalingBy: 2, frameCount: 6_000)
    #expect(moved.cuePoints.map(\.identifier) == [2, 3])
    #expect(moved.cuePoints.map(\.frame) == [2_000, 0])
    #expect(moved.cuePoints[1].length == 1_000)
  }

  @Test func metadataMayStayBehind() throws {
    let folder = try TemporaryFolder()
    _ = try write(Self.everything, .flac, folder)
    let path = folder.file("sound.flac")
    let reader = try AudioFileReader(
      descriptor: InputFile.open(path), path: path, readsMetadata: false)
    #expect(reader.metadata.isEmpty)
  }

  /// Tags that are damaged cost themselves at most.
  @Test(arguments: containers)
  func damagedTags(container: AudioContainer) throws {
    let folder = try TemporaryFolder()
    _ = try write(Self.everything, container, folder)
    let whole = try bytes(of: folder.file("sound.\(container.fileExtension)"))
    var generator = SeededGenerator(seed: 12)
    for round in 0..<60 {
      var damaged = whole
      for _ in 0..<4 {
        let front = Bool.random(using: &generator)
        let range =
          front ? 0..<min(3_000, whole.count) : max(0, whole.count - 160_000)..<whole.count
        damaged[Int.random(in: range, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      let path = folder.file("damaged-\(round).\(container.fileExtension)")
      try put(damaged, path)
      if let error = failure({ _ = try AudioFileReader(path: path) }) {
        #expect([.badData, .inputOutput].contains(error.category), "\(error)")
      }
    }
  }

  // MARK: As other programs see it

  private static func installed(_ name: String) -> String? {
    let path = "/usr/bin/" + name
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }

  @Test(.enabled(if: installed("metaflac") != nil, "metaflac is not installed"))
  func asMetaflacSeesIt() throws {
    let folder = try TemporaryFolder()
    _ = try write(Self.everything, .flac, folder)
    let program = try #require(Self.installed("metaflac"))
    let list = try runProcess(
      program, ["--list", folder.file("sound.flac")], environment: ["LC_ALL": "C.UTF-8"]
    ).standardOutput
    for text in ["TITLE=Sturm & Drang: „Öl“", "ARTIST=Zoë", "ARTIST=Bob", "MOOD=calm", "image/png"]
    {
      #expect(list.contains(text), "\(text)")
    }
    let flac = try #require(Self.installed("flac"))
    #expect(try runProcess(flac, ["--test", "--silent", folder.file("sound.flac")]).exitCode == 0)
  }

  @Test(
    .enabled(if: installed("ffprobe") != nil, "ffprobe is not installed"), arguments: containers)
  func asFFprobeSeesIt(container: AudioContainer) throws {
    let folder = try TemporaryFolder()
    var metadata = Self.everything
    metadata.pictures[0].bytes = Array(Self.picture.prefix(79))
    _ = try write(metadata, container, folder)
    let program = try #require(Self.installed("ffprobe"))
    let result = try runProcess(
      program,
      [
        "-v", "error", "-show_entries", "format_tags:stream_tags:stream=codec_name", "-of",
        "default",
        folder.file("sound.\(container.fileExtension)"),
      ])
    #expect(result.exitCode == 0, "\(container): \(result.summary)")
    #expect(result.standardOutput.contains("Sturm & Drang: „Öl“"), "\(container)")
    // In WAV it reads fewer texts.
    if ![.wav, .wavex, .rf64].contains(container) {
      #expect(result.standardOutput.contains("=calm"), "\(container)")
    }
  }
}
