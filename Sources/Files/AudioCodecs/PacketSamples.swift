// The linear samples on the other side of packets, and the descriptions of packets for the library.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import CAuricleCodec

/// Linear PCM of codecs: interleaved, packed, in the byte order of the machine.
enum PacketSamples {
  /// The format of samples of the library's kind.
  static func format(
    kind: UInt32, sampleRate: Double, channelCount: UInt32
  ) -> AudioStreamBasicDescription {
    let isShort = kind == kAuricleCodecInt16.rawValue
    let isFloat = kind == kAuricleCodecFloat32.rawValue
    let frame = (isShort ? 2 : 4) * channelCount
    return AudioStreamBasicDescription(
      mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: isFloat
        ? kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked
        : kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
      mBytesPerPacket: frame, mFramesPerPacket: 1, mBytesPerFrame: frame,
      mChannelsPerFrame: channelCount, mBitsPerChannel: isShort ? 16 : 32, mReserved: 0)
  }

  /// The description of packets that the library is asked with.
  static func packets(
    _ codec: KnownCodec, _ format: AudioStreamBasicDescription
  ) -> AuricleCodecPackets {
    var packets = unsafe AuricleCodecPackets()
    unsafe withUnsafeMutableBytes(of: &packets.encoding) { bytes in
      unsafe bytes.copyBytes(from: Array(codec.encoding.utf8).prefix(bytes.count - 1))
    }
    unsafe packets.sampleRate = format.mSampleRate
    unsafe packets.channelCount = format.mChannelsPerFrame
    unsafe packets.framesPerPacket = format.mFramesPerPacket
    unsafe packets.bytesPerPacket = format.mBytesPerPacket
    unsafe packets.quality = -1
    return unsafe packets
  }

  /// The depth in the flags of a lossless format; 0 for none.
  static func depth(_ flags: AudioFormatFlags) -> UInt32 {
    [1: 16, 2: 20, 3: 24, 4: 32][flags] ?? 0
  }

  /// The flags of a depth.
  static func flags(depth: UInt32) -> AudioFormatFlags {
    depth <= 16 ? 1 : depth <= 20 ? 2 : depth <= 24 ? 3 : 4
  }
}
