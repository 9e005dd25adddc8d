// A chain on a device's thread: slices as they come, without the parts that only files need.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph
package import AudioTypes
package import CAudioToolbox

extension UnitChain {
  /// Whether the chain follows a file: it has breakpoints, side chains of files, or noise.
  ///
  /// Context: control.
  package var followsFile: Bool { !automated.isEmpty || !feeds.isEmpty || !noises.isEmpty }

  /// Renders one slice. Latencies are those of the beginning.
  ///
  /// - Parameters:
  ///   - input: A pointer a channel, `frameCount` samples each, which may be changed.
  ///   - frameCount: 1 to `maximumFrames`.
  /// - Returns: A unit's status. Where it is 0, `liveRows` has the result until the chain is used again.
  ///
  /// Context: render; not of a chain that follows a file.
  @_noLocks package func renderLive(
    input: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) -> OSStatus {
    unsafe pull(input, from: 0, count: frameCount)
  }

  /// A pointer a channel to the last rendered slice.
  ///
  /// Context: render.
  package var liveRows: UnsafeMutablePointer<UnsafeMutablePointer<Float>> {
    @_noLocks get { unsafe made }
  }

  /// The failure of a slice as a sentence, once; nil for none since the last call.
  ///
  /// Context: control, beside the render thread.
  package func consumeLiveFailure() -> AuricleError? {
    guard let failed = graph.consumeFailure() else { return nil }
    guard failed.value == nil else {
      return AuricleError(
        .software, status: failed.status, "\(failed.label) made a value that is not a finite number"
      )
    }
    return AuricleError(
      .software, status: failed.status, "\(failed.label) failed with status \(failed.status)")
  }
}
