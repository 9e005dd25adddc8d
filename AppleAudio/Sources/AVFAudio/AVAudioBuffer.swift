// Buffers of samples and of packets.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A buffer of sound.
open class AVAudioBuffer: NSObject {
  /// The format.
  public let format: AVAudioFormat
  let list: UnsafeMutableAudioBufferListPointer

  init(format: AVAudioFormat, list: UnsafeMutableAudioBufferListPointer) {
    self.format = format
    self.list = list
  }
  deinit { free(list.unsafeMutablePointer) }

  /// The list of buffers, with the bytes in use.
  open var audioBufferList: UnsafePointer<AudioBufferList> { list.unsafePointer }
  /// The list of buffers, for functions that write it.
  open var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> {
    list.unsafeMutablePointer
  }
}

/// A buffer of linear samples.
open class AVAudioPCMBuffer: AVAudioBuffer {
  /// The number of frames that fit.
  public let frameCapacity: AVAudioFrameCount
  private var length: AVAudioFrameCount = 0
  private let owned: UnsafeMutableRawPointer?
  private let deallocator: ((UnsafePointer<AudioBufferList>) -> Void)?
  private let pointers: UnsafeMutablePointer<UnsafeMutableRawPointer>

  /// An empty buffer with room for frames, all zero; nil for packets, and where bytes do not fit in 32 bits.
  public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
    let raw = format.raw
    guard format.isLinear, raw.mChannelsPerFrame > 0 else { return nil }
    auricleRequire(raw.mBytesPerFrame > 0, "format.streamDescription->mBytesPerFrame != 0")
    let (bytes, overflow) = raw.mBytesPerFrame.multipliedReportingOverflow(by: frameCapacity)
    guard !overflow else { return nil }
    let buffers = format.isInterleaved ? 1 : Int(raw.mChannelsPerFrame)
    let stride = (Int(bytes) + 63) / 64 * 64
    guard let memory = aligned_alloc(64, Swift.max(stride * buffers, 64)) else { return nil }
    memset(memory, 0, Swift.max(stride * buffers, 64))
    let list = AudioBufferList.allocate(maximumBuffers: buffers)
    for index in 0..<buffers {
      list[index] = AudioBuffer(
        mNumberChannels: format.isInterleaved ? raw.mChannelsPerFrame : 1, mDataByteSize: 0,
        mData: memory + index * stride)
    }
    self.frameCapacity = frameCapacity
    owned = memory
    deallocator = nil
    pointers = AVAudioPCMBuffer.pointers(format, list)
    super.init(format: format, list: list)
  }

  /// A buffer over a caller's memory, which the deallocator frees at the end.
  public init?(
    pcmFormat format: AVAudioFormat, bufferListNoCopy bufferList: UnsafePointer<AudioBufferList>,
    deallocator: ((UnsafePointer<AudioBufferList>) -> Void)? = nil
  ) {
    let source = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: bufferList))
    let raw = format.raw
    let buffers = format.isInterleaved ? 1 : Int(raw.mChannelsPerFrame)
    guard format.isLinear, raw.mBytesPerFrame > 0, source.count == buffers else { return nil }
    let list = AudioBufferList.allocate(maximumBuffers: buffers)
    for index in 0..<buffers { list[index] = source[index] }
    frameCapacity = list[0].mDataByteSize / raw.mBytesPerFrame
    length = frameCapacity
    owned = nil
    self.deallocator = deallocator
    pointers = AVAudioPCMBuffer.pointers(format, list)
    super.init(format: format, list: list)
  }

  deinit {
    pointers.deallocate()
    if let owned { free(owned) } else { deallocator?(list.unsafePointer) }
  }

  /// A pointer a channel: in interleaved formats behind each other.
  private static func pointers(
    _ format: AVAudioFormat, _ list: UnsafeMutableAudioBufferListPointer
  ) -> UnsafeMutablePointer<UnsafeMutableRawPointer> {
    let count = Int(format.channelCount)
    let result = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: count)
    let bytes = Int(format.raw.mBitsPerChannel / 8)
    for channel in 0..<count {
      let data =
        format.isInterleaved ? list[0].mData.map { $0 + channel * bytes } : list[channel].mData
      (result + channel).initialize(to: data ?? UnsafeMutableRawPointer(result))
    }
    return result
  }

  /// The number of frames in use; setting it sets the bytes of the list.
  open var frameLength: AVAudioFrameCount {
    get { length }
    set {
      auricleRequire(newValue <= frameCapacity, "frameLength <= frameCapacity")
      length = newValue
      for index in 0..<list.count {
        list[index].mDataByteSize = newValue * format.raw.mBytesPerFrame
      }
    }
  }
  /// The distance of a channel's samples: 1, or the number of channels in interleaved formats.
  open var stride: Int { format.isInterleaved ? Int(format.channelCount) : 1 }

  private func channels<Sample>(
    _ kind: AVAudioCommonFormat, _: Sample.Type
  ) -> UnsafePointer<UnsafeMutablePointer<Sample>>? {
    guard format.commonFormat == kind else { return nil }
    return UnsafeRawPointer(pointers).assumingMemoryBound(to: UnsafeMutablePointer<Sample>.self)
  }
  /// The samples of each channel, of floats of 32 bits.
  open var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? {
    channels(.pcmFormatFloat32, Float.self)
  }
  /// The samples of each channel, of whole numbers of 16 bits.
  open var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? {
    channels(.pcmFormatInt16, Int16.self)
  }
  /// The samples of each channel, of whole numbers of 32 bits.
  open var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? {
    channels(.pcmFormatInt32, Int32.self)
  }

  /// The list with room for all frames, for functions that fill it.
  func listOfCapacity() -> UnsafeMutablePointer<AudioBufferList> {
    for index in 0..<list.count {
      list[index].mDataByteSize = frameCapacity * format.raw.mBytesPerFrame
    }
    return list.unsafeMutablePointer
  }

  private func duplicate() -> AVAudioPCMBuffer {
    guard let copy = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frameCapacity) else {
      auricleRaise("memory for a copy")
    }
    copy.frameLength = frameLength
    for index in 0..<list.count {
      if let from = list[index].mData, let to = copy.list[index].mData {
        to.copyMemory(from: from, byteCount: Int(frameCapacity * format.raw.mBytesPerFrame))
      }
    }
    return copy
  }
  /// A buffer with a copy of the samples.
  open override func copy() -> Any { duplicate() }
  /// A buffer with a copy of the samples.
  open override func mutableCopy() -> Any { duplicate() }
}

