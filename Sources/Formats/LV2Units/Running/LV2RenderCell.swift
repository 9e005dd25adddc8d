// The kernel of an LV2 unit: a gate, and the current instance behind it.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
internal import Glibc
internal import LV2Bundles
internal import RealtimeSupport
internal import Synchronization

/// The kernel that the SDK renders. A control thread closes the gate for changes during which the plug-in
/// must not run; the render thread never waits: a slice at a closed gate is silent. The render thread passes
/// it with plain stores and loads; the closing thread issues a memory barrier on all threads.
@safe struct LV2RenderCell: ~Copyable {
  private let isInside = Atomic<Bool>(false)
  private let isClosed = Atomic<Bool>(false)
  /// The current instance; changed while the gate is closed.
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
    isInside.store(true, ordering: .relaxed)
    guard !isClosed.load(ordering: .acquiring) else {
      isInside.store(false, ordering: .releasing)
      for bus in 0..<slice.outputCount {
        for channel in 0..<(unsafe channelCounts.elements[bus]) {
          unsafe SampleCopy.clear(
            slice.output(bus: bus, channel: channel), count: slice.frameCount)
        }
      }
      return
    }
    unsafe state.pointee.process(slice)
    isInside.store(false, ordering: .releasing)
  }

  /// Runs a body while no slice is rendered. Context: control; waits for the end of a run.
  func whileClosed<Value>(_ body: () -> Value) -> Value {
    // Closed already by this thread in an outer call; the unit's lock keeps other control threads out.
    guard !isClosed.exchange(true, ordering: .sequentiallyConsistent) else { return body() }
    defer { isClosed.store(false, ordering: .releasing) }
    RenderClock.fenceOtherThreads()
    while isInside.load(ordering: .acquiring) { usleep(50) }
    return body()
  }
}

/// Runs an instance on a slice: what the SDK calls.
let processLV2: KernelProcess = { state, slice in
  unsafe state.assumingMemoryBound(to: LV2RenderCell.self).pointee.process(
    slice.assumingMemoryBound(to: RenderSlice.self).pointee)
}
