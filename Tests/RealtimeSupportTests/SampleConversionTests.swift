// Every linear PCM layout against arithmetic done slowly, sample by sample.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import RealtimeSupport
import TestSupport
import Testing

/// A stream format of parts, as a caller would fill it in.
private func pcm(
  bits: Int, bytes: Int, flags: UInt32, channels: Int, fraction: Int = 0
) -> AudioStreamBasicDescription {
  let samples = flags & 0x20 != 0 ? 1 : channels
  return AudioStreamBasicDescription(
    mSampleRate: 48_000, mFormatID: 0x6C70_636D, mFormatFlags: flags | UInt32(fraction) << 7,
    mBytesPerPacket: UInt32(bytes * samples), mFramesPerPacket: 1,
    mBytesPerFrame: UInt32(bytes * samples), mChannelsPerFrame: UInt32(channels),
    mBitsPerChannel: UInt32(bits), mReserved: 0)
}

/// All integer layouts: bits, bytes, flags.
private func integerLayouts() -> [(bits: Int, bytes: Int, flags: UInt32)] {
  var layouts: [(Int, Int, UInt32)] = []
  for bytes in 1...4 {
    for bits in 1...(8 * bytes) {
      for sign: UInt32 in [0, 4] {
        for order: UInt32 in [0, 2] {
          for place: UInt32 in bits == 8 * bytes ? [0, 8, 16] : [0, 16] {
            layouts.append((bits, bytes, sign | order | place))
          }
        }
      }
    }
  }
  return layouts
}

/// One buffer list with separate memory, filled with bytes.
@safe private final class Memory {
  let list: UnsafeMutablePointer<AudioBufferList>
  private let raw: UnsafeMutableRawPointer
  let bytesPerBuffer: Int
  private let bufferCount: Int

  init(_ format: SampleFormat, frames: Int, fill: UInt8 = 0xA5) {
    bufferCount = format.bufferCount
    bytesPerBuffer = format.byteCount(frameCount: frames)
    let listBytes = AudioBufferList.byteSize(bufferCount: bufferCount)
    // One byte further than aligned: nothing may rely on alignment.
    unsafe raw = .allocate(byteCount: listBytes + bufferCount * bytesPerBuffer + 1, alignment: 16)
    unsafe raw.initializeMemory(
      as: UInt8.self, repeating: fill, count: listBytes + bufferCount * bytesPerBuffer + 1)
    unsafe list = raw.assumingMemoryBound(to: AudioBufferList.self)
    unsafe list.pointee.mNumberBuffers = UInt32(bufferCount)
    for index in 0..<bufferCount {
      unsafe list.buffer(index).pointee = AudioBuffer(
        mNumberChannels: UInt32(format.channelsPerBuffer), mDataByteSize: UInt32(bytesPerBuffer),
        mData: raw + listBytes + 1 + index * bytesPerBuffer)
    }
  }

  deinit { unsafe raw.deallocate() }

  func byte(_ buffer: Int, _ offset: Int) -> UInt8 {
    unsafe list.buffer(buffer).pointee.mData?.load(fromByteOffset: offset, as: UInt8.self) ?? 0
  }

  func setByte(_ buffer: Int, _ offset: Int, _ value: UInt8) {
    unsafe list.buffer(buffer).pointee.mData?.storeBytes(
      of: value, toByteOffset: offset, as: UInt8.self)
  }

  var bytes: [[UInt8]] {
    (0..<bufferCount).map { buffer in (0..<bytesPerBuffer).map { byte(buffer, $0) } }
  }

  /// The bytes of one sample as a number, most significant first.
  func word(_ format: SampleFormat, channel: Int, frame: Int) -> UInt64 {
    let size = format.bytesPerSample
    let buffer = format.isPlanar ? channel : 0
    let start = (format.isPlanar ? frame : frame * format.channelCount + channel) * size
    return (0..<size).reduce(0) { sum, index in
      sum << 8 | UInt64(byte(buffer, start + (format.isBigEndian ? index : size - 1 - index)))
    }
  }
}

/// Planar channels behind the kind of pointer that units have.
@safe private final class Planes {
  let pointers: SampleConversion.Channels
  let count: Int
  let frames: Int

  init(_ count: Int, frames: Int) {
    self.count = count
    self.frames = frames
    unsafe pointers = .allocate(capacity: count)
    for index in 0..<count {
      let plane = UnsafeMutablePointer<Float>.allocate(capacity: frames)
      unsafe plane.initialize(repeating: -77, count: frames)
      unsafe (pointers + index).initialize(to: plane)
    }
  }

  deinit {
    for index in 0..<count { unsafe pointers[index].deallocate() }
    unsafe pointers.deallocate()
  }

  subscript(channel: Int, frame: Int) -> Float {
    get { unsafe pointers[channel][frame] }
    set { unsafe pointers[channel][frame] = newValue }
  }
}

