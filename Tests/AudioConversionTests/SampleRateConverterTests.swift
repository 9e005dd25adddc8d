// The sample rate converter: alignment, length, cleanness.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioTypes
import Foundation
import TestSupport
import Testing

/// Converts whole channels in slices of fixed sizes.
func convert(
  _ channels: [[Float]], from: Double, to: Double,
  quality: SampleRateConverter.Quality = .veryHigh, slice: Int = 1_024
) throws -> [[Float]] {
  let converter = try SampleRateConverter(
    from: from, to: to, channelCount: channels.count, quality: quality)
  let total = channels[0].count
  var result = [[Float]](repeating: [], count: channels.count)
  var start = 0
  var ended = false
  while !ended {
    var input = channels.map { Array($0[start..<min(start + slice, total)]) }
    var output = [[Float]](
      repeating: [Float](repeating: 0, count: 700), count: channels.count)
    let count = input[0].count
    let supplied = try unsafe withRows(&input) { source in
      try unsafe withRows(&output) { target in
        guard count > 0 else { return try unsafe converter.finish(into: target, capacity: 700) }
        let step = try unsafe converter.convert(
          source, frameCount: count, into: target, capacity: 700)
        start += step.used
        return step.supplied
      }
    }
    for index in result.indices { result[index] += output[index].prefix(supplied) }
    ended = count == 0 && supplied == 0
  }
  return result
}

@Suite struct SampleRateConverterTests {
  static let rates: [(Double, Double)] = [
    (44_100, 48_000), (48_000, 44_100), (48_000, 96_000), (96_000, 44_100), (192_000, 48_000),
    (8_000, 48_000), (44_100, 8_000), (48_000, 48_000), (44_100, 44_099),
  ]

  /// A stream shorter than half an output frame: its frame is no silence.
  @Test(arguments: [1, 2, 3])
  func littleSoundStaysSound(frames: Int) throws {
    let result = try convert([[Float](repeating: 0.5, count: frames)], from: 48_000, to: 8_000)
    try #require(result[0].count == 1)
    // As much of a sinc of that width as lies over the frames.
    let wanted = 0.5 * Float(frames) / 6
    #expect(result[0][0] > 0.7 * wanted && result[0][0] < 1.1 * wanted, "\(result[0][0])")
  }

  @Test(arguments: rates, SampleRateConverter.Quality.allCases)
  func lengthIsRounded(rates: (Double, Double), quality: SampleRateConverter.Quality) throws {
    for frames in [0, 1, 2, 999, 10_007] {
      let result = try convert(
        [TestSignal.noise(seed: 1, frameCount: frames)], from: rates.0, to: rates.1,
        quality: quality)
      let exact = Double(frames) * rates.1 / rates.0
      // If there was sound, at least one frame is left.
      #expect(result[0].count == max(Int(exact.rounded()), min(frames, 1)))
    }
  }

  @Test(arguments: rates.filter { $0.0 != $0.1 })
  func anImpulseStaysAtItsTime(rates: (Double, Double)) throws {
    // A second and a half in: at the same second after, regardless of the internal delay.
    let index = Int(rates.0 * 1.5)
    for quality in SampleRateConverter.Quality.allCases {
      // A short bell instead of one sample, so that its middle survives the lower rate.
      let width = max(rates.0, rates.1) / min(rates.0, rates.1) * 4
      let bell = (0..<Int(rates.0 * 2)).map { frame -> Float in
        let distance = Double(frame - index) / width
        return Float(exp(-distance * distance))
      }
      let result = try convert([bell], from: rates.0, to: rates.1, quality: quality)[0]
      var (sum, weight) = (0.0, 0.0)
      for (frame, sample) in result.enumerated() {
        sum += Double(frame) * Double(sample)
        weight += Double(sample)
      }
      let middle = sum / weight / rates.1
      #expect(abs(middle - Double(index) / rates.0) * rates.1 < 0.01, "\(quality)")
    }
  }

  @Test(arguments: [(44_100, 48_000), (48_000, 44_100), (96_000, 48_000)] as [(Double, Double)])
  func aSineStaysClean(rates: (Double, Double)) throws {
    let sine = TestSignal.sine(
      frequency: 997, amplitude: 0.9, sampleRate: rates.0, frameCount: Int(rates.0))
    let result = try convert([sine], from: rates.0, to: rates.1)[0]
    let middle = result[result.count / 4..<result.count * 3 / 4]
    let fit = SineFit(middle, frequency: 997, sampleRate: rates.1)
    #expect(fit.signalToNoise > 120)
    #expect(abs(decibels(fit.amplitude / 0.9)) < 0.001)
  }

  @Test func sliceSizesMakeNoDifference() throws {
    let noise = [
      TestSignal.noise(seed: 3, frameCount: 20_000), TestSignal.noise(seed: 4, frameCount: 20_000),
    ]
    let whole = try convert(noise, from: 44_100, to: 48_000, slice: 20_000)
    #expect(try convert(noise, from: 44_100, to: 48_000, slice: 64) == whole)
    #expect(try convert([noise[1]], from: 44_100, to: 48_000, slice: 333)[0] == whole[1])
  }

  @Test func senselessRatesAreRefused() {
    for (from, to, channels) in [
      (0.0, 48_000.0, 1), (48_000, -1, 1), (.nan, 48_000, 1), (48_000, .infinity, 1),
      (48_000, 44_100, 0),
    ] {
      let error = #expect(throws: AuricleError.self) {
        _ = try SampleRateConverter(from: from, to: to, channelCount: channels)
      }
      #expect(error?.category == .usage)
    }
  }

  @Test func qualitiesHaveNames() {
    #expect(SampleRateConverter.Quality(named: "Very High") == .veryHigh)
    #expect(SampleRateConverter.Quality(named: "very-high") == .veryHigh)
    #expect(SampleRateConverter.Quality(named: "quick") == .quick)
    #expect(SampleRateConverter.Quality(named: "best") == nil)
  }
}
