// The distance of the connectors from the client, as the device reports it right after its start.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Frames between a device's buffers and its connectors.
package struct ConnectorLatency: Sendable, Equatable {
  /// From the buffer to the listener.
  package var output = 0
  /// From the microphone to the buffer.
  package var input = 0

  /// None.
  package init() {}
}

extension DeviceEngine {
  /// Asks both sides for their delays. Where they cannot be started as one, the time between their starts is in it.
  /// A side that follows another's clock keeps to its own delay.
  ///
  /// Context: the device's thread, after a start.
  func measureLatency() {
    var latency = ConnectorLatency()
    outputLead = output?.bufferFrames ?? 0
    if let playback, let held = output?.bufferFrames {
      latency.output =
        playback.isFollower
        ? playback.heldFrames
        : Self.steady({ playback.available() }) {
          playback.status().delay.map { delay in delay - held }
        }.map { max(0, $0 + $1) } ?? 0
    }
    if let capture {
      latency.input =
        capture.isFollower
        ? capture.heldFrames
        : Self.steady({ capture.available() }) { capture.status().delay }
          .map { max(0, $1 - $0) } ?? 0
    }
    if let playback, let capture, !playback.isFollower, !capture.isFollower {
      let reported = Self.steady({ playback.status().delay }) { capture.status().delay }
      if let (sounding, recorded) = reported {
        outputLead = max(0, sounding + recorded - latency.output - latency.input)
      }
    }
    connectors.withLock { $0 = latency }
    roundTrip.store(
      capture == nil || playback == nil ? -1 : outputLead + latency.output + latency.input,
      ordering: .relaxed)
  }

  /// A number that moves with the device's clock, and another that was read while it did not move;
  /// nil where the device does not report one of them.
  private static func steady(_ number: () -> Int?, _ other: () -> Int?) -> (Int, Int)? {
    var last: (Int, Int)?
    for _ in 0..<16 {
      guard let before = number(), before >= 0, let present = other(), let after = number() else {
        return nil
      }
      last = (before, present)
      if before == after { break }
    }
    return last
  }

  /// Frames between the buffers and the connectors; nil before the start. Context: any thread.
  package var connectorLatency: ConnectorLatency? { connectors.withLock { $0 } }

  /// Frames from a client's output to the same frame in its input, over a wire; nil for one side only, and before
  /// the start. Context: any thread.
  package var roundTripFrames: Int? {
    let frames = roundTrip.load(ordering: .relaxed)
    return frames < 0 ? nil : frames
  }
}
