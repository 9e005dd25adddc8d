// Parts of files that are carried over from unusual places, and those that are named since nothing keeps them.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Foundation
import TestSupport
import Testing

@Suite struct UnreadPartsTests {
  private static let signal = RoundTripTests.signal(channels: 1, frames: 4800, rate: 48_000)

  private func plain(_ container: AudioContainer, _ folder: TemporaryFolder) throws -> [UInt8] {
    let path = folder.file("plain.\(container.fileExtension)")
    let format = AudioFileFormat(
      container: container, encoding: try #require(container.defaultEncoding), sampleRate: 48_000,
      channelCount: 1)
    try writeFile(path, Self.signal, format, overwrite: true)
    return try bytes(of: path)
  }

  private func metadata(
    of bytes: [UInt8], _ name: String, _ folder: TemporaryFolder
  ) throws -> AudioFileMetadata {
    try put(bytes, folder.file(name))
    #expect(try readFile(folder.file(name)).channels[0].count == 4800)
    return try AudioFileReader(path: folder.file(name)).metadata
  }

  /// WAV with a chunk behind its sound.
  private func wave(_ chunk: [UInt8], _ folder: TemporaryFolder) throws -> AudioFileMetadata {
    var file = try plain(.wav, folder) + chunk
    file.replaceSubrange(4..<8, with: number(file.count - 8, 4))
    return try metadata(of: file, "chunk.wav", folder)
  }

  private func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    Array(name.utf8) + number(body.count, 4) + body + (body.count & 1 == 1 ? [0] : [])
  }

  private func frame(_ name: String, _ body: [UInt8]) -> [UInt8] {
    Array(name.utf8) + number(body.count, 4, big: true) + [0, 0] + body
  }

  private func id3(_ frames: [UInt8]) -> [UInt8] {
    // A size has seven bits in a byte.
    let size = [21, 14, 7, 0].map { UInt8(frames.count >> $0 & 0x7F) }
    return Array("ID3".utf8) + [3, 0, 0] + size + frames
  }

  @Test("Blocks of FLAC that describe a disc or belong to a program are named")
  func blocksOfFLAC() throws {
    let folder = try TemporaryFolder()
    let file = try plain(.flac, folder)
    let blocks: [UInt8] =
      [2, 0, 0, 7] + Array("ABCDxyz".utf8) + [5] + number(396, 3, big: true)
      + [UInt8](repeating: 0, count: 396)
    let found = try metadata(
      of: Array(file[..<42]) + blocks + Array(file[42...]), "blocks.flac", folder)
    #expect(found.unreadParts == ["application data (ABCD)", "the cue sheet"])
  }

  @Test("Texts of regions in WAV are notes; files of marks and lists of other kinds are named")
  func listsOfWave() throws {
    let folder = try TemporaryFolder()
    let place = number(9, 4) + number(960, 4) + Array("data".utf8) + number(0, 8) + number(960, 4)
    let region = number(9, 4) + number(480, 4) + Array("rgn ".utf8) + number(0, 8)
    let list =
      Array("adtl".utf8) + chunk("note", number(9, 4) + Array("one\0".utf8))
      + chunk("ltxt", region + Array("two\0".utf8)) + chunk("file", number(9, 4) + number(0, 4))
    let found = try wave(
      chunk("cue ", number(1, 4) + place) + chunk("LIST", list)
        + chunk("LIST", Array("exif".utf8) + chunk("ecor", [1, 2])), folder)
    #expect(found.cuePoints.map(\.note) == ["one\ntwo"] && found.cuePoints.map(\.length) == [480])
    #expect(found.unreadParts == ["files of marks"] && found.unknownChunks == ["exif"])
  }

  @Test("A chapter of a tag has its title and its address; its other frames are named")
  func framesOfChapters() throws {
    let folder = try TemporaryFolder()
    let times = number(50, 4, big: true) + number(90, 4, big: true) + number(-1, 8, big: true)
    let inner =
      frame("TIT2", [0] + Array("One".utf8)) + frame("TIT3", [0] + Array("More".utf8))
      + frame("WXXX", [0, 0] + Array("http://a".utf8))
    let contents = Array("toc\0".utf8) + [3, 1] + Array("c\0".utf8) + frame("TIT2", [0, 0x41])
    let tag = id3(frame("CHAP", Array("c\0".utf8) + times + inner) + frame("CTOC", contents))
    let found = try wave(chunk("id3 ", tag), folder)
    #expect(
      found.cuePoints.map(\.name) == ["One"] && found.cuePoints.map(\.address) == ["http://a"])
    #expect(
      Set(found.unreadParts) == [
        "further frames of chapters", "texts of the table of contents (CTOC)",
      ])
  }

  @Test("Tags around a sound keep their pictures and texts of any name")
  func tagsAround() throws {
    let folder = try TemporaryFolder()
    let picture = frame("APIC", [0] + Array("image/png\0".utf8) + [3, 0] + TagTests.picture)
    let tag = id3(frame("TXXX", [0] + Array("My Name\0value".utf8)) + picture)
    let found = try metadata(of: tag + plain(.wav, folder), "front.wav", folder)
    #expect(found.tags["MY NAME"] == ["value"] && found.pictures.map(\.bytes) == [TagTests.picture])
    let item = Array("c.png\0".utf8) + TagTests.picture
    let items =
      number(item.count, 4) + number(2, 4) + Array("Cover Art (Front)\0".utf8) + item
      + number(4, 4) + number(0, 4) + Array("Mood\0calm".utf8)
    let footer =
      Array("APETAGEX".utf8) + number(2000, 4) + number(items.count + 32, 4) + number(2, 4)
      + number(0, 12)
    let behind = try metadata(of: plain(.w64, folder) + items + footer, "behind.w64", folder)
    #expect(behind.tags["MOOD"] == ["calm"] && behind.pictures.map(\.bytes) == [TagTests.picture])
  }

  @Test("The text in front of the sound of AU is the comment")
  func annotation() throws {
    let folder = try TemporaryFolder()
    var file = try plain(.au, folder)
    let start = file[4..<8].reduce(0) { $0 << 8 | Int($1) }
    file.replaceSubrange(24..<start, with: Array("by a radio\0\0".utf8))
    file.replaceSubrange(4..<8, with: number(36, 4, big: true))
    #expect(try metadata(of: file, "text.au", folder)[.comment] == "by a radio")
  }
}
