// Formats numbers for people.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Formats for durations, levels and parameter values.
package enum Figures {
  /// `3.20 s`, `2:05.1`, `1:02:03`.
  package static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0 else { return "unknown" }
    if seconds < 59.995 { return String(format: "%.2f s", seconds) }
    if seconds < 3599.95 {
      let tenths = Int((seconds * 10).rounded())
      return String(format: "%d:%02d.%d", tenths / 600, tenths / 10 % 60, tenths % 10)
    }
    let whole = Int(min(seconds.rounded(), 1e9))
    return String(format: "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60)
  }

  /// Time left: `0:07`, `12:30`, `3:00:00`.
  package static func timeLeft(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 1e8 else { return "?" }
    let whole = Int(seconds.rounded(.up))
    if whole < 3600 { return String(format: "%d:%02d", whole / 60, whole % 60) }
    return String(format: "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60)
  }

  /// A level with one decimal, `-inf` for silence.
  package static func level(_ decibels: Double?) -> String {
    guard let decibels, decibels.isFinite else { return "-inf" }
    let text = String(format: "%.1f", decibels)
    return text == "-0.0" ? "0.0" : text
  }

  /// Times real time: `0.8×`, `12×`, `140×`.
  package static func speed(_ ratio: Double) -> String {
    guard ratio.isFinite, ratio > 0 else { return "?×" }
    return ratio < 10 ? String(format: "%.1f×", ratio) : String(format: "%.0f×", ratio)
  }

  /// A parameter's value, as short as possible without reading as another value.
  package static func value(_ value: Float) -> String {
    if value == value.rounded(), abs(value) < 1e7 { return String(format: "%.0f", value) }
    return String(format: "%.6g", value)
  }

  /// A number without superfluous digits: `-60`, `-0.5`.
  package static func plain(_ value: Double) -> String { String(format: "%.10g", value) }

  /// A place in a drawing, to a tenth.
  package static func short(_ value: Double) -> String { plain((value * 10).rounded() / 10) }

  /// `812 bytes`, `34.5 MB`.
  package static func bytes(_ count: Int) -> String {
    if count < 1000 { return "\(count) bytes" }
    var value = Double(count) / 1000
    for unit in ["kB", "MB", "GB"] {
      if value < 999.95 { return String(format: "%.1f %@", value, unit) }
      value /= 1000
    }
    return String(format: "%.1f TB", value)
  }

  /// `one file`, `3 files`.
  package static func count(_ number: Int, _ singular: String, _ plural: String) -> String {
    number == 1 ? "1 \(singular)" : "\(number) \(plural)"
  }
}