/// Converts a stored word to its signed integer.
private func integer(_ word: UInt64, _ format: SampleFormat) -> Int64 {
  let container = format.bytesPerSample * 8
  let raw = format.isAlignedHigh ? word >> UInt64(container - format.bitCount) : word
  let low = raw & ((1 << UInt64(format.bitCount)) - 1)
  if !format.isSigned { return Int64(low) - Int64(1) << Int64(format.bitCount - 1) }
  let sign = UInt64(1) << UInt64(format.bitCount - 1)
  return low & sign != 0 ? Int64(low) - Int64(1) << Int64(format.bitCount) : Int64(low)
}

private func power(_ exponent: Int) -> Double {
  Double(sign: .plus, exponent: exponent, significand: 1)
}

@Suite("Sample conversion")
struct SampleConversionTests {
  @Test("integers of every width, place, sign and order are read as their value")
  func reading() throws {
    var random = SeededGenerator(seed: 1)
    for layout in integerLayouts() {
      for (channels, planar) in [(1, UInt32(0)), (2, 0), (3, 0), (2, 0x20)] {
        let asbd = pcm(
          bits: layout.bits, bytes: layout.bytes, flags: layout.flags | planar, channels: channels)
        let format = try #require(SampleFormat(asbd))
        let memory = Memory(format, frames: 19)
        for buffer in 0..<format.bufferCount {
          for offset in 0..<memory.bytesPerBuffer {
            memory.setByte(buffer, offset, UInt8(truncatingIfNeeded: random.next()))
          }
        }
        let planes = Planes(channels, frames: 19)
        unsafe SampleConversion.read(
          memory.list, format, from: 2, into: planes.pointers, at: 1, frameCount: 16)
        for channel in 0..<channels {
          var isRight = planes[channel, 0] == -77 && planes[channel, 17] == -77
          for frame in 0..<16 {
            let number = integer(memory.word(format, channel: channel, frame: frame + 2), format)
            let wanted = Float(Double(number) * power(1 - layout.bits))
            if planes[channel, frame + 1] != wanted { isRight = false }
          }
          #expect(isRight, "\(layout), channel \(channel) of \(channels), \(planar)")
        }
      }
    }
  }

  @Test("integers of every width, place, sign and order are written rounded and clipped")
  func writing() throws {
    var random = SeededGenerator(seed: 2)
    for layout in integerLayouts() {
      for (channels, planar) in [(1, UInt32(0)), (2, 0), (3, 0), (2, 0x20)] {
        let asbd = pcm(
          bits: layout.bits, bytes: layout.bytes, flags: layout.flags | planar, channels: channels)
        let format = try #require(SampleFormat(asbd))
        let memory = Memory(format, frames: 24), before = memory.bytes
        let planes = Planes(channels, frames: 24)
        let edges: [Float] = [
          0, 1, -1, 0.999_999_94, -0.999_999_94, 2, -2, .infinity, -.infinity, .nan,
          Float(bitPattern: 70_000),
          Float(power(-layout.bits)), Float(3 * power(-layout.bits)), -Float(power(-layout.bits)),
        ]
        for channel in 0..<channels {
          for frame in 0..<24 {
            planes[channel, frame] = frame < edges.count ? edges[frame] : random.nextSample()
          }
        }
        unsafe SampleConversion.write(
          planes.pointers, from: 0, to: memory.list, format, at: 1, frameCount: 22)
        let least = -Double(Int64(1) << Int64(layout.bits - 1)), most = -least - 1
        for channel in 0..<channels {
          var isRight = true
          for frame in 0..<22 {
            let sample = Double(planes[channel, frame])
            let scaled = (sample * power(layout.bits - 1)).rounded(.toNearestOrEven)
            let wanted = sample.isNaN ? 0 : min(max(scaled, least), most)
            let word = memory.word(format, channel: channel, frame: frame + 1)
            if Double(integer(word, format)) != wanted { isRight = false }
            // The bits beside are the sign below, zero elsewhere.
            let container = layout.bytes * 8
            if format.isAlignedHigh {
              if word & ((1 << UInt64(container - layout.bits)) - 1) != 0 { isRight = false }
            } else {
              let above = word >> UInt64(layout.bits)
              let all = (UInt64(1) << UInt64(container - layout.bits)) - 1
              if above != (format.isSigned && wanted < 0 ? all : 0) { isRight = false }
            }
          }
          #expect(isRight, "\(layout), channel \(channel) of \(channels), \(planar)")
        }
        let after = memory.bytes, frameBytes = format.byteCount(frameCount: 1)
        for buffer in 0..<format.bufferCount {
          #expect(after[buffer].prefix(frameBytes) == before[buffer].prefix(frameBytes))
          #expect(after[buffer].suffix(frameBytes) == before[buffer].suffix(frameBytes))
        }
      }
    }
  }

