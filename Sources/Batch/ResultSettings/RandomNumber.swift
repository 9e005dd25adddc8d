// A number that is drawn anew for each variant of a file.
// SPDX-License-Identifier: Apache-2.0

import Glibc
package import HostSystem

/// The distribution of a number.
public enum RandomNumber: Sendable, Equatable {
  /// Any number between two; with equal factors equally likely when logarithmic.
  case range(low: Double, high: Double, isLogarithmic: Bool)
  /// One of several numbers, each as likely.
  case choices([Double])

  /// The number at a part of the way, 0 up to but not including 1.
  ///
  /// Context: any.
  public func value(at part: Double) -> Double {
    switch self {
    case .choices(let values):
      let index = Int(part * Double(values.count))
      return values.isEmpty ? 0 : values[min(index, values.count - 1)]
    case .range(let low, let high, let isLogarithmic):
      let value = isLogarithmic ? low * pow(high / low, part) : low + part * (high - low)
      return min(max(value, low), high)
    }
  }

  /// The number where no variant is asked for: the middle of a range, the first of a list.
  ///
  /// Context: any.
  public var middle: Double {
    if case .choices(let values) = self { return values.first ?? 0 }
    return value(at: 0.5)
  }

  /// Whether every number lies above zero.
  ///
  /// Context: any.
  public var isPositive: Bool {
    switch self {
    case .choices(let values): values.allSatisfy { $0 > 0 }
    case .range(let low, _, _): low > 0
    }
  }

  /// The form for readers: `random -12 to 0`, with a unit behind each number.
  ///
  /// Context: any.
  public func text(_ number: (Double) -> String) -> String {
    switch self {
    case .choices(let values) where values.count == 1: number(values[0])
    case .choices(let values): "one of \(values.map(number).joined(separator: ", "))"
    case .range(let low, let high, let isLogarithmic):
      "random \(number(low)) to \(number(high))\(isLogarithmic ? ", log" : "")"
    }
  }

  /// The form that `init(json:)` reads.
  package var json: JSONValue {
    switch self {
    case .choices(let values): .members([("choices", .array(values.map(JSONValue.init)))])
    case .range(let low, let high, let isLogarithmic):
      .members([
        ("low", JSONValue(low)), ("high", JSONValue(high)),
        ("isLogarithmic", .boolean(isLogarithmic)),
      ])
    }
  }

  /// Reads it back; nil when it cannot be understood.
  package init?(json: JSONValue?) {
    guard let json else { return nil }
    if let values = json["choices"]?.elements {
      self = .choices(values.compactMap(\.number))
    } else if let low = json["low"]?.number, let high = json["high"]?.number {
      self = .range(
        low: low, high: high, isLogarithmic: json["isLogarithmic"]?.boolean ?? false)
    } else {
      return nil
    }
  }
}
