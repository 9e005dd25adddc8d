// The binary form: every kind of object, and every way the bytes can be wrong.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import PropertyLists
import Testing

@Suite("Binary property lists")
struct BinaryPropertyListTests {
  private func read(_ objects: [[UInt8]]) throws -> PropertyListValue {
    try PropertyListReader().read(BinaryBuilder(objects).bytes)
  }

  private func failure(_ bytes: [UInt8]) throws -> PropertyListError {
    try #require(throws: PropertyListError.self) { try PropertyListReader().read(bytes) }
  }

  @Test(
    "leaves of every width",
    arguments: [
      ([0x08], .boolean(false)), ([0x09], .boolean(true)),
      ([0x10, 0xFF], .integer(255)), ([0x11, 0xFF, 0xFE], .integer(0xFFFE)),
      ([0x12, 0xFF, 0xFF, 0xFF, 0xFF], .integer(0xFFFF_FFFF)),
      ([0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE], .integer(-2)),
      ([0x13, 0x80, 0, 0, 0, 0, 0, 0, 0], .integer(Int128(Int64.min))),
      (
        [0x14] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xFF, count: 8),
        .integer(Int128(UInt64.max))
      ),
      ([0x14] + [UInt8](repeating: 0xFF, count: 16), .integer(-1)),
      ([0x22, 0x3F, 0xC0, 0, 0], .real(1.5)),
      ([0x23, 0xBF, 0xF0, 0, 0, 0, 0, 0, 0], .real(-1)),
      ([0x33, 0x40, 0xF5, 0x18, 0, 0, 0, 0, 0], .date(86_400)),
      ([0x40], .data([])), ([0x43, 1, 2, 3], .data([1, 2, 3])),
      ([0x4F, 0x10, 0x10] + Array(0..<16), .data(Array(0..<16))),
      ([0x4F, 0x11, 0x00, 0x02, 7, 8], .data([7, 8])),
      ([0x50], .string("")), ([0x52, 0x68, 0x69], .string("hi")),
      ([0x61, 0x00, 0xE9], .string("é")),
      ([0x62, 0xD8, 0x3D, 0xDE, 0x00], .string("😀")),
      ([0xA0], .array([])), ([0xD0], .dictionary([:])),
    ] as [([UInt8], PropertyListValue)])
  func leaf(object: [UInt8], value: PropertyListValue) throws {
    #expect(try read([object]) == value)
  }

  @Test func containersReferToObjects() throws {
    let value = try read([
      [0xD2, 1, 2, 3, 4], [0x51, 0x61], [0x51, 0x62], [0xA3, 5, 5, 1], [0x09], [0x10, 7],
    ])
    #expect(
      value
        == .dictionary([
          "a": .array([.integer(7), .integer(7), .string("a")]), "b": .boolean(true),
        ]))
  }

  @Test("offsets and references of every width", arguments: 1...8)
  func widths(width: Int) throws {
    let reference = [UInt8](repeating: 0, count: width - 1)
    var builder = BinaryBuilder([[0xA2] + reference + [1] + reference + [1], [0x10, 9]])
    builder.referenceWidth = UInt8(width)
    builder.offsetWidth = UInt8(width)
    #expect(try PropertyListReader().read(builder.bytes) == .array([.integer(9), .integer(9)]))
  }

  @Test(
    "objects that are refused",
    arguments: [
      ([0xC1, 0], "a set"), ([0xB1, 0], "an ordered set"), ([0x80, 1], "UID"), ([0x00], "a null"),
      ([0x71, 0x61], "UTF-8"), ([0x0F], "unknown object marker"), ([0xE0], "unknown object marker"),
      ([0x15], "unknown object marker"), ([0x20], "unknown object marker"),
      ([0x32], "unknown object marker"),
      ([0x52, 0x68], "beyond its place"), ([0x43, 1], "beyond its place"),
      ([0x62, 0, 0x61], "beyond its place"), ([0x13, 1, 2], "beyond its place"),
      ([0x22, 0], "beyond its place"), ([0x23, 0], "beyond its place"),
      ([0x33, 0], "beyond its place"), ([0x14, 0], "beyond its place"),
      ([0xA3, 0], "beyond its place"), ([0xD1, 0], "beyond its place"),
      ([0x4F], "count is not an integer"), ([0x4F, 0x50], "count is not an integer"),
      ([0x4F, 0x14] + [UInt8](repeating: 0, count: 16), "count is not an integer"),
      ([0x5F, 0x13] + [UInt8](repeating: 0xFF, count: 8), "beyond its place"),
      ([0xAF, 0x13, 0x7F] + [UInt8](repeating: 0xFF, count: 7), "beyond its place"),
      ([0xDF, 0x13, 0x40, 0, 0, 0, 0, 0, 0, 0], "beyond its place"),
      ([0xA1, 9], "does not exist"), ([0xA1, 0], "holds itself"),
      ([0x51, 0x80], "ASCII"), ([0x61, 0xD8, 0x00], "UTF-16"), ([0x61, 0xDC, 0x00], "UTF-16"),
      ([0x33, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0], "date"),
      ([0x33, 0x7F, 0xF8, 0, 0, 0, 0, 0, 0], "date"),
      ([0x14, 0, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 8), "64 bits"),
      ([0x14, 0xFF] + [UInt8](repeating: 0, count: 15), "64 bits"),
    ] as [([UInt8], String)])
  func refused(object: [UInt8], reason: String) throws {
    let error = try failure(BinaryBuilder([object]).bytes)
    #expect(error.message.contains(reason))
    #expect(error.description.hasPrefix("byte "))
  }

  @Test func dictionaryKeys() throws {
    let notText = try failure(BinaryBuilder([[0xD1, 1, 1], [0x10, 1]]).bytes)
    #expect(notText.message.contains("not a string"))
    let twice = try failure(BinaryBuilder([[0xD2, 1, 1, 1, 1], [0x51, 0x61]]).bytes)
    #expect(twice.message.contains("\"a\" occurs twice"))
  }

  @Test func cyclesEnd() throws {
    let error = try failure(BinaryBuilder([[0xA1, 1], [0xA1, 2], [0xA1, 0]]).bytes)
    #expect(error.message.contains("holds itself"))
  }

  @Test func trailers() throws {
    let good = BinaryBuilder([[0x09], [0x09]])
    func expect(_ reason: String, _ change: (inout BinaryBuilder) -> Void) throws {
      var builder = good
      change(&builder)
      let error = try failure(builder.bytes)
      #expect(error.message.contains(reason))
    }
    try expect("version") { $0.magic = "bplist15" }
    try expect("root object") { $0.root = 2 }
    try expect("root object") { $0.root = .max }
    try expect("trailer") { $0.objectCount = 0 }
    try expect("trailer") { $0.objectCount = 3 }
    try expect("trailer") { $0.objectCount = .max }
    try expect("trailer") { $0.objectCount = 1 << 63 }
    try expect("trailer") { $0.tableOffset = 0 }
    try expect("trailer") { $0.tableOffset = 11 }
    try expect("trailer") { $0.tableOffset = .max }
    try expect("widths") { $0.offsetWidth = 0 }
    try expect("widths") { $0.referenceWidth = 9 }
    try expect("outside") { $0.offsets[0] = 7 }
    try expect("outside") { $0.offsets[0] = 10 }
    try expect("outside") { $0.offsets[0] = 0xFFFF }
  }

  @Test func cutAtEveryByte() {
    let whole = BinaryBuilder([
      [0xD2, 1, 2, 3, 4], [0x51, 0x61], [0x51, 0x62], [0xA2, 4, 4], [0x23, 1, 2, 3, 4, 5, 6, 7, 8],
    ]).bytes
    #expect(throws: Never.self) { try PropertyListReader().read(whole) }
    for length in whole.indices {
      #expect(throws: PropertyListError.self) {
        try PropertyListReader().read(Array(whole[..<length]))
      }
    }
  }
}
