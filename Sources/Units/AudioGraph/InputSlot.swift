// Owners of the plain structs that units and plans point at: slots, callbacks, the engine.
// SPDX-License-Identifier: Apache-2.0

package import AudioUnits
import CAudioToolbox
import Synchronization

/// The owner of the target that an input bus of a unit calls.
@safe final class InputSlot {
  let state: UnsafeMutablePointer<InputSlotState>
  /// The slot points at it.
  private let engine: GraphEngine

  init(engine: GraphEngine, element: UInt32) {
    self.engine = engine
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: InputSlotState(engine: engine.state, element: element, port: nil))
  }

  deinit { unsafe state.deallocate() }
}

/// An input callback of the graph's owner; a new one is a new source, even with the same function.
@safe final class InputCallback {
  /// Most channels whose last sample is kept for a fade.
  static let heldChannels = 64
  /// Where the samples begin behind the state and the mark: those of the first channels lie on the
  /// same cache line.
  private static var heldOffset: Int { MemoryLayout<InputCallbackState>.stride + 4 }

  let value: AURenderCallbackStruct
  let state: UnsafeMutablePointer<InputCallbackState>

  init(
    _ value: AURenderCallbackStruct, procedure: AURenderCallback, element: UInt32,
    lendsMemory: Bool = false
  ) {
    unsafe self.value = unsafe value
    let block = UnsafeMutableRawPointer.allocate(
      byteCount: Self.heldOffset + Self.heldChannels * MemoryLayout<Float>.stride, alignment: 64)
    let held = unsafe (block + Self.heldOffset).bindMemory(
      to: Float.self, capacity: Self.heldChannels)
    unsafe held.initialize(repeating: 0, count: Self.heldChannels)
    let isRetired = unsafe (block + MemoryLayout<InputCallbackState>.stride).bindMemory(
      to: Atomic<Bool>.self, capacity: 1)
    unsafe isRetired.initialize(to: Atomic(false))
    unsafe state = block.bindMemory(to: InputCallbackState.self, capacity: 1)
    unsafe state.initialize(
      to: InputCallbackState(
        procedure: procedure, refCon: value.inputProcRefCon, element: element,
        isRetired: isRetired, held: held, channelCount: 0, lendsMemory: lendsMemory))
  }

  /// Has the callback not called any more; its last samples replace it while they fade.
  func retire() {
    unsafe state.pointee.isRetired.pointee.store(true, ordering: .sequentiallyConsistent)
  }

  deinit {
    unsafe state.deallocate()
  }
}

/// The owner of the state that the render thread works on.
@safe final class GraphEngine {
  let state: UnsafeMutablePointer<EngineState>

  init() {
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: EngineState())
  }

  deinit {
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }
}

/// A flag that a unit reported another latency, set on any thread.
@safe package final class LatencyWatch {
  private let flag: UnsafeMutablePointer<Atomic<Bool>>
  /// Whether the unit reports when its latency changes.
  package private(set) var isWatching = false

  /// Makes one that watches nothing yet.
  package init() {
    unsafe flag = .allocate(capacity: 1)
    unsafe flag.initialize(to: Atomic(false))
  }

  deinit { unsafe flag.deallocate() }

  /// Begins to watch a unit. Context: control.
  package func watch(_ unit: AudioUnit) {
    guard !isWatching else { return }
    // A unit without listeners is asked again now and then all the same.
    isWatching =
      (try? unsafe unit.addPropertyListener(
        kAudioUnitProperty_Latency, latencyListener, refCon: UnsafeMutableRawPointer(flag))) != nil
  }

  /// Ends it. Context: control.
  package func unwatch(_ unit: AudioUnit) {
    guard isWatching else { return }
    try? unsafe unit.removePropertyListener(
      kAudioUnitProperty_Latency, latencyListener, refCon: UnsafeMutableRawPointer(flag))
    isWatching = false
  }

  /// Whether the unit reported a change since `clear`. Context: any.
  package var isSet: Bool { unsafe flag.pointee.load(ordering: .acquiring) }

  /// Forgets the change that was reported. Context: any.
  package func clear() { unsafe flag.pointee.store(false, ordering: .relaxed) }
}

private let latencyListener: AudioUnitPropertyListenerProc = { refCon, _, _, _, _ in
  unsafe refCon?.assumingMemoryBound(to: Atomic<Bool>.self).pointee.store(
    true, ordering: .releasing)
}
