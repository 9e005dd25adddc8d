// Every container with every encoding, written and read again.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Foundation
import TestSupport
import Testing

/// How near to the original a file of an encoding has to come, in one step of its samples.
private func tolerance(_ encoding: AudioEncoding) -> Float? {
  switch encoding {
  case .float32, .float64: 0
  case .pcm32, .alac32: 1 / Float(1 << 24)
  case .pcm24, .alac24, .dwvw24: 1 / Float(1 << 23)
  case .alac20: 1 / Float(1 << 19)
  case .pcm16, .alac16, .dwvw16: 1 / Float(1 << 15)
  case .dwvw12: 1 / Float(1 << 11)
  case .pcmU8, .pcmS8: 1 / Float(1 << 7)
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

  static let formats: [AudioFileFormat] = AudioContainer.allCases.flatMap { container in
    container.encodings.flatMap { encoding in
      [(1, 44_100.0), (2, 48_000), (6, 96_000), (2, 8_000), (1, 192_000)].compactMap {
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
    #expect(reader.format.sampleRate == format.sampleRate)
    #expect(channels.count == original.count)
    guard let tolerance = tolerance(format.encoding) else {
      let count = min(frames, channels[0].count)
      #expect(abs(channels[0].count - frames) < 8_192)
      for (channel, reference) in zip(channels, original) {
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

  @Test(arguments: AudioContainer.allCases)
  func nothingIsAFileToo(container: AudioContainer) throws {
    guard let encoding = container.defaultEncoding else { return }
    let folder = try TemporaryFolder()
    let path = folder.file("nothing")
    // These say in their first bytes how much follows, or nothing at all.
    guard container != .opus else { return }
    let format = AudioFileFormat(
      container: container, encoding: encoding, sampleRate: 48_000, channelCount: 1)
    try writeFile(path, [[]], format)
    #expect(folder.names == ["nothing"])
    guard [.wav, .wavex, .rf64, .w64, .aiff, .caf, .au, .flac].contains(container) else { return }
    let (channels, _) = try readFile(path)
    #expect(channels == [[]])
  }
}
