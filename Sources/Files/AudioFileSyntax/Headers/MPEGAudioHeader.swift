// The header of a frame of MPEG audio, and the frame that describes all others.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// The four bytes that begin a frame of MPEG audio.
package struct MPEGAudioHeader {
  /// Bytes of a header.
  package static let size = 4

  /// The four bytes as a number, largest byte first.
  package let word: UInt32
  /// 1 to 3.
  package let layer: Int
  /// Hz.
  package let sampleRate: Double
  /// One or two.
  package let channelCount: UInt32
  /// Samples a channel in the frame.
  package let frameCount: UInt32
  /// The frame's length with its header; 0 for a free bit rate, of which the header does not say it.
  package let byteCount: Int
  /// Bytes of a frame's side information (layer 3).
  package let sideSize: Int
  /// The byte, or the four of layer 1, that lengthen this frame.
  package let paddingSize: Int

  /// Whether the bit rate is a free one.
  package var isFree: Bool { byteCount == 0 }

  /// Kilobits a second by index: MPEG-1 layers 1, 2, 3, then MPEG-2 layer 1, then layers 2 and 3.
  private static let bitRates: [[Int]] = [
    [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]
  private static let rates = [44100, 48000, 32000]
  /// Bits that all frames of a stream have in common, beside the number of channels: version, layer, sample rate.
  private static let streamMask: UInt32 = 0xFFFE_0C00

  /// Reads a header; nil where none is.
  package init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count >= Self.size, bytes.first == 0xFF else { return nil }
    self.init(word: bytes.prefix(Self.size).reduce(0) { $0 << 8 | UInt32($1) })
  }

  /// Reads a header as a number, largest byte first; nil where none is.
  package init?(word: UInt32) {
    guard word >> 21 == 0x7FF else { return nil }
    let version = word >> 19 & 3
    let layer = 4 - Int(word >> 17 & 3)
    let (bitIndex, rateIndex) = (Int(word >> 12 & 15), Int(word >> 10 & 3))
    guard version != 1, layer < 4, bitIndex < 15, rateIndex < 3 else { return nil }
    let isFirst = version == 3
    let rate = Self.rates[rateIndex] >> (isFirst ? 0 : version == 2 ? 1 : 2)
    let bits = 1000 * Self.bitRates[isFirst ? layer - 1 : layer == 1 ? 3 : 4][bitIndex]
    let padding = Int(word >> 9 & 1)
    let frames = layer == 1 ? 384 : layer == 3 && !isFirst ? 576 : 1152
    self.word = word
    self.layer = layer
    sampleRate = Double(rate)
    channelCount = word >> 6 & 3 == 3 ? 1 : 2
    frameCount = UInt32(frames)
    paddingSize = layer == 1 ? 4 * padding : padding
    let plain = layer == 1 ? 12 * bits / rate * 4 : frames / 8 * bits / rate
    byteCount = bits == 0 ? 0 : plain + paddingSize
    sideSize = isFirst ? (channelCount == 1 ? 17 : 32) : (channelCount == 1 ? 9 : 17)
  }

  /// Whether a frame may be in the same stream as another.
  package func isLike(_ other: MPEGAudioHeader) -> Bool {
    (word ^ other.word) & Self.streamMask == 0 && isFree == other.isFree
      && channelCount == other.channelCount
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
    let bits = isFree ? 640_000.0 : layer == 1 ? 448_000 : layer == 2 ? 384_000 : 320_000
    return UInt32(Double(frameCount) / 8 * bits / sampleRate) + 4
  }
}

