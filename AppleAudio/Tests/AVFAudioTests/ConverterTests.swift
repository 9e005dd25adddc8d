// Converters: counts of frames, statuses, channels.
// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals

import AVFoundation
import Testing

struct ConverterTests {
  /// Converts in chunks in and out, and returns all that came out with the last status.
  private func convert(
    _ samples: [Float], _ from: AVAudioFormat, _ to: AVAudioFormat, chunk: Int, output: Int
  ) throws -> [Float] {
    let converter = try #require(AVAudioConverter(from: from, to: to))
    var place = 0
    var result: [Float] = []
    let block = AVAudioPCMBuffer(pcmFormat: to, frameCapacity: AVAudioFrameCount(output))!
    while true {
      var error: NSError?
      let status = converter.convert(to: block, error: &error) { _, status in
        guard place < samples.count else {
          status.pointee = .endOfStream
          return nil
        }
        let count = min(chunk, samples.count - place)
        defer { place += count }
        status.pointee = .haveData
        return buffer(Array(samples[place..<place + count]), from)
      }
      #expect(error == nil && status != .error)
      result += block.samples()
      if status == .endOfStream { return result }
    }
  }

  @Test(arguments: [
    (44_100.0, 48_000.0), (48_000, 16_000), (16_000, 44_100), (44_100, 44_100), (96_000, 44_100),
  ])
  func sumsOfFrames(_ rates: (Double, Double)) throws {
    for count in [1, 333, 4_410, 10_000] {
      let wanted = Double(count) * rates.1 / rates.0
      for (chunk, output) in [(10_000, 20_000), (512, 1_000), (100, 77)] {
        let result = try convert(
          sine(count, 300, rates.0), standard(rates.0), standard(rates.1), chunk: chunk,
          output: output)
        #expect(
          abs(Double(result.count) - wanted) <= 1, "\(count) frames by \(chunk) and \(output)")
      }
    }
  }

  @Test func aSineStaysInPlace() throws {
    let result = try convert(
      sine(48_000, 440, 48_000), standard(48_000), standard(16_000), chunk: 1_024, output: 4_096)
    let wanted = sine(16_000, 440, 16_000)
    for frame in 1_000..<15_000 { #expect(abs(result[frame] - wanted[frame]) < 2e-3) }
  }

  @Test func streamsGoOn() throws {
    let converter = try #require(AVAudioConverter(from: standard(48_000), to: standard(16_000)))
    let block = AVAudioPCMBuffer(pcmFormat: standard(16_000), frameCapacity: 8_000)!
    var total = 0
    for _ in 0..<5 {
      var isSupplied = false
      let status = converter.convert(to: block, error: nil) { _, status in
        status.pointee = isSupplied ? .noDataNow : .haveData
        defer { isSupplied = true }
        return isSupplied ? nil : buffer(sine(4_800, 440, 48_000), standard(48_000))
      }
      #expect(status == .inputRanDry)
      total += Int(block.frameLength)
    }
    #expect(total <= 8_000 && total > 7_500)
    let end = converter.convert(to: block, error: nil) { _, status in
      status.pointee = .endOfStream
      return nil
    }
    #expect(end == .endOfStream && abs(total + Int(block.frameLength) - 8_000) <= 1)
    #expect(
      converter.convert(to: block, error: nil) { _, _ in nil } == .endOfStream
        && block.frameLength == 0)
    converter.reset()
    var isSupplied = false
    let again = converter.convert(to: block, error: nil) { _, status in
      status.pointee = isSupplied ? .endOfStream : .haveData
      defer { isSupplied = true }
      return isSupplied ? nil : buffer(sine(4_800, 440, 48_000), standard(48_000))
    }
    #expect(again == .endOfStream && abs(Int(block.frameLength) - 1_600) <= 1)
  }

  @Test func aBlockThatRepeatsItsBufferFillsTheOutput() throws {
    let converter = try #require(AVAudioConverter(from: standard(48_000), to: standard(24_000)))
    let block = AVAudioPCMBuffer(pcmFormat: standard(24_000), frameCapacity: 500)!
    let supplied = buffer(sine(4_800, 440, 48_000), standard(48_000))
    let status = converter.convert(to: block, error: nil) { _, status in
      status.pointee = .haveData
      return supplied
    }
    #expect(status == .haveData && block.frameLength == 500)
  }

  @Test func channelsAreKeptOrMapped() throws {
    let stereo = standard(44_100, 2)
    let source = AVAudioPCMBuffer(pcmFormat: stereo, frameCapacity: 2)!
    source.frameLength = 2
    (source.floatChannelData![0][0], source.floatChannelData![1][0]) = (0.5, -0.25)
    let mono = AVAudioPCMBuffer(pcmFormat: standard(), frameCapacity: 2)!
    let converter = try #require(AVAudioConverter(from: stereo, to: standard()))
    try converter.convert(to: mono, from: source)
    #expect(mono.samples() == [0.5, 0] && mono.frameLength == 2)
    converter.channelMap = [1]
    try converter.convert(to: mono, from: source)
    #expect(mono.samples()[0] == -0.25)
    let wide = try #require(AVAudioConverter(from: standard(), to: stereo))
    let result = AVAudioPCMBuffer(pcmFormat: stereo, frameCapacity: 2)!
    try wide.convert(to: result, from: buffer([0.125, 1]))
    #expect(result.samples(0) == [0.125, 1] && result.samples(1) == [0.125, 1])
  }

  @Test func simpleConversionRefuses() throws {
    let rates = try #require(AVAudioConverter(from: standard(48_000), to: standard(44_100)))
    let output = AVAudioPCMBuffer(pcmFormat: standard(44_100), frameCapacity: 100)!
    #expect(throws: NSError.self) {
      try rates.convert(to: output, from: buffer([0], standard(48_000)))
    }
    let integers = AVAudioFormat(
      commonFormat: .pcmFormatInt16, sampleRate: 44_100, channels: 1, interleaved: true)!
    let converter = try #require(AVAudioConverter(from: standard(), to: integers))
    let small = AVAudioPCMBuffer(pcmFormat: integers, frameCapacity: 1)!
    #expect(throws: NSError.self) { try converter.convert(to: small, from: buffer([0, 0])) }
    let fits = AVAudioPCMBuffer(pcmFormat: integers, frameCapacity: 2)!
    try converter.convert(to: fits, from: buffer([0.5, -1]))
    #expect(fits.int16ChannelData![0][0] == 16_384 && fits.int16ChannelData![0][1] == -32_768)
  }
}
