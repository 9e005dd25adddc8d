// A polyphase windowed sinc: the weights of input frames for each position between two of them.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport

/// The weights of a sample-rate conversion.
///
/// If the ratio has few phases, each has its own weights; otherwise the weights of 4096 phases are stored
/// and interpolated.
///
/// Made and freed on a control thread, read on any.
@safe struct PolyphaseFilter: BitwiseCopyable {
  /// Input frames that go into an output frame; a multiple of 16.
  let tapCount: Int
  /// Rows of weights between one input frame and the next.
  let rowCount: Int
  /// Whether rows are interpolated, with one row more than `rowCount`.
  let isInterpolated: Bool
  let weights: UnsafeMutablePointer<Float>

  /// The most weights stored without interpolation: 4 MB.
  static let largestExactTable = 1 << 20

  /// Computes the weights. Context: control.
  init(_ ratio: RateRatio, _ quality: RateQuality) {
    // Below 1 when the output has the lower rate: the filter is that much longer.
    let scale = min(1, Double(ratio.phaseCount) / Double(ratio.step))
    let isLinear = quality.rejection <= 0
    let transition = max(1 - quality.passband, 0.005) / 2
    let length =
      isLinear ? 2 : (quality.rejection - 7.95) / (2.285 * 2 * Double.pi * transition * scale)
    let half = isLinear ? 1 : length / 2
    tapCount = max(16, (Int(2 * half.rounded(.up)) + 15) / 16 * 16)
    isInterpolated = ratio.phaseCount * tapCount > Self.largestExactTable
    rowCount =
      isInterpolated
      ? max(64, min(4096, 2 * Self.largestExactTable / tapCount)) : ratio.phaseCount
    let rows = isInterpolated ? rowCount + 1 : rowCount
    unsafe weights = UnsafeMutableRawPointer.allocate(
      byteCount: rows * tapCount * 4, alignment: 64
    ).bindMemory(to: Float.self, capacity: rows * tapCount)
    let cutoff = (1 + quality.passband) / 2 * scale
    let beta = 0.1102 * (quality.rejection - 8.7)
    let top = Self.bessel(beta)
    var row = [Double](repeating: 0, count: tapCount)
    for index in 0..<rows {
      let place = Double(index) / Double(rowCount)
      var sum = 0.0
      for tap in 0..<tapCount {
        let t = place - Double(tap - tapCount / 2 + 1)
        if isLinear {
          row[tap] = max(0, 1 - abs(t))
        } else if abs(t) >= half {
          row[tap] = 0
        } else {
          let angle = Double.pi * cutoff * t
          let sinc = abs(angle) < 1e-9 ? 1 : RealtimeMath.sin(angle) / angle
          let part = t / half
          row[tap] = sinc * Self.bessel(beta * (1 - part * part).squareRoot()) / top
        }
        sum += row[tap]
      }
      // Every phase passes a constant unchanged.
      for tap in 0..<tapCount {
        unsafe (weights + index * tapCount + tap).initialize(to: Float(row[tap] / sum))
      }
    }
  }

  /// Frees the weights. Context: control.
  func deallocate() { unsafe weights.deallocate() }

  /// Returns the modified Bessel function of the first kind and order zero.
  private static func bessel(_ x: Double) -> Double {
    var term = 1.0, sum = 1.0, k = 1.0
    let quarter = x * x / 4
    while term > sum * 1e-17 && k < 500 {
      term *= quarter / (k * k)
      sum += term
      k += 1
    }
    return sum
  }

  /// Returns the output at a position, from `tapCount` input samples around it.
  ///
  /// - Parameters:
  ///   - samples: The first of the samples.
  ///   - phase: The position in units of 1/`phaseCount`.
  @_noLocks func output(
    _ samples: UnsafePointer<Float>, phase: Int, phaseCount: Int
  ) -> Float {
    if !isInterpolated {
      return unsafe SampleRun.dot(samples, weights + phase * tapCount, tapCount)
    }
    let place = Double(phase) * Double(rowCount) / Double(phaseCount)
    let row = min(Int(place), rowCount - 1)
    let part = Float(place - Double(row))
    let first = unsafe SampleRun.dot(samples, weights + row * tapCount, tapCount)
    let second = unsafe SampleRun.dot(samples, weights + (row + 1) * tapCount, tapCount)
    return first + (second - first) * part
  }
}
