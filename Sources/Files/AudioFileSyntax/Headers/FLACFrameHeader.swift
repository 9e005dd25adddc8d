// The header of a frame of FLAC.
// SPDX-License-Identifier: Apache-2.0

/// The header of a frame of FLAC, proven by its checksum.
package struct FLACFrameHeader {
  /// Samples a channel.
  package let frames: UInt32
  /// The frame's number, or that of its first sample where block sizes vary.
  package let number: UInt64

  /// Reads a header at a place of a store; nil when there is none.
  package init?(_ bytes: BufferedStore, _ offset: Int64) throws(AudioFileFailure) {
    self.init(try bytes.bytes(at: offset, count: 16))
  }

  /// Reads the header that bytes begin with; nil when there is none.
  package init?(_ head: [UInt8]) {
    guard head.count >= 6, head[0] == 0xFF, head[1] & 0xFE == 0xF8, head[2] & 15 != 15,
      head[2] >> 4 != 0, head[3] & 1 == 0
    else { return nil }
    // The number is written like a long character of UTF-8.
    let more = head[4] < 0x80 ? 0 : (~head[4]).leadingZeroBitCount - 1
    guard more >= 0, more < 7, 5 + more < head.count else { return nil }
    var number = more == 0 ? UInt64(head[4]) : UInt64(head[4] & (0x3F >> UInt8(more)))
    for index in 0..<more {
      guard head[5 + index] & 0xC0 == 0x80 else { return nil }
      number = number << 6 | UInt64(head[5 + index] & 0x3F)
    }
    var position = 5 + more
    let size = head[2] >> 4
    switch size {
    case 1: frames = 192
    case 2...5: frames = 576 << UInt32(size - 2)
    case 6:
      guard position < head.count else { return nil }
      frames = UInt32(head[position]) + 1
      position += 1
    case 7:
      guard position + 1 < head.count else { return nil }
      frames = UInt32(head[position]) << 8 + UInt32(head[position + 1]) + 1
      position += 2
    default: frames = 256 << UInt32(size - 8)
    }
    let rate = head[2] & 15
    position += rate == 12 ? 1 : rate > 12 ? 2 : 0
    guard position < head.count, Self.checksum(head[..<position]) == head[position] else {
      return nil
    }
    self.number = number
  }

  /// The sum of eight bits over a header.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt8 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ byte) { value, _ in value & 0x80 != 0 ? value << 1 ^ 7 : value << 1 }
    }
  }
}
