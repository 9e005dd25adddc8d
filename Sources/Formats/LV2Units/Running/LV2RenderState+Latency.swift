// How late an instance is: what its port says, and what others of its kind have told.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
internal import LV2Bundles
internal import Synchronization

extension LV2RenderState {
  /// What the plug-in's port says at this moment.
  var latencyNow: Int {
    @_noLocks get {
      guard latencySlot >= 0 else { return 0 }
      let reported = unsafe controls[latencySlot]
      guard reported > 0 else { return 0 }
      // Lies are passed on, for the host to judge, as far as there are numbers for them.
      return reported < 1e15 ? Int(reported + 0.5) : 1_000_000_000_000_000
    }
  }

  /// Takes over what another instance of the plug-in, made in the same way, told of its latency.
  ///
  /// Context: control, while nothing runs either of them.
  mutating func inheritLatency(from other: borrowing LV2RenderState) {
    guard latencySlot >= 0, other.hasRun else { return }
    latencyHistory.inherit(other.latencyHistory)
    toldLatency.store(latencyHistory.told, ordering: .releasing)
  }

  /// Frames by which the output lags the input, as last reported. Context: any.
  var latencyFrames: Double {
    let told = toldLatency.load(ordering: .acquiring)
    return Double(blocks.frameCount) + Double(told < 0 ? latencyNow : told)
  }

  /// Whether anything was rendered. Context: any.
  var hasRun: Bool { toldLatency.load(ordering: .acquiring) >= 0 }

  /// Whether `latencyFrames` is what the plug-in says, rather than what it has not said yet.
  var latencyIsKnown: Bool { latencySlot < 0 || hasRun }
}
