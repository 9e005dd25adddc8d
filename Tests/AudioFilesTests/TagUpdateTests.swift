// Texts put into the tags of files that are there: all else stays, the sound bit for bit.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct TagUpdateTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let containers =
    TagTests.containers.filter { $0 != .rf64 }
  private static let gain = "REPLAYGAIN_TRACK_GAIN"

  private func make(_ container: AudioContainer) throws -> String {
    let path = folder.file("sound.\(container.fileExtension)")
    let format = AudioFileFormat(
      container: container, encoding: try #require(container.defaultEncoding), sampleRate: 48_000,
      channelCount: 2)
    try writeFile(
      path, RoundTripTests.signal(channels: 2, frames: 48_000, rate: 48_000), format,
      metadata: TagTests.everything, overwrite: true)
    return path
  }

  /// Counts a text in the bytes of a file.
  private func count(of text: String, in path: String) throws -> Int {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    var place = bytes.startIndex
    var found = 0
    while let range = bytes.range(of: Data(text.utf8), in: place..<bytes.endIndex) {
      found += 1
      place = range.upperBound
    }
    return found
  }

  @Test(arguments: containers) func allElseStays(container: AudioContainer) throws {
    let path = try make(container)
    let (before, reader) = try readFile(path)
    try TagUpdate.write([(Self.gain, "-1.25 dB")], to: path)
    try TagUpdate.write([(Self.gain, "-2.50 dB")], to: path)
    let (after, again) = try readFile(path)
    #expect(after == before)
    #expect(again.metadata.texts == reader.metadata.texts)
    #expect(again.metadata.pictures == reader.metadata.pictures)
    #expect(again.metadata.cuePoints.map(\.name) == reader.metadata.cuePoints.map(\.name))
    #expect(try count(of: "-2.50 dB", in: path) == 1)
    #expect(try count(of: "-1.25 dB", in: path) == 0)
    try TagUpdate.write([(Self.gain, "")], to: path)
    #expect(try count(of: Self.gain, in: path) == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
  }

  @Test func linksStayLinks() throws {
    let path = try make(.flac)
    let link = folder.file("link.flac")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    try TagUpdate.write([(Self.gain, "-1.00 dB")], to: link)
    #expect(try count(of: "-1.00 dB", in: path) == 1)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
  }

  @Test func kindsWithoutTagsAreRefused() throws {
    let path = folder.file("sound.au")
    let format = AudioFileFormat(
      container: .au, encoding: .pcm16, sampleRate: 48_000, channelCount: 1)
    try writeFile(path, [TestSignal.silence(frameCount: 100)], format)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let error = failure { try TagUpdate.write([(Self.gain, "-1.00 dB")], to: path) }
    #expect(error?.category == .badData && error?.message.contains("has no place") == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  private static func item(_ key: String, _ value: String) -> [UInt8] {
    [UInt8(value.utf8.count), 0, 0, 0, 0, 0, 0, 0] + Array(key.utf8) + [0] + Array(value.utf8)
  }

  /// An APE tag with a gain in lower case, and a title beside it where that is wanted.
  private static func tag(hasTitle: Bool) -> [UInt8] {
    let items = [item("replaygain_track_gain", "+9.00 dB"), item("REPLAYGAIN_ALBUM_PEAK", "0.9")]
    let body = (items + (hasTitle ? [item("Title", "x")] : [])).flatMap(\.self)
    func block(_ flags: UInt8) -> [UInt8] {
      Array("APETAGEX".utf8) + [0xD0, 7, 0, 0, UInt8(body.count + 32), 0, 0, 0]
        + [UInt8(items.count + (hasTitle ? 1 : 0)), 0, 0, 0, 0, 0, 0, flags]
        + [UInt8](repeating: 0, count: 8)
    }
    return block(0xA0) + body + block(0x80)
  }

  private func gains(_ path: String) throws -> Bool {
    try TagUpdate.holdsGains([(Self.gain, "-2.50 dB")], in: path, isSame: ==)
  }

  /// Older gains are replaced by the new one, from any writer and at any position.
  @Test(arguments: [true, false]) func olderGainsInAPE(hasTitle: Bool) throws {
    let path = try make(.mp3)
    let sound = try readFile(path).channels
    try put(bytes(of: path) + Self.tag(hasTitle: hasTitle), path)
    try TagUpdate.write([(Self.gain, "-2.50 dB")], to: path, replacesGains: true)
    #expect(try count(of: "+9.00 dB", in: path) == 0 && count(of: "-2.50 dB", in: path) == 1)
    #expect(try count(of: "Title", in: path) == (hasTitle ? 1 : 0))
    #expect(try count(of: "APETAGEX", in: path) == (hasTitle ? 2 : 0))
    #expect(try readFile(path).channels == sound && gains(path))
  }

  @Test func olderGainsInID3() throws {
    let path = try make(.mp3)
    let whole = try bytes(of: path)
    func frame(_ id: String, _ bytes: [UInt8]) -> [UInt8] {
      Array(id.utf8) + [0, 0, 0, UInt8(bytes.count), 0, 0] + bytes
    }
    let adjustment = frame("RVA2", Array("track\0".utf8) + [1, 0, 9, 0])
    let texts = ["replaygain_track_gain", "Replaygain_Reference_Loudness"].map {
      frame("TXXX", [3] + Array($0.utf8) + [0] + Array("+9.00 dB".utf8))
    }
    let rating = frame("POPM", Array("a\0".utf8) + [9])
    let body = adjustment + texts.flatMap(\.self) + rating
    let length = 10 + whole[6..<10].reduce(0) { $0 << 7 | Int($1) }
    let sound = whole.starts(with: "ID3".utf8) ? Array(whole[length...]) : whole
    try put(
      Array("ID3".utf8) + [4, 0, 0, 0, 0, UInt8(body.count >> 7), UInt8(body.count & 127)] + body
        + sound,
      path)
    #expect(try !gains(path))
    try TagUpdate.write([(Self.gain, "-2.50 dB")], to: path, replacesGains: true)
    #expect(try count(of: "+9.00 dB", in: path) == 0 && count(of: "RVA2", in: path) == 0)
    #expect(try count(of: "POPM", in: path) == 1 && gains(path))
  }

  @Test(arguments: containers) func olderGainsOfOtherNames(container: AudioContainer) throws {
    let path = try make(container)
    try TagUpdate.write(
      [("R128_ALBUM_GAIN", "77"), ("REPLAYGAIN_REFERENCE_LOUDNESS", "89.0 dB")], to: path)
    #expect(try !gains(path))
    try TagUpdate.write([(Self.gain, "-2.50 dB")], to: path, replacesGains: true)
    #expect(try gains(path) && count(of: "89.0 dB", in: path) == 0)
    #expect(try !TagUpdate.holdsGains([(Self.gain, "-2.60 dB")], in: path, isSame: ==))
    #expect(try !TagUpdate.holdsGains([("REPLAYGAIN_ALBUM_GAIN", "1")], in: path, isSame: ==))
  }

  /// Owner and attributes go along, or are named.
  @Test func ownerAttributesAndOtherNames() throws {
    let path = try make(.flac)
    unsafe _ = chmod(path, 0o640)
    let isRoot = geteuid() == 0
    if isRoot { unsafe _ = chown(path, 65_534, 29) }
    let set = try runProcess(
      "python3", ["-c", "import os, sys; os.setxattr(sys.argv[1], 'user.where', b'studio')", path])
    unsafe _ = link(path, folder.file("other.flac"))
    let notes = try TagUpdate.write([(Self.gain, "-1.00 dB")], to: path)
    #expect(notes.count == 1 && notes[0].contains("another name (hard links)"), "\(notes)")
    var status = stat()
    #expect(unsafe stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
    if isRoot { #expect(status.st_uid == 65_534 && status.st_gid == 29) }
    guard set.exitCode == 0 else { return }
    let found = try runProcess(
      "python3",
      [
        "-c", "import os, sys; print(os.getxattr(sys.argv[1], 'user.where').decode(), end='')",
        path,
      ])
    #expect(found.standardOutput == "studio")
  }
}
