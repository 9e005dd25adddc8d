// Counts consecutive files lost to each unit; too many stop the run.
// SPDX-License-Identifier: Apache-2.0

/// Counts the files lost to each unit since the last success.
struct FailureCounter {
  /// The count that stops the run; 0 for none.
  let limit: Int
  private var counts: [String: Int] = [:]

  init(limit: Int) { self.limit = limit }

  /// Notes that one of these units cost a file.
  ///
  /// - Returns: The unit that has reached the limit; nil for none.
  mutating func fails(_ units: [String]) -> String? {
    for unit in units { counts[unit, default: 0] += 1 }
    guard limit > 0 else { return nil }
    let guilty = units.filter { counts[$0, default: 0] >= limit }
    return guilty.isEmpty ? nil : guilty.joined(separator: " or ")
  }

  /// Notes a success.
  mutating func succeeds() { counts.removeAll(keepingCapacity: true) }
}
