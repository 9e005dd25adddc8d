// The input buses as the render thread pulls them; a plain value that a slice can carry.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport
import Synchronization

/// Pointers to the input buses and their sources. Context: render.
@safe struct InputSide: BitwiseCopyable {
  let count: Int
  let buses: UnsafeMutablePointer<BusState>
  let sources: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<InputSource>?>>
  let maximumFrames: Int

  @_noLocks init(
    count: Int, buses: UnsafeMutablePointer<BusState>,
    sources: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<InputSource>?>>, maximumFrames: Int
  ) {
    self.count = count
    unsafe self.buses = unsafe buses
    unsafe self.sources = unsafe sources
    self.maximumFrames = maximumFrames
  }

  /// Fills the channels of one bus from its source, and notes whether the source gave silence.
  ///
  /// - Parameters:
  ///   - channels: Where the samples go, a pointer for each channel of the bus.
  ///   - frameCount: At most `maximumFrames`.
  /// - Returns: 0, or the source's error unchanged. A bus without a source gives silence where it
  ///   is optional.
  @_noLocks func pull(
    _ bus: Int, _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int,
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  ) -> OSStatus {
    guard let source = unsafe sources[bus].load(ordering: .acquiring) else {
      guard unsafe buses[bus].isOptional else { return kAudioUnitErr_NoConnection }
      for channel in 0..<(unsafe buses[bus].channelCount) {
        unsafe SampleCopy.clear(channels[channel], count: frameCount)
      }
      unsafe buses[bus].isSilent = true
      return 0
    }
    var flags: AudioUnitRenderActionFlags = 0
    let status = unsafe pull(bus, source, &flags, timeStamp, frameCount, channels)
    unsafe buses[bus].isSilent = flags & kAudioUnitRenderAction_OutputIsSilence != 0
    return status
  }

  /// Pulls one bus into the given channel pointers.
  @_noLocks private func pull(
    _ bus: Int, _ source: UnsafeMutablePointer<InputSource>,
    _ flags: inout AudioUnitRenderActionFlags, _ timeStamp: UnsafePointer<AudioTimeStamp>,
    _ frameCount: Int, _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  ) -> OSStatus {
    guard let list = unsafe buses[bus].list else { return kAudioUnitErr_Uninitialized }
    let count = unsafe buses[bus].channelCount
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
}
