// Files with several tags, and tags of older versions: every text and picture of all of them is read.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Foundation
import SoundFileReports
import TestSupport
import Testing

@Suite struct SeveralTagsTests {
  /// A frame of ID3 of version 2.3.
  private func frame(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + number(content.count, 4, big: true) + [0, 0] + content
  }

  private func text(_ name: String, _ text: String) -> [UInt8] {
    frame(name, [0] + Array(text.utf8))
  }

  /// A tag of version 2.3.
  private func tag(_ frames: [[UInt8]]) -> [UInt8] {
    let body = Array(frames.joined())
    let size = [21, 14, 7, 0].map { UInt8(body.count >> $0 & 0x7F) }
    return Array("ID3".utf8) + [3, 0, 0] + size + body
  }

  /// An APE tag with its header.
  private func ape(_ items: [(key: String, value: [UInt8], kind: Int)]) -> [UInt8] {
    let body = items.flatMap { item -> [UInt8] in
      number(item.value.count, 4) + number(item.kind << 1, 4) + Array(item.key.utf8) + [0]
        + item.value
    }
    func mark(_ flags: Int) -> [UInt8] {
      Array("APETAGEX".utf8) + number(2000, 4) + number(body.count + 32, 4)
        + number(items.count, 4) + number(flags, 4) + number(0, 8)
    }
    return mark(0xA000_0000) + body + mark(0x8000_0000)
  }

  private func metadata(
    _ folder: TemporaryFolder, _ bytes: [UInt8], _ name: String = "sound.mp3"
  ) throws -> AudioFileMetadata {
    try put(bytes, folder.file(name))
    return try AudioFileReader(path: folder.file(name)).metadata
  }

  private static let old: [UInt8] = {
    func field(_ text: String, _ count: Int) -> [UInt8] {
      Array(text.utf8) + [UInt8](repeating: 0, count: count - text.utf8.count)
    }
    return Array("TAG".utf8) + field("Old title", 30) + field("Old artist", 30)
      + field("Old album", 30) + field("1988", 4) + field("old", 30) + [17]
  }()

  @Test("Day, month and time of version 2.3 become part of the date; the rest is carried along")
  func olderDates() throws {
    let folder = try TemporaryFolder()
    let plain = try OneAnswerTests.plain("a.mp3", .mpegLayer3)
    let frames = [
      text("TYER", "2007"), text("TDAT", "1405"), text("TIME", "1337"), text("TRDA", "May 14"),
      text("TSIZ", "12345"), text("TOWN", "Owner"),
    ]
    let found = try metadata(folder, tag(frames) + plain)
    #expect(found.texts[.date] == "2007-05-14T13:37")
    #expect(found.tags["RECORDINGDATES"] == ["May 14"])
    #expect(found.tags["TSIZ"] == nil && found.tagParts.isEmpty)
    #expect(found.texts[.trackNumber] == nil && found.tags["OWNER"] == ["Owner"])
    let alone = try metadata(folder, tag([text("TDAT", "1405"), text("TIME", "1337")]) + plain)
    #expect(alone.tags["TDAT"] == ["1405"] && alone.tags["TIME"] == ["1337"])
  }

  @Test("Descriptions keep their case in notes, and in files that have a place for it")
  func descriptions() throws {
    let folder = try TemporaryFolder()
    let plain = try OneAnswerTests.plain("a.mp3", .mpegLayer3)
    let lyrics = frame("USLT", [0] + Array("engThird Verse\0la la".utf8))
    let found = try metadata(folder, tag([lyrics]) + plain)
    #expect(found.tags["LYRICS:THIRD VERSE"] == ["la la"])
    #expect(found.spellings["LYRICS:THIRD VERSE"] == "LYRICS:Third Verse")
  }

  @Test("Texts of all tags of one file are read, each from the newest tag that has it")
  func severalTags() throws {
    let folder = try TemporaryFolder()
    let plain = try OneAnswerTests.plain("a.mp3", .mpegLayer3)
    let picture = TagTests.picture
    let behind = ape([
      ("Title", Array("APE title".utf8), 0), ("Artist", Array("A\0B".utf8), 0),
      ("Related", Array("http://related/".utf8), 2), ("Data", [1, 2, 3], 1),
      ("Cover Art (Back)", Array("back.png\0".utf8) + picture, 1),
    ])
    let bytes = tag([text("TIT2", "New title"), text("TCOM", "Composer")]) + plain
    let found = try metadata(folder, bytes + behind + Self.old)
    #expect(found.texts[.title] == "New title")
    #expect(found.tags["COMPOSER"] == ["Composer"])
    #expect(found.tags["ARTIST"] == ["A", "B"])
    #expect(found.texts[.album] == "Old album")
    #expect(found.tags["RELATED"] == ["http://related/"])
    #expect(found.pictures.map(\.kind) == [4] && found.pictures.map(\.bytes) == [picture])
    #expect(found.pictures.map(\.mimeType) == ["image/png"])
    #expect(found.tagParts.map(\.name) == ["GEOB"])
    let report = try SoundFileReport(of: folder.file("sound.mp3"))
    #expect(report.info["title"] == "New title" && report.info["composer"] == "Composer")
    #expect(report.info["artist"] == "A" && report.info["album"] == "Old album")
  }

  @Test("Pictures among the comments of FLAC are read")
  func picturesInComments() throws {
    let folder = try TemporaryFolder()
    let plain = try OneAnswerTests.plain("a.flac", .pcm16)
    func counted(_ bytes: [UInt8]) -> [UInt8] { number(bytes.count, 4, big: true) + bytes }
    let block =
      number(4, 4, big: true) + counted(Array("image/png".utf8)) + counted(Array("behind".utf8))
      + number(0, 16) + counted(TagTests.picture)
    let comment = "METADATA_BLOCK_PICTURE=" + Data(block).base64EncodedString()
    let list =
      number(0, 4) + number(1, 4) + number(comment.utf8.count, 4) + Array(comment.utf8)
    // Behind the description of the stream: a block of comments, with three bytes for its size.
    let bytes =
      Array(plain[0..<42]) + [4] + number(list.count, 3, big: true) + list + Array(plain[42...])
    var first = bytes
    first[4] &= 0x7F
    let found = try metadata(folder, first, "sound.flac")
    #expect(found.pictures.map(\.kind) == [4])
    #expect(found.pictures.map(\.text) == ["behind"])
    #expect(found.pictures.map(\.bytes) == [TagTests.picture])
  }
}
