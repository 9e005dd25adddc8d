// Reads JSON strictly: UTF-8, no more than so deep, nothing behind it.
// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
  /// The greatest depth of nested arrays and objects.
  public static let maximumDepth = 32

  /// Reads a value from text; nil for anything that is not exactly one JSON value.
  ///
  /// Nesting beyond `maximumDepth` is refused; the caller bounds the length.
  ///
  /// Context: any.
  public init?(_ bytes: some Sequence<UInt8>) {
    var reader = JSONReader(bytes: Array(bytes))
    guard let value = reader.value(depth: 0), reader.isAtEnd() else { return nil }
    self = value
  }

  /// Reads a value from text.
  public init?(text: String) {
    self.init(text.utf8)
  }
}

private struct JSONReader {
  package let bytes: [UInt8]
  package var position = 0

  package mutating func isAtEnd() -> Bool {
    skipSpace()
    return position == bytes.count
  }

  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  private mutating func consume(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func consume(word: String, _ value: JSONValue) -> JSONValue? {
    let utf8 = Array(word.utf8)
    guard bytes.count - position >= utf8.count,
      bytes[position..<(position + utf8.count)].elementsEqual(utf8)
    else { return nil }
    position += utf8.count
    return value
  }

  package mutating func value(depth: Int) -> JSONValue? {
    guard depth <= JSONValue.maximumDepth else { return nil }
    skipSpace()
    guard position < bytes.count else { return nil }
    switch bytes[position] {
    case UInt8(ascii: "{"): return object(depth)
    case UInt8(ascii: "["): return array(depth)
    case UInt8(ascii: "\""): return string().map(JSONValue.string)
    case UInt8(ascii: "t"): return consume(word: "true", true)
    case UInt8(ascii: "f"): return consume(word: "false", false)
    case UInt8(ascii: "n"): return consume(word: "null", .null)
    default: return number()
    }
  }

  private mutating func array(_ depth: Int) -> JSONValue? {
    position += 1
    var elements: [JSONValue] = []
    skipSpace()
    if consume(UInt8(ascii: "]")) { return .array([]) }
    while true {
      guard let element = value(depth: depth + 1) else { return nil }
      elements.append(element)
      skipSpace()
      if consume(UInt8(ascii: "]")) { return .array(elements) }
      guard consume(UInt8(ascii: ",")) else { return nil }
    }
  }

  private mutating func object(_ depth: Int) -> JSONValue? {
    position += 1
    var members: [JSONValue.Member] = []
    skipSpace()
    if consume(UInt8(ascii: "}")) { return .object([]) }
    while true {
      skipSpace()
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\""), let key = string() else {
        return nil
      }
      skipSpace()
      guard consume(UInt8(ascii: ":")), let value = value(depth: depth + 1) else { return nil }
      members.append(JSONValue.Member(key, value))
      skipSpace()
      if consume(UInt8(ascii: "}")) { return .object(members) }
      guard consume(UInt8(ascii: ",")) else { return nil }
    }
  }

  private mutating func string() -> String? {
    position += 1
    let start = position
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return String(validating: bytes[start..<(position - 1)], as: UTF8.self)
      case UInt8(ascii: "\\"): return stringWithEscapes(from: start)
      case 0..<0x20: return nil
      default: position += 1
      }
    }
    return nil
  }

  /// The text that begins at `start`, and has an escape at the position.
  private mutating func stringWithEscapes(from start: Int) -> String? {
    var text = Array(bytes[start..<position])
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let escaped = escape() else { return nil }
        text += escaped
      case 0..<0x20: return nil
      default: text.append(byte)
      }
    }
    return nil
  }

  /// The bytes of an escaped character; the backslash is consumed already.
  private mutating func escape() -> [UInt8]? {
    guard position < bytes.count else { return nil }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [8]
    case UInt8(ascii: "f"): return [12]
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "r"): return [13]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "u"):
      guard let first = hexadecimal() else { return nil }
      var code = first
      if (0xD800..<0xDC00).contains(first) {
        guard consume(UInt8(ascii: "\\")), consume(UInt8(ascii: "u")), let second = hexadecimal(),
          (0xDC00..<0xE000).contains(second)
        else { return nil }
        code = 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { return nil }
      return Array(String(Character(scalar)).utf8)
    default: return nil
    }
  }

  private mutating func hexadecimal() -> UInt32? {
    guard bytes.count - position >= 4 else { return nil }
    var code: UInt32 = 0
    for byte in bytes[position..<(position + 4)] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      code = code << 4 | UInt32(digit)
    }
    position += 4
    return code
  }

  private mutating func number() -> JSONValue? {
    let start = position
    var isWhole = true
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): break
      case UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
        isWhole = false
      default:
        return Self.number(bytes[start..<position], isWhole)
      }
      position += 1
    }
    return Self.number(bytes[start..<position], isWhole)
  }

  private static func number(_ digits: ArraySlice<UInt8>, _ isWhole: Bool) -> JSONValue? {
    // The grammar of JSON: no plus, no leading zero, digits around the point.
    let body = digits.first == UInt8(ascii: "-") ? digits.dropFirst() : digits
    guard let first = body.first, (0x30...0x39).contains(first), digits.count <= 64,
      !(first == 0x30 && body.count > 1 && (0x30...0x39).contains(body[body.startIndex + 1])),
      let last = body.last, (0x30...0x39).contains(last)
    else { return nil }
    // The library reads `1.e5` as well.
    if let point = digits.firstIndex(of: UInt8(ascii: ".")),
      !(0x30...0x39).contains(digits[point + 1])
    {
      return nil
    }
    let text = String(decoding: digits, as: UTF8.self)
    if isWhole, let value = Int64(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite else { return nil }
    return .number(value)
  }
}
