// The chunk 'fmt ' of WAVE, RF64 and Wave64.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

/// The format of RIFF's sound, as a tag and its fields.
enum WaveFormat {
  private enum Tag {
    static let linear: UInt16 = 1
    static let microsoftADPCM: UInt16 = 2
    static let float: UInt16 = 3
    static let aLaw: UInt16 = 6
    static let muLaw: UInt16 = 7
    static let intelADPCM: UInt16 = 0x11
    static let gsm: UInt16 = 0x31
    static let mpeg: UInt16 = 0x50
    static let mpegLayer3: UInt16 = 0x55
    static let dolby: UInt16 = 0x2000
    static let extensible: UInt16 = 0xFFFE
  }

  /// The end of the code of a format in the long form.
  private static let guidTail: [UInt8] = [
    0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71,
  ]

  /// The ends of codes that stand for a short one: that of Microsoft, and that of ambisonic sound.
  private static let guidTails = [
    guidTail,
    [0x00, 0x00, 0x21, 0x07, 0xD3, 0x11, 0x86, 0x44, 0xC8, 0xC1, 0xCA, 0x00, 0x00, 0x00],
  ]

  /// Reads the chunk into a file's format and layout.
  static func read(_ bytes: [UInt8], _ file: PacketFile) throws(AudioFileFailure) {
    let isBig = file.chunks?.scheme == .rifx
    var reader = ByteReader(bytes, bigEndian: isBig)
    var tag = reader.u16()
    let channels = UInt32(reader.u16())
    let rate = Double(reader.u32())
    reader.skip(4)
    var block = UInt32(reader.u16())
    let bits = UInt32(reader.u16())
    // It follows from the others, and some writers leave it out.
    if block == 0, tag == Tag.linear || tag == Tag.float { block = channels * ((bits + 7) / 8) }
    let isOfFrames = [Tag.mpeg, Tag.mpegLayer3, Tag.dolby].contains(tag)
    guard !reader.isPastEnd, channels > 0, rate > 0, block > 0 || isOfFrames else {
      throw .broken
    }
    let extra = reader.remaining >= 2 ? Int(reader.u16()) : 0
    var validBits = bits
    var more = reader.bytes(min(extra, reader.remaining))
    if tag == Tag.extensible {
      guard more.count >= 22 else { throw .broken }
      var fields = ByteReader(more, bigEndian: isBig)
      let valid = UInt32(fields.u16())
      if valid > 0, valid < bits { validBits = valid }
      let mask = fields.u32()
      tag = fields.u16()
      guard isBig || Self.guidTails.contains(Array(more[8..<22])) else { throw .dataFormat }
      more = Array(more.dropFirst(22))
      if mask != 0 { file.layout = ChannelLayoutBytes.bitmap(mask) }
    }
    // Sound in frames is only read.
    guard !isOfFrames || !file.isWritable else { throw .dataFormat }
    switch tag {
    case Tag.mpeg, Tag.mpegLayer3: return try MPEGAudioContainer.readInside(file)
    case Tag.dolby: return try AC3Container.readInside(file)
    default: break
    }
    file.format = try description(
      tag, rate: rate, channels: channels, block: block, bits: bits, validBits: validBits, more,
      isBig: isBig)
    if tag == Tag.microsoftADPCM || tag == Tag.intelADPCM { file.cookie = more }
  }

  private static func description(
    _ tag: UInt16, rate: Double, channels: UInt32, block: UInt32, bits: UInt32, validBits: UInt32,
    _ more: [UInt8], isBig: Bool
  ) throws(AudioFileFailure) -> AudioStreamBasicDescription {
    func compressed(_ format: AudioFormatID, _ frames: UInt32) -> AudioStreamBasicDescription {
      AudioStreamBasicDescription(
        mSampleRate: rate, mFormatID: format, mFormatFlags: 0, mBytesPerPacket: block,
        mFramesPerPacket: frames, mBytesPerFrame: frames == 1 ? block : 0,
        mChannelsPerFrame: channels, mBitsPerChannel: frames == 1 ? 8 : 0, mReserved: 0)
    }
    var fields = ByteReader(more, bigEndian: isBig)
    switch tag {
    case Tag.linear:
      guard (1...64).contains(bits), block >= channels * ((bits + 7) / 8) else { throw .broken }
      return FormatTables.linear(
        rate: rate, channels: channels, bits: validBits, float: false, bigEndian: isBig,
        signed: block / channels > 1, frameSize: block)
    case Tag.float:
      guard bits == 32 || bits == 64, block == channels * bits / 8 else { throw .dataFormat }
      return FormatTables.linear(
        rate: rate, channels: channels, bits: bits, float: true, bigEndian: isBig)
    case Tag.aLaw: return compressed(kAudioFormatALaw, 1)
    case Tag.muLaw: return compressed(kAudioFormatULaw, 1)
    case Tag.gsm: return compressed(kAudioFormatMicrosoftGSM, 320)
    case Tag.microsoftADPCM, Tag.intelADPCM:
      let frames = UInt32(fields.u16())
      guard frames > 1 else { throw .broken }
      return compressed(
        tag == Tag.intelADPCM ? kAudioFormatDVIIntelIMA : 0x6D73_0002, frames)
    default: throw .dataFormat
    }
  }

  /// The chunk of a new file.
  static func bytes(_ file: PacketFile) throws(AudioFileFailure) -> [UInt8] {
    let format = file.format
    guard format.mChannelsPerFrame <= 0xFFFF, format.mBytesPerPacket <= 0xFFFF,
      let rate = UInt32(exactly: format.mSampleRate.rounded())
    else { throw .dataFormat }
    let isFloat = format.mFormatFlags & kAudioFormatFlagIsFloat != 0
    let tag =
      switch format.mFormatID {
      case kAudioFormatULaw: Tag.muLaw
      case kAudioFormatALaw: Tag.aLaw
      default: isFloat ? Tag.float : Tag.linear
      }
    let mask = file.layout.flatMap(ChannelLayoutBytes.mask)
    // The long form names the loudspeakers; more than two channels need it.
    let isLong = mask != nil || format.mChannelsPerFrame > 2
    var writer = ByteWriter(bigEndian: false)
    writer.put(isLong ? Tag.extensible : tag)
    writer.put(UInt16(format.mChannelsPerFrame))
    writer.put(rate)
    writer.put(UInt32(clamping: UInt64(rate) * UInt64(format.mBytesPerPacket)))
    writer.put(UInt16(format.mBytesPerPacket))
    writer.put(UInt16(format.mBitsPerChannel))
    if isLong {
      writer.put(UInt16(22))
      writer.put(UInt16(format.mBitsPerChannel))
      writer.put(mask ?? 0)
      writer.put(tag)
      writer.put(bytes: guidTail)
    } else if tag != Tag.linear {
      writer.put(UInt16(0))
    }
    return writer.bytes
  }
}
