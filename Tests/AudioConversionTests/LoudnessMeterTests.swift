// Loudness and true peaks: beside libebur128, by the cases of EBU Tech 3341 and 3342, and without shortcuts.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import CRealtime
import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct LoudnessMeterTests {
  private func measure(_ sound: Sound, isDualMono: Bool = false) -> AudioMeasurement {
    let meter = AudioMeter(
      sampleRate: sound.sampleRate, channelCount: sound.channels.count, isDualMono: isDualMono,
      measuresTruePeak: true)
    // In slices of no particular length.
    var start = 0
    while start < sound.frameCount {
      let end = min(start + 1777, sound.frameCount)
      var part = sound.channels.map { Array($0[start..<end]) }
      unsafe withRows(&part) { unsafe meter.add($0, frameCount: end - start) }
      start = end
    }
    return meter.measurement
  }

  /// Noise that comes and goes.
  private func noise(_ seed: UInt64, _ seconds: Double, _ rate: Double) -> [Float] {
    let noise = TestSignal.noise(
      seed: seed, amplitude: 0.5, frameCount: Int(seconds * rate))
    return noise.enumerated().map { index, value in
      value * ([1, 0.001, 0.3, 0.1, 0.02] as [Float])[Int(Double(index) / rate * 0.7) % 5]
    }
  }

  @Test(arguments: [8000.0, 44_100, 48_000, 96_000], [1, 2, 4])
  func figuresAreThoseOfLibebur128(rate: Double, channels: Int) throws {
    let seed = UInt64(rate) + UInt64(channels)
    let sound = Sound(
      (0..<channels).map { noise(seed + UInt64($0) * 7, 9, rate) }, sampleRate: rate)
    let found = measure(sound)
    let judged = sound.judged()
    #expect(
      abs(try #require(found.integratedLoudness) - (judged.integrated ?? 0)) < 0.005, "seed \(seed)"
    )
    #expect(abs(try #require(found.loudnessRange) - (judged.range ?? 0)) < 0.05, "seed \(seed)")
    // Three interpolators find no less than one.
    let peak = try #require(found.truePeak)
    #expect(peak > (judged.truePeak ?? 0) - 0.02, "seed \(seed)")
  }

  @Test func oneChannelCountsTwiceWhereThatIsAskedFor() throws {
    let sound = Sound([noise(5, 4, 48_000)])
    let found = try #require(measure(sound, isDualMono: true).integratedLoudness)
    #expect(abs(found - (sound.judged(isDualMono: true).integrated ?? 0)) < 0.005)
    #expect(abs(found - (measure(sound).integratedLoudness ?? 0) - 3.01) < 0.01)
  }

  private func tone(_ levels: [(decibels: Double, seconds: Double)]) -> Sound {
    let row = levels.flatMap { level in
      TestSignal.sine(
        frequency: 1000, amplitude: pow(10, level.decibels / 20),
        frameCount: Int(level.seconds * 48_000))
    }
    return Sound([row, row])
  }

  /// EBU Tech 3341, cases 3 to 5: gates.
  @Test(
    arguments: [
      [(-36.0, 10.0), (-23, 60), (-36, 10)],
      [(-72, 10), (-36, 10), (-23, 60), (-36, 10), (-72, 10)],
      [(-26, 20), (-20, 20.1), (-26, 20)],
    ])
  func gatesAreThoseOfTheStandard(levels: [(Double, Double)]) throws {
    let found = measure(tone(levels.map { (decibels: $0.0, seconds: $0.1) }))
    #expect(abs(try #require(found.integratedLoudness) + 23) < 0.1)
  }

  /// EBU Tech 3342, cases 1 to 3.
  @Test(arguments: [(-20.0, -30.0, 10.0), (-20, -15, 5), (-40, -20, 20)])
  func rangesAreThoseOfTheStandard(first: Double, second: Double, range: Double) throws {
    let found = measure(tone([(first, 20), (second, 20)]))
    #expect(abs(try #require(found.loudnessRange) - range) < 1)
  }

  @Test func theLoudestMomentsAreFound() throws {
    let found = measure(tone([(-40, 5), (-20, 1), (-40, 5)]))
    #expect(abs(try #require(found.maximumMomentary) + 20) < 0.1)
    // A second of three.
    #expect(abs(try #require(found.maximumShortTerm) + 24.73) < 0.15)
    let short = measure(tone([(-20, 1)]))
    #expect(short.maximumMomentary != nil && short.maximumShortTerm == nil)
  }

  /// EBU Tech 3341, case 13: bursts of 400 ms that begin anywhere.
  @Test func momentsBetweenStepsAreFound() throws {
    for shift in stride(from: 0.0, to: 0.1, by: 0.01) {
      let found = measure(tone([(-200, 1 + shift), (-23, 0.4), (-200, 1)]))
      #expect(abs(try #require(found.maximumMomentary) + 23) < 0.1, "\(shift) s")
    }
  }

  /// Samples that are skipped as below the floor really are below it, on any processor.
  @Test(arguments: [44_100.0, 96_000])
  func noPeakIsPassedOver(rate: Double) {
    let seed: UInt64 = 31
    var samples = TestSignal.noise(seed: seed, amplitude: 0.5, frameCount: 3000)
    for index in 1000..<2000 { samples[index] *= 0.01 }
    for index in 2100..<2200 { samples[index] = samples[index] < 0 ? -0.9 : 0.9 }
    func peaks(above floor: Float) -> [Float] {
      let detector = TruePeakDetector(sampleRate: rate, channelCount: 1)
      var found = [Float](repeating: 0, count: samples.count)
      var row = [samples]
      unsafe withRows(&row) { rows in
        unsafe found.withUnsafeMutableBufferPointer { found in
          guard let base = found.baseAddress else { return }
          for start in stride(from: 0, to: 3000, by: 750) {
            _ = unsafe detector.find(
              rows, offset: start, count: 750, raising: base + start, above: floor)
          }
        }
      }
      return found
    }
    let all = peaks(above: 0)
    for floor: Float in [0.001, 0.3, 0.6, 1] {
      #expect(peaks(above: floor) == all.map { $0 > floor ? $0 : 0 }, "seed \(seed), \(floor)")
    }
    AuricleLoopsSetWidest(0)
    let others = peaks(above: 0)
    AuricleLoopsSetWidest(1)
    #expect(others == all)
  }

  @Test func meterAndDetectorAgree() throws {
    let sound = Sound([noise(8, 1, 48_000), noise(9, 1, 48_000).map { $0 * 0.8 }])
    var rows = sound.channels
    let meter = TruePeakMeter(sampleRate: 48_000, channelCount: 2)
    unsafe withRows(&rows) { unsafe meter.add(UnsafePointer($0), frameCount: sound.frameCount) }
    #expect(try #require(meter.peak) == (measure(sound).truePeak ?? 0))
  }
}
