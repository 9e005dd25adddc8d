// Property lists made to crash, hang or fill the memory of their reader.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import PropertyLists
import Testing

@Suite("Hostile property lists")
struct HostilePropertyListTests {
  private func failure(
    _ bytes: [UInt8], limits: PropertyListLimits = PropertyListLimits()
  ) throws -> PropertyListError {
    try #require(throws: PropertyListError.self) {
      try PropertyListReader(limits: limits).read(bytes)
    }
  }

  @Test func setThatCrashesFoundation() throws {
    let text =
      "YnBsaXN0MDDHAQIDBAUGBwgMDQ4JDxBRYVRkYXRhXG1hbnVmYWN0dXJlclRuYW1lV3N1YnR5cGVUdHlwZVd2ZXJz"
      + "aW9uowkKCxABI0AEAAAAAAAACUNhYmMQAlFQEmF1ZngQAAgXGR4rMDg9RUlLVFVZW11iAAAAAAAAAQEAAAAAAAAA"
      + "EQAAAAAAAAAAAAAAAAAAAGQ="
    let bytes = [UInt8](try #require(Data(base64Encoded: text)))
    #expect(bytes.count == 149)
    // Whether this very file holds a set or only a bad key, it must end in an error or a value.
    _ = try? PropertyListReader().read(bytes)
    let error = try failure(BinaryBuilder([[0xA1, 1], [0xC1, 2], [0x09]]).bytes)
    #expect(error.kind == .unsupported)
    #expect(error.message.contains("a set"))
  }

  @Test("graph bombs", arguments: [10, 16, 17, 30, 60])
  func graphBomb(depth: Int) throws {
    let bytes = directedGraphBomb(depth: depth)
    if depth == 10 {
      #expect(throws: Never.self) { try PropertyListReader().read(bytes) }
    } else {
      let error = try failure(bytes)
      #expect(error.kind == .limitExceeded)
      #expect(error.message.contains("more than 100000 values"))
    }
  }

  @Test func contentBomb() throws {
    // One string of 1 MiB referred to 200 times.
    let string: [UInt8] =
      [0x5F, 0x12, 0x00, 0x10, 0x00, 0x00] + Array(repeating: 0x61, count: 1 << 20)
    var builder = BinaryBuilder([[0xAF, 0x10, 200] + Array(repeating: 1, count: 200), string])
    builder.offsetWidth = 4
    let error = try failure(builder.bytes)
    #expect(error.kind == .limitExceeded)
    #expect(error.message.contains("unfold to more than"))
  }

  @Test("deep nesting", arguments: [64, 65, 20_000, 1_000_000])
  func deepNesting(depth: Int) throws {
    let tags = "<plist>" + String(repeating: "<array>", count: depth)
    let bytes = Array((tags + String(repeating: "</array>", count: depth) + "</plist>").utf8)
    if depth == 64 {
      #expect(throws: Never.self) { try PropertyListReader().read(bytes) }
    } else {
      let error = try failure(bytes)
      #expect(error.kind == .limitExceeded)
      #expect(error.message.contains("more than 64 levels"))
      #expect(error.location == .text(line: 1, column: 8 + 64 * 7))
    }
  }

  @Test("deep nesting, binary", arguments: [63, 64, 200])
  func deepBinaryNesting(depth: Int) throws {
    let bytes = BinaryBuilder((0..<depth).map { [0xA1, UInt8($0 + 1)] } + [[0xA0]]).bytes
    if depth == 63 {
      #expect(throws: Never.self) { try PropertyListReader().read(bytes) }
    } else {
      try #expect(failure(bytes).message.contains("more than 64 levels"))
    }
  }

  @Test func entityBombs() throws {
    var text = "<!DOCTYPE plist [<!ENTITY a0 \"ha\">"
    for level in 1...30 { text += "<!ENTITY a\(level) \"&a\(level - 1);&a\(level - 1);\">" }
    text += "]><plist><string>&a30;</string></plist>"
    let error = try failure(Array(text.utf8))
    #expect(error.kind == .unsupported)
    #expect(error.message.contains("declarations of its own"))
    let external =
      "<!DOCTYPE plist [<!ENTITY f SYSTEM \"file:///etc/passwd\">]><plist><string>&f;</string></plist>"
    try #expect(failure(Array(external.utf8)).kind == .unsupported)
    #expect(throws: PropertyListError.self) {
      try PropertyListReader().read(Array("<!DOCTYPE plist []><plist><true/></plist>".utf8))
    }
  }

  @Test func manyValues() throws {
    let text = "<plist><array>" + String(repeating: "<true/>", count: 100_000) + "</array></plist>"
    let error = try failure(Array(text.utf8))
    #expect(error.message.contains("more than 100000 values"))
    let fewer = "<plist><array>" + String(repeating: "<true/>", count: 99_999) + "</array></plist>"
    #expect(try PropertyListReader().read(Array(fewer.utf8)).arrayValue?.count == 99_999)
  }

  @Test func sizeLimit() throws {
    var limits = PropertyListLimits()
    limits.byteCount = 40
    let bytes = Array("<plist><string>0123456789</string></plist>".utf8)
    try #expect(failure(bytes, limits: limits).message == "it is larger than 40 bytes")
  }

  @Test func hugeTokens() {
    // A name, an attribute, a comment and a number of a megabyte each.
    let huge = String(repeating: "1", count: 1 << 20)
    for text in [
      "<plist><a\(huge)/></plist>", "<plist><integer>\(huge)</integer></plist>",
      "<plist><real>\(huge)</real></plist>", "<plist><date>\(huge)</date></plist>",
    ] {
      #expect(throws: PropertyListError.self) { try PropertyListReader().read(Array(text.utf8)) }
    }
    for text in ["<plist a=\"\(huge)\"><true/></plist>", "<!--\(huge)--><plist><true/></plist>"] {
      #expect(throws: Never.self) { try PropertyListReader().read(Array(text.utf8)) }
    }
  }

  @Test func messagesStayOnOneLine() throws {
    let key = "a\n\"\u{7}" + String(repeating: "k", count: 1000)
    var object: [UInt8] = [0x5F, 0x11, UInt8(key.utf8.count >> 8), UInt8(key.utf8.count & 0xFF)]
    object += key.utf8
    let error = try failure(BinaryBuilder([[0xD2, 1, 1, 1, 1], object]).bytes)
    #expect(error.message.count < 120)
    #expect(!error.message.unicodeScalars.contains { $0.value < 0x20 })
  }
}
