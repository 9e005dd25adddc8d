// Damaged bundles: no crash, no hang, and each loads cleanly or with a message.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct BundleFuzzTests {
  /// The number of damaged search paths; `make fuzz-bundles` asks for more.
  static let count =
    ProcessInfo.processInfo.environment["AURICLE_FUZZ_CASES"].flatMap { Int($0) } ?? 240
  static let firstSeed: UInt64 =
    ProcessInfo.processInfo.environment["AURICLE_FUZZ_SEED"].flatMap { UInt64($0) } ?? 20_261_121
  /// The time limit of a search path, in seconds: only a hang lasts so long.
  static let limit = 60.0

  /// The output for one search path.
  struct Line: Decodable {
    var name: String
    var plugIns: Int
    var problems: [String]
    var refusals: [String]
    var seconds: Double
  }

  @Test func damagedBundlesLoadOrAreReported() throws {
    let mutations = BundleMutations(folders: [
      Places.inPackage("Tests/LV2UnitsTests/Fixtures"), "/usr/lib/lv2",
    ])
    try #require(mutations.count > 10)
    var (clean, reported, refused, slowest) = (0, 0, 0, 0.0)
    var next = 0
    while next < Self.count {
      let folder = try TemporaryFolder("auricle-fuzz")
      let batch = next..<min(next + 250, Self.count)
      for number in batch {
        let name = String(repeating: "0", count: 6 - String(number).count) + String(number)
        try mutations.write(seed: Self.firstSeed + UInt64(number), to: folder(name))
      }
      var lines: [Line] = []
      let result = try runAuricle(
        ["check-bundles", folder.path], environment: ["HOME": folder.path],
        timeLimitSeconds: 2 * Self.limit * Double(batch.count))
      for text in result.lines {
        lines.append(try JSONDecoder().decode(Line.self, from: Data(text.utf8)))
      }
      // The first that has no line is the one that ended the program.
      #expect(
        result.exitCode == 0 && lines.count == batch.count,
        "seed \(Self.firstSeed + UInt64(batch.lowerBound + lines.count)): \(result.exitCode)")
      for (number, line) in zip(batch, lines) {
        let seed = Self.firstSeed + UInt64(number)
        #expect(line.seconds < Self.limit, "seed \(seed) took \(line.seconds) s")
        #expect(line.problems.allSatisfy { !$0.isEmpty && $0.count < 2000 }, "seed \(seed)")
        slowest = max(slowest, line.seconds)
        if !line.problems.isEmpty {
          reported += 1
        } else if !line.refusals.isEmpty {
          refused += 1
        } else {
          clean += 1
        }
      }
      next = batch.upperBound
    }
    guard Self.count >= 1000 else { return }
    print(
      "\(Self.count) search paths from seed \(Self.firstSeed): \(clean) clean, \(reported) told, "
        + "\(refused) refused, slowest \(slowest) s")
  }
}
