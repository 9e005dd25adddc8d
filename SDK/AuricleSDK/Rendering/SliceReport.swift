// A kernel's report on a slice that it made.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// The report of a kernel on its slice.
struct SliceReport: BitwiseCopyable {
  /// Whether every output channel was set to zero.
  var isSilent: Bool
  /// The error of the slice; 0 for none.
  var status: OSStatus
  /// The last reported tail in seconds; negative if not reported.
  var tailSeconds: Double
  /// The reported latency in frames; negative if not reported.
  var latencyFrames: Int
  /// Whether the state is another one than what the host set.
  var stateHasChanged: Bool
  /// Whether the pass over the whole input is done.
  var isComplete: Bool

  @_noLocks init() {
    isSilent = false
    status = 0
    tailSeconds = -1
    latencyFrames = -1
    stateHasChanged = false
    isComplete = false
  }
}
