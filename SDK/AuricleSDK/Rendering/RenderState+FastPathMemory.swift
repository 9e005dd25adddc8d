// Memory on the fast path of a slice: the caller's, the unit's own, and that of a source.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import RealtimeSupport

extension RenderState {
  /// Sets the channels to the caller's memory, or to the unit's if there is none.
  @_noLocks @inline(__always) func useMemory(
    of output: UnsafeMutablePointer<AudioBufferList>,
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int
  ) {
    let buffers = unsafe output.buffers
    let count = unsafe fastSlice.pointee.channelCount
    let bytes = UInt32(truncatingIfNeeded: frameCount &* MemoryLayout<Float>.stride)
    var channel = 0
    while channel < count {
      if let memory = unsafe buffers[channel].mData {
        unsafe channels[channel] = memory.assumingMemoryBound(to: Float.self)
      } else {
        let own = unsafe outputs[0].own(channel, stride: strideFrames)
        unsafe channels[channel] = unsafe own
        unsafe buffers[channel].mData = UnsafeMutableRawPointer(own)
      }
      unsafe buffers[channel].mNumberChannels = 1
      unsafe buffers[channel].mDataByteSize = bytes
      channel &+= 1
    }
  }

  /// Sets a list to the unit's own memory of input bus 0, for its source.
  @_noLocks @inline(__always) func offerMemory(
    _ list: UnsafeMutablePointer<AudioBufferList>,
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int
  ) {
    let buffers = unsafe list.buffers
    let count = unsafe fastSlice.pointee.inputChannelCount
    let bytes = UInt32(truncatingIfNeeded: frameCount &* MemoryLayout<Float>.stride)
    unsafe list.pointee.mNumberBuffers = UInt32(truncatingIfNeeded: count)
    var channel = 0
    while channel < count {
      let own = unsafe inputs[0].own(channel, stride: strideFrames)
      unsafe channels[channel] = unsafe own
      unsafe buffers[channel] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: bytes, mData: UnsafeMutableRawPointer(own))
      channel &+= 1
    }
  }

  /// Copies samples from a source's own memory to the channels, or sets the channels to that memory.
  ///
  /// - Parameter mayReadThere: Whether the channels are read only: the memory is then read in place, if it
  ///   holds the slice and does not overlap the output.
  /// - Returns: False if a channel has no memory.
  @_noLocks @inline(__always) func receive(
    _ output: UnsafeMutablePointer<AudioBufferList>,
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int,
    mayReadThere: Bool
  ) -> Bool {
    let buffers = unsafe output.buffers
    let count = unsafe fastSlice.pointee.inputChannelCount
    let bytes = UInt32(truncatingIfNeeded: frameCount &* MemoryLayout<Float>.stride)
    var channel = 0
    while channel < count {
      guard let given = unsafe buffers[channel].mData else { return false }
      if unsafe given != UnsafeMutableRawPointer(channels[channel]) {
        if unsafe mayReadThere && buffers[channel].mDataByteSize >= bytes
          && liesApart(given, Int(bytes))
        {
          unsafe channels[channel] = given.assumingMemoryBound(to: Float.self)
        } else {
          unsafe copyForeign(
            given, Int(buffers[channel].mDataByteSize), to: channels[channel], frameCount)
          unsafe buffers[channel].mData = UnsafeMutableRawPointer(channels[channel])
        }
      }
      unsafe buffers[channel].mNumberChannels = 1
      unsafe buffers[channel].mDataByteSize = bytes
      channel &+= 1
    }
    unsafe output.pointee.mNumberBuffers = UInt32(truncatingIfNeeded: count)
    return true
  }

  /// Whether memory is aligned for vectors and does not overlap the output.
  @_noLocks @inline(never) private func liesApart(
    _ memory: UnsafeMutableRawPointer, _ byteCount: Int
  ) -> Bool {
    guard UInt(bitPattern: memory) & 15 == 0, let channels = unsafe outputChannels else {
      return false
    }
    for channel in 0..<(unsafe fastSlice.pointee.channelCount) {
      let made = unsafe UnsafeMutableRawPointer(channels[channel])
      if unsafe made < memory + byteCount && memory < made + byteCount { return false }
    }
    return true
  }

  /// One channel of `receive`: beyond the source's memory there is silence.
  @_noLocks @inline(never) private func copyForeign(
    _ given: UnsafeMutableRawPointer, _ byteCount: Int, to channel: UnsafeMutablePointer<Float>,
    _ frameCount: Int
  ) {
    let held = min(byteCount / MemoryLayout<Float>.stride, frameCount)
    unsafe SampleCopy.copy(
      from: given.assumingMemoryBound(to: Float.self), to: channel, count: held)
    unsafe SampleCopy.clear(channel + held, count: frameCount - held)
  }
}
