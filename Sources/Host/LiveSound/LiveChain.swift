// A chain as the device's thread runs it, with the time that each of its units needs.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import ChainPresets
import RealtimeSupport
import Synchronization
import UnitChains

/// The clock of one unit: called before and after each of its renders.
///
/// @unchecked Sendable because the render thread alone uses the fields that are not atomic.
@safe final class UnitClock: @unchecked Sendable {
  /// The stage in the preset, from 0.
  let stage: Int
  private let stack: ClockStack
  private let borrowedStack: Unmanaged<ClockStack>
  fileprivate var start: UInt64 = 0
  /// Own nanoseconds in the present slice.
  fileprivate var spent: UInt64 = 0
  /// Own nanoseconds since the last call that asks.
  private let total = Atomic<UInt64>(0)
  /// Slices that came too late because of it.
  let overruns = Atomic<Int>(0)

  fileprivate init(stage: Int, stack: ClockStack) {
    self.stage = stage
    self.stack = stack
    unsafe borrowedStack = Unmanaged.passUnretained(stack)
  }

  /// The callback of the unit's renders.
  fileprivate static let notification: AURenderCallback = { context, flags, _, _, _, _ in
    guard let context = unsafe context, let flags = unsafe flags else { return 0 }
    let isBefore = unsafe flags.pointee & kAudioUnitRenderAction_PreRender != 0
    unsafe Unmanaged<UnitClock>.fromOpaque(context)._withUnsafeGuaranteedRef {
      if isBefore { $0.begin() } else { $0.end() }
    }
    return 0
  }

  @_noLocks private func begin() {
    start = RenderClock.nanoseconds()
    unsafe borrowedStack._withUnsafeGuaranteedRef { $0.push() }
  }

  /// Units that this one pulls have time of their own.
  @_noLocks private func end() {
    let elapsed = RenderClock.nanoseconds() &- start
    let inside = unsafe borrowedStack._withUnsafeGuaranteedRef { $0.pop(adding: elapsed) }
    let own = elapsed &- min(elapsed, inside)
    spent &+= own
    total.add(own, ordering: .relaxed)
  }

  /// Nanoseconds since the last call. Context: control.
  func drainTotal() -> UInt64 { total.exchange(0, ordering: .relaxed) }
}

/// The time of units inside of the one that renders, by how deep they are.
@safe final class ClockStack {
  private let inner = UnsafeMutablePointer<UInt64>.allocate(capacity: 64)
  private var depth = 0

  init() { unsafe inner.initialize(repeating: 0, count: 64) }
  deinit { unsafe inner.deallocate() }

  @_noLocks fileprivate func push() {
    depth = min(depth + 1, 63)
    unsafe inner[depth] = 0
  }

  /// Leaves a unit; returns the time of the units inside.
  @_noLocks fileprivate func pop(adding elapsed: UInt64) -> UInt64 {
    let inside = unsafe inner[depth]
    depth = max(0, depth - 1)
    unsafe inner[depth] &+= elapsed
    return inside
  }
}

/// One chain that can be on the device's thread.
///
/// @unchecked Sendable because control and render threads use different parts of it.
@safe final class LiveChain: @unchecked Sendable {
  /// The resolved preset that it was made from, with later settings. Context: control.
  private(set) var resolved: ResolvedChain
  let chain: UnitChain
  private let borrowedChain: Unmanaged<UnitChain>
  /// The units of each stage of `resolved`, none for one that is passed over.
  let units: [[AudioUnit]]
  /// A clock a stage with units.
  let clocks: [UnitClock]
  /// The same, borrowed, for the render thread.
  private let clockList: UnsafeMutableBufferPointer<Unmanaged<UnitClock>>
  /// The units that receive notes, and the MIDI channels of each stage.
  let receivers: LiveReceivers
  private let borrowedReceivers: Unmanaged<LiveReceivers>
  let channels: [UInt16]

  /// Builds a chain.
  ///
  /// - Throws: A unit's error; `.badData` for a chain that follows a file.
  init(
    _ resolved: ResolvedChain, chain: UnitChain, channels: [UInt16]
  ) throws(AuricleError) {
    guard !chain.followsFile else {
      throw AuricleError(
        .badData,
        "the preset has automation, noise or a side chain from a file, which follow a file's time: leave them out for "
          + "live sound")
    }
    self.resolved = resolved
    self.chain = chain
    unsafe borrowedChain = Unmanaged.passUnretained(chain)
    self.channels = channels
    let units = resolved.stages.indices.map { chain.units(ofStage: $0) }
    self.units = units
    let stack = ClockStack()
    clocks = units.indices.filter { !units[$0].isEmpty }.map { UnitClock(stage: $0, stack: stack) }
    unsafe clockList = .allocate(capacity: clocks.count)
    unsafe _ = clockList.initialize(
      fromContentsOf: clocks.map { unsafe Unmanaged.passUnretained($0) })
    receivers = LiveReceivers(units, channels: channels)
    unsafe borrowedReceivers = Unmanaged.passUnretained(receivers)
    for clock in clocks {
      for unit in units[clock.stage] {
        // A unit without notifications of its renders has no separate time.
        try? unsafe unit.addRenderNotification(
          UnitClock.notification, refCon: Unmanaged.passUnretained(clock).toOpaque())
      }
    }
  }

  deinit {
    for clock in clocks {
      for unit in units[clock.stage] {
        try? unsafe unit.removeRenderNotification(
          UnitClock.notification, refCon: Unmanaged.passUnretained(clock).toOpaque())
      }
    }
    unsafe clockList.deallocate()
  }

  /// Keeps a value for the chain that is made of this one. Context: control.
  func remember(_ setting: ResolvedParameter, stage: Int) {
    resolved.stages[stage].parameters.removeAll {
      $0.id == setting.id && $0.scope == setting.scope && $0.element == setting.element
    }
    resolved.stages[stage].parameters.append(setting)
  }

  /// Forgets the times of the last slice. Context: render.
  @_noLocks func beginSlice() {
    for index in unsafe clockList.indices {
      unsafe clockList[index]._withUnsafeGuaranteedRef { $0.spent = 0 }
    }
  }

  /// Renders a slice: the unit's status, and the rows with the result where it is 0. Context: render.
  @_noLocks func render(
    _ input: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) -> (status: OSStatus, rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>) {
    unsafe borrowedChain._withUnsafeGuaranteedRef {
      let status = unsafe $0.renderLive(input: input, frameCount: frameCount)
      return unsafe (status, $0.liveRows)
    }
  }

  /// Sends a message to the units that receive notes, at a frame of the next slice. Context: render.
  @_noLocks func send(_ bytes: UnsafePointer<UInt8>, count: Int, atFrame frame: Int) {
    unsafe borrowedReceivers._withUnsafeGuaranteedRef {
      unsafe $0.send(bytes, count: count, atFrame: frame)
    }
  }

  /// Notes the slowest unit of a slice that was too slow. Context: render.
  @_noLocks func noteOverrun() {
    guard unsafe !clockList.isEmpty else { return }
    var (slowest, longest) = (0, UInt64(0))
    for index in unsafe clockList.indices {
      let spent = unsafe clockList[index]._withUnsafeGuaranteedRef { $0.spent }
      if spent > longest { (slowest, longest) = (index, spent) }
    }
    unsafe clockList[slowest]._withUnsafeGuaranteedRef {
      _ = $0.overruns.add(1, ordering: .relaxed)
    }
  }
}
