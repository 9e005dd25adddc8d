// The checksum that a FLAC file has of its sound, compared with the sound that was decoded.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem

/// Follows the samples of a FLAC file from its first to its last, for the MD5 in its header.
package struct FLACChecksum {
  private let expected: [UInt8]
  private let bits: Int32
  private let frameCount: Int
  private let channelCount: Int
  private var digest = AuricleSampleDigest()
  private var used = 0

  /// Nil for other files, and for those without a checksum or with samples of other sizes than 8, 16
  /// and 24 bits.
  package init?(_ stream: FileStream, frameCount: Int?) {
    // The mark, a header of four bytes, and the first block: STREAMINFO, 34 bytes.
    let bytes = stream.bytes(at: 0, count: 42)
    guard let frameCount, frameCount > 0, bytes.count == 42,
      bytes[0..<4].elementsEqual("fLaC".utf8), bytes[4] & 0x7F == 0
    else { return nil }
    let info = Array(bytes[8...])
    bits = Int32(info[12] & 1) << 4 + Int32(info[13] >> 4) + 1
    channelCount = Int(info[12] >> 1 & 7) + 1
    self.frameCount = frameCount
    expected = Array(info[18..<34])
    guard [8, 16, 24].contains(bits), expected.contains(where: { $0 != 0 }) else { return nil }
    unsafe AuricleSampleDigestBegin(&digest)
  }

  /// Adds the next frames, channels in turn.
  package mutating func update(_ samples: UnsafePointer<Float>, frameCount count: Int) {
    used += count
    unsafe AuricleSampleDigestAdd(&digest, samples, count * channelCount, bits)
  }

  /// The damage, once all frames were added; nil before, and for none.
  package mutating func problem() -> String? {
    guard used == frameCount else { return nil }
    var found = [UInt8](repeating: 0, count: 16)
    unsafe AuricleSampleDigestEnd(&digest, &found)
    return found == expected ? nil : "its sound does not match its checksum (MD5)"
  }
}
