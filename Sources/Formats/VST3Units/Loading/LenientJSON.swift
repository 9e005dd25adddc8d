// JSON5, as bundles write it: with comments, commas behind the last member, and names without quotes.
// SPDX-License-Identifier: Apache-2.0

/// A value of a data file in JSON or JSON5.
indirect enum LenientJSON: Equatable {
  case null
  case flag(Bool)
  case number(Double)
  case string(String)
  case array([LenientJSON])
  case object([String: LenientJSON])

  /// The reason why bytes are no value.
  struct Defect: Error {
    var line: Int
    var reason: String
  }

  /// The member of an object.
  subscript(_ key: String) -> LenientJSON? {
    guard case .object(let members) = self else { return nil }
    return members[key]
  }

  /// The elements of an array; nil for others.
  var elements: [LenientJSON]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The text of a string; nil for others.
  var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The value of a whole file.
  static func value(of bytes: [UInt8]) throws(Defect) -> LenientJSON {
    var reader = LenientJSONReader(bytes)
    let value = try reader.value(depth: 0)
    guard try reader.next() == nil else { throw reader.defect("there is more behind its end") }
    return value
  }
}

/// A reader of bytes from a position on.
private struct LenientJSONReader {
  private static let deepest = 64
  private let bytes: [UInt8]
  private var place = 0
  private var line = 1

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func defect(_ reason: String) -> LenientJSON.Defect {
    LenientJSON.Defect(line: line, reason: reason)
  }

  /// The next byte behind blanks and comments, which is not passed; nil at the end.
  mutating func next() throws(LenientJSON.Defect) -> UInt8? {
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: "\n") { line += 1 }
      if byte == UInt8(ascii: "/") {
        try skipComment()
      } else if byte <= 0x20 || bytes[place...].starts(with: [0xEF, 0xBB, 0xBF]) {
        place += byte <= 0x20 ? 1 : 3
      } else {
        return byte
      }
    }
    return nil
  }

  private mutating func skipComment() throws(LenientJSON.Defect) {
    let isBlock = bytes[place...].starts(with: Array("/*".utf8))
    guard isBlock || bytes[place...].starts(with: Array("//".utf8)) else {
      throw defect("a slash begins no comment")
    }
    place += 2
    while place < bytes.count {
      if isBlock, bytes[place...].starts(with: Array("*/".utf8)) {
        place += 2
        return
      }
      let isEnd = bytes[place] == UInt8(ascii: "\n")
      if isEnd, !isBlock { return }
      if isEnd { line += 1 }
      place += 1
    }
    if isBlock { throw defect("a comment has no end") }
  }

  mutating func value(depth: Int) throws(LenientJSON.Defect) -> LenientJSON {
    guard depth < Self.deepest else { throw defect("it is nested too deeply") }
    switch try next() {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try string())
    case nil: throw defect("it ends too early")
    default: return try word()
    }
  }

  private mutating func object(depth: Int) throws(LenientJSON.Defect) -> LenientJSON {
    var members: [String: LenientJSON] = [:]
    place += 1
    while try next() != UInt8(ascii: "}") {
      let isQuoted = bytes[place] == UInt8(ascii: "\"") || bytes[place] == UInt8(ascii: "'")
      let key = isQuoted ? try string() : name()
      guard !key.isEmpty || isQuoted, try next() == UInt8(ascii: ":") else {
        throw defect("a member has no name")
      }
      place += 1
      guard members.updateValue(try value(depth: depth + 1), forKey: key) == nil else {
        throw defect("the member \"\(key)\" is there twice")
      }
      try endMember(of: UInt8(ascii: "}"))
    }
    place += 1
    return .object(members)
  }

  private mutating func array(depth: Int) throws(LenientJSON.Defect) -> LenientJSON {
    var elements: [LenientJSON] = []
    place += 1
    while try next() != UInt8(ascii: "]") {
      elements.append(try value(depth: depth + 1))
      try endMember(of: UInt8(ascii: "]"))
    }
    place += 1
    return .array(elements)
  }

  /// Passes a comma; the end may follow without or behind one.
  private mutating func endMember(of end: UInt8) throws(LenientJSON.Defect) {
    let byte = try next()
    if byte == UInt8(ascii: ",") {
      place += 1
    } else if byte != end {
      throw defect(byte == nil ? "it ends too early" : "a comma is missing")
    }
    guard try next() != nil else { throw defect("it ends too early") }
  }

  private mutating func string() throws(LenientJSON.Defect) -> String {
    let quote = bytes[place]
    var text: [UInt8] = []
    place += 1
    while place < bytes.count, bytes[place] != quote {
      guard bytes[place] == UInt8(ascii: "\\"), place + 1 < bytes.count else {
        text.append(bytes[place])
        place += 1
        continue
      }
      place += 2
      switch bytes[place - 1] {
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "r"): text.append(0x0D)
      case UInt8(ascii: "u"):
        let digits = String(decoding: bytes[place..<min(place + 4, bytes.count)], as: UTF8.self)
        guard let code = UInt32(digits, radix: 16) else { throw defect("a text is malformed") }
        text += String(Character(Unicode.Scalar(code) ?? "\u{FFFD}")).utf8
        place += 4
      case UInt8(ascii: "\n"): line += 1
      case let other: text.append(other)
      }
    }
    guard place < bytes.count else { throw defect("a text has no end") }
    place += 1
    return String(decoding: text, as: UTF8.self)
  }

  /// A name without quotes.
  private mutating func name() -> String {
    let start = place
    while place < bytes.count,
      Unicode.Scalar(bytes[place]).properties.isAlphabetic
        || (0x30...0x39).contains(bytes[place]) || "_$".utf8.contains(bytes[place])
    { place += 1 }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private mutating func word() throws(LenientJSON.Defect) -> LenientJSON {
    let start = place
    while place < bytes.count, bytes[place] > 0x20, !",]}/:".utf8.contains(bytes[place]) {
      place += 1
    }
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    switch text {
    case "true": return .flag(true)
    case "false": return .flag(false)
    case "null": return .null
    default: break
    }
    let digits = text.hasPrefix("+") ? String(text.dropFirst()) : text
    if digits.hasPrefix("0x"), let number = UInt64(digits.dropFirst(2), radix: 16) {
      return .number(Double(number))
    }
    guard let number = Double(digits) else { throw defect("\"\(text)\" is no value") }
    return .number(number)
  }
}
