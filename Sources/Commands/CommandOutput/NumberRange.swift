// The numbers that options accept, as converters of their texts.
// SPDX-License-Identifier: Apache-2.0

/// A refused value of an option.
///
/// The parser adds option and value: `--jobs takes a whole number from 1 to 1024, not 'x'`.
package struct RefusedValue: Error, CustomStringConvertible {
  /// The accepted values in words.
  package let accepted: String

  /// A value that is none of these.
  package init(_ accepted: String) { self.accepted = accepted }

  /// The part of the sentence before the value.
  package var description: String { "takes \(accepted)" }
}

/// Converters of the numbers of options.
package enum NumberRange {
  /// Returns a converter of whole numbers.
  ///
  /// - Parameter unit: The counted things: `frames`.
  package static func whole<Number: FixedWidthInteger & Sendable>(
    _ range: ClosedRange<Number>, of unit: String? = nil
  ) -> @Sendable (String) throws -> Number {
    { text in
      if let number = Number(text), range.contains(number) { return number }
      let number = unit.map { "number of \($0)" } ?? "number"
      throw RefusedValue("a whole \(number) from \(range.lowerBound) to \(range.upperBound)")
    }
  }

  /// Returns a converter of numbers with decimals.
  ///
  /// - Parameter unit: Their unit of measure: `seconds`.
  package static func decimal(
    _ range: ClosedRange<Double>, _ unit: String? = nil
  ) -> @Sendable (String) throws -> Double {
    { text in
      if let number = Double(text), range.contains(number) { return number }
      throw RefusedValue(words(range, unit))
    }
  }

  /// A range in words: `-70 to 0 LUFS`.
  package static func words(_ range: ClosedRange<Double>, _ unit: String? = nil) -> String {
    let bounds = [range.lowerBound, range.upperBound].map { bound in
      bound == bound.rounded() ? "\(Int(bound))" : "\(bound)"
    }
    return "\(bounds[0]) to \(bounds[1])\(unit.map { " " + $0 } ?? "")"
  }
}
