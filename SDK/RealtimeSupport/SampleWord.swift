// Integers of one to four bytes in either order, as 32-bit numbers whose sign bit is the top one.
// SPDX-License-Identifier: Apache-2.0

/// The layout of the bytes of one integer sample in memory.
///
/// The kind is a literal wherever the loops use it, so that the choice is made when compiling.
/// Context: render.
enum SampleWord {
  /// Returns the kind of a width in bytes and a byte order.
  @_noLocks static func kind(bytes: Int, isBigEndian: Bool) -> Int {
    2 &* bytes &+ (isBigEndian && bytes > 1 ? 1 : 0)
  }

  /// Bytes of a kind.
  @inline(__always) @_noLocks static func size(_ kind: Int) -> Int { kind &>> 1 }

  /// The sample's bytes at the top of 32 bits, zeros below.
  @inline(__always) @_noLocks static func load(_ kind: Int, _ source: UnsafeRawPointer) -> Int32 {
    switch kind {
    case 2:
      return unsafe Int32(source.loadUnaligned(as: Int8.self)) &<< 24
    case 4:
      return unsafe Int32(Int16(littleEndian: source.loadUnaligned(as: Int16.self))) &<< 16
    case 5:
      return unsafe Int32(Int16(bigEndian: source.loadUnaligned(as: Int16.self))) &<< 16
    case 6:
      let low = unsafe Int32(UInt16(littleEndian: source.loadUnaligned(as: UInt16.self)))
      let high = unsafe Int32(source.loadUnaligned(fromByteOffset: 2, as: Int8.self))
      return low &<< 8 | high &<< 24
    case 7:
      let high = unsafe Int32(Int16(bigEndian: source.loadUnaligned(as: Int16.self)))
      let low = unsafe Int32(source.loadUnaligned(fromByteOffset: 2, as: UInt8.self))
      return high &<< 16 | low &<< 8
    case 8:
      return unsafe Int32(littleEndian: source.loadUnaligned(as: Int32.self))
    default:
      return unsafe Int32(bigEndian: source.loadUnaligned(as: Int32.self))
    }
  }

  /// Stores the top bytes of a number.
  @inline(__always) @_noLocks
  static func store(_ kind: Int, _ value: Int32, _ target: UnsafeMutableRawPointer) {
    switch kind {
    case 2:
      unsafe target.storeBytes(of: Int8(truncatingIfNeeded: value &>> 24), as: Int8.self)
    case 4:
      let word = Int16(truncatingIfNeeded: value &>> 16)
      unsafe target.storeBytes(of: word.littleEndian, as: Int16.self)
    case 5:
      let word = Int16(truncatingIfNeeded: value &>> 16)
      unsafe target.storeBytes(of: word.bigEndian, as: Int16.self)
    case 6:
      let low = UInt16(truncatingIfNeeded: value &>> 8)
      unsafe target.storeBytes(of: low.littleEndian, as: UInt16.self)
      unsafe target.storeBytes(
        of: Int8(truncatingIfNeeded: value &>> 24), toByteOffset: 2, as: Int8.self)
    case 7:
      let high = Int16(truncatingIfNeeded: value &>> 16)
      unsafe target.storeBytes(of: high.bigEndian, as: Int16.self)
      unsafe target.storeBytes(
        of: UInt8(truncatingIfNeeded: value &>> 8), toByteOffset: 2, as: UInt8.self)
    case 8:
      unsafe target.storeBytes(of: value.littleEndian, as: Int32.self)
    default:
      unsafe target.storeBytes(of: value.bigEndian, as: Int32.self)
    }
  }
}
