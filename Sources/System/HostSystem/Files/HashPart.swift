// A sorted part of a set of hashes on the disk, and its index in memory.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Glibc

/// A hash and its number; the hash 0 is none.
struct HashSlot {
  var key: UInt64 = 0
  var value: UInt64 = 0
}

/// Sorted hashes in a file.
///
/// Memory has every 256th of them, and a filter that excludes nearly all other hashes.
struct HashPart {
  /// Slots between two of the hashes in memory: a page.
  private static let step = 256
  /// Bits of a hash in its word of the filter.
  private static let bitCount = 4

  private let start: Int
  private let count: Int
  private let marks: [UInt64]
  private var filter: [UInt64]

  /// The place in the file behind the last slot, in slots.
  var end: Int { start + count }

  /// Writes slots, sorted by hash, to a place in a file.
  ///
  /// - Throws: When there is no room.
  init(_ slots: [HashSlot], to file: Int32, at start: Int) throws(AuricleError) {
    self.start = start
    count = slots.count
    marks = stride(from: 0, to: slots.count, by: Self.step).map { slots[$0].key }
    filter = Array(repeating: 0, count: max(1, slots.count / 3))
    for slot in slots { filter[word(of: slot.key)] |= Self.bits(of: slot.key) }
    let number = unsafe slots.withUnsafeBytes {
      unsafe FileTransfer.writeAll($0, to: file, at: start * MemoryLayout<HashSlot>.stride)
    }
    guard number == 0 else {
      throw systemError(number, "write into", "the folder for temporary files")
    }
  }

  /// The number of a hash; nil when it is not here.
  func value(of key: UInt64, in file: Int32) throws(AuricleError) -> UInt64? {
    let bits = Self.bits(of: key)
    guard filter[word(of: key)] & bits == bits else { return nil }
    // The last mark that is not above it.
    var (low, high) = (0, marks.count)
    while low < high {
      let middle = (low + high) / 2
      if marks[middle] <= key { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let first = (low - 1) * Self.step
    let slots = try Self.read(min(Self.step, count - first), at: start + first, from: file)
    return slots.first { $0.key == key }?.value
  }

  private func word(of key: UInt64) -> Int {
    Int(truncatingIfNeeded: Self.mixed(key).multipliedFullWidth(by: UInt64(filter.count)).high)
  }

  private static func bits(of key: UInt64) -> UInt64 {
    let mixed = mixed(key)
    return (0..<bitCount).reduce(0) { $0 | 1 << (mixed >> UInt64(6 * $1) & 63) }
  }

  private static func mixed(_ key: UInt64) -> UInt64 {
    let product = key &* 0x9E37_79B9_7F4A_7C15
    return product ^ product >> 32
  }

  private static func read(
    _ count: Int, at place: Int, from file: Int32
  ) throws(AuricleError) -> [HashSlot] {
    var slots = Array(repeating: HashSlot(), count: count)
    let size = MemoryLayout<HashSlot>.stride
    let got = unsafe slots.withUnsafeMutableBytes {
      unsafe pread(file, $0.baseAddress, $0.count, off_t(place * size))
    }
    guard got == count * size else {
      throw systemError(got < 0 ? errno : EIO, "read", "the folder for temporary files")
    }
    return slots
  }
}
