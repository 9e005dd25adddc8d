// Every container with every encoding, written and read again.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioFiles
import AudioTypes
import Foundation
import TestSupport
import Testing

/// Returns the largest error of a sample in an encoding: half a step if it is linear.
private func tolerance(_ encoding: AudioEncoding) -> Float? {
  switch encoding {
  case .float32, .float64: 0
  // A float has 24 bits.
  case .pcm32, .alac32, .pcm24, .alac24: 1 / Float(1 << 24)
  case .dwvw24: 1 / Float(1 << 23)
  case .alac20: 1.0001 / Float(1 << 20)
  case .pcm16, .alac16: 1.0001 / Float(1 << 16)
  case .dwvw16: 1 / Float(1 << 15)
  case .pcmU8, .pcmS8: 1.0001 / Float(1 << 8)
  case .ulaw, .alaw: 0.02
  default: nil
  }
}

@Suite struct RoundTripTests {
  /// A signal that uses the whole range, loud and quiet, different in each channel.
  static func signal(channels: Int, frames: Int, rate: Double) -> [[Float]] {
    (0..<channels).map { channel in
      let sine = TestSignal.sine(
        frequency: rate / 50 + Double(channel) * 10, amplitude: 0.6, sampleRate: rate,
        frameCount: frames)
      let noise = TestSignal.noise(seed: UInt64(channel + 1), amplitude: 0.1, frameCount: frames)
      return zip(sine, noise).map { $0 + $1 }
    }
  }

  /// The containers to test; without the codec, only the ones that do not need it.
  static let containers = AudioContainer.allCases.filter {
    // Samples without a header do not declare their format.
    (!$0.needsCodec || CodecLibrary.path != nil) && $0 != .raw
  }

  static let formats: [AudioFileFormat] = containers.flatMap { container in
    container.encodings.flatMap { encoding in
      [
        (1, 44_100.0), (2, 48_000), (6, 96_000), (2, 8_000), (1, 192_000), (1, 8_000), (1, 16_000),
      ].compactMap {
        let format = AudioFileFormat(
          container: container, encoding: encoding, sampleRate: $0.1, channelCount: $0.0)
        return format.writingProblem == nil ? format : nil
      }
    }
  }

  @Test(arguments: formats)
  func comesBack(format: AudioFileFormat) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("sound.\(format.container.fileExtension)")
    let frames = 9_001
    let original = Self.signal(
      channels: format.channelCount, frames: frames, rate: format.sampleRate)
    try writeFile(path, original, format)
    #expect(folder.names == ["sound.\(format.container.fileExtension)"])