/// A buffer of packets.
open class AVAudioCompressedBuffer: AVAudioBuffer {
  /// The number of packets that fit.
  public let packetCapacity: AVAudioPacketCount
  /// Bytes of the largest packet.
  public let maximumPacketSize: Int
  private let descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
  private let memory: UnsafeMutableRawPointer

  /// An empty buffer for packets of at most so many bytes.
  public init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount, maximumPacketSize: Int) {
    auricleRequire(!format.isLinear, "format is compressed")
    auricleRequire(maximumPacketSize > 0, "maximumPacketSize > 0")
    self.packetCapacity = packetCapacity
    self.maximumPacketSize = maximumPacketSize
    let bytes = Swift.max(Int(packetCapacity) * maximumPacketSize, 1)
    memory = .allocate(byteCount: bytes, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
    let list = AudioBufferList.allocate(maximumBuffers: 1)
    list[0] = AudioBuffer(mNumberChannels: format.channelCount, mDataByteSize: 0, mData: memory)
    if format.raw.mBytesPerPacket == 0 || format.raw.mFramesPerPacket == 0 {
      descriptions = .allocate(capacity: Swift.max(Int(packetCapacity), 1))
      descriptions?.initialize(
        repeating: AudioStreamPacketDescription(), count: Swift.max(Int(packetCapacity), 1))
    } else {
      descriptions = nil
    }
    super.init(format: format, list: list)
  }
  /// An empty buffer for packets of one size.
  public convenience init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount) {
    self.init(
      format: format, packetCapacity: packetCapacity,
      maximumPacketSize: Int(format.raw.mBytesPerPacket))
  }
  deinit {
    memory.deallocate()
    descriptions?.deallocate()
  }

  /// The number of packets in use.
  open var packetCount: AVAudioPacketCount = 0 {
    didSet { auricleRequire(packetCount <= packetCapacity, "packetCount <= packetCapacity") }
  }
  /// Bytes that fit.
  open var byteCapacity: UInt32 { UInt32(Int(packetCapacity) * maximumPacketSize) }
  /// Bytes in use.
  open var byteLength: UInt32 {
    get { list[0].mDataByteSize }
    set {
      auricleRequire(newValue <= byteCapacity, "byteLength <= byteCapacity")
      list[0].mDataByteSize = newValue
    }
  }
  /// The bytes.
  open var data: UnsafeMutableRawPointer { memory }
  /// Places of the packets; nil where all have one size.
  open var packetDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>? { descriptions }
}
