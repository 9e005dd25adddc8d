// The short way through plain property lists has the result of the reader of all XML, damaged lists included.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import PropertyLists
import TestSupport
import Testing

@Suite("Plain property lists")
struct PlainPropertyListTests {
  /// The Info.plists of the units that ship.
  private static func shipped() throws -> [[UInt8]] {
    let folder = URL(filePath: try ShippedComponents.folder())
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .map { $0.appending(path: "Contents/Info.plist") }
      .filter { FileManager.default.fileExists(atPath: $0.path) }
      .sorted { $0.path < $1.path }.map { Array(try Data(contentsOf: $0)) }
  }

  /// The same list with quotes that are as good and not plain, so that all of XML is read.
  private static func unusual(_ list: [UInt8]) -> [UInt8] {
    let end = list.firstIndex(of: UInt8(ascii: "\n")) ?? 0
    return list[..<end].map { $0 == UInt8(ascii: "\"") ? UInt8(ascii: "'") : $0 } + list[end...]
  }

  /// Reads a list: returns its value, or the fault and its place.
  private static func outcome(
    _ list: [UInt8], _ limits: PropertyListLimits = PropertyListLimits()
  ) -> (value: PropertyListValue?, error: String?) {
    do { return (try PropertyListReader(limits: limits).read(list), nil) } catch {
      return (nil, "\(error)")
    }
  }

  @Test("lists of all units that ship, under any limits")
  func shippedLists() throws {
    let lists = try Self.shipped()
    #expect(lists.count > 20)
    var few = PropertyListLimits()
    few.visitCount = 10
    var shallow = PropertyListLimits()
    shallow.depth = 2
    var short = PropertyListLimits()
    short.contentByteCount = 20
    for list in lists {
      #expect(Self.outcome(list).value != nil)
      #expect(Self.outcome(list) == Self.outcome(Self.unusual(list)))
      for limits in [few, shallow, short] {
        let outcome = Self.outcome(list, limits)
        #expect(outcome.error != nil)
        #expect(outcome == Self.outcome(Self.unusual(list), limits))
      }
    }
  }

  @Test("with damage")
  func damage() throws {
    var generator = SeededGenerator(seed: 0x9157)
    let pieces = [
      "<key>", "</key>", "<string>", "</string>", "<dict>", "</dict>", "<true/>", "]]>", "&amp;",
      "-", "<!--", "-->", "\r", "\u{E9}", "\u{1}", " ", "1",
    ].map { Array($0.utf8) }
    var read = 0
    for list in try Self.shipped().filter({ $0.count < 1500 }) {
      let head = list.firstIndex(of: UInt8(ascii: "\n")) ?? 0
      for _ in 0..<300 {
        var bytes = list
        for _ in 0..<Int.random(in: 1...2, using: &generator) {
          let start = Int.random(in: (head + 1)..<bytes.count, using: &generator)
          let end = min(bytes.count, start + Int.random(in: 0...2, using: &generator))
          bytes.replaceSubrange(
            start..<end, with: pieces[Int.random(in: pieces.indices, using: &generator)])
        }
        let outcome = Self.outcome(bytes)
        #expect(outcome == Self.outcome(Self.unusual(bytes)))
        if outcome.value != nil { read += 1 }
      }
    }
    #expect(read > 50)
  }
}
