// Buffer lists of any length, reached by pointer: the C struct declares room for one buffer only.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

extension AudioBufferList {
  /// Bytes before the first buffer: where `mBuffers` begins.
  @inlinable
  static var headerByteSize: Int {
    @_noLocks get { unsafe MemoryLayout<AudioBufferList>.size &- MemoryLayout<AudioBuffer>.size }
  }

  /// Returns the size in bytes of a list of this many buffers, at least that of the C struct, which has one.
  public static func byteSize(bufferCount: Int) -> Int {
    unsafe headerByteSize + max(1, bufferCount) * MemoryLayout<AudioBuffer>.stride
  }
}

extension UnsafeMutablePointer<AudioBufferList> {
  /// Number of buffers.
  @inlinable
  public var bufferCount: Int {
    @_noLocks get {
      unsafe Int(pointee.mNumberBuffers)
    }
  }

  /// The buffers as an array of `bufferCount`, without a check of the index.
  ///
  /// Context: any, render included. The corresponding Core Audio field is `mBuffers`.
  @inlinable
  public var buffers: UnsafeMutablePointer<AudioBuffer> {
    @_noLocks get {
      unsafe (UnsafeMutableRawPointer(self) + AudioBufferList.headerByteSize)
        .assumingMemoryBound(to: AudioBuffer.self)
    }
  }

  /// One buffer of the list.
  ///
  /// - Parameter index: In `0..<bufferCount`; anything else traps.
  @inlinable @_noLocks
  public func buffer(_ index: Int) -> UnsafeMutablePointer<AudioBuffer> {
    unsafe precondition(index >= 0 && index < Int(pointee.mNumberBuffers), "buffer out of range")
    return unsafe buffers + index
  }

  /// Returns the samples of one buffer as floats; nil if the buffer has no memory.
  ///
  /// - Parameter index: In `0..<bufferCount`; anything else traps.
  @inlinable @_noLocks
  public func samples(_ index: Int) -> UnsafeMutablePointer<Float>? {
    guard let data = unsafe buffer(index).pointee.mData else { return nil }
    return unsafe data.assumingMemoryBound(to: Float.self)
  }

  /// Returns whether each buffer has memory for `frameCount` planar floats.
  @inlinable @_noLocks
  public func holdsFrames(_ frameCount: Int) -> Bool {
    var index = 0
    while unsafe index < bufferCount {
      let entry = unsafe buffer(index)
      if unsafe entry.pointee.mData == nil || Int(entry.pointee.mDataByteSize) < frameCount * 4 {
        return false
      }
      index += 1
    }
    return true
  }
}
