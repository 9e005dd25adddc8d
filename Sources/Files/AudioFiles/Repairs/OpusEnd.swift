// The end of Ogg Opus: encoded with silence behind the sound, and cut off where the sound ends.
// SPDX-License-Identifier: Apache-2.0

import AudioFileParsing
import Glibc

/// Makes files of Ogg Opus end with their sound.
///
/// The file library fills its last packet with bytes of its buffer, which sound as a click. So
/// silence is written behind the sound, and the packets without anything else are removed again.
enum OpusEnd {
  /// The frames of silence to write behind the sound: more than a packet and the encoder's delay.
  static func silence(behind frameCount: Int, _ format: AudioFileFormat) -> Int {
    // An empty file remains so.
    format.container == .opus && frameCount > 0 ? Int(format.sampleRate) / 10 : 0
  }

  /// Removes the pages behind the packet in which the sound ends, and writes the length; the
  /// checksum of the page is left to `makeSerialReproducible`.
  ///
  /// Returns 0, or an error number.
  static func cut(_ stream: FileStream, _ format: AudioFileFormat, frameCount: Int) -> Int32 {
    guard silence(behind: frameCount, format) > 0 else { return 0 }
    let pages = OggPages(stream)
    // Positions count samples at 48 kHz, for any sample rate, from the encoder's delay on.
    let length = frameCount * 48_000 / Int(format.sampleRate)
    var end = Int.max
    var position = 0
    var packetCount = 0
    var start: [UInt8] = []
    var offset = 0
    while case .page(let page) = pages.page(at: offset) {
      let segmentCount = Int(page.bytes[26])
      var place = 27 + segmentCount
      for segment in 0..<segmentCount {
        let size = Int(page.bytes[27 + segment])
        // Packets are known by their first bytes; a page may begin within one.
        if start.count < 12 { start += page.bytes[place..<place + min(size, 12)] }
        place += size
        guard size < 255 else { continue }
        packetCount += 1
        // The first contains the delay, the second the texts.
        if packetCount == 1, start.count >= 12 {
          end = length + Int(start[10]) + Int(start[11]) << 8
        }
        if packetCount > 2 { position += duration(ofPacket: start) }
        start = []
        guard position >= end else { continue }
        return close(page, segments: segment + 1, size: place, position: end, stream)
      }
      offset += page.bytes.count
    }
    return stream.failure == 0 ? EIO : stream.failure
  }

  /// Makes a page the last one, with some of its segments, which end at a place.
  private static func close(
    _ page: OggPages.Page, segments: Int, size: Int, position: Int, _ stream: FileStream
  ) -> Int32 {
    var last = page
    last.bytes[5] |= 4
    last.bytes[26] = UInt8(segments)
    last.setWord(6, UInt32(truncatingIfNeeded: position))
    last.setWord(10, UInt32(truncatingIfNeeded: position >> 32))
    last.bytes.removeSubrange(size...)
    last.bytes.removeSubrange(27 + segments..<27 + Int(page.bytes[26]))
    _ = stream.seek(page.offset, SEEK_SET)
    let written = unsafe last.bytes.withUnsafeBytes { bytes in
      unsafe bytes.baseAddress.map { unsafe stream.write(from: $0, bytes.count) }
    }
    guard written == last.bytes.count else { return stream.failure == 0 ? EIO : stream.failure }
    let length = page.offset + last.bytes.count
    guard ftruncate(stream.descriptor, off_t(length)) == 0 else { return errno }
    stream.setLength(length)
    return 0
  }

  /// The number of samples at 48 kHz of a packet, by its first bytes (RFC 6716, 3.1).
  private static func duration(ofPacket bytes: [UInt8]) -> Int {
    guard let first = bytes.first else { return 0 }
    let kind = Int(first >> 3)
    let frame =
      switch kind {
      case 0..<12: [480, 960, 1920, 2880][kind & 3]
      case 12..<16: [480, 960][kind & 1]
      default: [120, 240, 480, 960][kind & 3]
      }
    switch first & 3 {
    case 0: return frame
    case 1, 2: return 2 * frame
    default: return bytes.count > 1 ? Int(bytes[1] & 63) * frame : 0
    }
  }
}
