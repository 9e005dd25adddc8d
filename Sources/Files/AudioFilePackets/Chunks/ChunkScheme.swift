// The headers of chunks in a family of containers: RIFF, IFF, CAF, Wave64.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax

/// The layout of chunks in a family of containers: code, size, and padding.
enum ChunkScheme {
  case riff, rifx, iff, caf, wave64

  /// Bytes in front of a body.
  var headerSize: Int64 {
    switch self {
    case .riff, .rifx, .iff: 8
    case .caf: 12
    case .wave64: 24
    }
  }

  /// A body is followed by zeros up to a multiple of this.
  var alignment: Int64 {
    switch self {
    case .riff, .rifx, .iff: 2
    case .caf: 1
    case .wave64: 8
    }
  }

  var isBigEndian: Bool { self != .riff && self != .wave64 }

  /// The code of chunks that hold nothing.
  var fillerCode: UInt32 {
    switch self {
    case .riff, .rifx: .init(code: "JUNK")
    case .iff: .init(code: "FLLR")
    case .caf: .init(code: "free")
    case .wave64: .init(code: "junk")
    }
  }

  /// Whether chunks of a code hold nothing.
  func isFiller(_ code: UInt32) -> Bool {
    code == fillerCode
      || self == .riff && (code == UInt32(code: "FLLR") || code == UInt32(code: "PAD "))
  }

  /// The longest body that a header can say.
  var maximumSize: Int64 {
    switch self {
    case .riff, .rifx, .iff: 0xFFFF_FFFF
    case .caf, .wave64: .max
    }
  }

  func padded(_ byteCount: Int64) -> Int64 {
    (byteCount + alignment - 1) / alignment * alignment
  }

  /// The end of all codes of Wave64 but the first.
  private static let wave64Tail: [UInt8] = [
    0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A,
  ]

  /// The 16 bytes that represent a code in Wave64.
  static func wave64Code(_ code: UInt32) -> [UInt8] { [UInt8](code: code) + wave64Tail }

  /// Writes a header; `byteCount` may be -1 where the scheme knows that as not yet known.
  func header(_ code: UInt32, _ byteCount: Int64) -> [UInt8] {
    var writer = ByteWriter(bigEndian: isBigEndian)
    switch self {
    case .riff, .rifx, .iff:
      writer.put(bytes: [UInt8](code: code))
      writer.put(UInt32(truncatingIfNeeded: byteCount))
    case .caf:
      writer.put(bytes: [UInt8](code: code))
      writer.put(byteCount)
    case .wave64:
      writer.put(bytes: Self.wave64Code(code))
      writer.put(byteCount + headerSize)
    }
    return writer.bytes
  }

  /// Whether bytes may be the header of a chunk in `room` bytes.
  func isHeader(_ bytes: [UInt8], room: Int64) -> Bool {
    guard let (_, count) = parse(bytes), count >= 0, count <= room - headerSize + alignment else {
      return false
    }
    return bytes.prefix(4).allSatisfy { (0x20...0x7E).contains($0) }
  }

  /// Reads a header; nil when there are not enough bytes, or the size is impossible.
  func parse(_ bytes: [UInt8]) -> (code: UInt32, byteCount: Int64)? {
    guard bytes.count >= headerSize else { return nil }
    let code = bytes.code(at: 0)
    var reader = ByteReader(bytes.dropFirst(self == .wave64 ? 16 : 4), bigEndian: isBigEndian)
    switch self {
    case .riff, .rifx, .iff: return (code, Int64(reader.u32()))
    case .caf:
      let count = reader.s64()
      return count >= -1 ? (code, count) : nil
    case .wave64:
      guard Array(bytes[4..<16]) == Self.wave64Tail else { return (0, reader.s64() - headerSize) }
      let count = reader.s64()
      // A size of -1, or of less than its header, is one that nobody knew.
      guard count >= -1 else { return nil }
      return (code, count >= headerSize ? count - headerSize : -1)
    }
  }
}
