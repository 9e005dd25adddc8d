// The render thread's part of an update: plans are adopted between cycles.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

extension GraphCycle {
  /// Whether `adoptPending` has anything to do: read first, so that a slice without news writes
  /// nothing that is shared.
  @_noLocks @inline(__always)
  static func hasNews(_ engine: UnsafeMutablePointer<EngineState>) -> Bool {
    if let plan = unsafe engine.pointee.current, unsafe plan.pointee.next != nil { return true }
    return unsafe engine.pointee.pending.load(ordering: .relaxed) != nil
  }

  /// Goes on in a transition, and adopts a plan that waits when none is going on.
  @_noLocks @inline(never)
  static func adoptPending(_ engine: UnsafeMutablePointer<EngineState>) {
    if let plan = unsafe engine.pointee.current, let next = unsafe plan.pointee.next {
      guard unsafe plan.pointee.domains.pointee.position >= plan.pointee.transitionFrames else {
        return
      }
      unsafe adopt(engine, next)
      // A transition may have a second stage.
      if unsafe next.pointee.next != nil { return }
    }
    guard var plan = unsafe engine.pointee.pending.exchange(nil, ordering: .acquiringAndReleasing)
    else { return }
    // Nothing sounded before the first slice: it begins with the state that a transition leads to.
    // Where the output unit was pulled in vain before, there was silence.
    if unsafe engine.pointee.cycles.load(ordering: .relaxed) == 0
      && !engine.pointee.wasPulledUnfed.load(ordering: .relaxed)
    {
      while let next = unsafe plan.pointee.next { unsafe plan = next }
    }
    unsafe adopt(engine, plan)
  }

  /// Puts a plan in force. Context: render, or control while nothing renders.
  @_noLocks
  static func adopt(
    _ engine: UnsafeMutablePointer<EngineState>, _ plan: UnsafeMutablePointer<GraphPlan>
  ) {
    if let old = unsafe engine.pointee.current {
      for index in 0..<(unsafe old.pointee.portCount) {
        unsafe old.pointee.ports[index].slot.pointee.port = nil
      }
    }
    for index in 0..<(unsafe plan.pointee.portCount) {
      let port = unsafe plan.pointee.ports + index
      unsafe port.pointee.slot.pointee.port = unsafe port
    }
    unsafe engine.pointee.current = unsafe plan
    unsafe engine.pointee.isInTransition.store(plan.pointee.next != nil, ordering: .relaxed)
    unsafe engine.pointee.adopted.store(plan.pointee.serial, ordering: .releasing)
  }
}
