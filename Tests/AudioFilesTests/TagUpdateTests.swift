// Texts put into the tags of files that are there: all else stays, the sound bit for bit.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Foundation
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

  /// Whether a text stands in the bytes of a file.
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
}
