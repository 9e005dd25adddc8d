// Written lists can be read back, by us and by Foundation, and the other way round.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import PropertyLists
import Testing

@Suite("Writing property lists")
struct PropertyListRoundTripTests {
  private static let values: [PropertyListValue] = [
    .string(""), .string("a<b>&\"c\"\r\n\td 😀 é e\u{301}"), .integer(0), .integer(255),
    .integer(256),
    .integer(65_536), .integer(1 << 32), .integer(-1), .integer(Int128(Int64.min)),
    .integer(Int128(UInt64.max)), .real(0), .real(-0.1), .real(1e300), .real(.infinity),
    .boolean(true), .boolean(false), .data([]), .data([1]), .data([1, 2]), .data(Array(0...255)),
    .date(0), .date(-1), .date(757_382_399), .date(-62_000_000_000),
    .array((0..<300).map { .integer($0) }),
    .dictionary(
      Dictionary(uniqueKeysWithValues: (0..<40).map { ("key \($0)", .array([.string("same")])) })),
    .dictionary(["a": .dictionary(["b": .array([.dictionary([:]), .array([])])])]),
  ]

  @Test("both forms come back equal", arguments: values)
  func roundTrip(value: PropertyListValue) throws {
    let reader = PropertyListReader()
    #expect(try reader.read(Array(try PropertyListWriter.xml(value).utf8)) == value)
    #expect(try reader.read(try PropertyListWriter.binary(value)) == value)
  }

  @Test("Foundation reads both forms", arguments: values)
  func foundationReads(value: PropertyListValue) throws {
    for bytes in [
      Array(try PropertyListWriter.xml(value).utf8), try PropertyListWriter.binary(value),
    ] {
      let object = try unsafe PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
      // Foundation's XML loses carriage returns.
      let formats: [PropertyListSerialization.PropertyListFormat] =
        value.stringValue?.unicodeScalars.contains("\r") == true ? [.binary] : [.xml, .binary]
      for format in formats {
        // Foundation writes its reading of our file; we read that and compare.
        let again = try PropertyListSerialization.data(
          fromPropertyList: object, format: format, options: 0)
        #expect(try PropertyListReader().read([UInt8](again)) == value)
      }
    }
  }

  @Test func equalTextIsStoredOnce() throws {
    let once = try PropertyListWriter.binary(.array([.string("a long string")]))
    let twice = try PropertyListWriter.binary(
      .array([.string("a long string"), .string("a long string")]))
    #expect(twice.count == once.count + 1)
    // Equal to Swift, but not the same text.
    let pair = PropertyListValue.array([.string("\u{E9}"), .string("e\u{301}")])
    let read = try PropertyListReader().read(try PropertyListWriter.binary(pair)).arrayValue
    #expect(read?.map { Array(($0.stringValue ?? "").unicodeScalars).count } == [1, 2])
  }

  @Test(
    "values that cannot be written are refused",
    arguments: [
      .integer(Int128(UInt64.max) + 1), .integer(Int128(Int64.min) - 1), .date(.nan),
      .date(.infinity),
    ] as [PropertyListValue])
  func refused(value: PropertyListValue) {
    #expect(throws: PropertyListError.self) { try PropertyListWriter.xml(value) }
    #expect(throws: PropertyListError.self) { try PropertyListWriter.binary(value) }
  }

  @Test func controlCharactersAreForTheBinaryForm() throws {
    for text in ["\u{0}", "\u{1B}", "\u{FFFF}"] {
      #expect(throws: PropertyListError.self) { try PropertyListWriter.xml(.string(text)) }
      let bytes = try PropertyListWriter.binary(.string(text))
      #expect(try PropertyListReader().read(bytes) == .string(text))
    }
    #expect(throws: PropertyListError.self) { try PropertyListWriter.xml(.date(1e15)) }
  }

  @Test func keysAreInOrder() throws {
    let text = try PropertyListWriter.xml(
      .dictionary(["b": .boolean(true), "a": .boolean(false), "B": .integer(1)]))
    #expect(
      text.hasSuffix(
        "<dict>\n\t<key>B</key>\n\t<integer>1</integer>\n\t<key>a</key>\n\t<false/>\n"
          + "\t<key>b</key>\n\t<true/>\n</dict>\n</plist>\n"))
  }
}
