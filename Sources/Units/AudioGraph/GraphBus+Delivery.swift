// The frames for a unit that pulls a bus: the bus's own memory, or a copy in the unit's.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import RealtimeSupport

extension UnsafeMutablePointer where Pointee == GraphBus {
  /// Passes a slice of the bus to the unit that pulls it: into its memory, or the bus's own memory
  /// where it has none.
  @_noLocks @inline(__always)
  func deliver(
    to list: UnsafeMutablePointer<AudioBufferList>,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?, _ frameCount: Int
  ) -> OSStatus {
    let status = unsafe pointee.status
    if status != 0 { return status }
    let count = unsafe pointee.bufferCount
    guard unsafe Int(list.pointee.mNumberBuffers) == count else {
      return unsafe deliverMismatched(to: list, frameCount)
    }
    let buffers = unsafe list.buffers
    let memory = unsafe pointee.memory
    let bytes = unsafe frameCount &* pointee.bytesPerFrame
    var index = 0
    while index < count {
      let own = unsafe memory[index]
      if let target = unsafe buffers[index].mData {
        if unsafe target != own { return unsafe copy(to: list, flags, from: index, bytes) }
      } else {
        unsafe buffers[index].mData = own
        unsafe buffers[index].mDataByteSize = UInt32(truncatingIfNeeded: bytes)
      }
      index &+= 1
    }
    unsafe reportSilence(flags)
    return 0
  }

  /// Says in a puller's flags whether the slice is silent.
  @_noLocks @inline(__always)
  func reportSilence(_ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?) {
    guard let flags = unsafe flags else { return }
    let silence = kAudioUnitRenderAction_OutputIsSilence
    unsafe flags.pointee = (flags.pointee & ~silence) | (pointee.flags & silence)
  }

  /// Goes on with a delivery from a buffer on whose memory is the puller's.
  @_noLocks @inline(never)
  private func copy(
    to list: UnsafeMutablePointer<AudioBufferList>,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?, from first: Int, _ bytes: Int
  ) -> OSStatus {
    let buffers = unsafe list.buffers
    let memory = unsafe pointee.memory
    for index in unsafe first..<pointee.bufferCount {
      let own = unsafe memory[index]
      if let target = unsafe buffers[index].mData {
        if unsafe target == own { continue }
        guard unsafe Int(buffers[index].mDataByteSize) >= bytes else { return kAudio_ParamError }
        unsafe graphCopy(own, target, bytes)
      } else {
        unsafe buffers[index].mData = own
        unsafe buffers[index].mDataByteSize = UInt32(truncatingIfNeeded: bytes)
      }
    }
    unsafe reportSilence(flags)
    return 0
  }

  /// Passes as many buffers as both sides have; the rest of the puller's is silence.
  @_noLocks @inline(never)
  private func deliverMismatched(
    to list: UnsafeMutablePointer<AudioBufferList>, _ frameCount: Int
  ) -> OSStatus {
    let buffers = unsafe list.buffers
    for index in 0..<(unsafe Int(list.pointee.mNumberBuffers)) {
      guard let target = unsafe buffers[index].mData else { return kAudio_ParamError }
      let room = unsafe Int(buffers[index].mDataByteSize)
      if unsafe index < pointee.bufferCount {
        let bytes = unsafe min(room, frameCount &* pointee.bytesPerFrame)
        unsafe graphCopy(pointee.memory[index], target, bytes)
      } else {
        unsafe graphClear(target, room)
      }
    }
    return 0
  }
}
