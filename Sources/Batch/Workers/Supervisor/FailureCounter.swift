// Which units cost one file after the other: too many, and the run is stopped.
// SPDX-License-Identifier: Apache-2.0

/// Counts how many files each unit cost since the last one that went well.
struct FailureCounter {
  /// How many are too many; 0 for never.
  let limit: Int
  private var counts: [String: Int] = [:]

  init(limit: Int) { self.limit = limit }

  /// One of some units cost a file for good.
  ///
  /// - Returns: The unit that has cost too many by now; nil for none.
  mutating func fails(_ units: [String]) -> String? {
    for unit in units { counts[unit, default: 0] += 1 }
    guard limit > 0 else { return nil }
    let guilty = units.filter { counts[$0, default: 0] >= limit }
    return guilty.isEmpty ? nil : guilty.joined(separator: " or ")
  }

  /// A file went well.
  mutating func succeeds() { counts.removeAll(keepingCapacity: true) }
}
