// Getting the input of a unit: from a callback of the host or another unit's output.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport
import Synchronization

extension RenderState {
  /// Fills the input channels from their sources.
  ///
  /// - Parameter destination: For a kernel in place, where bus 0 shall go; nil for the unit's memory.
  /// - Returns: The first error met; `isSilent` is true when every source said it gave silence.
  ///
  /// Context: render.
  @_noLocks mutating func pullInputs(
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int,
    destination: UnsafeMutablePointer<UnsafeMutablePointer<Float>>?, isSilent: inout Bool
  ) -> OSStatus {
    isSilent = inputCount > 0
    for bus in 0..<inputCount {
      let first = unsafe inputs[bus].firstChannel
      let count = unsafe inputs[bus].channelCount
      guard let channels = unsafe inputChannels else { return kAudioUnitErr_Uninitialized }
      for channel in 0..<count {
        let target =
          if bus == 0, let destination = unsafe destination { unsafe destination[channel] } else {
            unsafe inputs[bus].memory.unsafelyUnwrapped + channel * strideFrames
          }
        unsafe channels[first + channel] = target
      }
      guard let source = unsafe sources[bus].load(ordering: .acquiring) else {
        guard unsafe inputs[bus].isOptional else { return kAudioUnitErr_NoConnection }
        for channel in 0..<count {
          unsafe SampleCopy.clear(channels[first + channel], count: frameCount)
        }
        continue
      }
      var flags: AudioUnitRenderActionFlags = 0
      let status = unsafe pull(bus, source, &flags, timeStamp, frameCount, channels + first)
      if status != 0 { return status }
      if flags & kAudioUnitRenderAction_OutputIsSilence == 0 { isSilent = false }
    }
    return 0
  }

  /// Pulls one bus into the given channel pointers.
  @_noLocks private mutating func pull(
    _ bus: Int, _ source: UnsafeMutablePointer<InputSource>,
    _ flags: inout AudioUnitRenderActionFlags, _ timeStamp: UnsafePointer<AudioTimeStamp>,
    _ frameCount: Int, _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  ) -> OSStatus {
    guard let list = unsafe inputs[bus].list else { return kAudioUnitErr_Uninitialized }
    let count = unsafe inputs[bus].channelCount
    let bytes = UInt32(frameCount * MemoryLayout<Float>.stride)
    unsafe list.pointee.mNumberBuffers = UInt32(count)
    let buffers = unsafe bufferArray(list)
    for channel in 0..<count {
      unsafe buffers[channel] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: bytes, mData: channels[channel])
    }
    let status: OSStatus
    if let callback = unsafe source.pointee.callback {
      // Door out of checked code: the host's callback.
      let refCon = unsafe source.pointee.refCon
      status = unsafe _unsafePerformance {
        unsafe callback(refCon, &flags, timeStamp, UInt32(bus), UInt32(frameCount), list)
      }
    } else {
      status = unsafe pullConnection(
        source.pointee.connection, &flags, timeStamp, UInt32(frameCount), list)
    }
    if status != 0 { return status }
    // A source may hand out buffers of its own.
    for channel in 0..<count {
      let expected = unsafe channels[channel]
      guard let given = unsafe buffers[channel].mData else { return kAudio_ParamError }
      if unsafe given != UnsafeMutableRawPointer(expected) {
        // What the source's memory does not hold is silence.
        let held = unsafe Int(buffers[channel].mDataByteSize) / MemoryLayout<Float>.stride
        let count = min(held, frameCount)
        unsafe SampleCopy.copy(
          from: given.assumingMemoryBound(to: Float.self), to: expected, count: count)
        unsafe SampleCopy.clear(expected + count, count: frameCount - count)
      }
    }
    return 0
  }

  /// Renders the output of the connected unit.
  @_noLocks private func pullConnection(
    _ connection: AudioUnitConnection, _ flags: inout AudioUnitRenderActionFlags,
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: UInt32,
    _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard let unit = unsafe connection.sourceAudioUnit else { return kAudioUnitErr_NoConnection }
    guard let render = unsafe unit.pointee.render, let plugIn = unsafe unit.pointee.plugIn else {
      return kAudio_UnimplementedError
    }
    // Door out of checked code: the render method of the connected unit.
    return unsafe _unsafePerformance {
      unsafe render(
        plugIn, &flags, timeStamp, connection.sourceOutputNumber, frameCount, list)
    }
  }

  /// The buffers of a list as an array.
  @_noLocks func bufferArray(
    _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> UnsafeMutablePointer<AudioBuffer> {
    unsafe (UnsafeMutableRawPointer(list) + 8).assumingMemoryBound(to: AudioBuffer.self)
  }
}
