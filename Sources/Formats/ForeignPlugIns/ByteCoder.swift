// Encodes numbers, texts and lists as bytes, and decodes untrusted bytes, with the same code.
// SPDX-License-Identifier: Apache-2.0

package import HostSystem

/// Writes values to bytes, or reads them back into the same places.
///
/// A text is its length in bytes (UInt32) and its UTF-8; a list is its count (UInt32) and its members; a
/// section is its length in bytes (UInt32) and its content; numbers are little-endian. Reading never goes
/// past the end: after the first malformed value, `isSound` is false and nothing more is read.
package struct ByteCoder {
  /// The bytes written or read.
  package private(set) var bytes: ArraySlice<UInt8>
  private var offset: Int
  private let isReading: Bool
  /// Whether everything read was well-formed.
  package private(set) var isSound = true

  /// Starts writing.
  package init() {
    bytes = []
    offset = 0
    isReading = false
  }

  /// Starts reading.
  package init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    offset = bytes.startIndex
    isReading = true
  }

  /// Whether everything was read, and nothing is left.
  package var isComplete: Bool { isSound && offset == bytes.endIndex }

  /// Writes or reads a number.
  package mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(_ value: inout Number) {
    let size = Number.bitWidth / 8
    guard isReading else {
      var rest = value
      for _ in 0..<size {
        bytes.append(UInt8(truncatingIfNeeded: rest))
        if size > 1 { rest >>= 8 }
      }
      return
    }
    guard isSound, bytes.endIndex - offset >= size else {
      isSound = false
      return
    }
    value = Number(
      littleEndian: unsafe bytes.withUnsafeBytes {
        unsafe $0.loadUnaligned(fromByteOffset: offset - bytes.startIndex, as: Number.self)
      })
    offset += size
  }

  /// Writes or reads a boolean, as a byte.
  package mutating func flag(_ value: inout Bool) {
    var byte: UInt8 = value ? 1 : 0
    number(&byte)
    if byte > 1 { isSound = false }
    value = byte == 1
  }

  /// Writes or reads a 32-bit number.
  package mutating func float(_ value: inout Float) {
    var bits = value.bitPattern
    number(&bits)
    value = Float(bitPattern: bits)
  }

  /// Writes or reads a 64-bit number with a fraction.
  package mutating func double(_ value: inout Double) {
    var bits = value.bitPattern
    number(&bits)
    value = Double(bitPattern: bits)
  }

  /// Writes or reads a text.
  package mutating func text(_ value: inout String) {
    var count = UInt32(clamping: value.utf8.count)
    number(&count)
    guard isReading else {
      bytes.append(contentsOf: value.utf8)
      return
    }
    let length = Int(count)
    guard isSound, length <= bytes.endIndex - offset,
      let text = Self.text(bytes[offset..<(offset + length)])
    else {
      isSound = false
      return
    }
    value = text
    offset += length
  }

  /// The text of UTF-8; nil where it is malformed. Nearly all are ASCII, which needs no validation.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    bytes.reduce(0, |) < 0x80
      ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
  }

  /// Writes or reads bytes, with their number before them. Bytes that are read stay part of the whole, uncopied.
  package mutating func data(_ value: inout ArraySlice<UInt8>) {
    var count = UInt32(clamping: value.count)
    number(&count)
    guard isReading else {
      bytes.append(contentsOf: value)
      return
    }
    let length = Int(count)
    guard isSound, length <= bytes.endIndex - offset else {
      isSound = false
      return
    }
    value = bytes[offset..<(offset + length)]
    offset += length
  }

  /// Writes or reads a list of texts.
  package mutating func texts(_ value: inout [String]) { list(&value, of: "") { $0.text(&$1) } }

  /// - Parameter blank: A member to read into.
  package mutating func list<Member>(
    _ members: inout [Member], of blank: Member, _ code: (inout Self, inout Member) -> Void
  ) {
    var count = UInt32(clamping: members.count)
    number(&count)
    guard isReading else {
      for index in members.indices { code(&self, &members[index]) }
      return
    }
    // Every member has at least one byte: a higher count is damage, and nothing is allocated for it.
    guard isSound, Int(count) <= bytes.endIndex - offset else {
      isSound = false
      return
    }
    members = []
    members.reserveCapacity(Int(count))
    for _ in 0..<Int(count) {
      var member = blank
      code(&self, &member)
      guard isSound else { return }
      members.append(member)
    }
  }

  /// Writes or reads a value that may be missing.
  ///
  /// - Parameter blank: A value to read into.
  package mutating func optional<Value>(
    _ value: inout Value?, of blank: Value, _ code: (inout Self, inout Value) -> Void
  ) {
    var exists = value != nil
    flag(&exists)
    guard exists else {
      value = nil
      return
    }
    var member = value ?? blank
    code(&self, &member)
    value = member
  }

  /// Writes or reads a section, which can be skipped.
  package mutating func section(isWanted: Bool, _ code: (inout Self) -> Void) {
    let start = bytes.endIndex
    var length: UInt32 = 0
    number(&length)
    guard isReading else {
      code(&self)
      length = UInt32(clamping: bytes.endIndex - start - 4)
      for place in 0..<4 { bytes[start + place] = UInt8(truncatingIfNeeded: length >> (8 * place)) }
      return
    }
    guard isSound, Int(length) <= bytes.endIndex - offset else {
      isSound = false
      return
    }
    let end = offset + Int(length)
    if isWanted { code(&self) } else { offset = end }
    if offset != end { isSound = false }
  }

  /// Writes or reads a file's stamp.
  package mutating func stamp(_ stamp: inout PathStamp) {
    text(&stamp.path)
    number(&stamp.device)
    number(&stamp.inode)
    number(&stamp.size)
    number(&stamp.seconds)
    number(&stamp.nanoseconds)
  }
}

extension PathStamp {
  /// A stamp to read into.
  package static var blank: PathStamp {
    PathStamp(path: "", device: 0, inode: 0, size: 0, seconds: 0, nanoseconds: 0)
  }
}
