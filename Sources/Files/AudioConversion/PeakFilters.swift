// The peaks of a signal between its samples: the interpolators that run together.
// SPDX-License-Identifier: Apache-2.0

import CRealtime
import Glibc

/// Interpolators for eight places between two samples.
///
/// Programs that measure true peaks interpolate with filters of their own, and near half the sample rate each of them
/// overshoots in another way. So three are used here, and the highest value counts: a windowed sinc of 96 samples,
/// longer than those of measuring programs; the short one of libebur128 (and others made after ITU-R BS.1770), with a
/// Hann window; and one of 32 samples with a narrow Kaiser window, as ffmpeg's resampler has it.
@safe final class PeakFilters {
  /// Samples that a value is computed from.
  static let length = Int(AURICLE_PEAK_SAMPLES)

  /// The form for the inner loops.
  let loops: UnsafeMutablePointer<AuriclePeakFilters>
  private let coefficients: UnsafeMutablePointer<Float>

  init(sampleRate: Double) {
    let length = Self.length
    // Measuring programs oversample less at higher rates, with filters as long in time.
    let hannReach = sampleRate < 96_000 ? 6 : 12
    let rows = [
      Self.rows(reach: length / 2) { Self.bessel(4 * (1 - $0 * $0).squareRoot()) },
      Self.rows(reach: hannReach) { 0.5 + 0.5 * cos(.pi * $0) },
      Self.rows(reach: 16) { Self.bessel(9 * (1 - $0 * $0).squareRoot()) },
    ]
    unsafe coefficients = .allocate(capacity: 8 * rows.reduce(0) { $0 + $1.count } + length)
    unsafe loops = .allocate(capacity: 1)
    var filled = 0
    var bounds = [Float](repeating: 0, count: length)
    var filters = unsafe [AuriclePeakFilter]()
    var mostGain: Float = 0
    for filter in rows {
      let first = (length - filter.count) / 2
      unsafe filters.append(
        AuriclePeakFilter(
          coefficients: UnsafePointer(coefficients + filled), first: first, count: filter.count))
      for (tap, row) in filter.enumerated() {
        for value in row {
          unsafe (coefficients + filled).initialize(to: value)
          filled += 1
          bounds[first + tap] = max(bounds[first + tap], abs(value))
        }
      }
      for phase in 0..<8 {
        mostGain = max(mostGain, filter.reduce(0) { $0 + abs($1[phase]) })
      }
    }
    for (tap, bound) in bounds.enumerated() {
      unsafe (coefficients + filled + tap).initialize(to: bound)
    }
    unsafe loops.initialize(
      to: unsafe AuriclePeakFilters(
        filters: (filters[0], filters[1], filters[2]),
        bounds: UnsafePointer(coefficients + filled), mostGain: mostGain))
  }

  deinit {
    unsafe loops.deallocate()
    unsafe coefficients.deallocate()
  }

  /// The greatest ratio of a value to all samples around it.
  var mostGain: Float { unsafe loops.pointee.mostGain }

  /// Returns a windowed sinc over so many samples to each side, eight places a sample; `window` goes from 1 in the
  /// middle to its value at ±1.
  private static func rows(reach: Int, window: (Double) -> Double) -> [[Float]] {
    let whole = window(0)
    return (0..<(2 * reach)).map { tap in
      (0..<8).map { phase in
        let distance = Double(phase) / 8 - Double(tap - reach + 1)
        guard abs(distance) < Double(reach) else { return 0 }
        let sinc = distance == 0 ? 1 : sin(.pi * distance) / (.pi * distance)
        return Float(sinc * window(distance / Double(reach)) / whole)
      }
    }
  }

  /// The modified Bessel function of order zero.
  private static func bessel(_ value: Double) -> Double {
    var sum = 1.0
    var term = 1.0
    for order in 1..<40 {
      term *= (value / 2 / Double(order)) * (value / 2 / Double(order))
      sum += term
    }
    return sum
  }
}
