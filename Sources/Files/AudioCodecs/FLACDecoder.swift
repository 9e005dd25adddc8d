// Packets of FLAC into samples by the library that made the format, which is half as fast again as others.
// SPDX-License-Identifier: Apache-2.0

import CFLAC

/// A decoder of FLAC's packets.
@safe final class FLACDecoder {
  /// Frames that a packet became: interleaved samples, there until the next.
  @safe struct Frames {
    let samples: UnsafeRawPointer
    let count: Int
    let channelCount: UInt32
    let sampleRate: Double
  }

  /// Whether samples have more than 16 bits, and are in the high bits of 32.
  let isWide: Bool
  private let decoder: OpaquePointer

  /// Opens a decoder for packets of a stream; nil without its first block of metadata, or without the library.
  init?(_ streamInfo: [UInt8]) {
    guard streamInfo.count == 34, let opened = unsafe AuricleFLACOpen(streamInfo) else {
      return nil
    }
    unsafe decoder = opened
    isWide = (streamInfo[12] & 1) << 4 | streamInfo[13] >> 4 > 15
  }

  deinit { unsafe AuricleFLACClose(decoder) }

  /// Decodes a packet; nil for damage.
  func decode(_ packet: UnsafeRawBufferPointer) -> Frames? {
    var (samples, channels, rate): (UnsafeRawPointer?, UInt32, Double) = (nil, 0, 0)
    let start = unsafe packet.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let count = unsafe AuricleFLACDecode(decoder, start, packet.count, &samples, &channels, &rate)
    guard count >= 0, let samples = unsafe samples else { return nil }
    return unsafe Frames(
      samples: samples, count: Int(count), channelCount: channels, sampleRate: rate)
  }
}
