// What both ends make of a password, and what they prove with it.
// SPDX-License-Identifier: Apache-2.0

import HostSystem

/// A key that is made of a password, slowly, so that guesses are slow too.
package struct PasswordKey: Sendable, Equatable {
  private let key: [UInt8]

  /// Derives the key (PBKDF2 with HMAC-SHA-256, one block); an empty password is one too.
  ///
  /// Context: control; some milliseconds.
  package init(_ password: String) {
    let secret = Array(password.utf8)
    let salt = Array("auricle network sound 1".utf8) + [0, 0, 0, 1]
    var round = Self.code(salt, key: secret)
    var sum = round
    for _ in 1..<Self.rounds {
      round = Self.code(round, key: secret)
      for index in sum.indices { sum[index] ^= round[index] }
    }
    key = sum
  }

  private static let rounds = 4096

  /// The proof of a statement.
  func proof(_ parts: [UInt8]...) -> [UInt8] { Self.code(parts.flatMap(\.self), key: key) }

  /// Whether two proofs are one, in a time that does not depend on where they differ.
  static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count && zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// The code of a message under a key (HMAC-SHA-256, RFC 2104).
  static func code(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    var block = key.count > 64 ? SHA256.sum(key) : key
    block += [UInt8](repeating: 0, count: 64 - block.count)
    let inner = SHA256.sum(block.map { $0 ^ 0x36 } + message)
    return SHA256.sum(block.map { $0 ^ 0x5C } + inner)
  }

  /// Random bytes of the system.
  static func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: 0...255) } }
}
