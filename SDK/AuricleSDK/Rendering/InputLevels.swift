// The levels of input samples that decide whether a kernel receives them.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport

/// The form in which a unit receives input that counts as silence and is none.
enum QuietInput {
  /// As it is: the render state decides whether the kernel runs.
  case asItIs
  /// As it is, and marked as silent: for kernels that work on whole sounds, and may pass them on.
  case marked
  /// As silence: kernels that pull their input then treat it as silence.
  case silence
}

/// Bounds of input samples, as bits of their magnitudes.
///
/// A kernel with a past would keep NaN or infinity until it is reset. So samples that are not finite become 0
/// before it. Input below 2⁻²⁶ (−156 dBFS, less than half a step of 24 bits) counts as
/// silence for `skipsSilence`. Context: render.
enum InputLevels {
  /// The least magnitude that is no silence.
  static var audible: Int32 { @_noLocks get { 0x3280_0000 } }
  /// The greatest magnitude that a kernel receives.
  static var greatest: Int32 { @_noLocks get { 0x7F7F_FFFF } }

  /// The bits of the largest magnitude of all channels.
  @_noLocks @inline(__always) static func magnitude(
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, count: Int, frameCount: Int
  ) -> Int32 {
    var largest: Int32 = 0
    for channel in 0..<count {
      largest = max(
        largest, unsafe SampleScan.magnitudeBits(channels[channel], count: frameCount))
    }
    return largest
  }

  /// Sets samples that no kernel receives to 0.
  @_noLocks @inline(never) static func clean(
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, count: Int, frameCount: Int
  ) {
    for channel in 0..<count {
      let samples = unsafe channels[channel]
      for frame in 0..<frameCount
      where unsafe Int32(bitPattern: samples[frame].bitPattern & 0x7FFF_FFFF) > greatest {
        unsafe samples[frame] = 0
      }
    }
  }
}