  @Test("read samples are written back the same, up to 24 bits; beyond, within half a float's step")
  func roundTrip() throws {
    var random = SeededGenerator(seed: 3)
    for layout in integerLayouts() where layout.bits == 8 * layout.bytes || layout.bits == 24 {
      let format = try #require(
        SampleFormat(
          pcm(bits: layout.bits, bytes: layout.bytes, flags: layout.flags, channels: 2)))
      let first = Memory(format, frames: 500), second = Memory(format, frames: 500, fill: 0)
      for offset in 0..<first.bytesPerBuffer {
        first.setByte(0, offset, UInt8(truncatingIfNeeded: random.next()))
      }
      let planes = Planes(2, frames: 500)
      unsafe SampleConversion.read(first.list, format, into: planes.pointers, frameCount: 500)
      unsafe SampleConversion.write(planes.pointers, to: second.list, format, frameCount: 500)
      for channel in 0..<2 {
        var worst: Int64 = 0
        for frame in 0..<500 {
          let a = integer(first.word(format, channel: channel, frame: frame), format)
          let b = integer(second.word(format, channel: channel, frame: frame), format)
          worst = max(worst, abs(a - b))
        }
        #expect(layout.bits <= 24 ? worst == 0 : worst <= 64, "\(layout)")
      }
    }
  }

  @Test("every 16-bit and 24-bit number goes through unchanged")
  func everyNumber() throws {
    for (bits, bytes) in [(16, 2), (24, 3)] {
      let format = try #require(SampleFormat(pcm(bits: bits, bytes: bytes, flags: 12, channels: 1)))
      let count = 1 << 16
      let memory = Memory(format, frames: count), back = Memory(format, frames: count)
      let planes = Planes(1, frames: count)
      for step in 0..<(1 << (bits - 16)) where step % 9 == 0 || step > 250 {
        for frame in 0..<count {
          let number = step << 16 | frame
          for byte in 0..<bytes {
            memory.setByte(0, frame * bytes + byte, UInt8(truncatingIfNeeded: number >> (8 * byte)))
          }
        }
        unsafe SampleConversion.read(memory.list, format, into: planes.pointers, frameCount: count)
        unsafe SampleConversion.write(planes.pointers, to: back.list, format, frameCount: count)
        #expect(memory.bytes == back.bytes)
      }
    }
  }

  @Test("8.24 fixed point: one is 2 to the power of 24, and the range is ±128")
  func fixedPoint() throws {
    let asbd = pcm(bits: 32, bytes: 4, flags: 0x2C, channels: 2, fraction: 24)
    let format = try #require(SampleFormat(asbd))
    #expect(format.fractionBitCount == 24)
    let memory = Memory(format, frames: 8), planes = Planes(2, frames: 8)
    let values: [Float] = [1, -1, 0.5, 127.5, 128, -128, -129, 3 / 16_777_216]
    let wanted: [Int64] = [
      1 << 24, -(1 << 24), 1 << 23, 255 << 23, (1 << 31) - 1, -(1 << 31), -(1 << 31), 3,
    ]
    for frame in 0..<8 {
      planes[0, frame] = values[frame]
      planes[1, frame] = -values[frame]
    }
    unsafe SampleConversion.write(planes.pointers, to: memory.list, format, frameCount: 8)
    #expect((0..<8).map { integer(memory.word(format, channel: 0, frame: $0), format) } == wanted)
    unsafe SampleConversion.read(memory.list, format, into: planes.pointers, frameCount: 8)
    #expect((0..<4).map { planes[0, $0] } == Array(values[0..<4]))
    #expect(planes[0, 7] == Float(3) / 16_777_216)
    #expect(format.description(sampleRate: 48_000).mFormatFlags == asbd.mFormatFlags)
  }

  @Test("floats of either size and order, also numbers that are none")
  func floats() throws {
    let patterns: [Float] = [
      0, -0.0, 1.5, -3e30, Float(bitPattern: 70_000), .infinity, -.infinity, .nan,
    ]
    for (bits, bytes) in [(32, 4), (64, 8)] {
      for order: UInt32 in [0, 2] {
        for planar: UInt32 in [0, 0x20] {
          for channels in [1, 2, 5] {
            let asbd = pcm(bits: bits, bytes: bytes, flags: 9 | order | planar, channels: channels)
            let format = try #require(SampleFormat(asbd))
            let memory = Memory(format, frames: 9), planes = Planes(channels, frames: 8)
            for channel in 0..<channels {
              for frame in 0..<8 { planes[channel, frame] = patterns[(frame + channel) % 8] }
            }
            unsafe SampleConversion.write(
              planes.pointers, to: memory.list, format, at: 1, frameCount: 8)
            for channel in 0..<channels {
              for frame in 0..<8 {
                let word = memory.word(format, channel: channel, frame: frame + 1)
                let value = patterns[(frame + channel) % 8]
                if bits == 32 { #expect(word == UInt64(value.bitPattern)) }
                if bits == 64 { #expect(value.isNaN || word == Double(value).bitPattern) }
                planes[channel, frame] = 9
              }
            }
            unsafe SampleConversion.read(
              memory.list, format, from: 1, into: planes.pointers, frameCount: 8)
            for channel in 0..<channels {
              for frame in 0..<8 {
                let value = patterns[(frame + channel) % 8], read = planes[channel, frame]
                #expect(value.isNaN ? read.isNaN : read.bitPattern == value.bitPattern)
              }
            }
          }
        }
      }
    }
  }

  @Test("silence is the middle of the range; missing memory is silence, and is left alone")
  func silence() throws {
    let format = try #require(SampleFormat(pcm(bits: 8, bytes: 1, flags: 8, channels: 2)))
    let memory = Memory(format, frames: 4)
    unsafe SampleConversion.clear(memory.list, format, from: 1, frameCount: 2)
    #expect(memory.bytes == [[0xA5, 0xA5, 0x80, 0x80, 0x80, 0x80, 0xA5, 0xA5]])
    #expect(unsafe SampleConversion.holds(memory.list, format, frameCount: 4))
    #expect(unsafe !SampleConversion.holds(memory.list, format, frameCount: 5))
    let planes = Planes(2, frames: 4)
    unsafe memory.list.buffer(0).pointee.mData = nil
    #expect(unsafe !SampleConversion.holds(memory.list, format, frameCount: 1))
    unsafe SampleConversion.write(planes.pointers, to: memory.list, format, frameCount: 4)
    unsafe SampleConversion.read(memory.list, format, into: planes.pointers, frameCount: 4)
    #expect((0..<4).allSatisfy { planes[0, $0] == 0 && planes[1, $0] == 0 })
  }

  @Test("descriptions survive, are filled in, and nonsense is refused")
  func descriptions() throws {
    for layout in integerLayouts() {
      for planar: UInt32 in [0, 0x20] {
        let asbd = pcm(
          bits: layout.bits, bytes: layout.bytes, flags: layout.flags | planar, channels: 6)
        let format = try #require(SampleFormat(asbd))
        #expect(SampleFormat(format.description(sampleRate: 44_100)) == format)
        #expect(AudioStreamFormat(format.description(sampleRate: 44_100)).problem == nil)
      }
    }
    var short = pcm(bits: 16, bytes: 2, flags: 12, channels: 2)
    short.mBytesPerFrame = 0
    short.mBytesPerPacket = 0
    short.mFramesPerPacket = 0
    #expect(SampleFormat(short)?.byteCount(frameCount: 10) == 40)
    #expect(SampleFormat(pcm(bits: 32, bytes: 4, flags: 0x29, channels: 3))?.isCanonical == true)
    #expect(SampleFormat(pcm(bits: 32, bytes: 4, flags: 9, channels: 3))?.isCanonical == false)
    #expect(SampleFormat(canonicalWithChannelCount: 4).isCanonical)
    #expect(
      SampleFormat(pcm(bits: 8, bytes: 1, flags: 0x8000_0000, channels: 1))?.isSigned == false)
    let bad = [
      pcm(bits: 0, bytes: 2, flags: 4, channels: 2), pcm(bits: 33, bytes: 5, flags: 4, channels: 2),
      pcm(bits: 17, bytes: 2, flags: 4, channels: 2),
      pcm(bits: 20, bytes: 3, flags: 12, channels: 2),
      pcm(bits: 16, bytes: 2, flags: 9, channels: 2),
      pcm(bits: 32, bytes: 8, flags: 1, channels: 2),
      pcm(bits: 16, bytes: 2, flags: 12, channels: 0),
      pcm(bits: 16, bytes: 2, flags: 12, channels: 5000),
      pcm(bits: 32, bytes: 4, flags: 9, channels: 2, fraction: 24),
      pcm(bits: 16, bytes: 2, flags: 12, channels: 2, fraction: 24),
    ]
    for asbd in bad { #expect(SampleFormat(asbd) == nil) }
    var odd = pcm(bits: 16, bytes: 2, flags: 12, channels: 2)
    odd.mBytesPerFrame = 5
    #expect(SampleFormat(odd) == nil)
    odd = pcm(bits: 16, bytes: 2, flags: 12, channels: 2)
    odd.mFramesPerPacket = 2
    #expect(SampleFormat(odd) == nil)
    odd.mFramesPerPacket = 1
    odd.mFormatID = 0x6161_6320
    #expect(SampleFormat(odd) == nil)
  }
}
