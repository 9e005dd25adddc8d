// How units are put into other processes, and the time that their host has for a slice.
// SPDX-License-Identifier: Apache-2.0

import CUnitLink
import Synchronization

/// The time that a host has for its slices.
///
/// @unchecked Sendable because its words are atomic.
@safe package final class SliceClock: @unchecked Sendable {
  let pointer: OpaquePointer

  /// Makes the clock of a host that waits for as long as it takes, until a slice says otherwise; nil without memory.
  ///
  /// Context: control.
  package init?() {
    guard let made = unsafe AuricleSliceClockMake() else { return nil }
    unsafe pointer = unsafe made
  }

  deinit { unsafe AuricleSliceClockFree(pointer) }

  /// Begins a slice that has to be done in so many nanoseconds; 0: for as long as it takes.
  ///
  /// Context: render.
  @_noLocks package func begin(_ nanoseconds: UInt64) {
    unsafe AuricleSliceClockBegin(pointer, nanoseconds)
  }
}

/// Which units have a process together.
package enum IsolationGrouping: String, Sendable, CaseIterable {
  /// All that are not ours share one, until one of them ends it.
  case chain
  /// Each has one.
  case unit
  /// None has another than the host's.
  case none
}

/// The choices of a host with units in other processes.
package struct IsolationOptions: Sendable {
  /// Which of them share a process.
  package var grouping = IsolationGrouping.chain
  /// Whether the sound of a slice comes with the next one, so that nobody waits.
  package var isPipelined = false
  /// The time for slices; nil for that of each time stamp with a host time.
  package var clock: SliceClock?
  /// Seconds without an answer after which a unit hangs.
  package var hangSeconds = 2.0
  /// Whether a unit whose process ended begins again; otherwise it is invalid from then on.
  package var restarts = true
  /// Called on a thread of this module with the address of an instance that has become invalid. The other number is the
  /// system's for its process.
  package var onInvalidation: @Sendable (UInt, Int32) -> Void = { _, _ in }
  /// Called with a sentence about what happened, on a thread of this module.
  package var say: @Sendable (String) -> Void = { _ in }

  /// The usual ones.
  package init() {}
}
