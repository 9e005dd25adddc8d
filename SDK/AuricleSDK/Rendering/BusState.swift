// One bus of the render thread, and its memory.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import Glibc
import RealtimeSupport

/// One bus of the render thread.
@safe struct BusState {
  /// Channels of the bus.
  var channelCount: Int
  /// Index of its first channel in the flat list of channel pointers.
  var firstChannel: Int
  /// Memory of the unit for this bus, `stride` frames for each channel.
  var memory: UnsafeMutablePointer<Float>?
  /// A buffer list with room for the buffers of the bus, for sources.
  var list: UnsafeMutablePointer<AudioBufferList>?
  /// Whether rendering is possible without a source (inputs).
  var isOptional: Bool
  /// Whether the last input of the source is silence (inputs).
  var isSilent: Bool
  /// Whether the last input of the source is silence or below all that is audible (inputs).
  var isQuiet = false
  /// The memory layout of the host's samples.
  var format: SampleFormat
  /// Whether it is the unit's own layout, so that nothing is converted.
  var isCanonical: Bool
  /// Memory for samples of the host's format, if it differs from the unit's.
  var foreign: UnsafeMutableRawPointer?
  /// Bytes of each buffer in it.
  var foreignStride: Int
  /// Whether sources and callers without memory get the unit's.
  var lendsMemory: Bool
  /// Whether callers without memory get the host's.
  var isHosted: Bool

  /// A bus before Initialize.
  init() {
    channelCount = 0
    firstChannel = 0
    unsafe memory = nil
    unsafe list = nil
    isOptional = false
    isSilent = false
    format = SampleFormat(canonicalWithChannelCount: 1)
    isCanonical = true
    unsafe foreign = nil
    foreignStride = 0
    lendsMemory = true
    isHosted = false
  }

  /// Allocates the memory of a bus. Context: control, uninitialised.
  init(_ format: SampleFormat, firstChannel: Int, isOptional: Bool, maximumFrames: Int, stride: Int)
  {
    let count = format.channelCount
    channelCount = count
    self.firstChannel = firstChannel
    self.isOptional = isOptional
    self.format = format
    isSilent = false
    lendsMemory = true
    isHosted = false
    isCanonical = format.isCanonical
    let raw = UnsafeMutableRawPointer.allocate(
      byteCount: count * stride * MemoryLayout<Float>.stride, alignment: 64)
    let samples = unsafe raw.bindMemory(to: Float.self, capacity: count * stride)
    unsafe samples.initialize(repeating: 0, count: count * stride)
    unsafe memory = unsafe samples
    let listSize =
      unsafe MemoryLayout<AudioBufferList>.size + (count - 1) * MemoryLayout<AudioBuffer>.stride
    let rawList = UnsafeMutableRawPointer.allocate(byteCount: listSize, alignment: 16)
    unsafe rawList.initializeMemory(as: UInt8.self, repeating: 0, count: listSize)
    unsafe list = rawList.bindMemory(to: AudioBufferList.self, capacity: 1)
    unsafe foreign = nil
    foreignStride = (format.byteCount(frameCount: maximumFrames) + 63) & ~63
    if !isCanonical {
      let size = foreignStride * format.bufferCount
      let bytes = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
      unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0, count: size)
      unsafe foreign = unsafe bytes
    }
  }

  /// Frees. Context: control, uninitialised.
  mutating func deallocate() {
    if !isHosted || !isCanonical { unsafe memory?.deallocate() }
    if !isHosted || isCanonical { unsafe foreign?.deallocate() }
    unsafe list?.deallocate()
    unsafe memory = nil
    unsafe list = nil
    unsafe foreign = nil
  }

  /// Uses memory of the host for callers without memory, if it is large enough.
  ///
  /// The host keeps it until the unit is uninitialised. Context: control, uninitialised.
  mutating func use(_ address: UnsafeMutableRawPointer, byteCount: Int, stride: Int) {
    let needed =
      isCanonical
      ? channelCount * stride * MemoryLayout<Float>.stride : foreignStride * format.bufferCount
    let isAligned = UInt(bitPattern: address) % UInt(MemoryLayout<Float>.alignment) == 0
    guard !isHosted, needed <= byteCount, isAligned else { return }
    unsafe address.initializeMemory(as: UInt8.self, repeating: 0, count: needed)
    if isCanonical {
      unsafe memory?.deallocate()
      unsafe memory = address.bindMemory(to: Float.self, capacity: channelCount * stride)
    } else {
      unsafe foreign?.deallocate()
      unsafe foreign = unsafe address
    }
    isHosted = true
  }

  /// Checks the buffers of a caller's list.
  ///
  /// - Parameter mayLackMemory: Whether a buffer may lack memory.
  /// - Returns: 0, or `kAudio_ParamError` for a wrong number or size.
  @_noLocks func check(
    _ list: UnsafeMutablePointer<AudioBufferList>, _ frameCount: Int, mayLackMemory: Bool
  ) -> OSStatus {
    guard unsafe Int(list.pointee.mNumberBuffers) == format.bufferCount else {
      return kAudio_ParamError
    }
    let buffers = unsafe list.buffers
    let bytes = format.byteCount(frameCount: frameCount)
    for index in 0..<format.bufferCount {
      if unsafe buffers[index].mData == nil {
        if !mayLackMemory { return kAudio_ParamError }
      } else if unsafe Int(buffers[index].mDataByteSize) < bytes {
        return kAudio_ParamError
      }
    }
    return 0
  }

  /// Returns the unit's own samples of a channel.
  @_noLocks func own(_ channel: Int, stride: Int) -> UnsafeMutablePointer<Float> {
    unsafe memory.unsafelyUnwrapped + channel * stride
  }
}
