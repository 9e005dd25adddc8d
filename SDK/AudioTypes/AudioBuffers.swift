// Owner of a buffer list and of the memory its buffers point at.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// Planar float buffers, one for each channel, with their `AudioBufferList`.
///
/// Memory is allocated once, zeroed, each channel aligned to 64 bytes. A unit may replace the pointers of the
/// list while rendering by its own buffers: `setFrameCount` restores them. The corresponding Core Audio type
/// is `AudioBufferList`.
@safe public final class AudioBuffers {
  /// The list, with room for `channelCount` buffers; valid as long as the owner lives.
  public let list: UnsafeMutablePointer<AudioBufferList>
  /// Number of channels, and of buffers in the list.
  public let channelCount: Int
  /// Most frames a channel can hold.
  public let frameCapacity: Int

  private let memory: UnsafeMutableRawPointer
  private let stride: Int

  /// Allocates buffers of silence.
  ///
  /// - Parameters:
  ///   - channelCount: Number of channels; a negative number counts as 0.
  ///   - frameCapacity: Frames each channel can hold; a negative number counts as 0.
  ///
  /// Context: control.
  public init(channelCount: Int, frameCapacity: Int) {
    let channels = max(0, channelCount)
    let frames = max(0, frameCapacity)
    self.channelCount = channels
    self.frameCapacity = frames
    stride = max(64, (frames * MemoryLayout<Float>.stride + 63) & ~63)
    let byteCount = max(64, stride * channels)
    unsafe memory = .allocate(byteCount: byteCount, alignment: 64)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
    let listSize = AudioBufferList.byteSize(bufferCount: channels)
    let rawList = UnsafeMutableRawPointer.allocate(byteCount: listSize, alignment: 16)
    unsafe rawList.initializeMemory(as: UInt8.self, repeating: 0, count: listSize)
    unsafe list = rawList.assumingMemoryBound(to: AudioBufferList.self)
    unsafe list.pointee.mNumberBuffers = UInt32(channels)
    setFrameCount(frames)
  }

  deinit {
    unsafe UnsafeMutableRawPointer(list).deallocate()
    unsafe memory.deallocate()
  }

  /// Returns the samples of one channel, `frameCapacity` of them.
  ///
  /// - Parameter index: In `0..<channelCount`; anything else traps.
  ///
  /// Context: render.
  @_noLocks
  public func channel(_ index: Int) -> UnsafeMutablePointer<Float> {
    // Read outside of the precondition, whose closure would retain the object.
    let count = channelCount
    precondition(index >= 0 && index < count, "channel out of range")
    return unsafe (memory + index * stride).assumingMemoryBound(to: Float.self)
  }

  /// Makes the list describe `count` frames of the own buffers.
  ///
  /// Restores the fields of the list that a unit changed: number of buffers, pointers and byte sizes.
  ///
  /// - Parameter count: Clamped to `0...frameCapacity`.
  ///
  /// Context: render.
  @_noLocks
  public func setFrameCount(_ count: Int) {
    let bytes = UInt32(truncatingIfNeeded: min(max(0, count), frameCapacity) &* 4)
    unsafe list.pointee.mNumberBuffers = UInt32(truncatingIfNeeded: channelCount)
    let buffers = unsafe list.buffers
    var samples = unsafe memory
    var index = 0
    while index < channelCount {
      unsafe buffers[index] = AudioBuffer(mNumberChannels: 1, mDataByteSize: bytes, mData: samples)
      unsafe samples += stride
      index &+= 1
    }
  }

  /// Makes the list describe `count` frames without memory, so that a unit provides its own.
  ///
  /// - Parameter count: Clamped to `0...frameCapacity`.
  ///
  /// Context: render.
  @_noLocks
  public func setFrameCountWithoutMemory(_ count: Int) {
    setFrameCount(count)
    var index = 0
    while index < channelCount {
      unsafe list.buffer(index).pointee.mData = nil
      index += 1
    }
  }

  /// Fills all channels with silence over their whole capacity.
  ///
  /// Context: render.
  @_noLocks
  public func clear() {
    var channel = 0
    while channel < channelCount {
      let samples = unsafe self.channel(channel)
      var frame = 0
      while frame < frameCapacity {
        unsafe samples[frame] = 0
        frame += 1
      }
      channel += 1
    }
  }
}
