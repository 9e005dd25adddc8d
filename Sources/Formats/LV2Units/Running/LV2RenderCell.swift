// The kernel of an LV2 unit: a gate, and the current instance behind it.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
internal import ForeignPlugIns
internal import LV2Bundles
internal import RealtimeSupport

/// The kernel that the SDK renders. A control thread closes the gate for changes during which the plug-in
/// must not run; a slice at a closed gate is silent.
@safe struct LV2RenderCell: ~Copyable {
  private let gate = RenderGate()
  /// The current instance; changed while the gate is closed.
  var state: UnsafeMutablePointer<LV2RenderState>
  /// Channels of each output bus.
  private let channelCounts: RenderTable<Int>

  init(_ state: UnsafeMutablePointer<LV2RenderState>, outputChannelCounts: [Int]) {
    unsafe self.state = unsafe state
    channelCounts = RenderTable(outputChannelCounts)
  }

  deinit { channelCounts.free() }

  /// Renders one slice. Context: render.
  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    guard gate.enter() else {
      for bus in 0..<slice.outputCount {
        for channel in 0..<(unsafe channelCounts.elements[bus]) {
          unsafe SampleCopy.clear(
            slice.output(bus: bus, channel: channel), count: slice.frameCount)
        }
      }
      return
    }
    unsafe state.pointee.process(slice)
    gate.leave()
  }

  /// Runs a body while no slice is rendered. Context: control; waits for the end of a run.
  func whileClosed<Value>(_ body: () -> Value) -> Value { gate.whileClosed(body) }
}

/// Runs an instance on a slice: the function that the SDK calls.
let processLV2: KernelProcess = { state, slice in
  unsafe state.assumingMemoryBound(to: LV2RenderCell.self).pointee.process(
    slice.assumingMemoryBound(to: RenderSlice.self).pointee)
}
