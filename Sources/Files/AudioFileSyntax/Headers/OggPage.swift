// Pages of Ogg: a header with the lengths of parts of packets, and their bytes.
// SPDX-License-Identifier: Apache-2.0

/// The header of a page, and how one is written.
package struct OggPage {
  /// Bytes of a header in front of the lengths.
  package static let headSize = 27
  /// The bits of 'continued', 'first' and 'last' in the flags.
  package static let continued: UInt8 = 1
  /// The first page of a stream.
  package static let first: UInt8 = 2
  /// The last page of a stream.
  package static let last: UInt8 = 4

  /// The kind of the page.
  package let flags: UInt8
  /// The position of the sound behind the last packet that ends here; -1 when none does, and for
  /// impossible lengths.
  package let granule: Int64
  /// Serial number of the page's stream.
  package let serial: UInt32
  /// The number of the page.
  package let sequence: UInt32
  /// The number of lengths that follow.
  package let segmentCount: Int

  /// Reads a header without its lengths; nil when it is none.
  package init?(_ head: [UInt8]) {
    guard head.count >= Self.headSize, head.code(at: 0) == UInt32(code: "OggS"), head[4] == 0
    else { return nil }
    var reader = ByteReader(head[5..<Self.headSize], bigEndian: false)
    flags = reader.u8()
    let position = reader.s64()
    granule = (0..<1 << 60).contains(position) ? position : -1
    serial = reader.u32()
    sequence = reader.u32()
    reader.skip(4)
    segmentCount = Int(reader.u8())
  }

  /// The bytes of a page.
  package static func bytes(
    flags: UInt8, granule: Int64, serial: UInt32, sequence: UInt32, segments: [UInt8],
    body: some Collection<UInt8>
  ) -> [UInt8] {
    var writer = ByteWriter(bigEndian: false)
    writer.put(bytes: Array("OggS".utf8) + [0, flags])
    writer.put(granule)
    writer.put(serial)
    writer.put(sequence)
    writer.put(UInt32(0))
    writer.put(UInt8(segments.count))
    writer.put(bytes: segments)
    writer.put(bytes: body)
    var page = writer.bytes
    let sum = checksum(page)
    for index in 0..<4 { page[22 + index] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * index)) }
    return page
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index) << 24) { value, _ in
      value & 0x8000_0000 != 0 ? value << 1 ^ 0x04C1_1DB7 : value << 1
    }
  }

  /// The sum of 32 bits over bytes, behind others that have a sum.
  package static func checksum(_ bytes: [UInt8], from start: UInt32 = 0) -> UInt32 {
    let table = table
    return bytes.reduce(start) { $0 << 8 ^ table[Int($0 >> 24) ^ Int($1)] }
  }
}
