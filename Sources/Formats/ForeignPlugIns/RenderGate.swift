// A gate between the render thread and changes during which a plug-in must not run.
// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import RealtimeSupport
internal import Synchronization

/// A gate that a control thread closes, and at which the render thread never waits.
///
/// The render thread passes it with plain stores and loads; the closing thread issues a memory barrier on all
/// threads.
package struct RenderGate: ~Copyable {
  private let isInside = Atomic<Bool>(false)
  private let isClosed = Atomic<Bool>(false)

  /// An open gate. Context: control.
  package init() {}

  /// Passes the gate; false when it is closed. Context: render.
  @_noLocks package func enter() -> Bool {
    isInside.store(true, ordering: .relaxed)
    guard !isClosed.load(ordering: .acquiring) else {
      isInside.store(false, ordering: .releasing)
      return false
    }
    return true
  }

  /// Leaves, after `enter` has returned true. Context: render.
  @_noLocks package func leave() { isInside.store(false, ordering: .releasing) }

  /// Runs a body while no slice is rendered. Context: control; waits for the end of a run.
  package func whileClosed<Value>(_ body: () -> Value) -> Value {
    // Closed already by this thread in an outer call; the unit's lock keeps other control threads out.
    guard !isClosed.exchange(true, ordering: .sequentiallyConsistent) else { return body() }
    defer { isClosed.store(false, ordering: .releasing) }
    RenderClock.fenceOtherThreads()
    // The render thread makes no system call, so that no event marks the end of its slice.
    while isInside.load(ordering: .acquiring) { usleep(50) }
    return body()
  }
}
