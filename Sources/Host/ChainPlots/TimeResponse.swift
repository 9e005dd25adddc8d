// Responses to an impulse and to a step, cut to the time in which something happens.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A response in time. Frame `origin` is the one at which the signal changes.
struct TimeResponse {
  /// The response, as a part of the signal's height.
  let samples: [Float]
  /// The frame of the change.
  let origin: Int

  /// The frames worth seeing: all that differ from the end by more than a part of the greatest value.
  func interesting(sampleRate: Double, threshold: Float) -> ClosedRange<Int> {
    let end = samples.last ?? 0
    let peak = samples.reduce(Float(0)) { max($0, abs($1)) }
    let limit = max(peak, 1e-6) * threshold
    let first = samples.firstIndex { abs($0) > limit } ?? origin
    let last = samples.lastIndex { abs($0 - end) > limit } ?? origin
    let least = Int(sampleRate / 500)
    let from = max(0, min(first, origin) - least / 4)
    return from...min(samples.count - 1, max(last + (last - origin) / 8, origin + least))
  }

  /// A curve of no more than some thousand points: where there are more frames, their lowest and highest.
  ///
  /// - Parameter unit: A frame's length in the unit of the axis.
  func curve(_ name: String, _ frames: ClosedRange<Int>, unit: Double) -> PlotFigure.Curve {
    var curve = PlotFigure.Curve(name: name, x: [], y: [])
    func add(_ frame: Int) {
      curve.x.append(Double(frame - origin) * unit)
      curve.y.append(Double(samples[frame]))
    }
    let group = max(1, frames.count / 1000)
    guard group > 2 else {
      for frame in frames { add(frame) }
      return curve
    }
    for start in stride(from: frames.lowerBound, through: frames.upperBound, by: group) {
      let part = start...min(start + group - 1, frames.upperBound)
      let low = part.min { samples[$0] < samples[$1] } ?? start
      let high = part.max { samples[$0] < samples[$1] } ?? start
      for frame in [min(low, high), max(low, high)] { add(frame) }
    }
    return curve
  }
}
