// Channel voice messages of MIDI 2.0 as those of MIDI 1.0.
// SPDX-License-Identifier: Apache-2.0

/// Translates universal packets of protocol 2.0 to those of 1.0.
///
/// Messages that MIDI 1.0 does not have (controllers and pitch of single notes, relative
/// controllers) are left out.
package struct TwoToOne: Sendable {
  /// At the start of a stream.
  package init() {}

  /// Converts words to protocol 1.0; other messages than those of channel voices pass.
  package mutating func words(_ words: [UInt32]) -> [UInt32] {
    UniversalWords.messages(words).flatMap { message -> [UInt32] in
      let first = message[message.startIndex]
      guard first >> 28 == 4 else { return Array(message) }
      return Self.translate(first, message[message.startIndex + 1])
    }
  }

  private static func translate(_ word: UInt32, _ value: UInt32) -> [UInt32] {
    let head = 0x2000_0000 | word & 0x0F0F_0000
    let (high, low) = (word >> 8 & 0x7F, word & 0x7F)
    func made(_ status: UInt32, _ first: UInt32, _ second: UInt32) -> UInt32 {
      head | status << 20 | first << 8 | second
    }
    switch word >> 20 & 15 {
    case 2, 3:
      let isRegistered = word >> 20 & 15 == 2
      let entry = value >> 18
      return [
        made(11, isRegistered ? 101 : 99, high), made(11, isRegistered ? 100 : 98, low),
        made(11, 6, entry >> 7), made(11, 38, entry & 0x7F),
      ]
    case 8: return [made(8, high, value >> 25)]
    // A velocity of 0 would end the note.
    case 9: return [made(9, high, max(1, value >> 25))]
    case 10: return [made(10, high, value >> 25)]
    case 11: return [made(11, high, value >> 25)]
    case 12:
      let program = made(12, value >> 24 & 0x7F, 0)
      guard word & 1 != 0 else { return [program] }
      return [made(11, 0, value >> 8 & 0x7F), made(11, 32, value & 0x7F), program]
    case 13: return [made(13, value >> 25, 0)]
    case 14: return [made(14, value >> 18 & 0x7F, value >> 25)]
    default: return []
    }
  }
}
