// A picture as figures: axes, curves, and a map of levels.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A drawn figure. Points are in units of the axes.
public struct PlotFigure: Codable, Sendable, Equatable {
  /// One direction of a picture.
  public struct Axis: Codable, Sendable, Equatable {
    /// The quantity of the axis, with its unit.
    public var label: String
    /// The value at the left or at the bottom.
    public var low: Double
    /// The value at the right or at the top.
    public var high: Double
    /// Whether equal distances are equal ratios.
    public var isLogarithmic = false

    /// Where a value lies, from 0 to 1; outside of that beyond the ends.
    func place(_ value: Double) -> Double {
      isLogarithmic
        ? log(max(value, low / 1000) / low) / log(high / low) : (value - low) / (high - low)
    }
  }

  /// A line through points.
  public struct Curve: Codable, Sendable, Equatable {
    /// The chain, and the channel where they differ.
    public var name: String
    /// The values on the first axis.
    public var x: [Double]
    /// The values on the second axis.
    public var y: [Double]
  }

  /// Levels over time and frequency.
  public struct Map: Codable, Sendable, Equatable {
    /// Columns, in time.
    public var columns: Int
    /// Rows, from the highest frequency down.
    public var rows: Int
    /// A level for each place, row by row, in dB of the signal.
    public var levels: [Float]
    /// The level that is as good as nothing.
    public var floor: Float
  }

  /// The quantity and the chain.
  public var title: String
  /// From left to right.
  public var x: Axis
  /// From bottom to top.
  public var y: Axis
  /// The lines.
  public var curves: [Curve] = []
  /// A line for comparison: the result of a chain without effect.
  public var reference: Curve?
  /// The map of a spectrogram.
  public var map: Map?
}

/// A value with its text on an axis.
struct AxisTick: Equatable {
  var value: Double
  var text: String
}

extension PlotFigure.Axis {
  /// Values to be marked: 20, 50, 100 … on logarithmic axes, about so many round ones on others.
  func ticks(about count: Int = 8) -> [AxisTick] {
    if isLogarithmic {
      var ticks: [AxisTick] = []
      var decade = pow(10, log10(low).rounded(.down))
      while decade <= high {
        for digit in [1.0, 2, 5] where digit * decade >= low * 0.999 && digit * decade <= high {
          ticks.append(AxisTick(value: digit * decade, text: Self.text(digit * decade)))
        }
        decade *= 10
      }
      return ticks
    }
    let step = Self.roundStep((high - low) / Double(count))
    let first = (low / step - 1e-9).rounded(.up)
    return stride(from: first, through: high / step + 1e-9, by: 1).map {
      AxisTick(value: $0 * step, text: Self.text($0 * step))
    }
  }

  /// The next of 1, 2, 3, 5, 6 times a power of ten, where 3 and 6 suit decibels and degrees.
  static func roundStep(_ rough: Double) -> Double {
    let power = pow(10, log10(rough).rounded(.down))
    return ([1.0, 2, 3, 5, 6, 10].first { $0 * power >= rough * 0.999 } ?? 10) * power
  }

  /// A number with no more digits than it needs; thousands as `k`.
  static func text(_ value: Double) -> String {
    if abs(value) >= 1000 { return text(value / 1000) + "k" }
    let rounded = (value * 1000).rounded() / 1000
    if rounded == 0 { return "0" }
    let text = rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    return text.replacing("-", with: "−")
  }

  /// An axis over all values: whole steps, and at least so much.
  static func around(
    _ values: [Double], label: String, atLeast span: Double, within limits: ClosedRange<Double>
  ) -> Self {
    var low = max(values.min() ?? 0, limits.lowerBound)
    var high = min(values.max() ?? 0, limits.upperBound)
    if high - low < span {
      let middle = (high + low) / 2
      (low, high) = (middle - span / 2, middle + span / 2)
    }
    let step = roundStep((high - low) / 7)
    low = ((low + 1e-9 * step) / step).rounded(.down) * step
    high = ((high - 1e-9 * step) / step).rounded(.up) * step
    return Self(label: label, low: low, high: high)
  }
}
