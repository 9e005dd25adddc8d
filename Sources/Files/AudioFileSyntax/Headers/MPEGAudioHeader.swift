// The header of a frame of MPEG audio, and the frame that tells of all others.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// The four bytes that begin a frame of MPEG audio.
package struct MPEGAudioHeader {
  /// 1 to 3.
  package let layer: Int
  /// Hz.
  package let sampleRate: Double
  /// One or two.
  package let channelCount: UInt32
  /// Samples a channel in the frame.
  package let frameCount: UInt32
  /// The frame's length with its header.
  package let byteCount: Int
  /// Bytes of a frame's side information (layer 3).
  package let sideSize: Int

  /// Kilobits a second by index: MPEG-1 layers 1, 2, 3, then MPEG-2 layer 1, then layers 2 and 3.
  private static let bitRates: [[Int]] = [
    [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]
  private static let rates = [44100, 48000, 32000]

  /// Reads a header; nil where none is.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= 4, bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0 else { return nil }
    let version = bytes[1] >> 3 & 3
    let layer = 4 - Int(bytes[1] >> 1 & 3)
    let (bitIndex, rateIndex) = (Int(bytes[2] >> 4), Int(bytes[2] >> 2 & 3))
    // A free bit rate, without a number, is not read.
    guard version != 1, layer < 4, (1...14).contains(bitIndex), rateIndex < 3 else { return nil }
    let isFirst = version == 3
    let rate = Self.rates[rateIndex] >> (isFirst ? 0 : version == 2 ? 1 : 2)
    let bits = 1000 * Self.bitRates[isFirst ? layer - 1 : layer == 1 ? 3 : 4][bitIndex]
    let padding = Int(bytes[2] >> 1 & 1)
    let frames = layer == 1 ? 384 : layer == 3 && !isFirst ? 576 : 1152
    self.layer = layer
    sampleRate = Double(rate)
    channelCount = bytes[3] >> 6 == 3 ? 1 : 2
    frameCount = UInt32(frames)
    byteCount =
      layer == 1 ? (12 * bits / rate + padding) * 4 : frames / 8 * bits / rate + padding
    sideSize = isFirst ? (channelCount == 1 ? 17 : 32) : (channelCount == 1 ? 9 : 17)
  }

  /// The format of packets that begin so.
  package var format: AudioStreamBasicDescription {
    let id = [kAudioFormatMPEGLayer1, kAudioFormatMPEGLayer2, kAudioFormatMPEGLayer3][layer - 1]
    return AudioStreamBasicDescription(
      mSampleRate: sampleRate, mFormatID: id, mFormatFlags: 0, mBytesPerPacket: 0,
      mFramesPerPacket: frameCount, mBytesPerFrame: 0, mChannelsPerFrame: channelCount,
      mBitsPerChannel: 0, mReserved: 0)
  }

  /// The longest frame at this rate.
  package var largestSize: UInt32 {
    let bits = layer == 1 ? 448_000.0 : layer == 2 ? 384_000 : 320_000
    return UInt32(Double(frameCount) / 8 * bits / sampleRate) + 4
  }
}

/// A frame without sound that says how many follow, and what the encoder added.
package struct MPEGInfoFrame {
  private let frameCount: Int64?
  private let delay: Int32?
  private let padding: Int32

  /// Frames that a decoder of layer 3 is late by.
  private static let decoderDelay: Int32 = 529

  /// Reads the first frame of a file; nil for one with sound.
  package init?(_ frame: [UInt8], _ header: MPEGAudioHeader) {
    guard header.layer == 3 else { return nil }
    let place = 4 + header.sideSize
    let code = frame.code(at: place)
    if frame.code(at: 36) == UInt32(code: "VBRI") {
      frameCount = Int64(frame.code(at: 36 + 14))
      (delay, padding) = (nil, 0)
      return
    }
    guard code == UInt32(code: "Xing") || code == UInt32(code: "Info") else { return nil }
    let flags = frame.code(at: place + 4)
    frameCount = flags & 1 != 0 ? Int64(frame.code(at: place + 8)) : nil
    // What the flags announce, then an encoder's name, then its delays in 24 bits.
    let extra =
      place + 8 + (flags & 1 != 0 ? 4 : 0) + (flags & 2 != 0 ? 4 : 0)
      + (flags & 4 != 0 ? 100 : 0) + (flags & 8 != 0 ? 4 : 0)
    guard extra + 24 <= frame.count, frame[extra] != 0 else {
      (delay, padding) = (nil, 0)
      return
    }
    let value =
      Int32(frame[extra + 21]) << 16 | Int32(frame[extra + 22]) << 8 | Int32(frame[extra + 23])
    (delay, padding) = (value >> 12, value & 0xFFF)
  }

  /// What to drop at both ends; nil where the frame does not say.
  package func trim(_ header: MPEGAudioHeader) -> AudioFilePacketTableInfo? {
    guard let frameCount, let delay else { return nil }
    let total = frameCount * Int64(header.frameCount)
    let priming = delay + Self.decoderDelay
    let remainder = max(0, padding - Self.decoderDelay)
    guard total >= Int64(priming) + Int64(remainder) else { return nil }
    return AudioFilePacketTableInfo(
      mNumberValidFrames: total - Int64(priming) - Int64(remainder), mPrimingFrames: priming,
      mRemainderFrames: remainder)
  }
}
