// A packet of music: a header of RTP, messages with their times, and the journal behind them (RFC 6295, section 3).
// SPDX-License-Identifier: Apache-2.0

import MIDIMessages

/// A packet.
package struct RTPPacket: Sendable, Equatable {
  /// A message, or a piece of a SysEx message.
  package struct Message: Sendable, Equatable {
    /// Units of 100 µs behind the packet's time.
    package var delay: UInt32
    /// Whole messages have their status; of a SysEx message, the first piece begins with F0, the last ends with F7.
    package var bytes: [UInt8]

    package init(delay: UInt32 = 0, _ bytes: [UInt8]) {
      self.delay = delay
      self.bytes = bytes
    }
  }

  package var sequence: UInt16
  /// The low half of the sender's clock (100 µs).
  package var time: UInt32
  package var sender: UInt32
  package var messages: [Message]
  /// The bytes of the journal; empty for none.
  package var journal: [UInt8]

  package init(
    sequence: UInt16, time: UInt32, sender: UInt32, messages: [Message], journal: [UInt8] = []
  ) {
    self.sequence = sequence
    self.time = time
    self.sender = sender
    self.messages = messages
    self.journal = journal
  }

  /// Bytes of messages that one packet holds.
  package static let longestList = 0xFFF
  private static let kind: UInt8 = 97

  /// Reads a packet; nil for another kind, wrong lengths, messages that are cut.
  package init?(_ bytes: [UInt8]) {
    var reader = NetworkReader(bytes[...])
    guard let first = reader.byte(), first & 0xC0 == 0x80, let second = reader.byte(),
      second & 0x7F == Self.kind, let sequence = reader.number16(), let time = reader.number32(),
      let sender = reader.number32()
    else { return nil }
    // Contributing sources, an extension: nobody sends them; they are passed over.
    guard reader.read(4 * Int(first & 0xF)) != nil else { return nil }
    if first & 0x10 != 0 {
      guard reader.number16() != nil, let count = reader.number16(),
        reader.read(4 * Int(count)) != nil
      else { return nil }
    }
    guard let flags = reader.byte() else { return nil }
    var length = Int(flags & 0xF)
    if flags & 0x80 != 0 {
      guard let low = reader.byte() else { return nil }
      length = length << 8 | Int(low)
    }
    guard let list = reader.read(length),
      let messages = Self.messages(list, hasFirstDelay: flags & 0x20 != 0)
    else { return nil }
    let journal = flags & 0x40 != 0 ? Array(reader.read(reader.left) ?? []) : []
    self.init(
      sequence: sequence, time: time, sender: sender, messages: messages, journal: journal)
  }

  private static func messages(_ list: ArraySlice<UInt8>, hasFirstDelay: Bool) -> [Message]? {
    var reader = NetworkReader(list)
    var messages: [Message] = []
    var (delay, status) = (UInt32(0), UInt8(0))
    while reader.left > 0 {
      if !messages.isEmpty || hasFirstDelay {
        guard let more = self.delay(&reader) else { return nil }
        delay &+= more
      }
      // A delay may come last, without a message.
      if reader.left == 0 { break }
      guard let bytes = message(&reader, &status) else { return nil }
      if !bytes.isEmpty || messages.isEmpty { messages.append(Message(delay: delay, bytes)) }
    }
    return messages.filter { !$0.bytes.isEmpty }
  }

  /// One to four bytes of seven bits.
  private static func delay(_ reader: inout NetworkReader) -> UInt32? {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = reader.byte() else { return nil }
      value = value << 7 | UInt32(byte & 0x7F)
      if byte < 0x80 { return value }
    }
    return nil
  }

  private static func message(_ reader: inout NetworkReader, _ status: inout UInt8) -> [UInt8]? {
    guard let first = reader.next else { return nil }
    switch first {
    case 0xF8...0xFF: return reader.byte().map { [$0] }
    case 0xF0, 0xF7:
      status = 0
      return exclusive(&reader)
    case 0x80...0xEF:
      status = first
      _ = reader.byte()
    case 0xF1...0xF6:
      status = 0
      _ = reader.byte()
      return data(&reader, BytesToUniversal.dataCount(first)).map { [first] + $0 }
    default: guard status != 0 else { return nil }
    }
    return data(&reader, BytesToUniversal.dataCount(status)).map { [status] + $0 }
  }

  private static func data(_ reader: inout NetworkReader, _ count: Int) -> [UInt8]? {
    guard let bytes = reader.read(count), bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
    return Array(bytes)
  }

  /// A piece of a SysEx message, from F0 or F7 to F0, F7 or F4.
  private static func exclusive(_ reader: inout NetworkReader) -> [UInt8]? {
    guard let first = reader.byte() else { return nil }
    var bytes: [UInt8] = first == 0xF0 ? [0xF0] : []
    while let byte = reader.byte() {
      switch byte {
      case 0..<0x80: bytes.append(byte)
      case 0xF7: return bytes + [0xF7]
      // More follows.
      case 0xF0: return bytes
      // It was cancelled: receivers get an end.
      case 0xF4: return bytes + [0xF7]
      default: return nil
      }
    }
    return nil
  }

  /// As it is sent; nil where the messages are too long for a packet.
  package var bytes: [UInt8]? {
    let list = Self.list(messages)
    guard list.count <= Self.longestList else { return nil }
    var bytes: [UInt8] = [0x80, Self.kind | (messages.isEmpty ? 0 : 0x80)]
    bytes.add(sequence)
    bytes.add(time)
    bytes.add(sender)
    let flags: UInt8 = (journal.isEmpty ? 0 : 0x40) | (Self.hasFirstDelay(messages) ? 0x20 : 0)
    if list.count > 15 {
      bytes += [0x80 | flags | UInt8(list.count >> 8), UInt8(list.count & 0xFF)]
    } else {
      bytes.append(flags | UInt8(list.count))
    }
    return bytes + list + journal
  }

  private static func hasFirstDelay(_ messages: [Message]) -> Bool {
    (messages.first?.delay ?? 0) > 0
  }

  private static func list(_ messages: [Message]) -> [UInt8] {
    var (list, before): ([UInt8], UInt32) = ([], 0)
    for (index, message) in messages.enumerated() {
      if index > 0 || hasFirstDelay(messages) {
        // One whose time is before that of the message in front of it comes with that.
        let delay = min(message.delay > before ? message.delay - before : 0, 0xFFF_FFFF)
        for shift in [UInt32(21), 14, 7] where delay >> shift > 0 {
          list.append(UInt8(delay >> shift & 0x7F) | 0x80)
        }
        list.append(UInt8(delay & 0x7F))
      }
      before = max(before, message.delay)
      list += framed(message.bytes)
    }
    return list
  }

  /// A piece of a SysEx message between F0 or F7 in front and F0 or F7 behind; others as they are.
  private static func framed(_ bytes: [UInt8]) -> [UInt8] {
    let isFirst = bytes.first == 0xF0
    guard isFirst || bytes.last == 0xF7 || (bytes.first ?? 0x80) < 0x80 else { return bytes }
    return (isFirst ? [] : [0xF7]) + bytes + (bytes.last == 0xF7 ? [] : [0xF0])
  }
}
