// Buffers, samples and converters for tests.
// SPDX-License-Identifier: Apache-2.0

import AudioConverters
import AudioTypes
import CAudioToolbox
import RealtimeSupport
import Testing

/// A buffer list of a format, with separate memory.
@safe final class SampleList {
  let format: SampleFormat
  let frameCount: Int
  let list: UnsafeMutablePointer<AudioBufferList>
  private let memory: UnsafeMutableRawPointer

  init(_ format: SampleFormat, frameCount: Int) {
    self.format = format
    self.frameCount = frameCount
    let size = format.byteCount(frameCount: frameCount)
    unsafe memory = .allocate(byteCount: size * format.bufferCount + 64, alignment: 16)
    unsafe memory.initializeMemory(
      as: UInt8.self, repeating: 0xA5, count: size * format.bufferCount)
    let listSize = AudioBufferList.byteSize(bufferCount: format.bufferCount)
    unsafe list = UnsafeMutableRawPointer.allocate(byteCount: listSize, alignment: 16)
      .bindMemory(to: AudioBufferList.self, capacity: 1)
    unsafe list.pointee.mNumberBuffers = UInt32(format.bufferCount)
    for index in 0..<format.bufferCount {
      unsafe list.buffers[index] = AudioBuffer(
        mNumberChannels: UInt32(format.channelsPerBuffer), mDataByteSize: UInt32(size),
        mData: memory + index * size)
    }
  }

  deinit {
    unsafe memory.deallocate()
    unsafe UnsafeMutableRawPointer(list).deallocate()
  }

  /// Where the sample of a channel begins.
  func place(_ channel: Int, _ frame: Int) -> UnsafeMutableRawPointer {
    let buffer = unsafe list.buffers[format.isPlanar ? channel : 0].mData ?? memory
    let step = format.bytesPerSample * format.channelsPerBuffer
    return unsafe buffer + frame * step + (format.isPlanar ? 0 : channel * format.bytesPerSample)
  }

  /// All bytes, buffer by buffer.
  var bytes: [UInt8] {
    let count = format.byteCount(frameCount: frameCount) * format.bufferCount
    return unsafe Array(UnsafeRawBufferPointer(start: memory, count: count))
  }

  /// Stores an integer of the format's bits, byte by byte: slower than the library, and not its code.
  func store(_ value: Int64, _ channel: Int, _ frame: Int) {
    let bits = format.bitCount, size = format.bytesPerSample
    let offset: Int64 = format.isSigned ? 0 : 1 << Int64(bits - 1)
    var word = UInt64(bitPattern: value + offset)
    if format.isAlignedHigh { word <<= UInt64(size * 8 - bits) }
    for byte in 0..<size {
      let index = format.isBigEndian ? size - 1 - byte : byte
      unsafe place(channel, frame).storeBytes(
        of: UInt8(truncatingIfNeeded: word >> UInt64(8 * byte)), toByteOffset: index,
        as: UInt8.self)
    }
  }

  /// A sample as the type that it is stored as.
  func load<Sample: BitwiseCopyable>(_ channel: Int, _ frame: Int, as type: Sample.Type) -> Sample {
    unsafe place(channel, frame).loadUnaligned(as: type)
  }
}

/// The format of linear samples.
func pcm(
  _ rate: Double = 48_000, channels: UInt32 = 2, bits: UInt32, bytes: UInt32 = 0, flags: UInt32
) -> AudioStreamBasicDescription {
  let size = bytes > 0 ? bytes : (bits + 7) / 8
  let frame = flags & 0x20 != 0 ? size : size * channels
  return AudioStreamBasicDescription(
    mSampleRate: rate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags,
    mBytesPerPacket: frame, mFramesPerPacket: 1, mBytesPerFrame: frame,
    mChannelsPerFrame: channels, mBitsPerChannel: bits, mReserved: 0)
}

/// Converts a list in pieces, and returns the whole output.
func stream(
  _ converter: PCMConverter, _ samples: [Double], piece: Int, into pieceOut: Int
) throws -> [Double] {
  let input = SampleList(converter.input, frameCount: max(1, samples.count))
  for (frame, sample) in samples.enumerated() {
    unsafe input.place(0, frame).storeBytes(of: sample, as: Double.self)
  }
  var place = 0
  var result: [Double] = []
  while true {
    let output = SampleList(converter.output, frameCount: pieceOut)
    let filled = unsafe converter.fill(output.list, frameCount: pieceOut) { _ in
      let count = min(piece, samples.count - place)
      guard count > 0 else { return .end }
      unsafe converter.inputList.pointee.mNumberBuffers = 1
      unsafe converter.inputList.buffers[0] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(count * 8), mData: input.place(0, place))
      place += count
      return .frames(count)
    }
    try #require(filled.status == noErr)
    if filled.count == 0 { return result }
    result += (0..<filled.count).map { output.load(0, $0, as: Double.self) }
    try #require(result.count < 1 << 22)
  }
}
