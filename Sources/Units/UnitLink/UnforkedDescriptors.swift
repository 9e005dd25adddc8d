// Descriptors that forked children of this process do not keep: their end is the end of this process for others.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// Sockets and locks by which other processes notice the end of this one. A child that was forked without another program
/// would keep them open; it has the null device in their places.
package enum UnforkedDescriptors {
  /// The places for descriptors; 0 is a free one, otherwise it is the descriptor plus 1.
  ///
  /// @unchecked Sendable because the places are atomic.
  @safe private struct Table: @unchecked Sendable {
    static let capacity = 1024
    let places: UnsafeMutablePointer<Atomic<Int32>>
    let null: Int32

    init() {
      unsafe places = .allocate(capacity: Self.capacity)
      for place in 0..<Self.capacity { unsafe (places + place).initialize(to: Atomic(0)) }
      unsafe null = open("/dev/null", O_RDWR | O_CLOEXEC)
      _ = pthread_atfork(nil, nil) { UnforkedDescriptors.table.leaveAll() }
    }

    /// Replaces the first value by another one; whether it was there.
    @discardableResult
    func exchange(_ old: Int32, _ new: Int32) -> Bool {
      (0..<Self.capacity).contains { place in
        unsafe places[place].compareExchange(
          expected: old, desired: new, ordering: .acquiringAndReleasing
        ).exchanged
      }
    }

    /// Context: a forked child, which has only async-signal-safe calls.
    func leaveAll() {
      for place in 0..<Self.capacity {
        let value = unsafe places[place].load(ordering: .acquiring)
        guard value != 0 else { continue }
        // The number stays in use: who closes it there closes nothing else.
        dup2(null, value - 1)
        _ = fcntl(value - 1, F_SETFD, FD_CLOEXEC)
      }
    }
  }

  private static let table = Table()

  /// Has forked children not keep a descriptor. One more than there are places for is kept.
  ///
  /// Context: any, not render.
  package static func add(_ descriptor: Int32) {
    if descriptor >= 0 { table.exchange(0, descriptor + 1) }
  }

  /// Forgets a descriptor that is about to be closed.
  ///
  /// Context: any, not render.
  package static func remove(_ descriptor: Int32) {
    if descriptor >= 0 { table.exchange(descriptor + 1, 0) }
  }
}
