// Channel layouts as the bytes of an AudioChannelLayout, and as containers store them.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// Makes and reads the bytes of a layout: tag, bitmap, number of descriptions, 20 bytes each.
package enum ChannelLayoutBytes {
  private static let headSize = 12
  private static let descriptionSize = 20

  /// A layout of a bitmap of loudspeakers.
  package static func bitmap(_ mask: UInt32) -> [UInt8] {
    make(tag: kAudioChannelLayoutTag_UseChannelBitmap, bitmap: mask)
  }

  /// A layout with a tag.
  package static func tag(_ tag: UInt32) -> [UInt8] { make(tag: tag, bitmap: 0) }

  private static func make(tag: UInt32, bitmap: UInt32) -> [UInt8] {
    var writer = ByteWriter(bigEndian: false)
    writer.put(tag)
    writer.put(bitmap)
    writer.put(UInt32(0))
    return writer.bytes
  }

  /// Whether bytes are a layout of a number of channels, as far as that can be seen without tables.
  package static func isValid(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= headSize else { return false }
    var reader = ByteReader(bytes.dropFirst(8), bigEndian: false)
    return bytes.count >= headSize + Int(reader.u32()) * descriptionSize
  }

  /// The layout's bytes without those behind it.
  package static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
    var reader = ByteReader(bytes.dropFirst(8), bigEndian: false)
    return Array(bytes.prefix(headSize + Int(reader.u32()) * descriptionSize))
  }

  /// The loudspeakers of a layout as WAVE names them; nil when they cannot be said so.
  package static func mask(_ layout: [UInt8]) -> UInt32? {
    var reader = ByteReader(layout, bigEndian: false)
    let (tag, bitmap) = (reader.u32(), reader.u32())
    return switch tag {
    case kAudioChannelLayoutTag_UseChannelBitmap: bitmap
    case kAudioChannelLayoutTag_Mono: 0x4
    case kAudioChannelLayoutTag_Stereo: 0x3
    case kAudioChannelLayoutTag_Quadraphonic: 0x33
    case kAudioChannelLayoutTag_MPEG_5_0_A: 0x37
    case kAudioChannelLayoutTag_MPEG_5_1_A: 0x3F
    case kAudioChannelLayoutTag_MPEG_7_1_A: 0xFF
    default: nil
    }
  }

  /// The layout with its numbers in the other order: as CAF and AIFF store it.
  ///
  /// All numbers are 32 bits wide, floats too. Reading and writing are the same.
  package static func swapped(_ layout: [UInt8]) -> [UInt8] {
    stride(from: 0, to: layout.count / 4 * 4, by: 4).flatMap { layout[$0..<($0 + 4)].reversed() }
  }
}
