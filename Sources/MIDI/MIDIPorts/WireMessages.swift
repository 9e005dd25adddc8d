// Lists of packets as messages between processes.
// SPDX-License-Identifier: Apache-2.0

import MIDIMessages

/// A message: the form in four bytes; then for each packet its time in eight, its size in four, and its bytes.
enum WireMessages {
  /// A packet has at most 65,535 bytes; other packets join it while they fit.
  static let longest = 1 << 17
  private static let usual = 1 << 15

  /// The messages of a list.
  static func encode(_ events: MIDIEvents) -> [[UInt8]] {
    var messages: [[UInt8]] = []
    func add(_ form: MIDIForm, _ time: UInt64, _ bytes: [UInt8]) {
      if let last = messages.indices.last, messages[last].count + bytes.count + 12 <= usual {
        append(time, bytes, to: &messages[last])
      } else {
        var message: [UInt8] = []
        append(form.rawValue, to: &message)
        append(time, bytes, to: &message)
        messages.append(message)
      }
    }
    switch events {
    case .bytes(let packets):
      for packet in packets { add(.bytes, packet.time, packet.bytes) }
    case .words(let form, let packets):
      for packet in packets {
        var bytes: [UInt8] = []
        for word in packet.words { append(word, to: &bytes) }
        add(form, packet.time, bytes)
      }
    }
    return messages
  }

  private static func append(_ time: UInt64, _ bytes: [UInt8], to message: inout [UInt8]) {
    append(UInt32(truncatingIfNeeded: time), to: &message)
    append(UInt32(time >> 32), to: &message)
    append(UInt32(bytes.count), to: &message)
    message += bytes
  }

  private static func append(_ word: UInt32, to message: inout [UInt8]) {
    for shift in [UInt32(0), 8, 16, 24] { message.append(UInt8(truncatingIfNeeded: word >> shift)) }
  }

  /// The list of a message; nil for anything else.
  static func decode(_ message: [UInt8]) -> MIDIEvents? {
    func word(_ place: Int) -> UInt32 {
      UInt32(message[place]) | UInt32(message[place + 1]) << 8 | UInt32(message[place + 2]) << 16
        | UInt32(message[place + 3]) << 24
    }
    guard message.count >= 4, let form = MIDIForm(rawValue: word(0)) else { return nil }
    var (bytes, words): ([TimedBytes], [TimedWords]) = ([], [])
    var place = 4
    while place < message.count {
      guard place + 12 <= message.count else { return nil }
      let time = UInt64(word(place)) | UInt64(word(place + 4)) << 32
      let size = Int(word(place + 8))
      place += 12
      guard size <= message.count - place else { return nil }
      if form == .bytes {
        bytes.append(TimedBytes(time, Array(message[place..<(place + size)])))
      } else {
        guard size % 4 == 0 else { return nil }
        words.append(
          TimedWords(time, stride(from: place, to: place + size, by: 4).map { word($0) }))
      }
      place += size
    }
    return form == .bytes ? .bytes(bytes) : .words(form, words)
  }
}
