// Matching descriptions: wildcards, flags and mask, components that hide, patterns.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import CAudioToolbox
import Testing

@Suite struct MatchingTests {
  @Test(arguments: [
    ("*:*:*", true), ("aufx:*:*", true), ("*:lpas:*", true), ("*:*:appl", true),
    ("aufx:lpas:appl", true), ("aufx:hpas:*", false), ("augn:*:*", false), ("*:*:Calf", false),
  ])
  func zerosAreWildcards(wanted: String, matches: Bool) {
    #expect(describe("aufx:lpas:appl").matches(describe(wanted)) == matches)
  }

  @Test func flagsCountUnderTheMaskOnly() {
    let mine = describe("aufx:lpas:appl", flags: 0x12)
    #expect(mine.matches(describe("aufx:*:*", flags: 0xFF)))
    #expect(mine.matches(describe("aufx:*:*", flags: 0x2, mask: 0x2)))
    #expect(mine.matches(describe("aufx:*:*", flags: 0, mask: 0x4)))
    #expect(!mine.matches(describe("aufx:*:*", flags: 0x4, mask: 0x4)))
    #expect(!mine.matches(describe("aufx:*:*", flags: 0, mask: 0x10)))
  }

  @Test func unsearchableComponentsNeedTheWholeTriple() {
    let hidden = describe("aufx:lpas:appl", flags: kAudioComponentFlag_Unsearchable)
    #expect(!hidden.matches(describe("*:*:*")))
    #expect(!hidden.matches(describe("aufx:lpas:*")))
    #expect(hidden.matches(describe("aufx:lpas:appl")))
    #expect(!hidden.matches(describe("aufx:hpas:appl")))
  }

  @Test(arguments: [
    ("", "*:*:*"), ("aufx", "aufx:*:*"), ("aufx:", "aufx:*:*"), ("::", "*:*:*"),
    ("aufx:dcmp", "aufx:dcmp:*"), ("aufx:dcmp:appl", "aufx:dcmp:appl"), ("*:dcmp", "*:dcmp:*"),
    ("::appl", "*:*:appl"), ("0x61756678:def ", "aufx:def :*"), ("0x0000002A", "0x0000002A:*:*"),
  ])
  func patternsAreRead(text: String, description: String) throws {
    let pattern = try ComponentPattern(text)
    #expect(pattern.description == description)
    #expect(try ComponentPattern(pattern.description) == pattern)
  }

  @Test(arguments: ["auf", "aufx:dc", "aufx:dcmp:apple", "a:b:c:d", "aufx:dcmp:appl:", "aüx"])
  func badPatternsAreUsageErrors(text: String) {
    let error = #expect(throws: AuricleError.self) { _ = try ComponentPattern(text) }
    #expect(error?.category == .usage)
    #expect(error?.message.contains(text) == true)
  }

  @Test func patternsSearchWithZeros() throws {
    let search = try ComponentPattern("aufx::appl").search
    #expect(search.componentType == 0x6175_6678 && search.componentSubType == 0)
    #expect(search.componentManufacturer == 0x6170_706C && search.componentFlagsMask == 0)
    #expect(try ComponentPattern("aufx:dcmp:appl").namesOneComponent)
    #expect(try !ComponentPattern("aufx:dcmp").namesOneComponent)
  }
}
