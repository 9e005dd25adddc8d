// Numbers, dates and base 64 as in XML property lists, both ways.
// SPDX-License-Identifier: Apache-2.0

/// Text of leaves to values and back. Never depends on the locale.
enum PropertyListScalars {
  /// Length of the longest number or date that is read.
  private static let longestText = 512

  /// The text without white space around it; cut when it is absurdly long.
  static func trimmed(_ text: [UInt8]) -> String {
    let start = text.firstIndex { !isXMLSpace($0) } ?? text.endIndex
    let end = text.lastIndex { !isXMLSpace($0) }.map { $0 + 1 } ?? start
    return String(decoding: text[start..<end].prefix(longestText + 1), as: UTF8.self)
  }

  /// A decimal or `0x` hexadecimal number of any sign, between `Int64.min` and `UInt64.max`.
  static func integer(_ text: String) -> Int128? {
    var digits = Substring(text)
    let isNegative = digits.first == "-"
    if isNegative || digits.first == "+" { digits.removeFirst() }
    let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    if isHexadecimal { digits.removeFirst(2) }
    guard let first = digits.utf8.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-"),
      let magnitude = Int128(digits, radix: isHexadecimal ? 16 : 10),
      magnitude <= Int128(UInt64.max)
    else { return nil }
    let value = isNegative ? -magnitude : magnitude
    return value >= Int128(Int64.min) ? value : nil
  }

  /// A floating-point number; `inf`, `nan` and the like are numbers here.
  static func real(_ text: String) -> Double? {
    text.utf8.count <= longestText ? Double(text) : nil
  }

  /// `YYYY-MM-DDTHH:MM:SSZ` as seconds since 2001-01-01 00:00:00 UTC.
  static func date(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    let pattern = Array("0000-00-00T00:00:00Z".utf8)
    guard bytes.count == pattern.count else { return nil }
    var numbers: [Int] = [0]
    for (byte, expected) in zip(bytes, pattern) {
      if expected == UInt8(ascii: "0") {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(byte) - 48
      } else {
        guard byte == expected else { return nil }
        numbers.append(0)
      }
    }
    let (year, month, day) = (numbers[0], numbers[1], numbers[2])
    guard (1...12).contains(month), day >= 1, day <= dayCount(month: month, year: year),
      numbers[3] < 24, numbers[4] < 60, numbers[5] < 60
    else { return nil }
    let days = dayNumber(year: year, month: month, day: day)
    return Double(((days * 24 + numbers[3]) * 60 + numbers[4]) * 60 + numbers[5])
  }

  /// The inverse of `date(_:)`; nil before year 0 or after year 9999. Fractions are rounded.
  static func text(date seconds: Double) -> String? {
    guard let whole = Int(exactly: seconds.rounded()), abs(whole) < 400_000_000_000 else {
      return nil
    }
    let days = whole >= 0 ? whole / 86_400 : -((86_399 - whole) / 86_400)
    // The year of a day: an estimate, then at most a step or two.
    var year = 2001 + days * 400 / 146_097
    while dayNumber(year: year, month: 1, day: 1) > days { year -= 1 }
    while dayNumber(year: year + 1, month: 1, day: 1) <= days { year += 1 }
    guard (0...9999).contains(year) else { return nil }
    var month = 1
    var day = days - dayNumber(year: year, month: 1, day: 1)
    while day >= dayCount(month: month, year: year) {
      day -= dayCount(month: month, year: year)
      month += 1
    }
    let time = whole - days * 86_400
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day + 1, 2))T"
      + "\(padded(time / 3600, 2)):\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2))Z"
  }

  /// The expected content of a leaf, for messages.
  static func expectation(of tag: String) -> String {
    switch tag {
    case "integer": "which is not a whole number of 64 bits"
    case "real": "which is not a number"
    default: "which is not a date like 2001-01-31T23:59:59Z"
    }
  }

  // MARK: - Calendar

  private static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  private static func dayCount(month: Int, year: Int) -> Int {
    month == 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  /// Days since 2001-01-01 in the Gregorian calendar.
  private static func dayNumber(year: Int, month: Int, day: Int) -> Int {
    // Counted from 400 years before year 1, so that every division is of a positive number.
    let years = year - 1 + 400
    var days = years * 365 + years / 4 - years / 100 + years / 400 - (2000 + 400) * 365 - 2400 / 4
    days += 2400 / 100 - 2400 / 400
    for earlier in 1..<month { days += dayCount(month: earlier, year: year) }
    return days + day - 1
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

private let base64Alphabet = Array(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

/// Decodes base 64 with white space anywhere and padding at the end; nil for anything else.
func decodeBase64(_ text: [UInt8]) -> [UInt8]? {
  var table = [UInt8](repeating: 0xFF, count: 256)
  for (value, digit) in base64Alphabet.enumerated() { table[Int(digit)] = UInt8(value) }
  var result: [UInt8] = []
  result.reserveCapacity(text.count / 4 * 3)
  var (bits, digits, padding) = (UInt32(0), 0, 0)
  for byte in text where !isXMLSpace(byte) {
    if byte == UInt8(ascii: "=") {
      padding += 1
      continue
    }
    let value = table[Int(byte)]
    guard value != 0xFF, padding == 0 else { return nil }
    bits = bits << 6 | UInt32(value)
    digits += 1
    if digits % 4 == 0 {
      result.append(UInt8(truncatingIfNeeded: bits >> 16))
      result.append(UInt8(truncatingIfNeeded: bits >> 8))
      result.append(UInt8(truncatingIfNeeded: bits))
    }
  }
  switch digits % 4 {
  case 0: return padding == 0 ? result : nil
  case 2 where padding == 2: result.append(UInt8(truncatingIfNeeded: bits >> 4))
  case 3 where padding == 1:
    result.append(UInt8(truncatingIfNeeded: bits >> 10))
    result.append(UInt8(truncatingIfNeeded: bits >> 2))
  default: return nil
  }
  return result
}

/// Encodes base 64 without line breaks.
func encodeBase64(_ bytes: [UInt8]) -> String {
  var text: [UInt8] = []
  text.reserveCapacity((bytes.count + 2) / 3 * 4)
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
    for position in 0..<4 {
      text.append(
        position <= group.count
          ? base64Alphabet[Int(bits >> UInt32(18 - 6 * position)) & 63] : UInt8(ascii: "="))
    }
  }
  return String(decoding: text, as: UTF8.self)
}
