// Metadata that files hold beside the sound is carried over.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Foundation
import TestSupport
import Testing

@Suite struct MetadataTests {
  /// Writes a second of sound with metadata and reads the metadata back.
  private func carried(
    _ metadata: AudioFileMetadata, _ container: AudioContainer, channels: Int = 2
  ) throws -> (metadata: AudioFileMetadata, dropped: [String], path: String, TemporaryFolder) {
    let folder = try TemporaryFolder()
    let path = folder.file("sound.\(container.fileExtension)")
    let encoding = try #require(container.defaultEncoding)
    let format = AudioFileFormat(
      container: container, encoding: encoding, sampleRate: 48_000, channelCount: channels)
    let signal = RoundTripTests.signal(channels: channels, frames: 48_000, rate: 48_000)
    let writer = try writeFile(path, signal, format, metadata: metadata)
    return (try AudioFileReader(path: path).metadata, writer.droppedMetadata, path, folder)
  }

  private static let texts: [AudioFileMetadata.TextKey: String] = [
    .title: "Sturm & Drang: „Öl“", .artist: "Zoë", .copyright: "(c) nobody", .album: "First",
    .comment: "Two\nlines", .date: "2026-11-21", .genre: "Speech", .license: "CC0-1.0",
    .trackNumber: "7",
  ]

  @Test(arguments: [AudioContainer.wav, .wavex, .rf64, .aiff, .caf, .flac, .ogg, .opus, .mp3])
  func texts(container: AudioContainer) throws {
    var metadata = AudioFileMetadata()
    metadata.texts = Self.texts
    let result = try carried(metadata, container)
    for (key, text) in Self.texts where !result.dropped.contains(key.rawValue) {
      #expect(result.metadata[key] == text, "\(container) \(key)")
    }
    #expect(result.metadata[.title] == Self.texts[.title])
    #expect(result.metadata[.artist] == Self.texts[.artist])
  }

  @Test func containersWithoutTextsSaySo() throws {
    var metadata = AudioFileMetadata()
    metadata[.title] = "A title"
    #expect(try carried(metadata, .w64).dropped == ["title"])
    #expect(try carried(metadata, .au).dropped == ["title"])
  }

  @Test(arguments: [AudioContainer.wav, .wavex, .aiff])
  func cuePoints(container: AudioContainer) throws {
    var metadata = AudioFileMetadata()
    metadata.cuePoints = [
      AudioCuePoint(identifier: 1, frame: 1_000, name: ""),
      AudioCuePoint(identifier: 2, frame: 40_000, name: ""),
    ]
    let result = try carried(metadata, container)
    #expect(result.dropped.isEmpty)
    #expect(result.metadata.cuePoints.map(\.frame) == [1_000, 40_000])
  }

  @Test func channelMap() throws {
    var metadata = AudioFileMetadata()
    metadata.channelMap = [2, 3, 4, 11, 9, 10]  // L R C LFE Ls Rs
    let result = try carried(metadata, .wavex, channels: 6)
    #expect(result.metadata.channelMap == metadata.channelMap)
    #expect(result.dropped.isEmpty)
    #expect(try carried(metadata, .w64, channels: 6).dropped == ["channel map"])
  }

  @Test func broadcastExtensionIsCarriedOver() throws {
    // As the library lays it out: the time reference on a multiple of four.
    var chunk = [UInt8](repeating: 0, count: 608 + 256)
    chunk.replaceSubrange(0..<12, with: Array("A recording.".utf8))
    chunk.replaceSubrange(256..<263, with: Array("Auricle".utf8))
    chunk.replaceSubrange(320..<338, with: Array("2026-11-2112:00:00".utf8))
    chunk[340] = 0x80  // 48000 frames after midnight
    chunk[341] = 0xBB
    var metadata = AudioFileMetadata()
    metadata.broadcastExtension = chunk
    let result = try carried(metadata, .wav)
    #expect(result.dropped.isEmpty)
    #expect(result.metadata.broadcastExtension.prefix(346) == chunk.prefix(346))
    #expect(try bytes(of: result.path).contains(Array("bext".utf8)))

    // A second file from the metadata of the first.
    let again = try carried(result.metadata, .wav)
    #expect(again.metadata.broadcastExtension.prefix(346) == chunk.prefix(346))

    // At half the rate the time of the beginning is half as many frames.
    let scaled = metadata.scalingPositions(by: 0.5)
    #expect(scaled.broadcastExtension[340] == 0xC0 && scaled.broadcastExtension[341] == 0x5D)
    #expect(try carried(metadata, .flac).dropped == ["broadcast extension"])
  }

