// A stage that is more than one unit as it is: its instances, adapted channels, the mix with its input.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph
import AudioTypes
import AudioUnits
import CAudioToolbox

/// The owner of a stage's instances and of their memory; `InternalUnit` renders it as a node of a graph.
///
/// Not thread-safe: one thread at a time.
@safe final class StageNode {
  /// The instances, initialised.
  private(set) var units: [AudioUnit]
  let state: UnsafeMutablePointer<StageState>
  /// Report that a unit has another latency.
  private var latencyWatches: [(unit: AudioUnit, watch: LatencyWatch)] = []
  /// Whether all units report whenever it changes.
  private var alwaysReportLatency = false

  /// Opens, configures and initialises the instances of a stage.
  ///
  /// - Parameters:
  ///   - first: The first instance, just opened.
  ///   - plan: Which instances there are, and which channels they get.
  /// - Throws: The first unit's failure.
  ///
  /// Context: control.
  init(
    _ stage: ChainStage, first: AudioUnit, plan: ChannelPlan, sampleRate: Double,
    channelCount: Int, maximumFrames: Int
  ) throws(AuricleError) {
    var instances = [first]
    for _ in 1..<max(1, plan.taps.count) { instances.append(try stage.makeUnit()) }
    for unit in instances {
      try stage.prepare(
        unit, plan, sampleRate: sampleRate, channelCount: channelCount,
        maximumFrames: maximumFrames)
    }
    units = instances
    unsafe state = Self.makeState(
      stage, workNumber: first.workNumber, instanceCount: instances.count, sampleRate: sampleRate,
      channelCount: channelCount, maximumFrames: maximumFrames)
    for (index, unit) in instances.enumerated() { addInstance(unit, index, plan, maximumFrames) }
    connectOutputs(plan)
    // Stored properties are complete: deinit frees all memory allocated so far.
    if plan.inputs > 0 {
      for (index, unit) in instances.enumerated() {
        try unsafe unit.setInputCallback(
          element: 0, stageInputCallback,
          refCon: UnsafeMutableRawPointer(state.pointee.instances + index))
      }
    }
    for unit in instances { try unit.initialize() }
    // Where it is known before the first slice, render code need not ask.
    if isLatencyKnown { unsafe state.pointee.readLatency() }
    for unit in instances {
      let watch = LatencyWatch()
      watch.watch(unit)
      latencyWatches.append((unit, watch))
    }
    alwaysReportLatency = latencyWatches.allSatisfy {
      $0.watch.isWatching && $0.unit.alwaysReportsLatency
    }
  }

  deinit {
    for (unit, watch) in latencyWatches { watch.unwatch(unit) }
    latencyWatches.removeAll()
    // Units first: they may still hold pointers to the state.
    units.removeAll()
    unsafe Self.free(state)
  }

  /// The longest latency of the instances in frames, as they report it now.
  var latencyFrames: Int {
    unsafe state.pointee.readLatency()
    return unsafe state.pointee.latencyFrames
  }

  /// False while a unit cannot know its latency because it has not rendered yet.
  var isLatencyKnown: Bool { units.allSatisfy(\.isLatencyKnown) }

  /// Whether a unit may have another latency than when this was asked last: it reported a change, or does
  /// not report them.
  var mayHaveNewLatency: Bool {
    guard alwaysReportLatency else { return true }
    var isSet = false
    for (_, watch) in latencyWatches where watch.isSet {
      watch.clear()
      isSet = true
    }
    return isSet
  }

  /// Seconds the stage rings on after its input ended, or nil when a unit does not know.
  var tailSeconds: Double? {
    var longest = 0.0
    for unit in units {
      guard let tail = unit.tailTime, tail.isFinite, tail >= 0 else { return nil }
      longest = max(longest, tail)
    }
    return longest
  }

  /// Forgets the past of every unit.
  ///
  /// - Throws: The failure of a unit that could not be reset.
  func reset() throws(AuricleError) {
    for unit in units { try unit.reset() }
    if unsafe state.pointee.latencyIsRead { unsafe state.pointee.readLatency() }
    unsafe state.pointee.dryPosition = 0
    if let dry = unsafe state.pointee.dry {
      unsafe dry.update(repeating: 0, count: state.pointee.dryLength * state.pointee.channelCount)
    }
  }
}
