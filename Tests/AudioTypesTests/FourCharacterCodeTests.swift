// Four-character codes: reading, printing, order.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import TestSupport
import Testing

@Suite struct FourCharacterCodeTests {
  @Test(arguments: [
    ("aufx", UInt32(0x6175_6678)), ("def ", 0x6465_6620), ("3dem", 0x3364_656D),
    ("    ", 0x2020_2020), ("~~~~", 0x7E7E_7E7E), ("a:b*", 0x613A_622A),
  ])
  func readsAndPrintsFourCharacters(text: String, value: UInt32) throws {
    let code = try #require(FourCharacterCode(text))
    #expect(code.rawValue == value)
    #expect(code.description == text)
    #expect(code.quoted == "'\(text)'")
  }

  @Test func readsHexadecimal() {
    #expect(FourCharacterCode("0x0000002A")?.rawValue == 42)
    #expect(FourCharacterCode("0XffffFFFF")?.rawValue == .max)
    // Four characters that resemble a number are characters.
    #expect(FourCharacterCode("0x2A")?.rawValue == 0x3078_3241)
  }

  @Test(arguments: [
    "", "auf", "aufxx", "0x", "0x1234567", "0x123456789", "0x1234567g", "0y12345678", "aüx", "ü€",
    "auf\n", "auf\u{7F}", "\0\0\0\0", "0x+1234567", "0x١٢٣٤",
  ])
  func refusesWhatIsNoCode(text: String) {
    #expect(FourCharacterCode(text) == nil)
  }

  @Test func printsUnprintableCodesAsNumbers() {
    #expect(FourCharacterCode(rawValue: 42).description == "0x0000002A")
    #expect(FourCharacterCode(rawValue: 0).quoted == "0x00000000")
    #expect(FourCharacterCode(rawValue: 0x6175_660A).description == "0x6175660A")
    #expect(FourCharacterCode(rawValue: 0x6175_66FC).isPrintable == false)
  }

  @Test func everyCodeSurvivesPrintingAndReading() {
    var random = SeededGenerator(seed: 0xC0DE)
    for _ in 0..<20_000 {
      let code = FourCharacterCode(rawValue: UInt32(truncatingIfNeeded: random.next()))
      #expect(FourCharacterCode(code.description) == code)
      #expect(FourCharacterCode(code.hexadecimal) == code)
    }
  }

  @Test func codesOrderLikeTheirCharacters() throws {
    let codes = try ["aumx", "aufx", "augn", "aufc"].map { try #require(FourCharacterCode($0)) }
    #expect(codes.sorted().map(\.description) == ["aufc", "aufx", "augn", "aumx"])
  }

  @Test func triplesAreTyped() throws {
    let description = AudioComponentDescription(
      type: try #require(FourCharacterCode("aufx")),
      subtype: FourCharacterCode(rawValue: 1), manufacturer: try #require(FourCharacterCode("a:b "))
    )
    #expect(description.triple == "aufx:0x00000001:0x613A6220")
    #expect(description.componentFlags == 0 && description.componentFlagsMask == 0)
  }
}
