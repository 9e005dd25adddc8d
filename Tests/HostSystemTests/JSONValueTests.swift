// Our own JSON: written values read back, and nothing that is not JSON does.
// SPDX-License-Identifier: Apache-2.0

import HostSystem
import TestSupport
import Testing

@Suite struct JSONValueTests {
  @Test func valuesReadBack() {
    let value = JSONValue.object([
      .init("text", "quote \" back \\ line\n tab\t \u{1} é 🎵"), .init("none", .null),
      .init("numbers", .array([0, -1, JSONValue(1.5), JSONValue(-2.25e-30), JSONValue(1e300)])),
      .init("big", .integer(.max)), .init("yes", true), .init("empty", .object([])),
      .init("list", .array([])),
    ])
    #expect(JSONValue(text: value.compactText) == value)
    #expect(JSONValue(text: value.indentedText) == value)
  }

  @Test func numbersThatAreNoneAreText() {
    let value = JSONValue.array([.number(.infinity), .number(-.infinity), .number(.nan)])
    let back = JSONValue(text: value.compactText)?.elements?.compactMap(\.number)
    #expect(back?.count == 3 && back?[0] == .infinity && back?[2].isNaN == true)
  }

  @Test(arguments: [
    "", " ", "{", "}", "[1,]", "{\"a\":}", "{a:1}", "01", "+1", "1.", ".5", "1e", "--1", "nul",
    "\"\\x\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\n\"", "\"open", "[1] 2", "[1 2]",
    "{\"a\" 1}",
    "1e999", "1.e5", "-", "-.5", "0x10", "1-2", "- 1", "inf", "NaN", "'a'", "tru", "[", "\u{FEFF}1",
  ])
  func whatIsNoJSONIsRefused(text: String) {
    #expect(JSONValue(text: text) == nil)
  }

  @Test func escapesAreRead() {
    #expect(JSONValue(text: #""\u00e9\ud83c\udfb5\/\b\f""#)?.text == "é🎵/\u{8}\u{C}")
  }

  @Test func depthIsBounded() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(JSONValue(text: deep) == nil)
    let allowed = JSONValue.maximumDepth
    let text = String(repeating: "[", count: allowed) + "1" + String(repeating: "]", count: allowed)
    #expect(JSONValue(text: text) != nil)
  }

  @Test func numbersReadBackToTheBit() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<5000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite, value != 0 else { continue }
      #expect(JSONValue(text: JSONValue(value).compactText)?.number == value, "\(value)")
    }
    for whole in [Int64.min, .max, 0, -1, 1 << 53] {
      #expect(JSONValue(text: JSONValue.integer(whole).compactText) == .integer(whole))
    }
    // One too large for an integer is a number, and never another integer.
    #expect(JSONValue(text: "9223372036854775808") == .number(0x1p63))
    #expect(JSONValue(text: String(repeating: "9", count: 65)) == nil)
  }

  @Test func hostileDepthIsRefusedInEveryShape() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")] {
      let text =
        String(repeating: open, count: 50_000) + "1" + String(repeating: close, count: 50_000)
      #expect(JSONValue(text: text) == nil)
    }
  }

  @Test func mutatedTextNeverTraps() {
    let seed = Array(
      #"{"t":"file","index":12,"input":{"path":"a\u0041.wav"},"x":[1.5e3,true,null]}"#.utf8)
    var state: UInt64 = 88_172_645_463_325_252
    for _ in 0..<20_000 {
      var bytes = seed
      for _ in 0..<3 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        bytes[Int(state % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: state >> 32)
      }
      if let value = JSONValue(bytes) { #expect(JSONValue(text: value.compactText) != nil) }
    }
  }
}
