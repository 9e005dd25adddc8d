// Lists of buffers as collections.
// SPDX-License-Identifier: Apache-2.0

import CAuricle
import Foundation

extension AudioBufferList {
  /// Bytes of a list with room for a number of buffers.
  public static func sizeInBytes(maximumBuffers: Int) -> Int {
    precondition(maximumBuffers >= 1, "AudioBufferList must contain at least 1 AudioBuffer")
    return MemoryLayout<AudioBufferList>.size + (maximumBuffers - 1)
      * MemoryLayout<AudioBuffer>.stride
  }

  /// A list of empty buffers, to be freed with `free(list.unsafeMutablePointer)`.
  public static func allocate(maximumBuffers: Int) -> UnsafeMutableAudioBufferListPointer {
    let size = sizeInBytes(maximumBuffers: maximumBuffers)
    guard let memory = calloc(1, size) else { preconditionFailure("failed to allocate memory") }
    let list = memory.bindMemory(to: AudioBufferList.self, capacity: 1)
    list.pointee.mNumberBuffers = UInt32(maximumBuffers)
    return UnsafeMutableAudioBufferListPointer(list)
  }
}

/// A list of buffers as a collection that writes through.
public struct UnsafeMutableAudioBufferListPointer: MutableCollection, RandomAccessCollection {
  /// The list.
  public var unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

  /// A list as a collection.
  public init(_ list: UnsafeMutablePointer<AudioBufferList>) { unsafeMutablePointer = list }
  /// A list as a collection, where there is one.
  public init?(_ list: UnsafeMutablePointer<AudioBufferList>?) {
    guard let list else { return nil }
    self.init(list)
  }

  /// The list, to be read.
  public var unsafePointer: UnsafePointer<AudioBufferList> { UnsafePointer(unsafeMutablePointer) }
  /// The number of buffers.
  public var count: Int {
    get { Int(unsafeMutablePointer.pointee.mNumberBuffers) }
    nonmutating set { unsafeMutablePointer.pointee.mNumberBuffers = UInt32(newValue) }
  }
  /// The number of the first buffer: 0.
  public var startIndex: Int { 0 }
  /// The number after the last buffer's.
  public var endIndex: Int { count }
  private var buffers: UnsafeMutablePointer<AudioBuffer> {
    (UnsafeMutableRawPointer(unsafeMutablePointer) + 8).assumingMemoryBound(to: AudioBuffer.self)
  }
  /// A buffer by its number.
  public subscript(index: Int) -> AudioBuffer {
    get {
      precondition(index >= 0 && index < count, "subscript index out of range")
      return buffers[index]
    }
    nonmutating set {
      precondition(index >= 0 && index < count, "subscript index out of range")
      buffers[index] = newValue
    }
  }
}

extension UnsafeBufferPointer {
  /// The samples of a buffer.
  public init(_ audioBuffer: AudioBuffer) {
    let count = Int(audioBuffer.mDataByteSize) / MemoryLayout<Element>.stride
    self.init(
      start: UnsafePointer(audioBuffer.mData?.assumingMemoryBound(to: Element.self)), count: count)
  }
}

extension UnsafeMutableBufferPointer {
  /// The samples of a buffer.
  public init(_ audioBuffer: AudioBuffer) {
    let count = Int(audioBuffer.mDataByteSize) / MemoryLayout<Element>.stride
    self.init(start: audioBuffer.mData?.assumingMemoryBound(to: Element.self), count: count)
  }
}

extension AudioBuffer {
  /// A buffer of samples.
  public init<Element>(_ samples: UnsafeMutableBufferPointer<Element>, numberOfChannels: Int) {
    self.init(
      mNumberChannels: UInt32(numberOfChannels),
      mDataByteSize: UInt32(samples.count * MemoryLayout<Element>.stride),
      mData: UnsafeMutableRawPointer(samples.baseAddress))
  }
}

extension AudioComponentDescription: @retroactive Equatable, @retroactive Hashable {
  /// Whether two descriptions are the same in all fields.
  public static func == (left: AudioComponentDescription, right: AudioComponentDescription) -> Bool
  {
    left.componentType == right.componentType && left.componentSubType == right.componentSubType
      && left.componentManufacturer == right.componentManufacturer
      && left.componentFlags == right.componentFlags
      && left.componentFlagsMask == right.componentFlagsMask
  }
  /// Adds the fields to a hash.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(componentType)
    hasher.combine(componentSubType)
    hasher.combine(componentManufacturer)
    hasher.combine(componentFlags)
    hasher.combine(componentFlagsMask)
  }
}

extension AudioStreamBasicDescription: @retroactive Equatable {
  /// Whether two descriptions are the same in all fields.
  public static func == (left: AudioStreamBasicDescription, right: AudioStreamBasicDescription)
    -> Bool
  {
    left.mSampleRate == right.mSampleRate && left.mFormatID == right.mFormatID
      && left.mFormatFlags == right.mFormatFlags && left.mBytesPerPacket == right.mBytesPerPacket
      && left.mFramesPerPacket == right.mFramesPerPacket
      && left.mBytesPerFrame == right.mBytesPerFrame
      && left.mChannelsPerFrame == right.mChannelsPerFrame
      && left.mBitsPerChannel == right.mBitsPerChannel
  }
}
