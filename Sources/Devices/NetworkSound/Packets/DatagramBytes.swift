// Numbers in datagrams, the highest byte first, read within bounds.
// SPDX-License-Identifier: Apache-2.0

/// A reader of bytes from front to back; nil where there are not so many.
struct DatagramReader {
  private let bytes: ArraySlice<UInt8>
  private var place: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    place = bytes.startIndex
  }

  /// Bytes that were not read yet.
  var left: Int { bytes.endIndex - place }

  /// Reads so many bytes.
  mutating func read(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= left else { return nil }
    defer { place += count }
    return bytes[place..<(place + count)]
  }

  /// Reads a number of the width of its type.
  mutating func number<Number: FixedWidthInteger & UnsignedInteger>(
    _ type: Number.Type
  ) -> Number? {
    read(type.bitWidth / 8)?.reduce(Number(0)) {
      ($0 << 7) << 1 | Number(truncatingIfNeeded: $1)
    }
  }
}

extension [UInt8] {
  /// Adds a number in as many bytes as it has.
  mutating func add(_ number: some FixedWidthInteger & UnsignedInteger) {
    for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
