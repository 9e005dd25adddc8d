// A count of changes that threads wait for.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Counts changes, and wakes those who wait for the next one.
///
/// @unchecked Sendable because the count is used under the lock of the condition alone.
final class ChangeCount: @unchecked Sendable {
  private let condition = NSCondition()
  private var changes = 0

  /// The number of changes so far: read in front of what changes, so that no change is missed.
  var count: Int { condition.withLock { changes } }

  /// Counts a change.
  func note() {
    condition.withLock {
      changes += 1
      condition.broadcast()
    }
  }

  /// Waits until there were more changes than a number.
  ///
  /// - Returns: Whether there were; false when the time is up.
  ///
  /// Context: a thread that may block.
  func wait(beyond number: Int, until deadline: Date) -> Bool {
    condition.withLock {
      while changes <= number {
        guard condition.wait(until: deadline) else { return changes > number }
      }
      return true
    }
  }
}
