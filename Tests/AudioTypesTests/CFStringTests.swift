// CF strings to Swift strings and back.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import Testing

@Suite struct CFStringTests {
  @Test(arguments: ["", "a", "Maker: Unit", "Grüße, 世界 👩‍👩‍👧 e\u{301}", "nul \0 inside"])
  func textSurvives(text: String) throws {
    let string = unsafe try #require(makeCFString(text))
    unsafe #expect(String(cfString: string) == text)
    unsafe #expect(String(consumingCFString: string) == text)
  }

  @Test func longTextSurvives() {
    let text = String(repeating: "äöü€𝄞", count: 10_000)
    unsafe withCFString(text) { unsafe #expect(String(cfString: $0) == text) }
  }

  @Test func nothingStaysNothing() {
    unsafe #expect(String(cfString: nil) == nil)
    unsafe #expect(String(consumingCFString: nil) == nil)
  }

  @Test func consumingReleasesOneReferenceOnly() throws {
    let text = String(repeating: "long enough ", count: 8)
    let string = unsafe try #require(makeCFString(text))
    let raw = unsafe UnsafeRawPointer(string)
    unsafe _ = CFRetain(raw)
    unsafe #expect(String(consumingCFString: string) == text)
    unsafe #expect(String(cfString: string) == text)
    unsafe CFRelease(raw)
  }
}
