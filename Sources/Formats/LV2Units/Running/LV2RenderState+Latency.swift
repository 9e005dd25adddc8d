// The latency of an instance, from its port and from earlier instances.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
internal import LV2Bundles
internal import Synchronization

extension LV2RenderState {
  /// The current value of the plug-in's latency port.
  var latencyNow: Int {
    @_noLocks get {
      guard latencySlot >= 0 else { return 0 }
      let reported = unsafe controls[latencySlot]
      guard reported > 0 else { return 0 }
      // Implausible values are passed on, as far as they can be represented, for the host to judge.
      return reported < 1e15 ? Int(reported + 0.5) : 1_000_000_000_000_000
    }
  }

  /// Inherits the latency that another instance of the plug-in, made in the same way, reported.
  ///
  /// Context: control, while nothing runs either of them.
  mutating func inheritLatency(from other: borrowing LV2RenderState) {
    guard latencySlot >= 0, other.hasRun else { return }
    latencyHistory.inherit(other.latencyHistory)
    reportedLatency.store(latencyHistory.reported, ordering: .releasing)
  }

  /// Latency in frames, as last reported. Context: any.
  var latencyFrames: Double {
    let reported = reportedLatency.load(ordering: .acquiring)
    return Double(blocks.frameCount) + Double(reported < 0 ? latencyNow : reported)
  }

  /// Whether anything was rendered. Context: any.
  var hasRun: Bool { reportedLatency.load(ordering: .acquiring) >= 0 }

  /// Whether the plug-in has reported `latencyFrames`.
  var latencyIsKnown: Bool { latencySlot < 0 || hasRun }
}
