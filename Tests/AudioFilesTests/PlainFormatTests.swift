// Files with few declarations: samples without a header, MIDI sample dumps, single rates.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Foundation
import TestSupport
import Testing

@Suite struct PlainFormatTests {
  /// SoX writes an odd number of bytes, and one more that makes it even.
  @Test func anOddNumberOfBytesFromTheAmiga() throws {
    let folder = try TemporaryFolder()
    let format = AudioFileFormat(
      container: .iff, encoding: .pcmS8, sampleRate: 8_000, channelCount: 1)
    try writeFile(folder.file("a.iff"), [[Float](repeating: 0.5, count: 1_000)], format)
    var whole = try bytes(of: folder.file("a.iff"))
    let body = try #require(whole.firstRange(of: Array("BODY".utf8))).upperBound
    whole[body + 2] = UInt8(999 >> 8)
    whole[body + 3] = UInt8(999 & 0xFF)
    whole[body + 4 + 999] = 0
    try put(whole, folder.file("odd.iff"))
    let (channels, reader) = try readFile(folder.file("odd.iff"))
    #expect(reader.frameCount == 999 && channels[0].count == 999)
  }

  private func read(_ path: String, _ description: String) throws -> [[Float]] {
    let format = try #require(AudioFileFormat(rawDescription: description))
    let reader = try AudioFileReader(
      descriptor: InputFile.open(path), path: path, raw: format)
    #expect(reader.format == format)
    let total = try #require(reader.frameCount)
    var channels = [[Float]](
      repeating: [Float](repeating: 0, count: total + 10), count: format.channelCount)
    let count = try unsafe withRows(&channels) { rows in
      try unsafe reader.read(into: rows, frameCount: total + 10)
    }
    #expect(count == total)
    return channels.map { Array($0.prefix(count)) }
  }

  @Test(arguments: [
    "pcm16,44100,2", "pcm16,44100,2,big", "pcm24,48000,1", "pcm24,48000,3,big", "pcm32,8000,1",
    "float32,96000,2", "float64,44100,1,big", "pcm-u8,22050,2", "pcm-s8,8000,1", "ulaw,8000,1",
    "alaw,8000,2",
  ])
  func samplesWithoutAHeader(description: String) throws {
    let format = try #require(AudioFileFormat(rawDescription: description))
    #expect(format.rawDescription == description)
    let folder = try TemporaryFolder()
    let path = folder.file("sound.raw")
    let original = RoundTripTests.signal(
      channels: format.channelCount, frames: 5001, rate: format.sampleRate)
    try writeFile(path, original, format)
    let size = try bytes(of: path).count
    #expect(size == 5001 * format.channelCount * (format.encoding.bitsPerSample ?? 0) / 8)
    let channels = try read(path, description)
    for (channel, reference) in zip(channels, original) {
      let furthest = zip(channel, reference).map { abs($0 - $1) }.max() ?? 1
      #expect(channel.count == 5001 && furthest < 0.02)
    }
  }

  @Test func theFirstByteOfASampleIsWhereTheOrderSays() throws {
    let folder = try TemporaryFolder()
    try put([0x40, 0x00, 0xC0, 0x00], folder.file("a"))
    #expect(try read(folder.file("a"), "pcm16,8000,1,big") == [[0.5, -0.5]])
    try put([0x00, 0x40, 0x00, 0xC0], folder.file("b"))
    #expect(try read(folder.file("b"), "pcm16,8000,2") == [[0.5], [-0.5]])
  }

  @Test(arguments: [
    "", "pcm16", "pcm16,44100", "pcm16,44100,0", "pcm16,0,2", "pcm99,44100,2", "vorbis,44100,2",
    "pcm16,44100,2,middle", "pcm-u8,44100,2,big", "pcm16,44100,2,big,1", "pcm16,44.1,2",
  ])
  func whatIsNoDescription(text: String) {
    #expect(AudioFileFormat(rawDescription: text) == nil)
  }

  @Test func halfAFrameIsDamage() throws {
    let folder = try TemporaryFolder()
    try put([UInt8](repeating: 1, count: 1001), folder.file("a"))
    let error = failure { _ = try read(folder.file("a"), "pcm16,44100,2") }
    #expect(error?.category == .badData)
    #expect(error?.message.contains("no whole number of frames") == true)
  }

