// Numbers of the network, the highest byte first, read within bounds.
// SPDX-License-Identifier: Apache-2.0

/// Reads bytes from front to back; nil where there are not so many.
struct NetworkReader {
  private let bytes: ArraySlice<UInt8>
  private(set) var place: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    place = bytes.startIndex
  }

  var left: Int { bytes.endIndex - place }
  /// The byte at hand.
  var next: UInt8? { left > 0 ? bytes[place] : nil }

  mutating func byte() -> UInt8? {
    guard left > 0 else { return nil }
    defer { place += 1 }
    return bytes[place]
  }

  mutating func read(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= left else { return nil }
    defer { place += count }
    return bytes[place..<(place + count)]
  }

  /// A number of so many bytes, at most eight.
  mutating func number(_ count: Int) -> UInt64? {
    read(count)?.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
  }

  mutating func number16() -> UInt16? { number(2).map(UInt16.init(truncatingIfNeeded:)) }
  mutating func number32() -> UInt32? { number(4).map(UInt32.init(truncatingIfNeeded:)) }
}

extension [UInt8] {
  /// Adds a number in as many bytes as it has.
  mutating func add(_ number: some FixedWidthInteger & UnsignedInteger) {
    for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