  @Test func cartIsCarriedOver() throws {
    var chunk = [UInt8](repeating: 0, count: 2_308)
    chunk.replaceSubrange(0..<14, with: Array("0101A programme".utf8.prefix(14)))
    var metadata = AudioFileMetadata()
    metadata.cart = chunk
    let result = try carried(metadata, .wav)
    #expect(result.dropped.isEmpty)
    #expect(result.metadata.cart.prefix(1_000) == chunk.prefix(1_000))
    #expect(try carried(result.metadata, .wav).metadata.cart == result.metadata.cart)
    #expect(try carried(metadata, .aiff).dropped == ["cart"])
  }

  /// Makes the metadata of a WAV file with a sampler chunk: unity note 60, loops with their first and last frames.
  private func sampler(_ loops: [(UInt32, UInt32)]) throws -> AudioFileMetadata {
    let folder = try TemporaryFolder()
    func words(_ values: [UInt32]) -> [UInt8] {
      values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    }
    let sampler = words(
      [0, 0, 20_833, 60, 0, 0, 0, UInt32(loops.count), 0]
        + loops.flatMap { [0, 0, $0.0, $0.1, 0, 0] })
    let samples = [UInt8](repeating: 7, count: 1_000)
    let body =
      Array("WAVEfmt ".utf8) + words([16, 0x1_0001, 48_000, 96_000, 0x10_0002])
      + Array("smpl".utf8) + words([UInt32(sampler.count)]) + sampler + Array("data".utf8)
      + words([1_000]) + samples
    try put(Array("RIFF".utf8) + words([UInt32(body.count)]) + body, folder.file("in.wav"))
    return try AudioFileReader(path: folder.file("in.wav")).metadata
  }

  /// Unity note and loops of a sampler chunk, with their first and last frames.
  private func samplerChunk(_ path: String) throws -> (note: Int, loops: [[Int]]) {
    let file = try bytes(of: path)
    let place = try #require(
      (0..<file.count - 4).first { Array(file[$0..<$0 + 4]) == Array("smpl".utf8) })
    func word(_ index: Int) -> Int {
      (0..<4).reduce(0) { $0 | Int(file[place + 8 + 4 * index + $1]) << (8 * $1) }
    }
    return (word(3), (0..<word(7)).map { [word(9 + 6 * $0 + 2), word(9 + 6 * $0 + 3)] })
  }

  /// Loops move with the sound; loops that are cut into leave nothing but the key.
  @Test(
    arguments: [
      (0, nil, [[100, 199], [300, 399]]), (50, nil, [[50, 149], [250, 349]]),
      (100, 100, [[0, 99]]), (150, 400, [[150, 249]]), (0, 250, [[100, 199]]),
      (0, 199, []), (310, nil, []),
    ] as [(Int, Int?, [[Int]])])
  func loopsMoveWithTheSound(start: Int, count: Int?, loops: [[Int]]) throws {
    let metadata = try sampler([(100, 199), (300, 399)])
    let part = metadata.beginning(atFrame: start, count: count)
    let result = try carried(part, .wav, channels: 1)
    #expect(result.dropped.isEmpty)
    let found = try withExtendedLifetime(result) { try samplerChunk(result.path) }
    #expect(found.note == 60)
    #expect(found.loops == loops)
  }

  @Test func instrumentIsCarriedOver() throws {
    let metadata = try sampler([(100, 200)])
    #expect(!metadata.instrument.isEmpty)
    let result = try carried(metadata, .wav, channels: 1)
    #expect(result.metadata.instrument == metadata.instrument)
    #expect(metadata.scalingPositions(by: 2).instrument != metadata.instrument)
  }

  @Test func cuePointsFollowTheRate() {
    var metadata = AudioFileMetadata()
    metadata.cuePoints = [AudioCuePoint(identifier: 1, frame: 44_100)]
    #expect(metadata.scalingPositions(by: 48_000 / 44_100).cuePoints[0].frame == 48_000)
  }

  @Test func latinTextsAreUnderstood() throws {
    let folder = try TemporaryFolder()
    var metadata = AudioFileMetadata()
    metadata[.title] = "Caf#"
    let result = try carried(metadata, .wav)
    var raw = try bytes(of: result.path)
    let index = try #require(raw.firstRange(of: Array("Caf#".utf8)))
    raw[index.upperBound - 1] = 0xE9
    try put(raw, folder.file("latin.wav"))
    #expect(try AudioFileReader(path: folder.file("latin.wav")).metadata[.title] == "Café")
  }
}
