// How deep the brackets of Turtle text go: serd calls itself for each, and a stack has an end.
// SPDX-License-Identifier: Apache-2.0

/// Looks for brackets that are nested deeper than any real data.
enum TurtleNesting {
  /// The deepest that is read: real bundles stay below ten.
  static let limit = 128

  /// A place in a text, counted from 1.
  struct Place: Equatable {
    var line: Int
    var column: Int
  }

  /// Where the text first goes deeper than the limit; nil when it never does.
  ///
  /// What serd would not take for Turtle may be told wrongly from there on: serd stops there.
  static func tooDeep(_ text: UnsafeBufferPointer<UInt8>) -> Place? {
    var depth = 0
    var at = 0
    let end = text.count
    while at < end {
      let byte = unsafe text[at]
      at += 1
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "("):
        depth += 1
        if depth > limit { return unsafe place(of: at - 1, in: text) }
      case UInt8(ascii: "]"), UInt8(ascii: ")"): depth = max(depth - 1, 0)
      case UInt8(ascii: "#"):
        while at < end, unsafe text[at] != 10, unsafe text[at] != 13 { at += 1 }
      case UInt8(ascii: "<"):
        while at < end, unsafe text[at] != UInt8(ascii: ">") { at += 1 }
        at += 1
      case UInt8(ascii: "\""), UInt8(ascii: "'"): at = unsafe endOfString(text, byte, at)
      // An escaped character of a name, such as \( or \#.
      case UInt8(ascii: "\\"): at += 1
      default: break
      }
    }
    return nil
  }

  /// The same for text in memory.
  static func tooDeep(_ text: String) -> Place? {
    var text = text
    return text.withUTF8 { unsafe tooDeep($0) }
  }

  /// The index behind a string that begins with the quote before `start`.
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