/// A frame without sound that declares the number of the following ones, and the encoder's padding.
package struct MPEGInfoFrame {
  /// The frames with sound that it promises; nil where it does not.
  package let frameCount: Int64?
  /// Samples that the encoder and its decoder add in front; nil where it does not say.
  package let priming: Int32?
  /// Samples that they add behind; 0 where it does not say.
  package let remainder: Int32
  /// The place of the number of frames in the frame; nil without it.
  package let countPlace: Int?
  /// The place of the encoder's delays in the frame; nil without them.
  package let delayPlace: Int?

  /// Frames that a decoder of layer 3 is late by.
  package static let decoderDelay: Int32 = 529

  /// Reads the first frame of a file; nil for one with sound.
  package init?(_ frame: [UInt8], _ header: MPEGAudioHeader) {
    guard header.layer == 3 else { return nil }
    if frame.code(at: 36) == UInt32(code: "VBRI") {
      frameCount = Int64(frame.code(at: 36 + 14))
      (priming, remainder, countPlace, delayPlace) = (nil, 0, 36 + 14, nil)
      return
    }
    // Two bytes of a checksum precede the side information, or should.
    let places = [4, header.word >> 16 & 1 == 0 ? 6 : 4].map { $0 + header.sideSize }
    guard
      let place = places.first(where: {
        [UInt32(code: "Xing"), UInt32(code: "Info")].contains(frame.code(at: $0))
      })
    else { return nil }
    let flags = frame.code(at: place + 4)
    countPlace = flags & 1 != 0 && place + 12 <= frame.count ? place + 8 : nil
    frameCount = countPlace.map { Int64(frame.code(at: $0)) }
    // The fields of the flags, then an encoder's name, then its delays in 24 bits.
    let extra =
      place + 8 + (flags & 1 != 0 ? 4 : 0) + (flags & 2 != 0 ? 4 : 0)
      + (flags & 4 != 0 ? 100 : 0) + (flags & 8 != 0 ? 4 : 0)
    guard extra + 24 <= frame.count, frame[extra] != 0 else {
      (priming, remainder, delayPlace) = (nil, 0, nil)
      return
    }
    delayPlace = extra + 21
    let value = Int32(frame.code(at: extra + 20) & 0xFF_FFFF)
    priming = value >> 12 + Self.decoderDelay
    remainder = max(0, value & 0xFFF - Self.decoderDelay)
  }

  /// Makes a silent frame (Info) with the number of frames that follow, the priming and the remainder.
  ///
  /// It has the header of the stream's other frames; nil for layers that have no such frames.
  ///
  /// - Parameters:
  ///   - byteCount: Their bytes.
  ///   - priming: Samples in front that are no sound: at least a decoder's delay.
  ///   - remainder: Samples behind that are no sound.
  package static func bytes(
    before header: MPEGAudioHeader, frameCount: Int, byteCount: Int, priming: Int32,
    remainder: Int32
  ) -> [UInt8]? {
    var frame = silence(before: header)
    let place = 4 + header.sideSize
    guard header.layer == 3, frame.count >= place + 156 else { return nil }
    let delays =
      UInt32(max(0, priming - decoderDelay)) << 12 | UInt32(remainder + decoderDelay) & 0xFFF
    // Frames, bytes, table and quality are all there.
    let fields: [(Int, [UInt8])] = [
      (0, [UInt8](code: UInt32(code: "Info")) + [0, 0, 0, 15]),
      (8, [UInt8](code: UInt32(clamping: frameCount))),
      (12, [UInt8](code: UInt32(clamping: frame.count + byteCount))),
      (16, (0..<100).map { UInt8($0 * 256 / 100) }), (116, [0, 0, 0, 57]),
      (120, Array("LAME3.100".utf8)), (141, Array([UInt8](code: delays).dropFirst())),
    ]
    for (offset, bytes) in fields {
      frame.replaceSubrange(place + offset..<place + offset + bytes.count, with: bytes)
    }
    return frame
  }

  /// A frame of layer 3 without sound, for a stream whose frames have a header.
  package static func silence(before header: MPEGAudioHeader) -> [UInt8] {
    // Without a checksum, and large enough at every rate.
    let word = header.word & ~0xF200 | 0x1_0000 | 9 << 12
    let count = MPEGAudioHeader(word: word)?.byteCount ?? 4
    return [UInt8](code: word) + [UInt8](repeating: 0, count: count - 4)
  }
}
