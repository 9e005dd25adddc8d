// Between a sender's form and a receiver's.
// SPDX-License-Identifier: Apache-2.0

/// Translates the packets of one connection, in their order.
package struct MIDITranslator: Sendable {
  private let form: MIDIForm
  private var reader = BytesToUniversal()
  private var writer = UniversalToBytes()
  private var up = OneToTwo()
  private var down = TwoToOne()

  /// To a form.
  package init(to form: MIDIForm) { self.form = form }

  /// Returns the packets in the form; empty ones are left out.
  package mutating func translate(_ events: MIDIEvents) -> MIDIEvents {
    switch (events, form) {
    case (.bytes, .bytes): return events
    case (.bytes(let packets), _):
      return .words(
        form,
        packets.flatMap { packet -> [TimedWords] in
          let words = reader.words(packet.bytes)
          return cut(packet.time, form == .universal2 ? up.words(words) : words)
        })
    case (.words(_, let packets), .bytes):
      return .bytes(
        packets.flatMap { packet in
          writer.bytes(packet.words).map { TimedBytes(packet.time, $0) }
        })
    case (.words(let supplied, let packets), _):
      guard supplied != form else { return events }
      return .words(
        form,
        packets.flatMap { packet in
          cut(
            packet.time,
            form == .universal2 ? up.words(packet.words) : down.words(packet.words))
        })
    }
  }

  private func cut(_ time: UInt64, _ words: [UInt32]) -> [TimedWords] {
    UniversalWords.packets(time, UniversalWords.messages(words))
  }
}
