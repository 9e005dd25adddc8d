// The loop that finds peaks between samples: against a plain sum, the wide one against the other.
// SPDX-License-Identifier: Apache-2.0

import CRealtime
import Foundation
import TestSupport
import Testing

@Suite("Peaks between samples")
struct PeakLoopTests {
  private let taps = Int(AURICLE_PLACE_SAMPLES)
  private let weights: [Float]
  private let bounds: [Float]

  init() {
    var weights: [Float] = []
    for tap in 0..<48 {
      for place in 0..<8 {
        let distance = Double(tap - 23) - Double(place) / 8
        let sinc = distance == 0 ? 1 : sin(.pi * distance) / (.pi * distance)
        weights.append(Float(sinc * (0.5 + 0.5 * cos(.pi * distance / 24.5))))
      }
    }
    self.weights = weights
    bounds = (0..<48).map { tap in
      weights[(8 * tap)..<(8 * tap + 8)].map(\.magnitude).max() ?? 0
    }
  }

  /// The highest magnitude behind each frame, added up from the oldest sample on.
  private func plain(_ samples: [Float], _ count: Int) -> [Float] {
    (0..<count).map { frame in
      (0..<8).map { place in
        (0..<taps).reduce(Float(0)) { $0 + weights[8 * $1 + place] * samples[frame + $1] }.magnitude
      }.reduce(0) { $1 > $0 ? $1 : $0 }
    }
  }

  private func found(
    _ samples: [Float], _ peaks: [Float], above floor: Float, wide: Bool
  ) -> [Float] {
    AuricleLoopsSetWidest(wide ? 1 : 0)
    defer { AuricleLoopsSetWidest(1) }
    var peaks = peaks
    unsafe AuriclePlacePeaks(weights, bounds, samples, &peaks, peaks.count, floor)
    return peaks
  }

  @Test(
    "peaks above the floor have the bits of a plain sum, others stay below it",
    arguments: [1, 3, 63, 64, 65, 600], [Float(0), 0.2, 0.9, 1.6])
  func peaks(count: Int, floor: Float) {
    var random = SeededGenerator(seed: UInt64(count))
    let noise = (0..<(count + taps - 1)).map { _ in Float.random(in: -1...1, using: &random) }
    let tone = noise.indices.map { Float(sin(0.7 * Double($0))) }
    let earlier = (0..<count).map { $0 % 3 == 0 ? Float.random(in: 0...1.5, using: &random) : 0 }
    for samples in [noise, tone, noise.map { $0 * 0x1p100 }, tone.map { $0 * 0x1p-100 }] {
      let wanted = zip(plain(samples, count), earlier).map { max($0, $1) }
      for wide in [false, true] {
        let peaks = found(samples, earlier, above: floor, wide: wide)
        let isRight = zip(peaks, wanted).allSatisfy { $1 > floor ? $0 == $1 : $0 <= floor }
        #expect(isRight, "wide: \(wide)")
      }
    }
  }

  @Test(
    "a sample that is not finite spoils no frame that it is not part of", arguments: [false, true])
  func broken(wide: Bool) {
    var random = SeededGenerator(seed: 4)
    let sound = (0..<647).map { _ in Float.random(in: -1...1, using: &random) }
    let none = [Float](repeating: 0, count: 600)
    let wanted = found(sound, none, above: 0.5, wide: wide)
    for value in [Float.nan, .infinity, -.infinity] {
      var samples = sound
      samples[300] = value
      let peaks = found(samples, none, above: 0.5, wide: wide)
      let apart = peaks.indices.filter { $0 > 300 || $0 < 301 - taps }
      #expect(apart.allSatisfy { peaks[$0] == wanted[$0] })
    }
  }
}
