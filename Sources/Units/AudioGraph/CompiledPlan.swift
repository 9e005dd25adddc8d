// The owner of a plan: its memory, and all objects that must live as long as it is rendered.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// A plan with everything it needs. Freed by a control thread once a later one is in force.
@safe final class CompiledPlan {
  let plan: UnsafeMutablePointer<GraphPlan>
  let serial: UInt64
  let arena: PlanArena
  /// The nodes that the render structs point at.
  let nodes: [GraphNode]
  let slots: [InputSlot]
  let callbacks: [InputCallback]
  let lines: [DelayLine]

  init(
    plan: UnsafeMutablePointer<GraphPlan>, arena: PlanArena, nodes: [GraphNode],
    slots: [InputSlot], callbacks: [InputCallback], lines: [DelayLine]
  ) {
    unsafe self.plan = unsafe plan
    serial = unsafe plan.pointee.serial
    self.arena = arena
    self.nodes = nodes
    self.slots = slots
    self.callbacks = callbacks
    self.lines = lines
  }
}
