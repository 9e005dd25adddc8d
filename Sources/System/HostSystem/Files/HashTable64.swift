// Sets of 64-bit hashes: what planning remembers of a million paths; few in memory, many on the disk.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import CHostSystem
import Glibc

/// Hashes with a number each, in open addressing.
///
/// The first few ten thousand are in memory; then all move into a nameless temporary file, 16 bytes a
/// slot, so that the memory of a plan does not grow with its files.
package final class HashTable64 {
  private struct Slot {
    package var key: UInt64 = 0
    package var value: UInt64 = 0
  }

  /// Slots in memory: 1.5 MiB at most.
  private static let mostInMemory = 1 << 16
  /// Slots that are looked at in one go on the disk.
  private static let window = 8

  private var memory: [Slot] = Array(repeating: Slot(), count: 1024)
  private var file: Int32 = -1
  private var capacity = 1024
  private var count = 0

  deinit { if file >= 0 { close(file) } }

  /// The hash of a text; never 0.
  package static func hash(_ text: String) -> UInt64 {
    var text = text
    let hash = text.withUTF8 { unsafe AuricleXXH64($0.baseAddress, $0.count) }
    return hash == 0 ? 1 : hash
  }

  /// The hash of a file's identity; never 0.
  package static func hash(_ identity: FileIdentity) -> UInt64 {
    let words = [identity.device, identity.inode]
    let hash = unsafe words.withUnsafeBytes { unsafe AuricleXXH64($0.baseAddress, $0.count) }
    return hash == 0 ? 1 : hash
  }

  /// Adds a hash; the number it was added with when it is there already.
  ///
  /// - Throws: When there is no room for the temporary file.
  package func insert(_ hash: UInt64, _ value: Int) throws(AuricleError) -> Int? {
    if (count + 1) * 4 > capacity * 3 { try grow() }
    let (place, found) = try find(hash)
    if found.key == hash { return Int(found.value) }
    try write(Slot(key: hash, value: UInt64(value)), at: place)
    count += 1
    return nil
  }

  /// Adds a hash, or gives it another number.
  ///
  /// - Throws: When there is no room for the temporary file.
  package func set(_ hash: UInt64, _ value: Int) throws(AuricleError) {
    if (count + 1) * 4 > capacity * 3 { try grow() }
    let (place, found) = try find(hash)
    try write(Slot(key: hash, value: UInt64(value)), at: place)
    if found.key != hash { count += 1 }
  }

  /// The number of a hash; nil when it is not there.
  package func value(of hash: UInt64) throws(AuricleError) -> Int? {
    let (_, found) = try find(hash)
    return found.key == hash ? Int(found.value) : nil
  }

  /// The slot of a hash, or the empty one where it would be.
  private func find(_ hash: UInt64) throws(AuricleError) -> (place: Int, slot: Slot) {
    let mask = capacity - 1
    var place = Int(truncatingIfNeeded: hash >> 7) & mask
    if file < 0 {
      while memory[place].key != 0, memory[place].key != hash { place = (place + 1) & mask }
      return (place, memory[place])
    }
    while true {
      let count = min(Self.window, capacity - place)
      let slots = try read(count, at: place)
      if let index = slots.firstIndex(where: { $0.key == 0 || $0.key == hash }) {
        return (place + index, slots[index])
      }
      place = (place + count) & mask
    }
  }

  private func grow() throws(AuricleError) {
    let (oldMemory, oldFile, oldCapacity) = (memory, file, capacity)
    if capacity < Self.mostInMemory {
      capacity *= 2
      memory = Array(repeating: Slot(), count: capacity)
    } else {
      // Rarely, since every slot is moved.
      capacity *= 8
      file = try NamelessFile.make()
      memory = []
      guard ftruncate(file, off_t(capacity * MemoryLayout<Slot>.stride)) == 0 else {
        throw systemError(errno, "write into", "the folder for temporary files")
      }
    }
    defer { if oldFile >= 0 { close(oldFile) } }
    if oldFile < 0 {
      for slot in oldMemory where slot.key != 0 { try write(slot, at: find(slot.key).place) }
      return
    }
    let all = HashTable64(file: dup(oldFile), capacity: oldCapacity)
    let step = 4096
    for start in stride(from: 0, to: oldCapacity, by: step) {
      for slot in try all.read(min(step, oldCapacity - start), at: start) where slot.key != 0 {
        try write(slot, at: find(slot.key).place)
      }
    }
  }

  package init() {}

  private init(file: Int32, capacity: Int) {
    self.file = file
    self.capacity = capacity
  }

  // MARK: The disk

  private func read(_ count: Int, at place: Int) throws(AuricleError) -> [Slot] {
    var slots = Array(repeating: Slot(), count: count)
    let size = MemoryLayout<Slot>.stride
    let got = unsafe slots.withUnsafeMutableBytes {
      unsafe pread(file, $0.baseAddress, $0.count, off_t(place * size))
    }
    guard got == count * size else {
      throw systemError(got < 0 ? errno : EIO, "read", "the folder for temporary files")
    }
    return slots
  }

  private func write(_ slot: Slot, at place: Int) throws(AuricleError) {
    guard file >= 0 else {
      memory[place] = slot
      return
    }
    var slot = slot
    let size = MemoryLayout<Slot>.stride
    let put = unsafe pwrite(file, &slot, size, off_t(place * size))
    guard put == size else {
      throw systemError(put < 0 ? errno : ENOSPC, "write into", "the folder for temporary files")
    }
  }
}
