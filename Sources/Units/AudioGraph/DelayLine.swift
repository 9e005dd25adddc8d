// A delay line on an edge, which aligns a branch with slower ones.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport

/// The state of a delay line: a ring of as many frames as it delays, one stretch a buffer.
@safe struct DelayLineState {
  var ring: UnsafeMutableRawPointer
  /// Frames of delay, and of one stretch of the ring; at least 1.
  var frames: Int
  var bufferCount: Int
  var bytesPerFrame: Int
  /// The frame of the ring that is the oldest.
  var position = 0
  /// Frames of silence that the ring holds at its end.
  var silentFrames: Int
}

extension UnsafeMutablePointer where Pointee == DelayLineState {
  /// Delays a slice.
  ///
  /// - Returns: Whether the result is known to be silent.
  ///
  /// Context: render.
  @_noLocks
  func delay(
    _ source: UnsafeMutablePointer<GraphBus>, _ output: UnsafeMutablePointer<GraphBus>,
    _ frameCount: Int
  ) -> Bool {
    let length = unsafe pointee.frames
    let size = unsafe pointee.bytesPerFrame
    let start = unsafe pointee.position
    let count = unsafe min(pointee.bufferCount, source.pointee.bufferCount)
    let wasSilent = unsafe pointee.silentFrames >= length
    if unsafe source.pointee.isSilent {
      unsafe pointee.silentFrames = unsafe min(length, pointee.silentFrames + frameCount)
    } else {
      unsafe pointee.silentFrames = 0
    }
    for buffer in 0..<count {
      let ring = unsafe pointee.ring + buffer &* length &* size
      let input = unsafe source.pointee.memory[buffer]
      let result = unsafe output.pointee.memory[buffer]
      // The output: first the content of the ring, then the input.
      let fromRing = min(frameCount, length)
      let first = min(fromRing, length - start)
      unsafe graphCopy(ring + start &* size, result, first &* size)
      unsafe graphCopy(ring, result + first &* size, (fromRing - first) &* size)
      if frameCount > length {
        unsafe graphCopy(input, result + length &* size, (frameCount - length) &* size)
      }
      // The input: the last frames of the slice.
      let skipped = frameCount - fromRing
      let end = (start + skipped) % length
      let head = min(fromRing, length - end)
      unsafe graphCopy(input + skipped &* size, ring + end &* size, head &* size)
      unsafe graphCopy(input + (skipped + head) &* size, ring, (fromRing - head) &* size)
    }
    unsafe pointee.position = (start + frameCount) % length
    return unsafe wasSilent && source.pointee.isSilent
  }
}

/// The owner of a delay line; plans that use the same edge share it, so that its past goes on.
@safe final class DelayLine {
  let state: UnsafeMutablePointer<DelayLineState>
  /// Frames of delay.
  let frames: Int
  let bufferCount: Int
  let bytesPerFrame: Int

  /// Allocates a line of silence. Context: control.
  init(frames: Int, bufferCount: Int, bytesPerFrame: Int) {
    self.frames = max(1, frames)
    self.bufferCount = bufferCount
    self.bytesPerFrame = bytesPerFrame
    let size = max(1, self.frames * bufferCount * bytesPerFrame)
    let ring = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
    unsafe ring.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(
      to: DelayLineState(
        ring: ring, frames: self.frames, bufferCount: bufferCount, bytesPerFrame: bytesPerFrame,
        silentFrames: self.frames))
  }

  deinit {
    unsafe state.pointee.ring.deallocate()
    unsafe state.deallocate()
  }

  /// Forgets the past. Context: control, while nothing renders.
  func clear() {
    unsafe state.pointee.ring.initializeMemory(
      as: UInt8.self, repeating: 0, count: frames * bufferCount * bytesPerFrame)
    unsafe state.pointee.position = 0
    unsafe state.pointee.silentFrames = frames
  }
}
