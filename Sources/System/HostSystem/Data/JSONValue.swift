// A small JSON of our own for ledgers and messages: bounded in size and depth, never a trap.
// SPDX-License-Identifier: Apache-2.0

/// A JSON value. Objects keep the order of their members.
public enum JSONValue: Sendable, Equatable {
  /// `null`
  case null
  /// `true` or `false`
  case boolean(Bool)
  /// A number without fraction or exponent that fits.
  case integer(Int64)
  /// Any other number; one that is not finite is written as the text `inf`, `-inf` or `nan`.
  case number(Double)
  /// Text.
  case string(String)
  /// Values in their order.
  case array([JSONValue])
  /// Members in their order.
  case object([Member])

  /// A name and its value.
  public struct Member: Sendable, Equatable {
    /// The name.
    public var key: String
    /// The value.
    public var value: JSONValue

    /// Pairs a name with a value.
    public init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// An object of the known members: those whose value is nil are left out.
  public static func members(_ list: [(String, JSONValue?)]) -> JSONValue {
    .object(list.compactMap { key, value in value.map { Member(key, $0) } })
  }

  /// The member of an object; nil for none, and for `null`.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self,
      let value = members.first(where: { $0.key == key })?.value, value != .null
    else { return nil }
    return value
  }

  /// The text; nil for anything else.
  public var text: String? {
    if case .string(let text) = self { return text }
    return nil
  }

  /// The integer; nil for anything else.
  public var integer: Int? {
    if case .integer(let value) = self { return Int(value) }
    return nil
  }

  /// The number, whole or not, `inf`, `-inf` and `nan` too; nil for anything else.
  public var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    case .string("inf"): .infinity
    case .string("-inf"): -.infinity
    case .string("nan"): .nan
    default: nil
    }
  }

  /// The truth value; nil for anything else.
  public var boolean: Bool? {
    if case .boolean(let value) = self { return value }
    return nil
  }

  /// The elements of an array; nil for anything else.
  public var elements: [JSONValue]? {
    if case .array(let elements) = self { return elements }
    return nil
  }

  /// The members of an object; nil for anything else.
  public var members: [Member]? {
    if case .object(let members) = self { return members }
    return nil
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral
{
  /// Text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A truth value.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }

  /// A whole number.
  public init(_ value: Int) { self = .integer(Int64(value)) }
  /// A number; whole ones that fit are written without a fraction.
  public init(_ value: Double) {
    if let whole = Int64(exactly: value), abs(value) < 0x1p53 {
      self = .integer(whole)
    } else {
      self = .number(value)
    }
  }
}

extension JSONValue {
  /// The value on one line.
  public var compactText: String {
    var bytes: [UInt8] = []
    write(to: &bytes, indent: nil, depth: 0)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The value with one member or element a line.
  public var indentedText: String {
    var bytes: [UInt8] = []
    write(to: &bytes, indent: 2, depth: 0)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the value on one line.
  package func write(to bytes: inout [UInt8]) {
    write(to: &bytes, indent: nil, depth: 0)
  }

  private func write(to bytes: inout [UInt8], indent: Int?, depth: Int) {
    switch self {
    case .null: bytes += "null".utf8
    case .boolean(let value): bytes += (value ? "true" : "false").utf8
    case .integer(let value): bytes += "\(value)".utf8
    case .number(let value):
      if value.isFinite {
        bytes += "\(value)".utf8
      } else {
        bytes += (value.isNaN ? "\"nan\"" : value > 0 ? "\"inf\"" : "\"-inf\"").utf8
      }
    case .string(let text): Self.write(text, to: &bytes)
    case .array(let elements):
      Self.writeList(elements, "[", "]", to: &bytes, indent: indent, depth: depth) {
        $0.write(to: &$1, indent: indent, depth: depth + 1)
      }
    case .object(let members):
      Self.writeList(members, "{", "}", to: &bytes, indent: indent, depth: depth) {
        Self.write($0.key, to: &$1)
        $1 += (indent == nil ? ":" : ": ").utf8
        $0.value.write(to: &$1, indent: indent, depth: depth + 1)
      }
    }
  }

  private static func writeList<Item>(
    _ items: [Item], _ open: String, _ close: String, to bytes: inout [UInt8], indent: Int?,
    depth: Int, _ write: (Item, inout [UInt8]) -> Void
  ) {
    func newLine(_ depth: Int) {
      guard let indent, !items.isEmpty else { return }
      bytes.append(0x0A)
      bytes += repeatElement(0x20, count: indent * depth)
    }
    bytes += open.utf8
    for (index, item) in items.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      newLine(depth + 1)
      write(item, &bytes)
    }
    newLine(depth)
    bytes += close.utf8
  }

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    // Nearly all text is written as it is.
    if text.utf8.allSatisfy(isPlain) {
      bytes += text.utf8
    } else {
      for byte in text.utf8 { write(byte, to: &bytes) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private static func write(_ byte: UInt8, to bytes: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
    case 0x0A: bytes += "\\n".utf8
    case 0x09: bytes += "\\t".utf8
    case 0x0D: bytes += "\\r".utf8
    case 0..<0x20, 0x7F:
      let digits = Array("0123456789abcdef".utf8)
      bytes += "\\u00".utf8
      bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    default: bytes.append(byte)
    }
  }
}
