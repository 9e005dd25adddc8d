// Bounds that both ends keep.
// SPDX-License-Identifier: Apache-2.0

/// Bounds on the sound in a packet.
enum SoundLimits {
  /// Frames that a packet or block has at most.
  static var mostFrames: Int { @_noLocks get { 8192 } }
}
