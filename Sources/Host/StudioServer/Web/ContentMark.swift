// Short names of contents, which differ where the contents do.
// SPDX-License-Identifier: Apache-2.0

/// Names contents for caches of browsers.
enum ContentMark {
  /// A few letters and digits that stand for bytes.
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return String(hash, radix: 36)
  }
}