    let (channels, reader) = try readFile(path)
    #expect(reader.format.encoding == format.encoding)
    #expect(reader.format.channelCount == format.channelCount)
    // Opus is decoded at 48 kHz, for any source rate.
    let rate = format.encoding == .opus ? 48_000 : format.sampleRate
    #expect(reader.format.sampleRate == rate)
    #expect(channels.count == original.count)
    guard let tolerance = tolerance(format.encoding) else {
      let count = min(frames, channels[0].count)
      #expect(abs(Double(channels[0].count) - Double(frames) * rate / format.sampleRate) < 8_192)
      for (index, (channel, reference)) in zip(channels, original).enumerated() {
        // The channel for low frequencies has only these.
        if format.container.needsCodec || format.encoding == .aac, index == 3 { continue }
        let ratio = rootMeanSquare(channel.prefix(count)) / rootMeanSquare(reference.prefix(count))
        #expect(ratio > 0.3 && ratio < 2, "level of \(format)")
      }
      return
    }
    #expect(reader.format.container == format.container)
    for (channel, reference) in zip(channels, original) {
      // Block encodings fill their last block.
      #expect(channel.count >= frames)
      #expect(maximumDifference(Array(channel.prefix(frames)), reference) <= tolerance)
    }
  }

  @Test(arguments: formats.filter { $0.channelCount < 3 && $0.sampleRate < 100_000 })
  func sameSoundSameBytes(format: AudioFileFormat) throws {
    let folder = try TemporaryFolder()
    let original = Self.signal(
      channels: format.channelCount, frames: 5_000, rate: format.sampleRate)
    try writeFile(folder.file("a"), original, format)
    try writeFile(folder.file("b"), original, format)
    #expect(try bytes(of: folder.file("a")) == bytes(of: folder.file("b")))
  }

  /// Nor do they contain the time: a file written a second later is the same.
  @Test func sameBytesLater() throws {
    let folder = try TemporaryFolder()
    let original = Self.signal(channels: 1, frames: 500, rate: 48_000)
    let formats = Self.formats.filter { $0.channelCount == 1 && $0.sampleRate == 44_100 }
    for (index, format) in formats.enumerated() {
      try writeFile(folder.file("a\(index)"), original, format)
    }
    // The clock itself is the event: the formats that could have a time have one of whole seconds.
    let second = time(nil)
    _ = OtherPrograms.wait { time(nil) > second + 1 }
    for (index, format) in formats.enumerated() {
      try writeFile(folder.file("b\(index)"), original, format)
      #expect(
        try bytes(of: folder.file("a\(index)")) == bytes(of: folder.file("b\(index)")), "\(format)")
    }
  }

  @Test(arguments: AudioContainer.allCases)
  func nothingIsAFileToo(container: AudioContainer) throws {
    guard let encoding = container.defaultEncoding else { return }
    let folder = try TemporaryFolder()
    let path = folder.file("nothing")
    // These say in their first bytes how much follows, or nothing at all.
    guard container != .opus, !container.needsCodec else { return }
    var format = AudioFileFormat(
      container: container, encoding: encoding, sampleRate: 48_000, channelCount: 1)
    format.sampleRate = try #require(format.nearestWritableRate)
    try writeFile(path, [[]], format)
    #expect(folder.names == ["nothing"])
    guard [.wav, .wavex, .rf64, .w64, .aiff, .caf, .au, .flac].contains(container) else { return }
    let (channels, _) = try readFile(path)
    #expect(channels == [[]])
  }

  /// Samples beyond ±1 are clipped and counted; the ends of the range are exact.
  @Test(arguments: [
    (AudioContainer.wav, AudioEncoding.pcmU8), (.wav, .pcm16), (.wav, .pcm24), (.wav, .pcm32),
    (.aiff, .pcmS8), (.aiff, .pcm16), (.flac, .pcm16), (.flac, .pcm24), (.caf, .alac16),
    (.wav, .alaw), (.wav, .ulaw), (.wav, .imaADPCM), (.wav, .float32), (.wav, .float64),
  ])
  func clipping(container: AudioContainer, encoding: AudioEncoding) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("sound")
    for channels in [1, 2] {
      let format = AudioFileFormat(
        container: container, encoding: encoding, sampleRate: 48_000, channelCount: channels)
      let original: [Float] = [0, 1, -1, 1.5, -1.5, 100, -100, 0.25, -0.25, 3e8, -3e8]
      let writer = try writeFile(
        path, [[Float]](repeating: original, count: channels), format, overwrite: true)
      let read = Array(try readFile(path).channels[channels - 1].prefix(original.count))
      guard !encoding.isFloatingPoint else {
        #expect(writer.clippedSampleCount == 0)
        #expect(read == original)
        continue
      }
      #expect(writer.clippedSampleCount == 6 * channels)
      #expect(read.allSatisfy { abs($0) <= 1.01 })
      guard let bits = encoding.bitsPerSample, ![.ulaw, .alaw].contains(encoding) else { continue }
      let top = 1 - Float(sign: .plus, exponent: 1 - bits, significand: 1)
      #expect(read == [0, top, -1, top, -1, top, -1, 0.25, -0.25, top, -1], "\(encoding)")
    }
  }

  /// Encodings in blocks fill up the last one, which is no sound.
  @Test(arguments: [AudioEncoding.imaADPCM, .msADPCM, .gsm610], [1, 2_000, 44_100, 88_200])
  func blocksEndWithTheSound(encoding: AudioEncoding, frames: Int) throws {
    let folder = try TemporaryFolder()
    let format = AudioFileFormat(
      container: .wav, encoding: encoding, sampleRate: 44_100, channelCount: 1)
    try writeFile(
      folder.file("sound.wav"), Self.signal(channels: 1, frames: frames, rate: 44_100), format)
    let (channels, reader) = try readFile(folder.file("sound.wav"))
    #expect(reader.frameCount == frames)
    #expect(channels[0].count == frames)
    // The fact chunk, by which other programs go.
    let file = try bytes(of: folder.file("sound.wav"))
    let place = try #require(
      (0..<100).first { Array(file[$0..<$0 + 4]) == Array("fact".utf8) })
    #expect((0..<4).reduce(0) { $0 | Int(file[place + 8 + $1]) << (8 * $1) } == frames)
  }

  /// Rounding is to the nearest step, and to the even one in the middle: no shift of the middle.
  @Test(arguments: [(AudioEncoding.pcm16, Float(32_768)), (.pcm24, 8_388_608)])
  func rounding(encoding: AudioEncoding, steps: Float) throws {
    let folder = try TemporaryFolder()
    let format = AudioFileFormat(
      container: .wav, encoding: encoding, sampleRate: 48_000, channelCount: 1)
    let positions: [Float] = [0, 0.4, 0.5, 0.6, 1.5, 2.5, -0.4, -0.5, -0.6, -1.5, -2.5]
    try writeFile(folder.file("sound"), [positions.map { $0 / steps }], format)
    let read = try readFile(folder.file("sound")).channels[0].map { $0 * steps }
    #expect(read == [0, 0, 0, 1, 2, 2, 0, 0, -1, -2, -2])
  }

  /// WAV that may pass 4 GiB is prepared for it, and is plain WAV when it does not.
  @Test func roomForMoreThanFourGigabytes() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("sound.wav")
    let format = AudioFileFormat(
      container: .wav, encoding: .pcm24, sampleRate: 48_000, channelCount: 2)
    let original = Self.signal(channels: 2, frames: 4_000, rate: 48_000)
    let small = try writeFile(path, original, format, expected: 4_000)
    #expect(small.format.container == .wav)
    let large = try writeFile(path, original, format, overwrite: true, expected: 800_000_000)
    #expect(large.format.container == .rf64)
    #expect(try bytes(of: path).starts(with: "RIFF".utf8))
    #expect(try readFile(path).channels[0].count == 4_000)
  }

  @Test func byteOrderIsKept() throws {
    // Big-endian WAV and little-endian AIFF stay so.
    let folder = try TemporaryFolder()
    for (container, order) in [(AudioContainer.wav, AudioByteOrder.big), (.aiff, .little)] {
      var format = AudioFileFormat(
        container: container, encoding: .pcm16, sampleRate: 48_000, channelCount: 1)
      format.byteOrder = order
      let original = Self.signal(channels: 1, frames: 4_000, rate: 48_000)
      try writeFile(folder.file(container.name), original, format)
      #expect(try AudioFileReader(path: folder.file(container.name)).format.byteOrder == order)
    }
  }
}
