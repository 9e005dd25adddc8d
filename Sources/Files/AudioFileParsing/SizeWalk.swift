// The start and end of a file's sound by its header, kind by kind.
// SPDX-License-Identifier: Apache-2.0

/// The start and end of a file's sound by its header.
package struct SizeWalk {
  /// Both in bytes; nil where the header has no size.
  package var sound: (start: Int, end: Int)?

  /// Sizes that mean "not known when this was written".
  static func isUnknown(_ size: Int) -> Bool {
    size <= 0 || size >= 0xFFFF_FF00 && size <= 0xFFFF_FFFF
      || size >= 0x7FFF_0000 && size <= 0x7FFF_FFFF
  }

  /// Sound of a size; nothing for no size, or a senseless one.
  package init(start: Int, size: Int) {
    let (end, overflow) = start.addingReportingOverflow(size)
    sound = size <= 0 || overflow ? nil : (start, end)
  }

  /// Nothing known.
  package init() {
    sound = nil
  }

  private static let maximumChunks = 10_000

  /// The chunks of a file, up to its end or to something that is no chunk.
  package static func chunks(
    of stream: FileStream, from start: Int, bigEndian: Bool
  ) -> [(name: String, start: Int, size: Int)] {
    var found: [(name: String, start: Int, size: Int)] = []
    var position = start
    while found.count < maximumChunks {
      let name = stream.bytes(at: position, count: 4)
      guard name.count == 4,
        let size = integer(stream, at: position + 4, bytes: 4, bigEndian: bigEndian)
      else { break }
      found.append((String(decoding: name, as: UTF8.self), position + 8, size))
      position += 8 + size + (size & 1)
    }
    return found
  }

  /// A number of some bytes at an offset; nil where the file ends before.
  package static func integer(
    _ stream: FileStream, at offset: Int, bytes: Int, bigEndian: Bool
  ) -> Int? {
    let read = stream.bytes(at: offset, count: bytes)
    guard read.count == bytes else { return nil }
    var value: UInt = 0
    for byte in bigEndian ? read : read.reversed() { value = value << 8 | UInt(byte) }
    return Int(truncatingIfNeeded: value)
  }
}
