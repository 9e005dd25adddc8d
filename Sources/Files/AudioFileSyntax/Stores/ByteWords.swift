// Numbers in bytes, in either order.
// SPDX-License-Identifier: Apache-2.0

/// Reads numbers out of bytes; behind the end there are zeros, and `isPastEnd` says so.
package struct ByteReader {
  private let bytes: [UInt8]
  /// The index of the next byte.
  package private(set) var position = 0
  private let isBigEndian: Bool
  /// Whether more was read than there is.
  package private(set) var isPastEnd = false

  /// Reads bytes from the first on.
  package init(_ bytes: some Sequence<UInt8>, bigEndian: Bool) {
    self.bytes = Array(bytes)
    isBigEndian = bigEndian
  }

  /// The number of bytes that are left.
  package var remaining: Int { max(0, bytes.count - position) }

  /// Passes over bytes.
  package mutating func skip(_ count: Int) { position += count }

  /// Goes on at an index.
  package mutating func seek(_ offset: Int) { position = offset }

  /// The next bytes; none when there are fewer.
  package mutating func bytes(_ count: Int) -> [UInt8] {
    guard position >= 0, count >= 0, count <= remaining else {
      isPastEnd = true
      position = bytes.count
      return []
    }
    defer { position += count }
    return Array(bytes[position..<(position + count)])
  }

  /// The next number.
  package mutating func integer<Number: FixedWidthInteger>(
    _ type: Number.Type = Number.self
  ) -> Number {
    let size = Number.bitWidth / 8
    guard position >= 0, size <= remaining else {
      isPastEnd = true
      position = bytes.count
      return 0
    }
    var value: UInt64 = 0
    for index in 0..<size {
      let byte = bytes[position + (isBigEndian ? index : size - 1 - index)]
      value = value << 8 | UInt64(byte)
    }
    position += size
    return Number(truncatingIfNeeded: value)
  }

  /// The next number of 8 bits.
  package mutating func u8() -> UInt8 { integer() }
  /// The next number of 16 bits.
  package mutating func u16() -> UInt16 { integer() }
  /// The next number of 32 bits.
  package mutating func u32() -> UInt32 { integer() }
  /// The next number of 64 bits.
  package mutating func u64() -> UInt64 { integer() }
  /// The next number of 32 bits with a sign.
  package mutating func s32() -> Int32 { integer() }
  /// The next number of 64 bits with a sign.
  package mutating func s64() -> Int64 { integer() }
  /// The next float of 64 bits.
  package mutating func double() -> Double { Double(bitPattern: u64()) }
  /// The next float of 32 bits.
  package mutating func float() -> Float { Float(bitPattern: u32()) }
}

/// Builds bytes.
package struct ByteWriter {
  /// The bytes that were put so far.
  package private(set) var bytes: [UInt8] = []
  private let isBigEndian: Bool

  /// Begins with nothing.
  package init(bigEndian: Bool) { isBigEndian = bigEndian }

  /// Adds a number.
  package mutating func put(_ value: some FixedWidthInteger) {
    let size = value.bitWidth / 8
    for index in 0..<size {
      let shift = 8 * (isBigEndian ? size - 1 - index : index)
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  /// Adds a float of 64 bits.
  package mutating func put(_ value: Double) { put(value.bitPattern) }
  /// Adds a float of 32 bits.
  package mutating func put(_ value: Float) { put(value.bitPattern) }
  /// Adds bytes.
  package mutating func put(bytes more: some Sequence<UInt8>) { bytes += more }
}

extension [UInt8] {
  /// The bytes of a four-character code.
  package init(code: UInt32) {
    self = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
  }

  /// The four-character code at an offset; 0 behind the end.
  package func code(at offset: Int) -> UInt32 {
    guard offset >= 0, offset + 4 <= count else { return 0 }
    return self[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }
}

extension UInt32 {
  /// A four-character code, of four ASCII characters.
  package init(code text: StaticString) {
    self = unsafe UnsafeBufferPointer(
      start: text.utf8Start, count: Swift.min(4, text.utf8CodeUnitCount)
    )
    .reduce(0) { $0 << 8 | UInt32($1) }
  }
}
