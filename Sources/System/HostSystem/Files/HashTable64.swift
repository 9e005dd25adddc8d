// Sets of 64-bit hashes: planning's record of a million paths; few in memory, many on the disk.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import CHostSystem
import Glibc

/// Hashes with a number each.
///
/// The newest few ten thousand are in memory, in open addressing; when they are too many, they move into a
/// nameless temporary file as a sorted part, of which memory keeps three bytes a hash.
package final class HashTable64 {
  /// Slots in memory: 1 MiB at most.
  private static let mostInMemory = 1 << 16

  private var memory: [HashSlot] = Array(repeating: HashSlot(), count: 1024)
  private var count = 0
  private var parts: [HashPart] = []
  private var file: Int32 = -1

  package init() {}

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
    if let known = try self.value(of: hash) { return known }
    try set(hash, value)
    return nil
  }

  /// Adds a hash, or changes its number.
  ///
  /// - Throws: When there is no room for the temporary file.
  package func set(_ hash: UInt64, _ value: Int) throws(AuricleError) {
    if (count + 1) * 4 > memory.count * 3 { try makeRoom() }
    let place = place(of: hash)
    if memory[place].key == 0 { count += 1 }
    memory[place] = HashSlot(key: hash, value: UInt64(value))
  }

  /// The number of a hash; nil when it is not there.
  package func value(of hash: UInt64) throws(AuricleError) -> Int? {
    let slot = memory[place(of: hash)]
    if slot.key == hash { return Int(slot.value) }
    for part in parts.reversed() {
      if let value = try part.value(of: hash, in: file) { return Int(value) }
    }
    return nil
  }

  /// The slot of a hash in memory, or the empty one where it would be.
  private func place(of hash: UInt64) -> Int {
    let mask = memory.count - 1
    var place = Int(truncatingIfNeeded: hash >> 7) & mask
    while memory[place].key != 0, memory[place].key != hash { place = (place + 1) & mask }
    return place
  }

  private func makeRoom() throws(AuricleError) {
    let slots = memory.filter { $0.key != 0 }
    if memory.count < Self.mostInMemory {
      memory = Array(repeating: HashSlot(), count: memory.count * 2)
      for slot in slots { memory[place(of: slot.key)] = slot }
      return
    }
    if file < 0 { file = try NamelessFile.make() }
    let sorted = slots.sorted { $0.key < $1.key }
    parts.append(try HashPart(sorted, to: file, at: parts.last?.end ?? 0))
    for place in memory.indices { memory[place] = HashSlot() }
    count = 0
  }
}
