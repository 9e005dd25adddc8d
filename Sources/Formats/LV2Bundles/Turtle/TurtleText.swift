// Finds positions in Turtle text that serd does not report: brackets nested too deep, undefined prefixes.
// SPDX-License-Identifier: Apache-2.0

/// Searches Turtle text, skipping strings, comments and full names.
///
/// Text that is not valid Turtle may lead to wrong positions: serd stops there.
package enum TurtleText {
  /// The deepest nesting of brackets that is read: real bundles stay below ten.
  package static let limit = 128

  /// A place in a text, counted from 1.
  package struct Place: Equatable {
    /// The line, from 1 on.
    package var line: Int
    var column: Int
  }

  /// The first position that is nested deeper than the limit; nil for none.
  package static func tooDeep(_ text: UnsafeBufferPointer<UInt8>) -> Place? {
    var depth = 0
    var at = 0
    while at < text.count {
      switch unsafe next(text, &at) {
      case UInt8(ascii: "["), UInt8(ascii: "("):
        depth += 1
        if depth > limit { return unsafe place(of: at - 1, in: text) }
      case UInt8(ascii: "]"), UInt8(ascii: ")"): depth = max(depth - 1, 0)
      default: break
      }
    }
    return nil
  }

  /// The first position of a name with the prefix; nil for none.
  static func firstUse(ofPrefix prefix: String, _ text: UnsafeBufferPointer<UInt8>) -> Place? {
    let wanted = Array(prefix.utf8) + [UInt8(ascii: ":")]
    var at = 0
    var last: UInt8 = 0
    while at < text.count {
      let start = at
      if !isNamePart(last), unsafe text[start...].starts(with: wanted) {
        return unsafe place(of: start, in: text)
      }
      last = unsafe next(text, &at)
    }
    return nil
  }

  /// Consumes the next token: returns a byte, or 0 for a string, a comment, a full name or an escaped
  /// character.
  private static func next(_ text: UnsafeBufferPointer<UInt8>, _ at: inout Int) -> UInt8 {
    let end = text.count
    let byte = unsafe text[at]
    at += 1
    switch byte {
    case UInt8(ascii: "#"):
      while at < end, unsafe text[at] != 10, unsafe text[at] != 13 { at += 1 }
    case UInt8(ascii: "<"):
      while at < end, unsafe text[at] != UInt8(ascii: ">") { at += 1 }
      at += 1
    case UInt8(ascii: "\""), UInt8(ascii: "'"): at = unsafe endOfString(text, byte, at)
    // An escaped character of a name, such as \( or \#.
    case UInt8(ascii: "\\"): at += 1
    default: return byte
    }
    return 0
  }

  /// Whether a prefix cannot begin after the byte.
  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "%"), 0x80...0xFF:
      true
    default: false
    }
  }

  /// The same for text in memory.
  package static func tooDeep(_ text: String) -> Place? {
    var text = text
    return text.withUTF8 { unsafe tooDeep($0) }
  }

  /// The index after a string that begins with the quote before `start`.
  private static func endOfString(
    _ text: UnsafeBufferPointer<UInt8>, _ quote: UInt8, _ start: Int
  ) -> Int {
    let end = text.count
    var at = start
    let isLong = unsafe at + 1 < end && text[at] == quote && text[at + 1] == quote
    if isLong { at += 2 }
    var run = 0
    while at < end {
      let byte = unsafe text[at]
      at += 1
      if byte == UInt8(ascii: "\\") {
        at += 1
        run = 0
      } else if byte == quote {
        run += 1
        if !isLong || run == 3 { return at }
      } else {
        run = 0
      }
    }
    return end
  }

  private static func place(of index: Int, in text: UnsafeBufferPointer<UInt8>) -> Place {
    var place = Place(line: 1, column: 1)
    for at in 0..<index {
      place.column += 1
      if unsafe text[at] == 10 { place = Place(line: place.line + 1, column: 1) }
    }
    return place
  }
}
