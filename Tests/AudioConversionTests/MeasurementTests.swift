// Figures about sound: against values known from how the sound was made.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioTypes
import Foundation
import TestSupport
import Testing

@Suite struct MeasurementTests {
  private func measure(
    _ channels: [[Float]], rate: Double = 48_000, map: [Int32] = [], truePeak: Bool = false
  ) -> AudioMeasurement {
    let meter = AudioMeter(
      sampleRate: rate, channelCount: channels.count, channelMap: map, measuresTruePeak: truePeak)
    let total = channels[0].count
    var start = 0
    while start < total {
      let end = min(start + 3_333, total)
      var part = channels.map { Array($0[start..<end]) }
      unsafe withRows(&part) { unsafe meter.add($0, frameCount: end - start) }
      start = end
    }
    return meter.measurement
  }

  /// A stereo sine of 997 Hz at -23 dBFS is -23 LUFS (EBU Tech 3341, case 1).
  @Test(arguments: [(48_000, -23.0), (44_100, -33), (96_000, -14)] as [(Double, Double)])
  func referenceSine(rate: Double, level: Double) throws {
    let sine = TestSignal.sine(
      frequency: 997, amplitude: amplitude(decibels: level), sampleRate: rate,
      frameCount: Int(rate) * 20)
    let figures = measure([sine, sine], rate: rate, truePeak: true)
    #expect(abs(try #require(figures.integratedLoudness) - level) < 0.1)
    #expect(abs(try #require(figures.samplePeak) - level) < 0.01)
    #expect(abs(try #require(figures.rms) - (level - 3.0103)) < 0.01)
    #expect(abs(try #require(figures.truePeak) - level) < 0.1)
    #expect(figures.duration == 20)
    #expect(figures.frameCount == Int(rate) * 20)
  }

  @Test func monoIsHalfOfStereo() throws {
    let sine = TestSignal.sine(frequency: 997, amplitude: 0.1, frameCount: 480_000)
    let mono = try #require(measure([sine]).integratedLoudness)
    let stereo = try #require(measure([sine, sine]).integratedLoudness)
    #expect(abs(stereo - mono - 3.01) < 0.05)
  }

  /// Weights by ITU-R BS.1770-4: 1.5 dB more for the side channels, and nothing for low
  /// frequencies. A channel counts at any position, known or not.
  @Test(
    arguments: [
      // Nothing declared: as 7.1.
      ([], 8, [-10.45, -10.45, -10.45, nil, -10.45, -10.45, -8.96, -8.96]),
      (
        [2, 3, 4, 11, 9, 10, 14, 15], 8,
        [-10.45, -10.45, -10.45, nil, -10.45, -10.45, -8.96, -8.96]
      ),
      // With loudspeakers left and right of the centre instead of those at the sides.
      (
        [2, 3, 4, 11, 9, 10, 12, 13], 8,
        [-10.45, -10.45, -10.45, nil, -8.96, -8.96, -10.45, -10.45]
      ),
      ([2, 3, 4, 11, 9, 10], 6, [-10.45, -10.45, -10.45, nil, -8.96, -8.96]),
      ([2, 3, 4, 11, 14, 15], 6, [-10.45, -10.45, -10.45, nil, -8.96, -8.96]),
      ([2, 3, 4, 11, 8, 14, 15], 7, [-10.45, -10.45, -10.45, nil, -10.45, -8.96, -8.96]),
      ([], 10, [Double?](repeating: -10.45, count: 10)),
    ] as [([Int32], Int, [Double?])])
  func everyChannelCounts(map: [Int32], count: Int, levels: [Double?]) {
    let sine = TestSignal.sine(frequency: 1000, amplitude: 0.3, frameCount: 48_000)
    let silence = [Float](repeating: 0, count: 48_000)
    for (channel, level) in levels.enumerated() {
      // The same again where it counts by one, so that two channels sound.
      let other = channel == 0 ? 1 : 0
      let channels = (0..<count).map { $0 == channel || $0 == other ? sine : silence }
      let found = measure(channels, map: map).integratedLoudness ?? -100
      // One of the two always has the weight of those in front.
      let parts = [level, -10.45].compactMap(\.self).map { pow(10, $0 / 10) / 2 }
      let wanted = 10 * log10(parts.reduce(0, +))
      #expect(abs(found - wanted) < 0.02, "\(map) channel \(channel): \(found)")
    }
  }

  @Test func truePeakLiesBetweenSamples() throws {
    // A quarter of the rate, sampled beside its crests.
    let sine = TestSignal.sine(
      frequency: 12_000, amplitude: 0.9, frameCount: 48_000, phase: .pi / 4)
    let figures = measure([sine, sine], truePeak: true)
    #expect(abs(try #require(figures.samplePeak) - decibels(0.9 * 0.5.squareRoot())) < 0.01)
    #expect(abs(try #require(figures.truePeak) - decibels(0.9)) < 0.3)
  }

  @Test func silenceHasNoLevels() {
    let figures = measure([TestSignal.silence(frameCount: 480_000)], truePeak: true)
    #expect(figures.samplePeak == nil)
    #expect(figures.rms == nil)
    #expect(figures.integratedLoudness == nil)
    #expect(figures.truePeak == nil)
    #expect(figures.duration == 10)
  }

  @Test func nothingHasNoLevels() {
    let meter = AudioMeter(sampleRate: 48_000, channelCount: 2)
    #expect(meter.measurement == AudioMeasurement())
  }

  @Test func oddFormatsHaveLevelsWithoutLoudness() {
    let channels = [[Float]](repeating: [0.5, -0.25, 0.125], count: 70)
    let figures = measure(channels)
    #expect(figures.samplePeak == decibels(0.5))
    #expect(figures.integratedLoudness == nil)
  }

  @Test func loudnessRangeOfTwoLevels() throws {
    // 20 s at -20, 20 s at -30 dBFS: 10 LU (EBU Tech 3342, case 1).
    let loud = TestSignal.sine(
      frequency: 1_000, amplitude: amplitude(decibels: -20), frameCount: 960_000)
    let soft = loud.map { $0 * Float(amplitude(decibels: -10)) }
    let range = try #require(measure([loud + soft, loud + soft]).loudnessRange)
    #expect(abs(range - 10) < 1)
  }
}
