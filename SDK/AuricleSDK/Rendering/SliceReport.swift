// What a kernel says of a slice it made.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// What a kernel says of the slice it made.
struct SliceReport: BitwiseCopyable {
  /// Whether every output channel was set to zero.
  var isSilent: Bool
  /// Why it could not make the slice; 0 where it could.
  var status: OSStatus
  /// Seconds its output may ring on, as it said last; negative where it did not say.
  var tailSeconds: Double
  /// Frames by which its output is late; negative where it did not say.
  var latencyFrames: Int

  @_noLocks init() {
    isSilent = false
    status = 0
    tailSeconds = -1
    latencyFrames = -1
  }
}
