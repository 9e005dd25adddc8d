// Values and changes of other threads, for which a test waits without polling.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// The changes that other threads post.
package final class Changes: Sendable {
  private let count = Mutex(0)
  private let condition = NSCondition()

  /// No change.
  package init() {}

  /// Wakes the waits after a change.
  package func post() {
    condition.lock()
    count.withLock { $0 += 1 }
    condition.broadcast()
    condition.unlock()
  }

  /// Waits until something holds, and returns whether it does.
  ///
  /// - Parameter holds: The condition; a post must follow each change of its result.
  package func wait(until holds: () throws -> Bool) rethrows -> Bool {
    let end = Date(timeIntervalSinceNow: ChildProcess.timeLimitSeconds)
    while true {
      let before = count.withLock(\.self)
      if try holds() { return true }
      condition.lock()
      defer { condition.unlock() }
      while count.withLock(\.self) == before {
        guard condition.wait(until: end) else { return false }
      }
    }
  }
}

/// The delivered values, in order.
package final class Collected<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  private let changes: Changes

  /// No value.
  ///
  /// - Parameter changes: Where each value is a change.
  package init(_ changes: Changes = Changes()) { self.changes = changes }

  /// The values so far.
  package var all: [Value] { values.withLock(\.self) }

  /// Adds a value.
  package func add(_ value: Value) { add([value]) }

  /// Adds values.
  package func add(_ more: [Value]) {
    values.withLock { $0 += more }
    changes.post()
  }

  /// Waits until so many values are there, and returns all.
  @discardableResult
  package func wait(for count: Int) -> [Value] {
    _ = changes.wait { all.count >= count }
    return all
  }

  /// Waits until a value is there, and returns whether it is.
  package func wait(for value: Value) -> Bool where Value: Equatable {
    changes.wait { all.contains(value) }
  }
}
