// The length of Creative voice files with one byte a sample, which the library writes one too long.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Corrects the length in the only block of a Creative voice file.
package enum VoiceLength {
  /// The block's header beside its size: sample rate, bits, channels, encoding, and four spare bytes.
  private static let headerSize = 12

  /// Leaves the end mark, which the library counts as a sample, out of a block of `frameCount` bytes.
  package static func correct(_ stream: FileStream, frameCount: Int) {
    guard let start = SizeWalk.integer(stream, at: 20, bytes: 2, bigEndian: false),
      stream.bytes(at: start, count: 1) == [9],
      let size = SizeWalk.integer(stream, at: start + 1, bytes: 3, bigEndian: false),
      size == headerSize + frameCount + 1
    else { return }
    var bytes = [0, 8, 16].map { UInt8((size - 1) >> $0 & 0xFF) }
    _ = stream.seek(start + 1, SEEK_SET)
    _ = unsafe stream.write(from: &bytes, bytes.count)
  }
}
