// The checksum that LAME and FFmpeg put into the first frame of an MP3 file, compared with the sound.
// SPDX-License-Identifier: Apache-2.0

import AudioFileParsing

/// The checksum of the sound in an information frame.
///
/// Frames of MP3 carry no checksum of their own as a rule, and decoders play damaged ones as noise.
struct MP3Checksum {
  /// Start and end of the frames with sound.
  private let start: Int
  private let end: Int
  private let expected: UInt16

  /// Reads the information frame of a file; nil when it has no checksum, or a wrong one of itself.
  init?(_ stream: FileStream, frameAt offset: Int, size: Int) {
    let frame = stream.bytes(at: offset, count: min(size, 512))
    guard
      let tag = frame.firstRange(of: Array("Info".utf8))
        ?? frame.firstRange(of: Array("Xing".utf8)),
      tag.lowerBound <= 40, frame.count >= tag.lowerBound + 156
    else { return nil }
    // Frames, bytes, table and quality are all there: only then the rest is in its place.
    guard frame[tag.lowerBound + 7] & 0x0F == 0x0F else { return nil }
    let extra = tag.lowerBound + 120
    let name = frame[extra..<extra + 4]
    guard ["LAME", "Lavf", "Lavc"].contains(where: { name.elementsEqual($0.utf8) }) else {
      return nil
    }
    func number(_ index: Int, _ count: Int) -> Int {
      frame[index..<index + count].reduce(0) { $0 << 8 | Int($1) }
    }
    // LAME counts up to here, FFmpeg 190 bytes in any case.
    let stored = UInt16(number(extra + 34, 2))
    let ends = [extra + 34, 190].filter { $0 <= frame.count }
    let length = number(extra + 28, 4)
    guard ends.contains(where: { Self.checksum(of: frame[..<$0], from: 0) == stored }),
      length > size
    else { return nil }
    start = offset + size
    end = offset + length
    expected = UInt16(number(extra + 32, 2))
  }

  /// Compares the sound with the checksum; returns the damage, as the end of a sentence.
  ///
  /// `soundEnd` is the end of the frames. A program that changes the loudness in every frame
  /// (mp3gain) leaves a note behind the sound and the checksum as it was.
  func problem(_ stream: FileStream, soundEnd: Int) -> String? {
    guard end <= stream.length, abs(end - soundEnd) <= 1 else { return nil }
    let trailer = stream.bytes(at: end, count: 8_192)
    guard trailer.firstRange(of: Array("MP3GAIN".utf8)) == nil else { return nil }
    var value: UInt16 = 0
    var position = start
    while position < end {
      let bytes = stream.bytes(at: position, count: min(1 << 16, end - position))
      guard !bytes.isEmpty else { return nil }
      value = Self.checksum(of: bytes[...], from: value)
      position += bytes.count
    }
    return value == expected ? nil : "its sound does not match the checksum in its first frame"
  }

  private static let table: [UInt16] = (0..<256).map { index in
    (0..<8).reduce(UInt16(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xA001 : value >> 1 }
  }

  /// Goes on with a checksum over more bytes.
  static func checksum(of bytes: ArraySlice<UInt8>, from start: UInt16) -> UInt16 {
    let table = table
    var value = start
    for byte in bytes { value = value >> 8 ^ table[Int((value ^ UInt16(byte)) & 0xFF)] }
    return value
  }
}
