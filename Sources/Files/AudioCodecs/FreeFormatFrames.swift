// Frames of MPEG layer 3 at a free bit rate, as frames at one of the table.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax

/// Rewrites frames of a free bit rate so that decoders without it read them: the samples are the same.
///
/// A frame's samples may begin in the frames before it, and be more than a frame of the table has room for. So each gets
/// its own in a frame of the highest bit rate, and the room left in the frame before it: that one comes when the next is
/// known.
struct FreeFormatFrames {
  /// A frame that waits for the next one.
  private struct Frame {
    var header: [UInt8]
    var side: [UInt8]
    var samples: [UInt8]
    /// Bytes behind the header and the side information.
    var room: Int
  }

  /// The latest bytes of samples, as many as a frame can refer to.
  private var reservoir: [UInt8] = []
  private var waiting: Frame?
  /// The most bytes in front of a frame that its samples begin at.
  private static let reach = 511

  /// Returns the frame before this one at a bit rate of the table, empty for none; nil for a frame that has such a rate.
  mutating func plain(_ packet: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let header = unsafe MPEGAudioHeader(packet.prefix(4)), header.isFree, header.layer == 3
    else { return nil }
    let start = 4 + (header.word >> 16 & 1 == 0 ? 2 : 0)
    guard packet.count >= start + header.sideSize else { return nil }
    let side = unsafe Array(packet[start..<start + header.sideSize])
    let all = unsafe reservoir + packet[(start + header.sideSize)...]
    let fields = SideFields(side, header)
    let first = reservoir.count - fields.begin
    reservoir = all.suffix(Self.reach)
    // Without a checksum and without padding, at the highest bit rate.
    let word = header.word & ~0xF200 | 0x1_0000 | 14 << 12
    let size = MPEGAudioHeader(word: word)?.byteCount ?? 0
    var frame = Frame(
      header: [UInt8](code: word), side: side, samples: [], room: size - 4 - side.count)
    if first >= 0, first + fields.byteCount <= all.count {
      frame.samples = Array(all[first..<first + fields.byteCount])
    }
    let surplus = max(0, frame.samples.count - frame.room)
    let free = min(waiting.map { $0.room - $0.samples.count } ?? 0, SideFields.reach(header))
    if frame.samples.isEmpty || surplus > free {
      // Frames in front are missing, or there is no room: silence.
      frame.side = [UInt8](repeating: 0, count: side.count)
      frame.samples = []
      return emit(frame, header, lending: 0)
    }
    return emit(frame, header, lending: surplus)
  }

  /// Returns the frame that waits, and clears it; nil for none.
  mutating func last() -> [UInt8]? {
    defer { waiting = nil }
    return waiting.map(Self.bytes)
  }

  /// Puts the first samples of a frame into the room of the one before, which is returned.
  private mutating func emit(_ frame: Frame, _ header: MPEGAudioHeader, lending count: Int)
    -> [UInt8]
  {
    var (before, frame) = (waiting, frame)
    if var lender = before, count > 0 {
      let filler = lender.room - lender.samples.count - count
      lender.samples += [UInt8](repeating: 0, count: filler) + frame.samples.prefix(count)
      frame.samples.removeFirst(count)
      before = lender
    }
    SideFields.setBegin(&frame.side, count, header)
    waiting = frame
    return before.map(Self.bytes) ?? []
  }

  private static func bytes(_ frame: Frame) -> [UInt8] {
    frame.header + frame.side + frame.samples
      + [UInt8](repeating: 0, count: frame.room - frame.samples.count)
  }
}

/// The fields of a frame's side information that say where its samples are.
private struct SideFields {
  /// Bytes in front of the frame's own.
  let begin: Int
  /// Bytes of samples.
  let byteCount: Int

  init(_ side: [UInt8], _ header: MPEGAudioHeader) {
    var place = 0
    func read(_ count: Int) -> Int {
      var value = 0
      for _ in 0..<count {
        value = value << 1 | Int(side[place / 8] >> UInt8(7 - place % 8) & 1)
        place += 1
      }
      return value
    }
    let isFirst = Self.isFirst(header)
    let channels = Int(header.channelCount)
    begin = read(isFirst ? 9 : 8)
    // Private bits, and of MPEG-1 those of shared scale factors.
    place += isFirst ? (channels == 1 ? 5 : 3) + 4 * channels : channels
    var bits = 0
    for _ in 0..<channels * (isFirst ? 2 : 1) {
      bits += read(12)
      place += isFirst ? 47 : 51
    }
    byteCount = (bits + 7) / 8
  }

  private static func isFirst(_ header: MPEGAudioHeader) -> Bool { header.word >> 19 & 3 == 3 }

  /// The most bytes in front of a frame that its field of them reaches.
  static func reach(_ header: MPEGAudioHeader) -> Int { isFirst(header) ? 511 : 255 }

  /// Makes the samples begin so many bytes in front of the frame.
  static func setBegin(_ side: inout [UInt8], _ count: Int, _ header: MPEGAudioHeader) {
    if isFirst(header) {
      side[0] = UInt8(truncatingIfNeeded: count >> 1)
      side[1] = side[1] & 0x7F | UInt8(truncatingIfNeeded: (count & 1) << 7)
    } else {
      side[0] = UInt8(truncatingIfNeeded: count)
    }
  }
}
