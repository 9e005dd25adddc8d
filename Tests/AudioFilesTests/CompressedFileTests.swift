// Compressed files as other programs write them: nothing of their sound is lost.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Foundation
import TestSupport
import Testing

@Suite struct CompressedFileTests {
  private static let frames = 96_000

  /// An MP3 of two seconds and the offset of its first frame with sound, after the tag frame.
  private func mp3(_ folder: TemporaryFolder) throws -> (bytes: [UInt8], tagSize: Int) {
    let format = AudioFileFormat(
      container: .mp3, encoding: .mpegLayer3, sampleRate: 48_000, channelCount: 2)
    // From quiet to loud, so that an encoder of variable rate has little to do at first.
    let noise = TestSignal.noise(seed: 9, frameCount: Self.frames)
    let rising = noise.enumerated().map { $1 * Float($0) / Float(Self.frames) }
    let path = folder.file("whole.mp3")
    var options = AudioFileWriter.Options()
    options.quality = 0.7
    let writer = try AudioFileWriter(path: path, format: format, options: options)
    var rows = [rising, rising]
    try unsafe withRows(&rows) { try unsafe writer.write($0, frameCount: Self.frames) }
    try writer.finish()
    let whole = try bytes(of: path)
    // The library puts an ID3 tag first; the second frame begins where the next header is.
    let start = try #require(
      whole.firstRange(of: Array("Info".utf8)) ?? whole.firstRange(of: Array("Xing".utf8)))
    let first = start.lowerBound - 36
    let sync = Array(whole[first..<first + 2])
    let second = try #require(whole[(first + 40)...].firstRange(of: sync)?.lowerBound)
    return (whole, second)
  }

  @Test func mp3WithoutATagIsReadToItsEnd() throws {
    let folder = try TemporaryFolder()
    let (whole, start) = try mp3(folder)
    try put(Array(whole[start...]), folder.file("bare.mp3"))
    let (channels, reader) = try readFile(folder.file("bare.mp3"))
    // The encoder's delay is no longer stored: some more frames than were written.
    #expect(channels[0].count >= Self.frames && channels[0].count < Self.frames + 4_000)
    #expect(reader.frameCount == channels[0].count)
    #expect(rootMeanSquare(channels[0].suffix(8_000)) > 0.2)
  }

  @Test func joinedMP3IsReadToItsEnd() throws {
    let folder = try TemporaryFolder()
    let (whole, start) = try mp3(folder)
    let bare = Array(whole[start...])
    let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0]
    try put(bare + tag + bare, folder.file("joined.mp3"))
    #expect(try readFile(folder.file("joined.mp3")).channels[0].count > 2 * Self.frames - 4_000)
    // A first frame that has fewer frames than there are ends nothing early.
    try put(whole + bare, folder.file("more.mp3"))
    let (more, reader) = try readFile(folder.file("more.mp3"))
    #expect(more[0].count > 2 * Self.frames - 4_000)
    #expect(reader.notes.contains { $0.contains("all were read") }, "\(reader.notes)")
    try put(Array(whole.prefix(whole.count / 2)), folder.file("less.mp3"))
    #expect(failure { _ = try readFile(folder.file("less.mp3")) }?.category == .badData)
  }

  @Test func gapInMP3IsFound() throws {
    let folder = try TemporaryFolder()
    let (whole, start) = try mp3(folder)
    var broken = Array(whole[start...])
    broken.removeSubrange(broken.count / 2..<broken.count / 2 + 100)
    try put(broken, folder.file("gap.mp3"))
    #expect(failure { _ = try readFile(folder.file("gap.mp3")) }?.category == .badData)
  }

  @Test func chainedOggIsRefused() throws {
    let folder = try TemporaryFolder()
    let format = AudioFileFormat(
      container: .ogg, encoding: .vorbis, sampleRate: 48_000, channelCount: 1)
    for seed in 1...2 as ClosedRange<UInt64> {
      try writeFile(
        folder.file("\(seed).ogg"), [TestSignal.noise(seed: seed, frameCount: 9_000)], format)
    }
    let chain = try bytes(of: folder.file("1.ogg")) + bytes(of: folder.file("2.ogg"))
    try put(chain, folder.file("chain.ogg"))
    let error = try #require(failure { _ = try readFile(folder.file("chain.ogg")) })
    #expect(error.message.contains("several Ogg streams"))
    // Serial numbers differ with the content, so that joining is allowed at all.
    let first = try bytes(of: folder.file("1.ogg"))[14..<18]
    let second = try bytes(of: folder.file("2.ogg"))[14..<18]
    #expect(!first.elementsEqual(second))
  }

  /// The choices of compressing encoders arrive at the encoder.
  @Test func optionsChangeTheSize() throws {
    let folder = try TemporaryFolder()
    func size(_ container: AudioContainer, _ options: AudioFileWriter.Options) throws -> Int {
      let encoding = try #require(container.defaultEncoding)
      let format = AudioFileFormat(
        container: container, encoding: encoding, sampleRate: 48_000, channelCount: 1)
      let path = folder.file("\(container.name)")
      let writer = try AudioFileWriter(
        path: path, format: format, overwrite: true, options: options)
      var rows = [TestSignal.noise(seed: 2, frameCount: 96_000)]
      try unsafe withRows(&rows) { try unsafe writer.write($0, frameCount: 96_000) }
      try writer.finish()
      return try bytes(of: path).count
    }
    var poor = AudioFileWriter.Options()
    poor.quality = 0.1
    var rich = AudioFileWriter.Options()
    rich.quality = 0.9
    #expect(try size(.ogg, poor) < size(.ogg, rich))
    #expect(try size(.opus, poor) < size(.opus, rich))
  }

  /// For any number of channels, an encoder without a bit rate keeps high frequencies.
  @Test(arguments: [
    (AudioContainer.opus, 1), (.opus, 2), (.opus, 3), (.opus, 6), (.opus, 8), (.ogg, 6), (.mp3, 2),
  ])
  func highFrequenciesAreKept(container: AudioContainer, channelCount: Int) throws {
    let folder = try TemporaryFolder()
    let format = AudioFileFormat(
      container: container, encoding: try #require(container.defaultEncoding),
      sampleRate: 48_000, channelCount: channelCount)
    let sine = TestSignal.sine(
      frequency: 12_000, amplitude: 0.1, sampleRate: 48_000, frameCount: 48_000)
    let noise = TestSignal.noise(seed: 3, amplitude: 0.1, frameCount: 48_000)
    let row = zip(sine, noise).map { $0 + $1 }
    let path = folder.file("high.\(container.fileExtension)")
    try writeFile(path, Array(repeating: row, count: channelCount), format)
    let found = try readFile(path).channels[0].prefix(48_000)
    // The amount of the sine in the result.
    var sum = (0.0, 0.0)
    for (frame, sample) in found.enumerated() {
      let phase = 2 * Double.pi * 12_000 * Double(frame) / 48_000
      sum.0 += Double(sample) * cos(phase)
      sum.1 += Double(sample) * sin(phase)
    }
    let level = 2 * (sum.0 * sum.0 + sum.1 * sum.1).squareRoot() / Double(found.count)
    #expect(level > 0.07, "\(level)")
  }

  /// In frames of a low bit rate LAME has no room for the length and its own delay.
  @Test(arguments: [
    (44_100.0, 1, 32_000), (44_100, 2, 56_000), (48_000, 2, 32_000), (22_050, 1, 48_000),
    (24_000, 1, 24_000), (11_025, 1, 24_000), (8_000, 2, 32_000), (44_100, 1, 128_000),
  ])
  func lengthAndPlaceOfMP3(rate: Double, channelCount: Int, bitRate: Int) throws {
    let folder = try TemporaryFolder()
    var format = AudioFileFormat(
      container: .mp3, encoding: .mpegLayer3, sampleRate: rate, channelCount: channelCount)
    format.bitRate = bitRate
    let frames = 20_011
    let tone = TestSignal.sine(
      frequency: 400, amplitude: 0.5, sampleRate: rate, frameCount: frames)
    let row = tone.enumerated().map { (8_000..<14_000).contains($0) ? $1 : 0 }
    let path = folder.file("low.mp3")
    try writeFile(path, Array(repeating: row, count: channelCount), format)
    let (channels, reader) = try readFile(path)
    #expect(reader.frameCount == frames && channels[0].count == frames)
    let start = try #require(channels[0].firstIndex { abs($0) > 0.2 })
    let end = try #require(channels[0].lastIndex { abs($0) > 0.2 })
    #expect(abs(start - 8_000) < 250 && abs(end - 14_000) < 250, "\(start) to \(end)")
    // Damage is found by the checksum that the first frame has.
    var broken = try bytes(of: path)
    broken[broken.count / 2] ^= 0x10
    try put(broken, folder.file("broken.mp3"))
    #expect(failure { _ = try readFile(folder.file("broken.mp3")) }?.category == .badData)
  }

  @Test(arguments: [(8_000.0, 64_000), (11_025, 32_000), (12_000, 16_000), (16_000, 160_000)])
  func bitRatesOfLowSampleRates(rate: Double, bitRate: Int) throws {
    let folder = try TemporaryFolder()
    var format = AudioFileFormat(
      container: .mp3, encoding: .mpegLayer3, sampleRate: rate, channelCount: 1)
    format.bitRate = bitRate
    let path = folder.file("a.mp3")
    let frames = Int(rate) * 8
    try writeFile(path, [TestSignal.noise(seed: 4, frameCount: frames)], format)
    let found = Double(try bytes(of: path).count)
    #expect(abs(found - Double(bitRate)) < 0.1 * Double(bitRate), "\(found)")
    format.bitRate = 192_000
    #expect(failure { try format.checkWritable() }?.category == .usage)
  }

  @Test func aSampleDumpThatMakesNoSenseIsRefused() throws {
    let folder = try TemporaryFolder()
    try put([0xF0, 0x7E, 0, 1] + [UInt8](repeating: 0, count: 200), folder.file("a.sds"))
    let error = failure { _ = try AudioFileReader(path: folder.file("a.sds")) }
    #expect(error?.message.contains("its header makes no sense") == true)
  }
}
