// The counters of a device thread.
// SPDX-License-Identifier: Apache-2.0

/// Counts of a running device.
package struct EngineStatistics: Sendable, Equatable {
  /// Periods done.
  package var periods: Int64 = 0
  /// Frames done.
  package var frames: Int64 = 0
  /// Times that sound ran out because the thread woke late.
  package var lateWakes = 0
  /// Times that sound ran out because rendering was slower than real time.
  package var longRenders = 0
  /// Times that sound ran out for another reason: the device itself.
  package var otherOverruns = 0
  /// Times that the device was started anew because it had stopped moving.
  package var restarts = 0
  /// Times that the machine slept.
  package var suspends = 0
  /// Wakes with nothing to do.
  package var emptyWakes: Int64 = 0
  /// Nanoseconds spent rendering.
  package var renderTime: UInt64 = 0
  /// The longest render of a period, in nanoseconds.
  package var longestRender: UInt64 = 0

  /// Nothing yet.
  package init() {}

  /// Times that sound ran out.
  package var overruns: Int { lateWakes + longRenders + otherOverruns }
}

/// The reason why a device ended.
package enum EngineEnd: Sendable, Equatable {
  /// Its thread was asked to stop.
  case stopped
  /// All frames up to the last were played.
  case finished
  /// The file that was played in is over.
  case inputEnded
  /// The device is gone, or never moves again.
  case lost
  /// The system refused something, with this `errno`.
  case failed(Int32)
}
