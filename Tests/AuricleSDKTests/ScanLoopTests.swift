// Loops that scan samples and round them: against plain Swift, the wide ones against the others.
// SPDX-License-Identifier: Apache-2.0

import CRealtime
import Foundation
import TestSupport
import Testing

@Suite("Scanning loops")
struct ScanLoopTests {
  static let lengths = [0, 1, 7, 8, 15, 16, 17, 31, 1000, 1024, 1039, 5000]

  private func both<Result: Equatable>(_ body: () -> Result) -> Result {
    AuricleLoopsSetWidest(0)
    let any = body()
    AuricleLoopsSetWidest(1)
    let wide = body()
    #expect(any == wide)
    return wide
  }

  private func noise(_ count: Int, seed: UInt64, peak: Float = 1.2) -> [Float] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in Float.random(in: -peak...peak, using: &random) }
  }

  @Test("one sample that is not finite is found wherever it is", arguments: lengths)
  func finite(count: Int) {
    var samples = noise(count, seed: 1, peak: 1e38)
    #expect(both { unsafe AuricleSamplesAreFinite(samples, count) } == 1)
    for bad in [Float.nan, -.nan, .infinity, -.infinity, .signalingNaN] {
      for place in Set([0, 1, 7, 8, 15, 16, count / 2, count - 1]) where samples.indices ~= place {
        let good = samples[place]
        samples[place] = bad
        #expect(both { unsafe AuricleSamplesAreFinite(samples, count) } == 0, "\(bad) at \(place)")
        // Samples behind the end are not read.
        #expect(both { unsafe AuricleSamplesAreFinite(samples, place) } == 1)
        samples[place] = good
      }
    }
  }

  @Test("peak and sum of squares are those of the samples", arguments: lengths)
  func levels(count: Int) {
    let samples = noise(count, seed: 2)
    let found = both {
      var peak: Float = -1
      var squares = -1.0
      unsafe AuricleSamplesMeasure(samples, count, &peak, &squares)
      return [Double(peak), squares]
    }
    #expect(found[0] == Double(samples.map { abs($0) }.max() ?? 0))
    let wanted = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
    #expect(abs(found[1] - wanted) <= wanted * 1e-6)
  }

  @Test("frames are rounded to even, clipped and counted", arguments: lengths, [8, 12, 16])
  func quantized(count: Int, bits: Int) {
    var left = noise(count, seed: 3)
    let right = noise(count, seed: 4)
    let factor = Float(1 << (bits - 1))
    for (index, value) in [0.5, 1.5, -0.5, 2.5, factor, -factor, .nan].enumerated()
    where index < count {
      left[index] = value / factor
    }
    var quantizer = AuricleQuantizer(
      factor: factor, highest: factor - 1, shift: Int32(16 - bits))
    func whole(_ sample: Float) -> Int16 {
      let bounded = sample > -1 ? min(sample * factor, factor - 1) : -factor
      return Int16(bounded.rounded(.toNearestOrEven)) << Int16(16 - bits)
    }
    let found = both {
      var frames = [Int16](repeating: 99, count: 2 * count + 2)
      let clipped = unsafe AuricleQuantizePairs(left, right, &frames, count, &quantizer)
      return frames + [Int16(clipped)]
    }
    #expect(Array(found[..<(2 * count)]) == zip(left, right).flatMap { [whole($0), whole($1)] })
    #expect(found[2 * count] == 99 && found[2 * count + 1] == 99)
    #expect(Int(found[2 * count + 2]) == (left + right).count { abs($0) > 1 })
  }
}
