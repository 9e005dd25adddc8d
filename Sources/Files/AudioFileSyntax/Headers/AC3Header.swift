// The header of a frame of AC-3 and of Enhanced AC-3.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// The first eight bytes of a frame of Dolby's.
package struct AC3Header {
  /// Bytes that are needed of a frame.
  package static let size = 8
  /// Frames that a decoder is late by: they are no sound.
  package static let priming: Int32 = 256

  /// Whether it is one of Enhanced AC-3.
  package let isEnhanced: Bool
  /// The frame's length with its header.
  package let byteCount: Int
  /// Whether the frame extends the one in front of it.
  package let isExtension: Bool
  private let bytes: [UInt8]

  private static let rates: [Double] = [48000, 44100, 32000]
  /// Kilobits a second by half the size code.
  private static let bitRates = [
    32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
  ]
  private static let channelCounts: [UInt32] = [2, 1, 2, 3, 3, 4, 4, 5]

  /// Reads a header; nil where none is.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= 6, bytes[0] == 0x0B, bytes[1] == 0x77, bytes[5] >> 3 <= 16 else {
      return nil
    }
    self.bytes = bytes
    isEnhanced = bytes[5] >> 3 > 10
    guard !isEnhanced else {
      byteCount = 2 * ((Int(bytes[2] & 7) << 8 | Int(bytes[3])) + 1)
      // The first stream begins a packet; others and dependent ones belong to it.
      let (kind, number) = (bytes[2] >> 6, bytes[2] >> 3 & 7)
      isExtension = kind == 1 || kind == 0 && number > 0
      guard kind < 3, byteCount > 6 else { return nil }
      return
    }
    let (rate, size) = (Int(bytes[4] >> 6), Int(bytes[4] & 0x3F))
    guard rate < 3, size / 2 < Self.bitRates.count else { return nil }
    let bits = Self.bitRates[size / 2]
    byteCount =
      switch rate {
      case 0: bits * 4
      case 1: (bits * 96_000 / 44_100 + size & 1) * 2
      default: bits * 6
      }
    isExtension = false
  }

  /// The format of packets that begin so; nil for one that makes no sense.
  package var format: AudioStreamBasicDescription? {
    guard bytes.count >= Self.size else { return nil }
    var format = AudioStreamBasicDescription()
    format.mFormatID = isEnhanced ? kAudioFormatEnhancedAC3 : kAudioFormatAC3
    guard isEnhanced else {
      format.mSampleRate = Self.rates[Int(bytes[4] >> 6)]
      format.mFramesPerPacket = 1536
      format.mChannelsPerFrame = Self.channelCounts[Int(bytes[6] >> 5)] + (hasLowChannel ? 1 : 0)
      return format
    }
    let (code, half) = (Int(bytes[4] >> 6), Int(bytes[4] >> 4 & 3))
    guard code < 3 || half < 3 else { return nil }
    format.mSampleRate = code < 3 ? Self.rates[code] : Self.rates[half] / 2
    format.mFramesPerPacket = 256 * (code < 3 ? [1, 2, 3, 6][half] : 6)
    format.mChannelsPerFrame =
      Self.channelCounts[Int(bytes[4] >> 1 & 7)] + UInt32(bytes[4] & 1)
    return format
  }

  /// Whether a plain frame has a channel for the lowest tones.
  package var hasLowChannel: Bool {
    let mode = bytes[6] >> 5
    // Levels of centre, surround and matrix precede its bit.
    var bit = 3
    if mode & 1 != 0, mode != 1 { bit += 2 }
    if mode & 4 != 0 { bit += 2 }
    if mode == 2 { bit += 2 }
    let word = UInt16(bytes[6]) << 8 | UInt16(bytes[7])
    return word >> UInt16(15 - bit) & 1 == 1
  }
}
