// MIDI for moments: bytes of MIDI 1.0, or words of universal packets.
// SPDX-License-Identifier: Apache-2.0

/// The protocol of a port or an endpoint.
package enum MIDIForm: UInt32, Sendable {
  /// Bytes of MIDI 1.0, in packets.
  case bytes = 0
  /// Universal packets with channel voice messages of MIDI 1.0.
  case universal1 = 1
  /// Universal packets with channel voice messages of MIDI 2.0.
  case universal2 = 2
}

/// Bytes of MIDI 1.0 for a moment: whole messages, or a piece of one system exclusive message.
package struct TimedBytes: Sendable, Equatable {
  /// Host time (ns); 0 for "now".
  package var time: UInt64
  /// At most 65,535.
  package var bytes: [UInt8]

  /// Bytes for a moment.
  package init(_ time: UInt64, _ bytes: [UInt8]) {
    self.time = time
    self.bytes = bytes
  }
}

/// Universal packets for a moment.
package struct TimedWords: Sendable, Equatable {
  /// Host time (ns); 0 for "now".
  package var time: UInt64
  /// Whole universal packets.
  package var words: [UInt32]

  /// Words for a moment.
  package init(_ time: UInt64, _ words: [UInt32]) {
    self.time = time
    self.words = words
  }
}

/// A list of packets.
package enum MIDIEvents: Sendable, Equatable {
  /// Messages of MIDI 1.0.
  case bytes([TimedBytes])
  /// Universal packets, with the protocol of their channel voice messages.
  case words(MIDIForm, [TimedWords])

  /// Whether there is no packet.
  package var isEmpty: Bool {
    switch self {
    case .bytes(let packets): packets.isEmpty
    case .words(_, let packets): packets.isEmpty
    }
  }
}

/// Universal packets as words.
package enum UniversalWords {
  private static let counts = [1, 1, 1, 2, 2, 4, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4]

  /// The most words in one packet of a list.
  package static let mostInPacket = 64

  /// The number of words of a universal packet, by its first.
  package static func count(_ first: UInt32) -> Int { counts[Int(first >> 28)] }

  /// The universal packets in words; one that is cut off at the end is left out.
  package static func messages(_ words: [UInt32]) -> [ArraySlice<UInt32>] {
    var found: [ArraySlice<UInt32>] = []
    var place = 0
    while place < words.count {
      let end = place + count(words[place])
      guard end <= words.count else { break }
      found.append(words[place..<end])
      place = end
    }
    return found
  }

  /// The bytes of a piece of a system exclusive message, of two words.
  package static func exclusive(_ words: [UInt32]) -> [UInt8] {
    let all = [
      words[0] >> 8, words[0], words[1] >> 24, words[1] >> 16, words[1] >> 8, words[1],
    ].map { UInt8($0 & 0x7F) }
    return Array(all.prefix(Int(min(6, words[0] >> 16 & 15))))
  }

  /// Packets of at most 64 words, cut between messages.
  package static func packets(_ time: UInt64, _ messages: [ArraySlice<UInt32>]) -> [TimedWords] {
    var packets: [TimedWords] = []
    for message in messages {
      if let last = packets.indices.last,
        packets[last].words.count + message.count <= mostInPacket
      {
        packets[last].words += message
      } else {
        packets.append(TimedWords(time, Array(message)))
      }
    }
    return packets
  }
}
