// Buffer lists of any length, reached by pointer: the C struct declares room for one buffer only.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

extension AudioBufferList {
  /// Bytes a list of so many buffers takes: 8 and 16 for each, and never less than the C struct.
  public static func byteSize(bufferCount: Int) -> Int {
    max(24, 8 + 16 * max(0, bufferCount))
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

  /// One buffer of the list, at offset 8 + 16 × `index`.
  ///
  /// - Parameter index: In `0..<bufferCount`; anything else traps.
  @inlinable @_noLocks
  public func buffer(_ index: Int) -> UnsafeMutablePointer<AudioBuffer> {
    unsafe precondition(index >= 0 && index < Int(pointee.mNumberBuffers), "buffer out of range")
    return unsafe (UnsafeMutableRawPointer(self) + (8 + 16 * index))
      .assumingMemoryBound(to: AudioBuffer.self)
  }

  /// The samples of one buffer as floats; nil if the buffer has no memory.
  ///
  /// - Parameter index: In `0..<bufferCount`; anything else traps.
  @inlinable @_noLocks
  public func samples(_ index: Int) -> UnsafeMutablePointer<Float>? {
    guard let data = unsafe buffer(index).pointee.mData else { return nil }
    return unsafe data.assumingMemoryBound(to: Float.self)
  }

  /// True if each buffer has memory for `frameCount` planar floats.
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
