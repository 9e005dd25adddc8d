// The journal of a packet: earlier messages, for receivers that missed some (RFC 6295, section 5 and appendix A).
// SPDX-License-Identifier: Apache-2.0

package import MIDIMessages

/// A journal that was received.
package struct RecoveryJournal: Sendable, Equatable {
  /// The state of a channel.
  package struct Channel: Sendable, Equatable {
    package var channel: UInt8
    package var program: UInt8?
    package var bank: [UInt8] = []
    package var controllers: [[UInt8]] = []
    package var wheel: [UInt8] = []
    /// Key and velocity of notes that sound; whether each may still be begun.
    package var notes: [(key: UInt8, velocity: UInt8, isRecent: Bool)] = []
    package var ended: [UInt8] = []
    package var pressure: UInt8?
    package var keyPressures: [[UInt8]] = []

    init(channel: UInt8) { self.channel = channel }

    package static func == (left: Self, right: Self) -> Bool {
      left.channel == right.channel && left.program == right.program && left.bank == right.bank
        && left.controllers == right.controllers && left.wheel == right.wheel
        && left.notes.elementsEqual(right.notes, by: ==) && left.ended == right.ended
        && left.pressure == right.pressure && left.keyPressures == right.keyPressures
    }
  }

  /// The first packet whose messages it contains.
  package var checkpoint: UInt16
  package var channels: [Channel] = []

  /// Reads a journal; nil for one whose lengths lie. Chapters that are not used are passed over.
  package init?(_ bytes: [UInt8]) {
    var reader = NetworkReader(bytes[...])
    guard let flags = reader.byte(), let checkpoint = reader.number16() else { return nil }
    self.checkpoint = checkpoint
    if flags & 0x40 != 0 {
      guard let head = reader.number16(), head & 0x3FF >= 2,
        reader.read(Int(head & 0x3FF) - 2) != nil
      else { return nil }
    }
    guard flags & 0x20 != 0 else { return }
    for _ in 0...(flags & 0xF) {
      guard let head = reader.number(3), head >> 8 & 0x3FF >= 3,
        let chapters = reader.read(Int(head >> 8 & 0x3FF) - 3),
        let channel = Self.channel(UInt8(head >> 19 & 0xF), UInt8(head & 0xFF), chapters)
      else { return nil }
      channels.append(channel)
    }
  }

  private static func channel(
    _ number: UInt8, _ flags: UInt8, _ bytes: ArraySlice<UInt8>
  ) -> Channel? {
    var reader = NetworkReader(bytes)
    var channel = Channel(channel: number)
    if flags & 0x80 != 0 {
      guard let found = reader.read(3).map(Array.init) else { return nil }
      channel.program = found[0] & 0x7F
      if found[1] & 0x80 != 0 { channel.bank = [found[1] & 0x7F, found[2] & 0x7F] }
    }
    if flags & 0x40 != 0 {
      guard let logs = logs(&reader) else { return nil }
      // Counts of switches contain no value.
      channel.controllers = logs.filter { $0[1] < 0x80 }
    }
    if flags & 0x20 != 0 {
      guard let head = reader.number16(), head & 0x3FF >= 2,
        reader.read(Int(head & 0x3FF) - 2) != nil
      else { return nil }
    }
    if flags & 0x10 != 0 {
      guard let found = reader.read(2) else { return nil }
      channel.wheel = found.map { $0 & 0x7F }
    }
    if flags & 0x08 != 0 { guard channel.readNotes(&reader) else { return nil } }
    if flags & 0x04 != 0 { guard logs(&reader) != nil else { return nil } }
    if flags & 0x02 != 0 {
      guard let found = reader.byte() else { return nil }
      channel.pressure = found & 0x7F
    }
    if flags & 0x01 != 0 {
      guard let logs = logs(&reader) else { return nil }
      channel.keyPressures = logs.map { [$0[0], $0[1] & 0x7F] }
    }
    return channel
  }

  /// Pairs of bytes behind their number, less one.
  private static func logs(_ reader: inout NetworkReader) -> [[UInt8]]? {
    guard let head = reader.byte(), let bytes = reader.read(2 * (Int(head & 0x7F) + 1)) else {
      return nil
    }
    let all = Array(bytes)
    return stride(from: 0, to: all.count, by: 2).map { [all[$0] & 0x7F, all[$0 + 1]] }
  }
}

extension RecoveryJournal.Channel {
  fileprivate mutating func readNotes(_ reader: inout NetworkReader) -> Bool {
    guard let head = reader.byte(), let span = reader.byte() else { return false }
    let (low, high) = (Int(span >> 4), Int(span & 0xF))
    var count = Int(head & 0x7F)
    if count == 127, low == 15, high == 0 { count = 128 }
    guard let logs = reader.read(2 * count).map(Array.init),
      let bits = reader.read(low > high ? 0 : high - low + 1)
    else { return false }
    for place in stride(from: 0, to: logs.count, by: 2) {
      let (key, velocity) = (logs[place] & 0x7F, logs[place + 1])
      notes.append((key: key, velocity: velocity & 0x7F, isRecent: velocity & 0x80 != 0))
    }
    for (index, byte) in bits.enumerated() {
      for bit in 0..<8 where byte & 0x80 >> bit != 0 {
        ended.append(UInt8((low + index) * 8 + bit))
      }
    }
    return true
  }
}

extension RecoveryJournal {
  /// Messages that bring a receiver with other state, or less, up to date: ends of notes and
  /// controllers first.
  package func repairs(_ played: PlayedState) -> [[UInt8]] {
    channels.flatMap { state -> [[UInt8]] in
      let low = state.channel
      let number = Int(low)
      var messages: [[UInt8]] = []
      var played = played
      // Messages about the mode of the channel undo those before them: the rest comes behind them.
      for log in state.controllers where log[0] >= 120 {
        let message: [UInt8] = [0xB0 | low] + log
        messages.append(message)
        played.follow(message)
      }
      for key in state.ended where played.isHeld(number, key) {
        messages.append([0x80 | low, key, 64])
      }
      for log in state.controllers
      where log[0] < 120 && played.controller(number, log[0]) != log[1] {
        messages.append([0xB0 | low] + log)
      }
      if let program = state.program, played.program(number) != program {
        if state.bank.count == 2 {
          messages += [[0xB0 | low, 0, state.bank[0]], [0xB0 | low, 32, state.bank[1]]]
        }
        messages.append([0xC0 | low, program])
      }
      if state.wheel.count == 2, played.wheel(number) != state.wheel {
        messages.append([0xE0 | low] + state.wheel)
      }
      if let pressure = state.pressure, played.pressure(number) != pressure {
        messages.append([0xD0 | low, pressure])
      }
      for log in state.keyPressures { messages.append([0xA0 | low] + log) }
      for note in state.notes where !played.isHeld(number, note.key) && note.isRecent {
        messages.append([0x90 | low, note.key, max(1, note.velocity)])
      }
      return messages
    }
  }
}
