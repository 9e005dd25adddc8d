// Presets made to harm: bombs, depth, length, bad bytes, and seeded mutations of good ones.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import ChainPresets
import TestSupport
import Testing

@Suite struct HostilePresetTests {
  /// The first diagnostic of a text that must be refused.
  private func refusal(_ text: String) throws -> PresetDiagnostic {
    try refusal(Array(text.utf8))
  }

  private func refusal(_ bytes: [UInt8]) throws -> PresetDiagnostic {
    let error = try #require(throws: PresetErrors.self) {
      try ChainPreset(source: PresetSource(name: "p", bytes: bytes))
    }
    #expect(error.diagnostics.count <= 1000)
    // Nothing printed may grow with the file.
    #expect(error.description.utf8.count < 100_000)
    return try #require(error.diagnostics.first)
  }

  /// Makes aliases of two aliases each: 2 to the power of `depth` texts.
  private func bomb(depth: Int) -> String {
    var text = "a0: &a0 [x, x]\n"
    for level in 1...depth { text += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
    return text
  }

  @Test func aliasBombsAreRefusedUnexpanded() throws {
    #expect(try refusal(bomb(depth: 60)).message.hasPrefix("anchors (&) are not allowed"))
    // As a key it would be compared and hashed as well.
    let key = bomb(depth: 60) + "*a60 : x\n"
    #expect(try refusal(key).message.hasPrefix("anchors (&) are not allowed"))
    let merged = "a: &a {b: c}\nd: {<<: *a}\n"
    #expect(try refusal(merged).message.hasPrefix("anchors (&) are not allowed"))
  }

  @Test(arguments: [
    String(repeating: "[", count: 100_000), String(repeating: "{a: ", count: 10_000),
    String(repeating: "- ", count: 100_000), String(repeating: "? ", count: 100_000),
    String(repeating: "[", count: 33) + String(repeating: "]", count: 33),
    String(repeating: " ", count: 5000) + "a: b",
    (0..<190).map { String(repeating: " ", count: $0) + "k:" }.joined(separator: "\n"),
    Array(repeating: "[", count: 490).joined(separator: "\n")
      + Array(repeating: "]", count: 490).joined(separator: "\n"),
    (0..<5000).map { _ in "{a:" }.joined(separator: "\n"),
  ])
  func depthIsBounded(text: String) throws {
    #expect(try refusal(text).message.contains("nested too deep"))
  }

  @Test func nestedKeysAreBounded() throws {
    var key = "a"
    for _ in 0..<31 { key = "{\(key): b}" }
    let few = "x:\n" + (0..<5).map { "  \(key)\($0): x\n" }.joined()
    _ = try refusal(few)
    key = key.replacing(": b", with: ":b")
    let many = (0..<5000).map { "\(key.replacing("a", with: "\($0)")): x\n" }.joined()
    #expect(try refusal(many).message == "a key must be text, and here are too many in brackets")
    #expect(try refusal(String(repeating: "[]: ", count: 100_000)).message.contains("in brackets"))
  }

  @Test func lengthIsBounded() throws {
    let name = String(repeating: "x", count: 1_000_000)
    let long = try refusal("auricle: 1\nname: \(name)\nunits: [{unit: u}]\n")
    #expect(long.message == "'name' is longer than 1000 characters")
    let tooLong = try refusal([UInt8](repeating: UInt8(ascii: "#"), count: 1 << 20 + 1))
    #expect(tooLong.message == "the file is longer than 1 MiB, the most a preset may have")
    let items = "tags: [" + Array(repeating: "a", count: 100_000).joined(separator: ",") + "]"
    #expect(try refusal(items).message == "the preset holds more than 50000 values")
    let keys = (0..<30_000).map { "k\($0): x\n" }.joined()
    _ = try refusal(keys)
    _ = try refusal(String(repeating: "key: x\n", count: 30_000))
    _ = try refusal(String(repeating: "\n", count: 1 << 20))
    // A long text that is none of the program's business is fine.
    let description = String(repeating: "many words, ", count: 50_000)
    let preset = try ChainPreset(
      text: "auricle: 1\nname: x\ndescription: \(description)\nunits: [{unit: u}]\n")
    #expect(preset.description.utf8.count > 500_000)
  }

  @Test(arguments: [
    ([0xC0, 0x80], 0xC0), ([0xED, 0xA0, 0x80], 0xED), ([0xF5, 0x80, 0x80, 0x80], 0xF5),
    ([0x80], 0x80), ([0xE2, 0x82], 0xE2), ([0xFF], 0xFF), ([0xE0, 0x80, 0x80], 0xE0),
  ])
  func invalidTextIsRefused(bytes: [Int], byte: Int) throws {
    let diagnostic = try refusal(Array("auricle: 1\nname: a".utf8) + bytes.map { UInt8($0) })
    #expect(
      diagnostic.message == "byte 0x\(String(byte, radix: 16, uppercase: true)) is not UTF-8 text")
    #expect(diagnostic.position == SourcePosition(line: 2, column: 8))
  }

  @Test func utf16IsNamed() throws {
    let bytes: [UInt8] = [0xFF, 0xFE, 0x61, 0x00]
    #expect(try refusal(bytes).message == "the file is UTF-16; save it as UTF-8")
  }

  @Test func nothingPrintedHoldsControlCharacters() throws {
    let error = try #require(throws: PresetErrors.self) {
      try ChainPreset(
        text: "auricle: 1\n\"\\e[31m\\n\\0key\": \"\\a\"\nunits: [{unit: \"a\\eb\\0\"}]\n")
    }
    for scalar in error.description.unicodeScalars {
      #expect(scalar == "\n" || scalar.value >= 0x20, "U+\(String(scalar.value, radix: 16))")
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func mutationsNeitherCrashNorHang(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pieces: [[UInt8]] = [
      "&a ", "*a", "!x ", "? ", "- ", ": ", "[", "]", "{", "}", "\"", "'", "\n", "\n  ", "#", "|\n",
      ">-\n", "%", "@", "\t", "\0", "\\", "<<: ", "---\n", "...", "80 Hz", "1e999", "é", "\u{2028}",
      "auricle: 1\n", "units:\n", "name: ", "\r", "~", "yes",
    ].map { Array($0.utf8) }
    let original = Array(PresetReadingTests.example.utf8)
    for round in 0..<250 {
      var bytes = original
      for _ in 0...Int(random.next() % 6) {
        let place = Int(random.next() % UInt64(max(1, bytes.count)))
        switch random.next() % 5 {
        case 0 where place < bytes.count: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1 where place < bytes.count:
          let end = min(bytes.count, place + Int(random.next() % 20))
          bytes.removeSubrange(place..<end)
        case 2:
          let end = min(bytes.count, place + Int(random.next() % 60))
          bytes.insert(contentsOf: bytes[min(place, end)..<end], at: place)
        case 3: bytes.removeSubrange(place...)
        default:
          bytes.insert(contentsOf: pieces[Int(random.next() % UInt64(pieces.count))], at: place)
        }
      }
      expectStableOrReported(bytes, "seed \(seed), round \(round)")
    }
  }
}

/// Expects that an accepted text can be written and read again, and stays the same. A refused one has reasons and
/// places.
func expectStableOrReported(_ bytes: [UInt8], _ place: Comment) {
  do throws(PresetErrors) {
    let preset = try ChainPreset(source: PresetSource(name: "fuzz", bytes: bytes))
    let again = try ChainPreset(text: preset.canonicalJSON)
    #expect(again.canonicalJSON == preset.canonicalJSON, place)
  } catch {
    #expect(!error.diagnostics.isEmpty, place)
    #expect(error.diagnostics.allSatisfy { !$0.message.isEmpty && $0.file != nil }, place)
  }
}
