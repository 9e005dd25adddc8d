// Mutates good property lists at random: each must yield a value or an error, never a trap.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import PropertyLists
import TestSupport
import Testing

@Suite("Mutated property lists")
struct PropertyListMutationTests {
  private static let sample = PropertyListValue.dictionary([
    "AudioComponents": .array([
      .dictionary([
        "type": .string("aufx"), "subtype": .string("gain"), "manufacturer": .integer(0x6170_706C),
        "version": .integer(65536), "tags": .array([.string("Effects"), .string("Überhall 😀")]),
        "sandboxSafe": .boolean(true),
      ])
    ]),
    "data": .data(Array(0..<40)), "when": .date(700_000_000), "level": .real(-6.25),
    "big": .integer(Int128(UInt64.max)), "negative": .integer(-1), "empty": .array([]),
  ])

  private static func seeds() throws -> [[UInt8]] {
    [
      try PropertyListWriter.binary(sample), Array(try PropertyListWriter.xml(sample).utf8),
      directedGraphBomb(depth: 12), BinaryBuilder([[0xA1, 1], [0xC1, 2], [0x09]]).bytes,
      Array(
        "<plist><array><data>AQID</data><date>2001-01-01T00:00:00Z</date></array></plist>".utf8),
    ]
  }

  @Test("100,000 mutations", arguments: 0..<5)
  func mutations(number: Int) throws {
    let seed = UInt64(ProcessInfo.processInfo.environment["AURICLE_TEST_SEED"] ?? "") ?? 0xA0D10
    print("property list mutations \(number): AURICLE_TEST_SEED=\(seed)")
    var generator = SeededGenerator(seed: seed &+ UInt64(number))
    let seeds = try Self.seeds()
    // Small bounds keep each run short; they are passed the same way as large ones.
    var limits = PropertyListLimits()
    limits.visitCount = 2_000
    let reader = PropertyListReader(limits: limits)
    var accepted = 0
    for _ in 0..<20_000 {
      var bytes = seeds[number]
      for _ in 0..<Int.random(in: 1...8, using: &generator) { mutate(&bytes, using: &generator) }
      if let value = try? reader.read(bytes) {
        accepted += 1
        // An accepted list can be written in the binary form and comes back the same.
        let copy = try PropertyListReader().read(try PropertyListWriter.binary(value))
        #expect(String(describing: copy).count == String(describing: value).count)
      }
    }
    #expect(accepted < 20_000)
  }

  private func mutate(_ bytes: inout [UInt8], using generator: inout SeededGenerator) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: bytes.indices, using: &generator)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
    case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 2: bytes.remove(at: place)
    case 3: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
    case 4:
      bytes[place] = [0x00, 0x7F, 0x80, 0xFF, 0x0F, 0xC1].randomElement(using: &generator) ?? 0
    default:
      let end = min(place + Int.random(in: 1...16, using: &generator), bytes.count)
      let target = Int.random(in: bytes.indices, using: &generator)
      bytes.replaceSubrange(
        target..<min(target + end - place, bytes.count), with: bytes[place..<end])
    }
  }
}
