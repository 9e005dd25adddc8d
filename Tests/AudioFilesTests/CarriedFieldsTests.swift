// Metadata that each kind of file carries: every field comes back or is named, as in the guide's table.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioFiles
import AudioTypes
import Foundation
import TestSupport
import Testing

/// A field of metadata: how it is set, and whether it is there.
struct CarriedField: Sendable {
  let name: String
  let set: @Sendable (inout AudioFileMetadata) -> Void
  let isThere: @Sendable (AudioFileMetadata) -> Bool

  private static func text(_ key: AudioFileMetadata.TextKey) -> CarriedField {
    CarriedField(name: key.rawValue, set: { $0.texts[key] = "Käse \(key)" }) {
      $0.texts[key] == "Käse \(key)"
    }
  }

  private static func tag(_ name: String, _ key: String, _ values: [String]) -> CarriedField {
    CarriedField(name: name, set: { $0.tags[key] = values }) { $0.tags[key] == values }
  }

  private static func part(
    _ name: String, isFrame: Bool, _ code: String, _ bytes: [UInt8]
  ) -> CarriedField {
    CarriedField(
      name: "\(name) (`\(code)`)",
      set: { $0.tagParts.append(TagPart(isFrame: isFrame, name: code, bytes: bytes)) }
    ) { metadata in
      metadata.tagParts.contains { $0.isFrame == isFrame && $0.name == code && $0.bytes == bytes }
    }
  }

  private static func mark(
    _ name: String, _ change: @escaping @Sendable (inout AudioCuePoint) -> Void,
    _ isThere: @escaping @Sendable (AudioCuePoint) -> Bool
  ) -> CarriedField {
    CarriedField(
      name: name,
      set: { metadata in
        var point = AudioCuePoint(identifier: 1, frame: 2400)
        change(&point)
        metadata.cuePoints = [point]
      }
    ) { $0.cuePoints.first.map { $0.frame == 2400 && isThere($0) } == true }
  }

  private static func chunk(
    _ name: String, _ kind: AudioFileMetadata.FurtherChunk
  ) -> CarriedField {
    CarriedField(name: name, set: { $0.furtherChunks[kind] = Array("<a/>".utf8) }) {
      $0.furtherChunks[kind] == Array("<a/>".utf8)
    }
  }

  /// Fields of ID3's frames: encoding, language and so on, as stored.
  static let lyrics: [UInt8] =
    [3] + Array("deu".utf8) + [2, 1, 0] + Array("la\0".utf8) + [0, 0, 0, 9]
  static let object: [UInt8] = [0] + Array("a/b\0f\0d\0".utf8) + [1, 2, 3]

