// Reports the sandbox's refusals to units, once in a run.
// SPDX-License-Identifier: Apache-2.0

import HostSystem

/// Decides which refused paths are reported.
struct RefusalNotes {
  private var reported: Set<RefusedPath> = []
  private var counts: [String: Int] = [:]

  /// The most paths reported for a unit.
  private static let mostOfUnit = 5
  /// The most reported in a run: units can overwrite the list, so it must not become a flood.
  private static let mostInRun = 100

  /// The sentences for new refusals; one path of each folder is enough.
  mutating func new(_ refusals: [RefusedPath]) -> [String] {
    var notes: [String] = []
    for refusal in refusals where reported.count < Self.mostInRun {
      let folder = RefusedPath(unit: refusal.unit, path: Path.folder(of: refusal.path))
      guard counts[refusal.unit, default: 0] < Self.mostOfUnit, reported.insert(folder).inserted
      else { continue }
      counts[refusal.unit, default: 0] += 1
      notes.append(
        "\(refusal.unit) may not read \(refusal.path) in the sandbox; "
          + "--allow-read \(Self.word(refusal.path)) allows it")
    }
    return notes
  }

  /// A path as a word of a command line.
  private static func word(_ path: String) -> String {
    let isPlain = path.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0)
        || "/._-+,@%=".unicodeScalars.contains($0)
    }
    guard !isPlain else { return path }
    return "'"
      + path.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''") + "'"
  }
}
