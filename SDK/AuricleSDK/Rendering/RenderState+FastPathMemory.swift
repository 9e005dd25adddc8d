// Memory on the fast path of a slice: the caller's, the unit's own, and that of a source.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import RealtimeSupport

extension RenderState {
  /// Sets the output channels to the caller's memory.
  ///
  /// - Returns: False if the buffers are too few, too many or too small.
  @_noLocks @inline(__always) func useMemory(
    of output: UnsafeMutablePointer<AudioBufferList>, _ frameCount: Int
  ) -> Bool {
    let count = unsafe fastSlice.pointee.channelCount
    guard unsafe Int(output.pointee.mNumberBuffers) == count else { return false }
    let buffers = unsafe output.buffers
    let channels = unsafe outputChannels.unsafelyUnwrapped
    let bytes = UInt32(truncatingIfNeeded: frameCount &* MemoryLayout<Float>.stride)
    var channel = 0
    while channel < count {
      guard let memory = unsafe buffers[channel].mData,
        unsafe buffers[channel].mDataByteSize >= bytes
      else { return unsafe lendMemory(to: output, bytes) }
      unsafe channels[channel] = memory.assumingMemoryBound(to: Float.self)
      unsafe buffers[channel].mNumberChannels = 1
      unsafe buffers[channel].mDataByteSize = bytes
      channel &+= 1
    }
    return true
  }

  /// The same where the caller lacks memory, which gets the unit's.
  ///
  /// - Returns: False, with nothing lent, if a buffer is too small.
  @_noLocks @inline(never) private func lendMemory(
    to output: UnsafeMutablePointer<AudioBufferList>, _ bytes: UInt32
  ) -> Bool {
    let buffers = unsafe output.buffers
    let channels = unsafe outputChannels.unsafelyUnwrapped
    let count = unsafe fastSlice.pointee.channelCount
    for channel in 0..<count {
      if unsafe buffers[channel].mData != nil && buffers[channel].mDataByteSize < bytes {
        return false
      }
    }
    for channel in 0..<count {
      if let memory = unsafe buffers[channel].mData {
        unsafe channels[channel] = memory.assumingMemoryBound(to: Float.self)
      } else {
        let own = unsafe outputs[0].own(channel, stride: strideFrames)
        unsafe channels[channel] = unsafe own
        unsafe buffers[channel].mData = UnsafeMutableRawPointer(own)
      }
      unsafe buffers[channel].mNumberChannels = 1
      unsafe buffers[channel].mDataByteSize = bytes
    }
    return true
  }

  /// The list of input bus 0 with the unit's own memory, for its source.
  @_noLocks @inline(never) func offerMemory(
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int
  ) -> UnsafeMutablePointer<AudioBufferList> {
    let list = unsafe inputs[0].list.unsafelyUnwrapped
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
    return unsafe list
  }

  /// Copies samples from a source's own memory to the channels that it was offered.
  ///
  /// - Returns: False if a channel has no memory.
  @_noLocks @inline(__always) func receive(
    _ output: UnsafeMutablePointer<AudioBufferList>,
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int
  ) -> Bool {
    let buffers = unsafe output.buffers
    let count = unsafe fastSlice.pointee.inputChannelCount
    let bytes = UInt32(truncatingIfNeeded: frameCount &* MemoryLayout<Float>.stride)
    var channel = 0
    while channel < count {
      if unsafe buffers[channel].mData != UnsafeMutableRawPointer(channels[channel]) {
        guard unsafe receiveForeign(buffers + channel, channels[channel], frameCount) else {
          return false
        }
      }
      unsafe buffers[channel].mNumberChannels = 1
      unsafe buffers[channel].mDataByteSize = bytes
      channel &+= 1
    }
    unsafe output.pointee.mNumberBuffers = UInt32(truncatingIfNeeded: count)
    return true
  }

  /// The same for a unit that only reads the channels, which are set to a source's own memory.
  ///
  /// The memory is read in place, if it holds the slice and does not overlap the output.
  @_noLocks @inline(never) func receiveApart(
    _ list: UnsafeMutablePointer<AudioBufferList>,
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int,
    mayReadThere: Bool
  ) -> Bool {
    let buffers = unsafe list.buffers
    let bytes = frameCount &* MemoryLayout<Float>.stride
    for channel in 0..<(unsafe fastSlice.pointee.inputChannelCount) {
      guard let supplied = unsafe buffers[channel].mData else { return false }
      if unsafe supplied != UnsafeMutableRawPointer(channels[channel]) && mayReadThere
        && Int(buffers[channel].mDataByteSize) >= bytes && liesApart(supplied, bytes)
      {
        unsafe channels[channel] = supplied.assumingMemoryBound(to: Float.self)
      }
    }
    return unsafe receive(list, channels, frameCount)
  }

  /// Returns whether memory is aligned for vectors and does not overlap the output.
  @_noLocks private func liesApart(
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
  @_noLocks @inline(never) private func receiveForeign(
    _ buffer: UnsafeMutablePointer<AudioBuffer>, _ channel: UnsafeMutablePointer<Float>,
    _ frameCount: Int
  ) -> Bool {
    guard let supplied = unsafe buffer.pointee.mData else { return false }
    let held = unsafe min(
      Int(buffer.pointee.mDataByteSize) / MemoryLayout<Float>.stride, frameCount)
    unsafe SampleCopy.copy(
      from: supplied.assumingMemoryBound(to: Float.self), to: channel, count: held)
    unsafe SampleCopy.clear(channel + held, count: frameCount - held)
    unsafe buffer.pointee.mData = UnsafeMutableRawPointer(channel)
    return true
  }
}
