// The chunk 'COMM' of AIFF and AIFC.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

/// The format of IFF's sound: channels, frames, bits, a rate of 80 bits, and AIFC's compression.
enum AIFFFormat {
  /// Reads the chunk into a file's format.
  ///
  /// - Returns: The number of packets that it says.
  static func read(_ bytes: [UInt8], _ file: PacketFile) throws(AudioFileFailure) -> UInt32 {
    var reader = ByteReader(bytes, bigEndian: true)
    let channels = UInt32(reader.u16())
    let packets = reader.u32()
    let bits = UInt32(reader.u16())
    let rate = extended(reader.bytes(10))
    guard !reader.isPastEnd, channels > 0, rate > 0, rate < 1e9 else { throw .broken }
    var code = UInt32(code: "NONE")
    if file.type == kAudioFileAIFCType {
      code = reader.bytes(4).code(at: 0)
      guard !reader.isPastEnd else { throw .broken }
    }
    file.format = try description(code, rate: rate, channels: channels, bits: bits)
    return packets
  }

  private static func description(
    _ code: UInt32, rate: Double, channels: UInt32, bits: UInt32
  ) throws(AudioFileFailure) -> AudioStreamBasicDescription {
    func linear(_ bits: UInt32, float: Bool = false, big: Bool = true, signed: Bool = true)
      -> AudioStreamBasicDescription
    {
      FormatTables.linear(
        rate: rate, channels: channels, bits: bits, float: float, bigEndian: big, signed: signed)
    }
    func compressed(_ format: AudioFormatID, frames: UInt32, bytes: UInt32)
      -> AudioStreamBasicDescription
    {
      AudioStreamBasicDescription(
        mSampleRate: rate, mFormatID: format, mFormatFlags: 0, mBytesPerPacket: bytes * channels,
        mFramesPerPacket: frames, mBytesPerFrame: frames == 1 ? bytes * channels : 0,
        mChannelsPerFrame: channels, mBitsPerChannel: frames == 1 ? 8 : 0, mReserved: 0)
    }
    guard (1...64).contains(bits) || code != UInt32(code: "NONE") else { throw .broken }
    switch code {
    case UInt32(code: "NONE"), UInt32(code: "twos"): return linear(bits)
    case UInt32(code: "sowt"): return linear(bits, big: false)
    case UInt32(code: "raw "): return linear(8, signed: false)
    case UInt32(code: "in24"): return linear(24)
    case UInt32(code: "in32"): return linear(32)
    case UInt32(code: "fl32"), UInt32(code: "FL32"): return linear(32, float: true)
    case UInt32(code: "fl64"), UInt32(code: "FL64"): return linear(64, float: true)
    case UInt32(code: "ulaw"), UInt32(code: "ULAW"):
      return compressed(kAudioFormatULaw, frames: 1, bytes: 1)
    case UInt32(code: "alaw"), UInt32(code: "ALAW"):
      return compressed(kAudioFormatALaw, frames: 1, bytes: 1)
    case UInt32(code: "ima4"): return compressed(kAudioFormatAppleIMA4, frames: 64, bytes: 34)
    case UInt32(code: "MAC3"): return compressed(kAudioFormatMACE3, frames: 6, bytes: 2)
    case UInt32(code: "MAC6"): return compressed(kAudioFormatMACE6, frames: 6, bytes: 1)
    default: throw .dataFormat
    }
  }

  /// The chunk of a new file.
  static func bytes(_ file: PacketFile) throws(AudioFileFailure) -> [UInt8] {
    let format = file.format
    guard let channels = UInt16(exactly: format.mChannelsPerFrame) else { throw .dataFormat }
    var writer = ByteWriter(bigEndian: true)
    writer.put(channels)
    writer.put(UInt32(0))
    let isIMA = format.mFormatID == kAudioFormatAppleIMA4
    writer.put(isIMA ? UInt16(16) : UInt16(format.mBitsPerChannel))
    writer.put(bytes: extended(format.mSampleRate))
    guard file.type == kAudioFileAIFCType else { return writer.bytes }
    let (code, name) = compression(format)
    writer.put(bytes: [UInt8](code: code))
    // A name of Pascal's, with an even number of bytes.
    let text = Array(name.utf8)
    writer.put(UInt8(text.count))
    writer.put(bytes: text)
    if text.count & 1 == 0 { writer.put(UInt8(0)) }
    return writer.bytes
  }

  private static func compression(_ format: AudioStreamBasicDescription) -> (UInt32, String) {
    switch format.mFormatID {
    case kAudioFormatULaw: return (UInt32(code: "ulaw"), "µ-law 2:1")
    case kAudioFormatALaw: return (UInt32(code: "alaw"), "A-law 2:1")
    case kAudioFormatAppleIMA4: return (UInt32(code: "ima4"), "IMA 4:1")
    default:
      if format.mFormatFlags & kAudioFormatFlagIsFloat != 0 {
        return format.mBitsPerChannel == 64
          ? (UInt32(code: "fl64"), "64-bit floating point")
          : (UInt32(code: "fl32"), "32-bit floating point")
      }
      return format.mFormatFlags & kAudioFormatFlagIsBigEndian == 0
        ? (UInt32(code: "sowt"), "little-endian") : (UInt32(code: "NONE"), "not compressed")
    }
  }

  /// A number of 80 bits: sign and exponent, then 64 bits with the leading one.
  static func extended(_ bytes: [UInt8]) -> Double {
    guard bytes.count == 10 else { return 0 }
    var reader = ByteReader(bytes, bigEndian: true)
    let head = reader.u16()
    let mantissa = reader.u64()
    let exponent = Int(head & 0x7FFF) - 16383 - 63
    guard mantissa != 0, (-1000...900).contains(exponent) else { return 0 }
    let value = Double(sign: .plus, exponent: exponent, significand: Double(mantissa))
    return head & 0x8000 == 0 ? value : -value
  }

  /// The 80 bits of a positive number.
  static func extended(_ value: Double) -> [UInt8] {
    var writer = ByteWriter(bigEndian: true)
    guard value > 0 else { return [UInt8](repeating: 0, count: 10) }
    let exponent = value.exponent
    writer.put(UInt16(Int(exponent) + 16383))
    writer.put(1 << 63 | value.significandBitPattern << 11)
    return writer.bytes
  }
}
