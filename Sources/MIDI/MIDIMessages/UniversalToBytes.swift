// From universal packets to bytes of MIDI 1.0.
// SPDX-License-Identifier: Apache-2.0

/// Writes universal packets of all groups as one stream of MIDI 1.0.
///
/// Messages that MIDI 1.0 does not have are left out. Messages that come while a system exclusive
/// message is open wait for its end, except real-time ones.
package struct UniversalToBytes: Sendable {
  private var down = TwoToOne()
  /// The group whose system exclusive message is open.
  private var openGroup: UInt32?
  private var waiting: [UInt8] = []
  private static let mostWaiting = 1 << 16

  /// At the start of a stream.
  package init() {}

  /// The bytes of words: each element is whole messages, or one piece of a system exclusive message.
  package mutating func bytes(_ words: [UInt32]) -> [[UInt8]] {
    var parts: [(isExclusive: Bool, bytes: [UInt8])] = []
    func add(_ bytes: [UInt8], isExclusive: Bool) {
      guard !bytes.isEmpty else { return }
      if let last = parts.indices.last, parts[last].isExclusive == isExclusive,
        !(isExclusive && bytes[0] == 0xF0), parts[last].bytes.count + bytes.count <= 0xFFFF
      {
        parts[last].bytes += bytes
      } else {
        parts.append((isExclusive, bytes))
      }
    }
    for message in UniversalWords.messages(words) {
      let first = message[message.startIndex]
      switch first >> 28 {
      case 1:
        let made = Self.system(first)
        // A real-time byte may lie within a piece.
        let isInside = openGroup != nil
        if isInside, made.first.map({ $0 < 0xF8 }) ?? true {
          wait(made)
        } else {
          add(made, isExclusive: isInside)
        }
      case 2, 4:
        let ones = first >> 28 == 2 ? [first] : down.words(Array(message))
        for word in ones {
          let made = Self.channelVoice(word)
          if openGroup != nil { wait(made) } else { add(made, isExclusive: false) }
        }
      case 3:
        add(exclusive(Array(message)), isExclusive: true)
        if openGroup == nil, !waiting.isEmpty {
          add(waiting, isExclusive: false)
          waiting = []
        }
      default: break
      }
    }
    return parts.map(\.bytes)
  }

  private mutating func wait(_ bytes: [UInt8]) {
    if waiting.count + bytes.count <= Self.mostWaiting { waiting += bytes }
  }

  private mutating func exclusive(_ words: [UInt32]) -> [UInt8] {
    let group = words[0] >> 24 & 15
    let status = words[0] >> 20 & 15
    let data = UniversalWords.exclusive(words)
    switch status {
    case 0, 1:
      // Another group's message is open: this one has no place.
      guard openGroup == nil || openGroup == group else { return [] }
      let cut: [UInt8] = openGroup == group ? [0xF7] : []
      openGroup = status == 1 ? group : nil
      return cut + [0xF0] + data + (status == 0 ? [0xF7] : [])
    case 2, 3:
      guard openGroup == group else { return [] }
      if status == 3 { openGroup = nil }
      return data + (status == 3 ? [0xF7] : [])
    default: return []
    }
  }

  private static func system(_ word: UInt32) -> [UInt8] {
    let status = UInt8(word >> 16 & 0xFF)
    let data = [UInt8(word >> 8 & 0x7F), UInt8(word & 0x7F)]
    switch status {
    case 0xF1...0xF3: return [status] + data.prefix(BytesToUniversal.dataCount(status))
    case 0xF6, 0xF8, 0xFA...0xFC, 0xFE, 0xFF: return [status]
    default: return []
    }
  }

  private static func channelVoice(_ word: UInt32) -> [UInt8] {
    let status = UInt8(word >> 16 & 0xFF)
    guard 0x80...0xEF ~= status else { return [] }
    let data = [UInt8(word >> 8 & 0x7F), UInt8(word & 0x7F)]
    return [status] + data.prefix(BytesToUniversal.dataCount(status))
  }
}