  static let all: [CarriedField] =
    AudioFileMetadata.TextKey.allCases.filter { $0 != .software }.map(text) + [
      tag("another text", "MOOD", ["calm"]),
      tag("a text with several values", "ARTISTS", ["Zoë", "Bob"]),
      tag("long description (`ldes`)", "LONGDESCRIPTION", ["all about it"]),
      CarriedField(
        name: "the name of a text in its case",
        set: {
          $0.tags["MY OWN NAME"] = ["1"]
          $0.spellings["MY OWN NAME"] = "My own Name"
        }
      ) { $0.spellings["MY OWN NAME"] == "My own Name" },
      CarriedField(
        name: "language of the sound", set: { $0.tags["LANGUAGE"] = ["deu"] }
      ) { $0.tags["LANGUAGE"] == ["deu"] },
      // A file without a title has the title of its only track.
      CarriedField(name: "title of the sound track", set: { $0.trackTitle = "Director" }) {
        $0.trackTitle == "Director" || $0.texts[.title] == "Director"
      },
      CarriedField(
        name: "language of a comment",
        set: {
          $0.texts[.comment] = "gut"
          $0.tagParts = [
            TagPart(isFrame: true, name: "COMM", bytes: [3] + Array("deu\0gut".utf8))
          ]
        }
      ) { metadata in
        metadata.tagParts.contains {
          $0.name == "COMM" && $0.bytes[1..<4].elementsEqual("deu".utf8)
        }
      },
      CarriedField(
        name: "pictures",
        set: { $0.pictures = [AudioPicture(mimeType: "image/png", bytes: TagTests.picture)] }
      ) { $0.pictures.map(\.bytes) == [TagTests.picture] },
      CarriedField(
        name: "kind and title of a picture",
        set: {
          let picture = AudioPicture(
            kind: 4, mimeType: "image/png", text: "behind", bytes: TagTests.picture)
          $0.pictures = [picture]
        }
      ) { $0.pictures.map(\.kind) == [4] && $0.pictures.map(\.text) == ["behind"] },
      tag("a text with a description", "LYRICS:THIRD VERSE", ["la la"]),
      mark("marks", { _ in }, { _ in true }),
      mark("names of marks", { $0.name = "Öl" }, { $0.name == "Öl" }),
      mark("lengths of regions", { $0.length = 480 }, { $0.length == 480 }),
      mark("notes to marks", { $0.note = "why" }, { $0.note == "why" }),
      mark("addresses of marks", { $0.address = "http://a.b/c" }, { $0.address == "http://a.b/c" }),
      CarriedField(
        name: "iXML", set: { $0.productionXML = Array("<a/>".utf8) }
      ) { $0.productionXML == Array("<a/>".utf8) },
      chunk("ADM (`axml`)", .definitions), chunk("XMP (`_PMX`)", .description),
      chunk("tempo and beats (`acid`)", .tempo),
      part("ratings", isFrame: true, "POPM", Array("a@b\0".utf8) + [196, 0, 0, 0, 7]),
      part("synchronised lyrics", isFrame: true, "SYLT", lyrics),
      part("objects", isFrame: true, "GEOB", object),
      part("private data", isFrame: true, "PRIV", Array("who\0".utf8) + [1, 2]),
      part("kind of media", isFrame: false, "stik", Array("B".utf8) + [10]),
      part("advisory", isFrame: false, "rtng", Array("B".utf8) + [4]),
    ]
}

@Suite struct CarriedFieldsTests {
  static let containers: [AudioContainer] =
    [.wav, .rf64, .w64, .aiff, .caf, .au, .flac, .ogg, .opus, .mp3]
    + (CodecLibrary.path != nil ? [.m4a, .mka] : [])
  private static let signal = RoundTripTests.signal(channels: 1, frames: 4800, rate: 48_000)

  /// Writes a tenth of a second with metadata; the metadata read back, and the names of fields left out.
  private func carried(
    _ metadata: AudioFileMetadata, _ container: AudioContainer, _ folder: TemporaryFolder
  ) throws -> (metadata: AudioFileMetadata, dropped: [String]) {
    let path = folder.file("sound.\(container.fileExtension)")
    let format = AudioFileFormat(
      container: container, encoding: try #require(container.defaultEncoding), sampleRate: 48_000,
      channelCount: 1)
    let writer = try writeFile(path, Self.signal, format, metadata: metadata, overwrite: true)
    return (try AudioFileReader(path: path).metadata, writer.droppedMetadata)
  }

