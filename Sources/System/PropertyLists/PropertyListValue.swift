// One value of a property list, and access to its parts.
// SPDX-License-Identifier: Apache-2.0

/// One value of a property list: a container, or a leaf.
public enum PropertyListValue: Hashable, Sendable {
  /// Values by key. Keys are unique; their order is not kept.
  case dictionary([String: PropertyListValue])
  /// Values in order.
  case array([PropertyListValue])
  /// Text.
  case string(String)
  /// A whole number. Numbers that are read lie between `Int64.min` and `UInt64.max`.
  case integer(Int128)
  /// A floating-point number; infinities and NaN are possible.
  case real(Double)
  /// True or false.
  case boolean(Bool)
  /// Bytes.
  case data([UInt8])
  /// A moment, in seconds since 2001-01-01 00:00:00 UTC; finite.
  case date(Double)
}

extension PropertyListValue {
  /// The entries, if this is a dictionary.
  ///
  /// Context: any.
  public var dictionaryValue: [String: PropertyListValue]? {
    if case .dictionary(let entries) = self { entries } else { nil }
  }

  /// The elements, if this is an array.
  ///
  /// Context: any.
  public var arrayValue: [PropertyListValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The text, if this is a string.
  ///
  /// Context: any.
  public var stringValue: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The number, if this is an integer that an `Int64` can hold.
  ///
  /// Context: any.
  public var integerValue: Int64? {
    if case .integer(let number) = self { Int64(exactly: number) } else { nil }
  }

  /// The number, if this is a real or an integer (rounded to the nearest `Double`).
  ///
  /// Context: any.
  public var realValue: Double? {
    switch self {
    case .real(let number): number
    case .integer(let number): Double(number)
    default: nil
    }
  }

  /// The truth value, if this is a boolean.
  ///
  /// Context: any.
  public var booleanValue: Bool? {
    if case .boolean(let flag) = self { flag } else { nil }
  }

  /// The bytes, if this is data.
  ///
  /// Context: any.
  public var dataValue: [UInt8]? {
    if case .data(let bytes) = self { bytes } else { nil }
  }

  /// The value under a key, if this is a dictionary that has the key.
  ///
  /// Context: any.
  public subscript(key: String) -> PropertyListValue? { dictionaryValue?[key] }

  /// The kind of this value, for messages: "a dictionary", "an integer" and so on.
  ///
  /// Context: any.
  public var kindName: String {
    switch self {
    case .dictionary: "a dictionary"
    case .array: "an array"
    case .string: "a string"
    case .integer: "an integer"
    case .real: "a real number"
    case .boolean: "a boolean"
    case .data: "data"
    case .date: "a date"
    }
  }
}
