// Observation of a graph that renders: notifications, load, failures.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
import AudioUnits
public import CAudioToolbox
import RealtimeSupport
import Synchronization

/// Two readings of a clock from which the length of a tick follows.
struct LoadClock {
  private let ticks = RenderClock.ticks()
  private let nanoseconds = RenderClock.nanoseconds()

  /// Seconds of one tick, measured since the clock was made.
  var secondsPerTick: Double {
    let passedTicks = RenderClock.ticks() &- ticks
    let passed = RenderClock.nanoseconds() &- nanoseconds
    return passedTicks == 0 ? 0 : Double(passed) / Double(passedTicks) * 1e-9
  }
}

extension AudioUnitGraph {
  /// Why a slice failed.
  public struct Failure: Sendable {
    /// The node whose unit failed.
    public var node: Node
    /// The node's label.
    public var label: String
    /// The status of its render function, or `kAudioUnitErr_InvalidParameterValue` for a value that
    /// is not a finite number.
    public var status: OSStatus
    /// Sample time of the slice.
    public var sampleTime: Double
    /// Place of the value that is not finite; nil for another failure.
    public var value: (frame: Int, channel: Int)?
  }

  /// Returns and clears the first failure of a node since this was called last; nil if none failed.
  public func consumeFailure() -> Failure? {
    reading {
      guard unsafe engine.state.pointee.hasFailed.load(ordering: .acquiring) else { return nil }
      let failure = unsafe engine.state.pointee.failure
      unsafe engine.state.pointee.hasFailed.store(false, ordering: .releasing)
      return Failure(
        node: failure.node, label: nodes[failure.node]?.label ?? "a converter",
        status: failure.status, sampleTime: failure.sampleTime,
        value: failure.frame < 0 ? nil : (failure.frame, failure.channel))
    }
  }

  /// Calls a function before and after each slice of the output unit, on the render thread.
  ///
  /// - Throws: The output unit's error; without one the function waits for it.
  ///
  /// The corresponding Core Audio function is `AUGraphAddRenderNotify`.
  public func addRenderNotification(
    _ callback: AURenderCallback, refCon: UnsafeMutableRawPointer?
  ) throws(AuricleError) {
    try locked { () throws(AuricleError) in
      if isOpenNow, let unit = headNode?.unit {
        try unsafe unit.addRenderNotification(callback, refCon: refCon)
      }
      unsafe notifications.append((callback, refCon))
    }
  }

  /// Undoes `addRenderNotification` with the same arguments.
  ///
  /// - Throws: The output unit's error.
  ///
  /// The corresponding Core Audio function is `AUGraphRemoveRenderNotify`.
  public func removeRenderNotification(
    _ callback: AURenderCallback, refCon: UnsafeMutableRawPointer?
  ) throws(AuricleError) {
    try locked { () throws(AuricleError) in
      if isOpenNow, let unit = headNode?.unit {
        try unsafe unit.removeRenderNotification(callback, refCon: refCon)
      }
      let address = unsafe unsafeBitCast(callback, to: UInt.self)
      unsafe notifications.removeAll {
        unsafe unsafeBitCast($0.callback, to: UInt.self) == address && $0.refCon == refCon
      }
    }
  }

  func addNotifications(to head: GraphNode) throws(AuricleError) {
    guard let unit = head.unit else { return }
    for index in unsafe notifications.indices {
      let entry = unsafe notifications[index]
      try unsafe unit.addRenderNotification(entry.callback, refCon: entry.refCon)
    }
  }

  /// Has the engine know when an output unit is pulled that no node feeds: a later source must not
  /// begin with a step.
  func watchOutput(_ unit: AudioUnit) {
    // One that cannot be observed counts as a unit that was not pulled.
    guard (try? unsafe unit.addRenderNotification(unfedOutputCallback, refCon: engine.state)) != nil
    else { return }
    watchedOutput = unit
  }

  /// Undoes `watchOutput`.
  func unwatchOutput() {
    guard let unit = watchedOutput else { return }
    watchedOutput = nil
    try? unsafe unit.removeRenderNotification(unfedOutputCallback, refCon: engine.state)
  }

  /// Part of a slice's duration that rendering used of late: 0 idle, 1 no time left.
  ///
  /// The corresponding Core Audio function is `AUGraphGetCPULoad`.
  public var cpuLoad: Double {
    reading { unsafe scaled(engine.state.pointee.meter.readMean()) }
  }

  /// The greatest load of a slice since this was read last.
  ///
  /// Every slice counts for 4096 slices after each reading; without one for longer, one of sixteen
  /// counts.
  ///
  /// The corresponding Core Audio function is `AUGraphGetMaxCPULoad`.
  public func resetMaximumCPULoad() -> Double {
    reading {
      unsafe scaled(engine.state.pointee.meter.resetGreatest())
    }
  }

  /// Ticks a frame as part of the frame's duration.
  private func scaled(_ ticksPerFrame: Double) -> Double {
    guard isInitializedNow, let head = headNode,
      let rate = try? head.format(kAudioUnitScope_Input, 0).sampleRate
    else { return 0 }
    return ticksPerFrame * clock.secondsPerTick * rate
  }
}

/// Notes that an output unit was pulled; the reference is an `EngineState`. Context: render.
private let unfedOutputCallback: AURenderCallback = { refCon, _, _, _, _, _ in
  guard let engine = unsafe refCon?.assumingMemoryBound(to: EngineState.self) else { return 0 }
  if unsafe !engine.pointee.wasPulledUnfed.load(ordering: .relaxed) {
    unsafe engine.pointee.wasPulledUnfed.store(true, ordering: .releasing)
  }
  return 0
}
