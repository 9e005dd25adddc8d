// Sets of 64-bit hashes: what planning remembers of a million paths, in a few bytes each.
// SPDX-License-Identifier: Apache-2.0

import CSystemSupport

/// Hashes with a number each, in open addressing.
struct HashTable64 {
  private var keys: [UInt64] = Array(repeating: 0, count: 1024)
  private var values: [UInt32] = Array(repeating: 0, count: 1024)
  private var count = 0

  /// The hash of a text; never 0.
  static func hash(_ text: String) -> UInt64 {
    var text = text
    let hash = text.withUTF8 { unsafe AuricleXXH64($0.baseAddress, $0.count) }
    return hash == 0 ? 1 : hash
  }

  /// The hash of a file's identity; never 0.
  static func hash(_ identity: FileIdentity) -> UInt64 {
    let words = [identity.device, identity.inode]
    let hash = unsafe words.withUnsafeBytes { unsafe AuricleXXH64($0.baseAddress, $0.count) }
    return hash == 0 ? 1 : hash
  }

  /// Adds a hash; the number it was added with when it is there already.
  mutating func insert(_ hash: UInt64, _ value: Int) -> Int? {
    if (count + 1) * 4 > keys.count * 3 { grow() }
    let slot = find(hash)
    if keys[slot] == hash { return Int(values[slot]) }
    keys[slot] = hash
    values[slot] = UInt32(truncatingIfNeeded: value)
    count += 1
    return nil
  }

  /// The number of a hash; nil when it is not there.
  func value(of hash: UInt64) -> Int? {
    let slot = find(hash)
    return keys[slot] == hash ? Int(values[slot]) : nil
  }

  private func find(_ hash: UInt64) -> Int {
    let mask = keys.count - 1
    var slot = Int(truncatingIfNeeded: hash >> 7) & mask
    while keys[slot] != 0, keys[slot] != hash { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func grow() {
    let old = (keys, values)
    keys = Array(repeating: 0, count: old.0.count * 2)
    values = Array(repeating: 0, count: old.0.count * 2)
    for (index, hash) in old.0.enumerated() where hash != 0 {
      let slot = find(hash)
      keys[slot] = hash
      values[slot] = old.1[index]
    }
  }
}
