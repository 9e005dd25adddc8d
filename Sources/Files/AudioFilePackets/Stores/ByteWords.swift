// Numbers in bytes, in either order.
// SPDX-License-Identifier: Apache-2.0

/// Reads numbers out of bytes; behind the end there are zeros, and `isPastEnd` says so.
struct ByteReader {
  private let bytes: ArraySlice<UInt8>
  private(set) var position: Int
  let isBigEndian: Bool
  private(set) var isPastEnd = false

  init(_ bytes: some Sequence<UInt8>, bigEndian: Bool) {
    self.bytes = Array(bytes)[...]
    position = 0
    isBigEndian = bigEndian
  }

  var remaining: Int { max(0, bytes.count - position) }

  mutating func skip(_ count: Int) { position += count }

  mutating func seek(_ offset: Int) { position = offset }

  mutating func bytes(_ count: Int) -> [UInt8] {
    guard count >= 0, count <= remaining else {
      isPastEnd = true
      position = bytes.count
      return []
    }
    defer { position += count }
    return Array(bytes[position..<(position + count)])
  }

  mutating func integer<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number {
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

  mutating func u8() -> UInt8 { integer() }
  mutating func u16() -> UInt16 { integer() }
  mutating func u32() -> UInt32 { integer() }
  mutating func u64() -> UInt64 { integer() }
  mutating func s32() -> Int32 { integer() }
  mutating func s64() -> Int64 { integer() }
  mutating func double() -> Double { Double(bitPattern: u64()) }
  mutating func float() -> Float { Float(bitPattern: u32()) }
}

/// Builds bytes.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []
  let isBigEndian: Bool

  init(bigEndian: Bool) { isBigEndian = bigEndian }

  mutating func put(_ value: some FixedWidthInteger) {
    let size = value.bitWidth / 8
    for index in 0..<size {
      let shift = 8 * (isBigEndian ? size - 1 - index : index)
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  mutating func put(_ value: Double) { put(value.bitPattern) }
  mutating func put(_ value: Float) { put(value.bitPattern) }
  mutating func put(bytes more: some Sequence<UInt8>) { bytes += more }
}

extension [UInt8] {
  /// The bytes of a four-character code.
  init(code: UInt32) {
    self = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
  }

  /// The four-character code at an offset; 0 behind the end.
  func code(at offset: Int) -> UInt32 {
    guard offset >= 0, offset + 4 <= count else { return 0 }
    return self[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