  /// A row for each field: which kinds hold it, and which name it in a note. Alone in a file, nothing else can be named.
  private func table() throws -> [[String]] {
    let folder = try TemporaryFolder()
    var rows = [[""] + Self.containers.map { "`\($0.rawValue)`" }]
    for field in CarriedField.all {
      var metadata = AudioFileMetadata()
      field.set(&metadata)
      var row = [field.name]
      for container in Self.containers {
        let (found, dropped) = try carried(metadata, container, folder)
        #expect(
          field.isThere(found) || !dropped.isEmpty,
          "\(field.name) is lost in \(container) without a note")
        row.append(field.isThere(found) ? "yes" : "note")
      }
      rows.append(row)
    }
    return rows
  }

  /// The table of the guide matches the files. AURICLE_UPDATE_SNAPSHOTS=1 writes it anew.
  @Test(.enabled(if: CodecLibrary.path != nil, "the FFmpeg codec is not built: make codecs"))
  func theTableOfTheGuideIsTrue() throws {
    let rows = try table()
    let lines = rows.map { "| " + $0.joined(separator: " | ") + " |" }
    let made =
      ([lines[0], "|" + String(repeating: "---|", count: rows[0].count)] + lines.dropFirst())
      .joined(separator: "\n")
    let path = Places.inPackage("docs/guides/audio-files.md")
    var guide = try String(contentsOfFile: path, encoding: .utf8)
    let (start, end) = ("<!-- carried: made by CarriedFieldsTests -->\n", "\n<!-- end -->")
    let from = try #require(guide.range(of: start))
    let to = try #require(guide.range(of: end, range: from.upperBound..<guide.endIndex))
    guard guide[from.upperBound..<to.lowerBound] != made else { return }
    if ProcessInfo.processInfo.environment["AURICLE_UPDATE_SNAPSHOTS"] == "1" {
      guide.replaceSubrange(from.upperBound..<to.lowerBound, with: made)
      try guide.write(toFile: path, atomically: true, encoding: .utf8)
    } else {
      Issue.record("the table of docs/guides/audio-files.md is stale; what files do:\n\(made)")
    }
  }

  /// From each kind to each other: fields of the first are in the second, or named as left out.
  @Test(arguments: containers) func nothingIsLostBetweenTwo(first: AudioContainer) throws {
    let folder = try TemporaryFolder()
    for field in CarriedField.all {
      var metadata = AudioFileMetadata()
      field.set(&metadata)
      let source = try carried(metadata, first, folder).metadata
      guard field.isThere(source) else { continue }
      for second in Self.containers {
        let (found, dropped) = try carried(source, second, folder)
        #expect(
          field.isThere(found) || !dropped.isEmpty,
          "\(field.name) is lost from \(first) to \(second) without a note")
      }
    }
  }

  private func chunk(_ name: String, _ bytes: [UInt8], bigEndian: Bool = false) -> [UInt8] {
    let size = (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) }
    return Array(name.utf8) + (bigEndian ? size.reversed() : size) + bytes
      + (bytes.count & 1 == 1 ? [0] : [])
  }

  /// A WAV or AIFF file with a chunk behind its sound.
  private func file(
    _ container: AudioContainer, _ extra: [UInt8], _ folder: TemporaryFolder
  ) throws -> AudioFileMetadata {
    _ = try carried(AudioFileMetadata(), container, folder)
    let path = folder.file("sound.\(container.fileExtension)")
    var file = try bytes(of: path) + extra
    let size = (0..<4).map { UInt8(truncatingIfNeeded: (file.count - 8) >> (8 * $0)) }
    file.replaceSubrange(4..<8, with: container == .aiff ? size.reversed() : size)
    try put(file, path)
    return try AudioFileReader(path: path).metadata
  }

  /// A chunk of marks with a number above its size makes none up.
  @Test(arguments: [0, 1, 2, 1000, 10_001, 0xFFFF_FFFF]) func marksAreNotMadeUp(reported: UInt32)
    throws
  {
    let folder = try TemporaryFolder()
    func word(_ value: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let mark = word(7) + word(960) + Array("data".utf8) + word(0) + word(0) + word(960)
    let found = try file(.wav, chunk("cue ", word(reported) + mark), folder)
    #expect(found.cuePoints.map(\.frame) == (reported == 0 ? [] : [960]))
    #expect(found.cuePoints.map(\.identifier) == (reported == 0 ? [] : [7]))
    // One that is longer than the file is no chunk.
    let torn = try file(.wav, Array("cue ".utf8) + word(4 + 24 * 1000) + word(1000) + mark, folder)
    #expect(torn.cuePoints.count <= 1)
  }

  @Test(arguments: ["itrk", "Itrk", "ITRK"]) func namesOfTextsInAnyCase(name: String) throws {
    let folder = try TemporaryFolder()
    let list =
      chunk("INAM", Array("T\0".utf8)) + chunk(name, Array("7\0".utf8))
      + chunk("iart", Array("A\0".utf8)) + chunk("IMYN", Array("own\0".utf8))
    let found = try file(.wav, chunk("LIST", Array("INFO".utf8) + list), folder)
    #expect(found[.trackNumber] == "7" && found[.title] == "T" && found[.artist] == "A")
    #expect(found.tags["IMYN"] == ["own"])
  }

  /// Comments of AIFF are comments; those with a mark are its notes, and go back there.
  @Test func commentsOfAIFF() throws {
    let folder = try TemporaryFolder()
    func comment(_ mark: UInt8, _ text: String) -> [UInt8] {
      [0, 0, 0, 9, 0, mark, 0, UInt8(text.utf8.count)] + Array(text.utf8)
        + (text.utf8.count & 1 == 1 ? [0] : [])
    }
    let marks: [UInt8] = [0, 1, 0, 3, 0, 0, 1, 0, 1, 0x41]
    let extra =
      chunk("MARK", marks, bigEndian: true)
      + chunk(
        "COMT", [0, 3] + comment(0, "all") + comment(3, "here") + comment(0, "more"),
        bigEndian: true)
    let found = try file(.aiff, extra, folder)
    #expect(found[.comment] == "all\nmore")
    #expect(found.cuePoints.map(\.note) == ["here"])
    let again = try carried(found, .aiff, folder)
    #expect(again.dropped == [] && again.metadata.cuePoints.map(\.note) == ["here"])
    #expect(again.metadata[.comment] == "all\nmore")
  }

  /// Chapters of a tag in a chunk are the marks of a file without a chunk of marks.
  @Test(arguments: [AudioContainer.wav, .aiff]) func chaptersOfATagInAChunk(
    container: AudioContainer
  )
    throws
  {
    let folder = try TemporaryFolder()
    let frame = { (name: String, body: [UInt8]) -> [UInt8] in
      Array(name.utf8) + number(body.count, 4, big: true) + [0, 0] + body
    }
    let times: [UInt8] =
      number(50, 4, big: true) + number(90, 4, big: true) + number(-1, 8, big: true)
    let chapter: [UInt8] = frame(
      "CHAP", Array("c\0".utf8) + times + frame("TIT2", [3] + Array("Öl".utf8)))
    let tag: [UInt8] = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, UInt8(chapter.count)] + chapter
    let isBig = container == .aiff
    let found = try file(container, chunk(isBig ? "ID3 " : "id3 ", tag, bigEndian: isBig), folder)
    #expect(found.cuePoints.map(\.frame) == [2400] && found.cuePoints.map(\.name) == ["Öl"])
  }

  /// A cue sheet goes along with the whole of its sound, and is named where it does not.
  @Test func cueSheets() throws {
    let folder = try TemporaryFolder()
    var metadata = AudioFileMetadata()
    metadata.tags["CUESHEET"] = ["FILE a WAVE"]
    let (found, dropped) = try carried(metadata, .flac, folder)
    #expect(found.tags["CUESHEET"] == ["FILE a WAVE"] && dropped == [])
    let cut = found.beginning(atFrame: 100)
    #expect(cut.tags["CUESHEET"] == nil && cut.leftBehind == ["CUESHEET"])
  }

  /// Parts with times in the sound do not stay in sound that was cut.
  @Test func timesFollowTheSound() {
    var metadata = AudioFileMetadata()
    metadata.tagParts = [
      TagPart(isFrame: true, name: "SYLT", bytes: CarriedField.lyrics),
      TagPart(isFrame: true, name: "POPM", bytes: [0, 1]),
    ]
    #expect(metadata.scalingPositions(by: 2).tagParts.count == 2)
    let cut = metadata.beginning(atFrame: 100)
    #expect(cut.tagParts.map(\.name) == ["POPM"])
    #expect(cut.leftBehind == ["synchronised lyrics (SYLT)"])
  }
}