  /// A dump of samples of 16 bits, as the standard lays it out.
  private func dump(_ samples: [Int]) -> [UInt8] {
    func sevens(_ value: Int) -> [UInt8] { [0, 7, 14].map { UInt8(value >> $0 & 0x7F) } }
    var bytes: [UInt8] = [0xF0, 0x7E, 0, 1, 0, 0, 16]
    bytes += sevens(62_500) + sevens(samples.count) + sevens(0) + sevens(0) + [0, 0xF7]
    for (number, start) in stride(from: 0, to: samples.count, by: 40).enumerated() {
      var block: [UInt8] = [0x7E, 0, 2, UInt8(number & 0x7F)]
      for index in start..<(start + 40) {
        let value = (index < samples.count ? samples[index] : 0) + 32_768
        block += [UInt8(value >> 9), UInt8(value >> 2 & 0x7F), UInt8(value & 3) << 5]
      }
      bytes += [0xF0] + block + [block.reduce(0, ^) & 0x7F, 0xF7]
    }
    return bytes
  }

  private let numbers = (0..<20_011).map { ($0 * 7919) % 60_000 - 30_000 }

  /// The library itself misplaces the contents of a last block that is not full.
  @Test(arguments: [80, 81, 119, 1009, 20_011])
  func sampleDumpsToTheLastSample(frames: Int) throws {
    let folder = try TemporaryFolder()
    let samples = Array(numbers.prefix(frames))
    try put(dump(samples), folder.file("a.sds"))
    let (channels, reader) = try readFile(folder.file("a.sds"))
    #expect(reader.format.sampleRate == 16_000 && reader.format.encoding == .pcm16)
    #expect(channels == [samples.map { Float($0) / 32_768 }])
  }

  /// The reader of dumps prints its complaints; the stream they go to belongs to the whole process.
  @Test func readersOfSeveralThreadsRestoreStandardOutput() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.sds")
    try put(dump(Array(numbers.prefix(1009))), path)
    DispatchQueue.concurrentPerform(iterations: 64) { _ in _ = try? readFile(path) }
    var place = ""
    // Other tests read dumps too, for a moment each. The tests themselves may write to such memory.
    let isRestored = try OtherPrograms.wait {
      place = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/1")
      return !place.hasPrefix("/memfd:auricle")
    }
    #expect(isRestored, "standard output still leads to \(place)")
  }

  @Test func damagedSampleDumps() throws {
    let folder = try TemporaryFolder()
    var whole = dump(Array(numbers.prefix(1009)))
    try put(Array(whole.dropLast(200)), folder.file("short.sds"))
    let short = failure { _ = try readFile(folder.file("short.sds")) }
    #expect(short?.message.contains("cut short") == true, "\(short?.message ?? "")")
    whole[21 + 3 * 127 + 50] ^= 8
    try put(whole, folder.file("bad.sds"))
    let bad = failure { _ = try readFile(folder.file("bad.sds")) }
    #expect(bad?.message.contains("block 4 does not match") == true, "\(bad?.message ?? "")")
  }

  @Test(arguments: [
    (AudioContainer.opus, AudioEncoding.opus, 44_100.0, 2, 48_000.0), (.opus, .opus, 8000, 1, 8000),
    (.opus, .opus, 11_025, 1, 12_000), (.opus, .opus, 192_000, 2, 48_000),
    (.mp3, .mpegLayer3, 96_000, 2, 48_000), (.mp3, .mpegLayer3, 44_100, 2, 44_100),
    (.wve, .alaw, 44_100, 1, 8000), (.xi, .dpcm16, 96_000, 1, 44_100),
    (.htk, .pcm16, 44_100, 1, 50_000), (.m4a, .aac, 192_000, 2, 96_000),
    (.ac3, .ac3, 22_050, 2, 32_000), (.wav, .pcm16, 44_100, 2, 44_100),
  ])
  func theNextRateThatAnEncoderAccepts(
    container: AudioContainer, encoding: AudioEncoding, rate: Double, channels: Int, next: Double
  ) {
    let format = AudioFileFormat(
      container: container, encoding: encoding, sampleRate: rate, channelCount: channels)
    #expect(format.nearestWritableRate == next)
  }

  @Test func noRateMakesUpForChannels() {
    let format = AudioFileFormat(
      container: .mp3, encoding: .mpegLayer3, sampleRate: 96_000, channelCount: 6)
    #expect(format.nearestWritableRate == nil)
  }
}
