// The kernel of an LV2 unit: a gate, and behind it the instance that is in force.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
internal import Glibc
internal import RealtimeSupport
internal import Synchronization

/// What the SDK renders. A control thread closes the gate to change what a run must not see change;
/// the render thread never waits at it: a slice that meets a closed gate is silent.
@safe struct LV2RenderCell: ~Copyable {
  private static let open = 0
  private static let inside = 1
  private static let closed = 2
  private let gate = Atomic<Int>(LV2RenderCell.open)
  /// The instance in force; changed while the gate is closed.
  var state: UnsafeMutablePointer<LV2RenderState>
  /// Channels of each output bus.
  private let channelCounts: LV2Table<Int>

  init(_ state: UnsafeMutablePointer<LV2RenderState>, outputChannelCounts: [Int]) {
    unsafe self.state = unsafe state
    channelCounts = LV2Table(outputChannelCounts)
  }

  deinit { channelCounts.free() }

  /// Renders one slice. Context: render.
  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    let (entered, _) = gate.compareExchange(
      expected: LV2RenderCell.open, desired: LV2RenderCell.inside, ordering: .acquiring)
    guard entered else {
      for bus in 0..<slice.outputCount {
        for channel in 0..<(unsafe channelCounts.elements[bus]) {
          unsafe SampleCopy.clear(
            slice.output(bus: bus, channel: channel), count: slice.frameCount)
        }
      }
      return
    }
    unsafe state.pointee.process(slice)
    gate.store(LV2RenderCell.open, ordering: .releasing)
  }

  /// Runs a body while no slice is rendered. Context: control; waits for the end of a run.
  func whileClosed<Value>(_ body: () -> Value) -> Value {
    while true {
      let (done, seen) = gate.compareExchange(
        expected: LV2RenderCell.open, desired: LV2RenderCell.closed, ordering: .acquiring)
      // Closed already: this thread did it, further out; other control threads are kept away by
      // the unit's lock.
      if done || seen == LV2RenderCell.closed {
        defer { if done { gate.store(LV2RenderCell.open, ordering: .releasing) } }
        return body()
      }
      usleep(50)
    }
  }
}

/// Runs an instance on a slice: what the SDK calls.
let processLV2: KernelProcess = { state, slice in
  unsafe state.assumingMemoryBound(to: LV2RenderCell.self).pointee.process(
    slice.assumingMemoryBound(to: RenderSlice.self).pointee)
}
