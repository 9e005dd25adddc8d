// Writes the binary form ("bplist00").
// SPDX-License-Identifier: Apache-2.0

/// Flattens a value into numbered objects, then lays them out.
struct BinaryPropertyListEncoder {
  /// One object; containers hold the numbers of others.
  private enum Object {
    case leaf(PropertyListValue)
    case array([Int])
    case dictionary(keys: [Int], values: [Int])
  }

  private var objects: [Object] = []
  private var numbers: [PropertyListValue: Int] = [:]

  /// Encodes a whole property list.
  mutating func encode(_ value: PropertyListValue) throws(PropertyListError) -> [UInt8] {
    _ = flatten(value)
    let referenceWidth = Self.width(for: UInt64(objects.count))
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      try append(object, referenceWidth, to: &bytes)
    }
    let table = bytes.count
    let offsetWidth = Self.width(for: UInt64(table))
    for offset in offsets { Self.append(UInt64(offset), offsetWidth, to: &bytes) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(referenceWidth)]
    Self.append(UInt64(objects.count), 8, to: &bytes)
    Self.append(0, 8, to: &bytes)
    Self.append(UInt64(table), 8, to: &bytes)
    return bytes
  }

  /// Numbers a value and all below it; the root becomes object 0. Equal leaves share a number.
  private mutating func flatten(_ value: PropertyListValue) -> Int {
    let number = objects.count
    switch value {
    case .dictionary(let entries):
      objects.append(.leaf(value))
      let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      let keys = sorted.map { flatten(.string($0.key)) }
      objects[number] = .dictionary(keys: keys, values: sorted.map { flatten($0.value) })
    case .array(let elements):
      objects.append(.leaf(value))
      objects[number] = .array(elements.map { flatten($0) })
    case .string, .real:
      // Swift's `==` regards "é" and "e\u{301}", 0.0 and -0.0 as equal: their bits must decide.
      let identity: PropertyListValue =
        if case .string(let text) = value {
          .array([.data(Array(text.utf8))])
        } else {
          .array([.integer(Int128((value.realValue ?? 0).bitPattern))])
        }
      return unique(identity, value)
    default: return unique(value, value)
    }
    return number
  }

  private mutating func unique(_ identity: PropertyListValue, _ value: PropertyListValue) -> Int {
    if let number = numbers[identity] { return number }
    numbers[identity] = objects.count
    objects.append(.leaf(value))
    return objects.count - 1
  }

  private func append(
    _ object: Object, _ referenceWidth: Int, to bytes: inout [UInt8]
  ) throws(PropertyListError) {
    switch object {
    case .array(let elements):
      Self.append(marker: 0xA0, count: elements.count, to: &bytes)
      for element in elements { Self.append(UInt64(element), referenceWidth, to: &bytes) }
    case .dictionary(let keys, let values):
      Self.append(marker: 0xD0, count: keys.count, to: &bytes)
      for number in keys + values { Self.append(UInt64(number), referenceWidth, to: &bytes) }
    case .leaf(let value): try append(leaf: value, to: &bytes)
    }
  }

  private func append(
    leaf: PropertyListValue, to bytes: inout [UInt8]
  ) throws(PropertyListError) {
    switch leaf {
    case .boolean(let flag): bytes.append(flag ? 0x09 : 0x08)
    case .integer(let number):
      try PropertyListWriter.check(number)
      if number > Int128(Int64.max) {
        bytes.append(0x14)
        Self.append(0, 8, to: &bytes)
        Self.append(UInt64(number), 8, to: &bytes)
      } else {
        Self.append(integer: Int64(number), to: &bytes)
      }
    case .real(let number):
      bytes.append(0x23)
      Self.append(number.bitPattern, 8, to: &bytes)
    case .date(let seconds):
      guard seconds.isFinite else {
        throw PropertyListError(.unsupported, "a date is not a number")
      }
      bytes.append(0x33)
      Self.append(seconds.bitPattern, 8, to: &bytes)
    case .data(let data):
      Self.append(marker: 0x40, count: data.count, to: &bytes)
      bytes += data
    case .string(let text) where text.utf8.allSatisfy { $0 < 0x80 }:
      Self.append(marker: 0x50, count: text.utf8.count, to: &bytes)
      bytes += text.utf8
    case .string(let text):
      Self.append(marker: 0x60, count: text.utf16.count, to: &bytes)
      for unit in text.utf16 { Self.append(UInt64(unit), 2, to: &bytes) }
    case .dictionary, .array: break
    }
  }

  private static func append(marker: UInt8, count: Int, to bytes: inout [UInt8]) {
    bytes.append(marker | UInt8(min(count, 0x0F)))
    if count >= 0x0F { append(integer: Int64(count), to: &bytes) }
  }

  private static func append(integer number: Int64, to bytes: inout [UInt8]) {
    // Only eight bytes are signed.
    let width =
      number < 0 || number > Int64(UInt32.max)
      ? 8 : number > Int64(UInt16.max) ? 4 : number > Int64(UInt8.max) ? 2 : 1
    bytes.append(0x10 | UInt8(width.trailingZeroBitCount))
    append(UInt64(bitPattern: number), width, to: &bytes)
  }

  private static func append(_ number: UInt64, _ width: Int, to bytes: inout [UInt8]) {
    for shift in stride(from: 8 * (width - 1), through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }

  /// Bytes that hold numbers up to this one: 1, 2, 4 or 8.
  private static func width(for number: UInt64) -> Int {
    number <= 0xFF ? 1 : number <= 0xFFFF ? 2 : number <= 0xFFFF_FFFF ? 4 : 8
  }
}
