// Bytes of buffers, as the render thread copies and clears them.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport

/// Copies bytes between two runs of memory. Context: render.
@_noLocks @inline(__always)
func graphCopy(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int) {
  // Buffers hold whole 32-bit words in every format but packed 8, 16 and 24-bit ones.
  unsafe target.copyMemory(from: source, byteCount: count)
}

/// Sets bytes to zero. Context: render.
@_noLocks @inline(__always)
func graphClear(_ target: UnsafeMutableRawPointer, _ count: Int) {
  unsafe SampleCopy.clear(
    target.assumingMemoryBound(to: Float.self), count: count &>> 2)
  var rest = count & ~3
  while rest < count {
    unsafe target.storeBytes(of: 0, toByteOffset: rest, as: UInt8.self)
    rest &+= 1
  }
}
