// Messages that were sent and may not have arrived: the journal that goes with the next packet.
// SPDX-License-Identifier: Apache-2.0

import MIDIMessages

/// Follows the messages to one peer.
package struct JournalHistory: Sendable {
  fileprivate struct Value {
    var bytes: [UInt8]
    var sequence: UInt16
  }

  fileprivate struct Channel {
    var program: Value?
    var controllers: [UInt8: Value] = [:]
    var wheel: Value?
    var started: [UInt8: Value] = [:]
    var ended: [UInt8: UInt16] = [:]
    var pressure: Value?
    var bank: [UInt8: UInt8] = [:]

    var isEmpty: Bool {
      program == nil && controllers.isEmpty && wheel == nil && started.isEmpty && ended.isEmpty
        && pressure == nil
    }
  }

  private var channels: [UInt8: Channel] = [:]
  /// The first packet that the peer has not said it has.
  private var checkpoint: UInt16

  package init(first sequence: UInt16) { checkpoint = sequence }

  /// Records a message of a packet.
  package mutating func follow(_ message: [UInt8], sequence: UInt16) {
    guard let status = message.first, status >= 0x80, status < 0xF0, message.count > 1 else {
      return
    }
    var channel = channels[status & 0xF] ?? Channel()
    let first = message[1]
    let second = message.count > 2 ? message[2] : 0
    switch status >> 4 {
    case 0x9 where second > 0:
      channel.started[first] = Value(bytes: [first, second], sequence: sequence)
      channel.ended[first] = nil
    case 0x8, 0x9:
      channel.started[first] = nil
      channel.ended[first] = sequence
    case 0xB:
      channel.undo(first)
      channel.controllers[first] = Value(bytes: [first, second], sequence: sequence)
      if first == 0 || first == 32 { channel.bank[first] = second }
    case 0xC:
      let isKnown: UInt8 = channel.bank.isEmpty ? 0 : 0x80
      let bank = [isKnown | (channel.bank[0] ?? 0), channel.bank[32] ?? 0]
      channel.program = Value(bytes: [first] + bank, sequence: sequence)
    case 0xD: channel.pressure = Value(bytes: [first], sequence: sequence)
    case 0xE: channel.wheel = Value(bytes: [first, second], sequence: sequence)
    default: break
    }
    channels[status & 0xF] = channel
  }

  /// Forgets the packets that the peer confirms, up to one.
  package mutating func forget(upTo sequence: UInt16) {
    let isOld = { (other: UInt16) in Int16(bitPattern: other &- sequence) <= 0 }
    guard Int16(bitPattern: sequence &- checkpoint) >= 0 else { return }
    checkpoint = sequence &+ 1
    for (number, var channel) in channels {
      if let held = channel.program, isOld(held.sequence) { channel.program = nil }
      if let held = channel.wheel, isOld(held.sequence) { channel.wheel = nil }
      if let held = channel.pressure, isOld(held.sequence) { channel.pressure = nil }
      channel.controllers = channel.controllers.filter { !isOld($0.value.sequence) }
      channel.started = channel.started.filter { !isOld($0.value.sequence) }
      channel.ended = channel.ended.filter { !isOld($0.value) }
      channels[number] = channel
    }
  }

  /// The journal of the packet of a number.
  package func journal(for sequence: UInt16) -> [UInt8] {
    let recorded = channels.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
    // Some readers stumble over an empty journal.
    guard !recorded.isEmpty else { return [] }
    // A chapter without anything of the packet before has no S.
    let last = sequence &- 1
    var head: UInt8 = 0x80
    var body: [UInt8] = []
    for (number, channel) in recorded {
      let (chapters, flags, isLast) = channel.chapters(last)
      if isLast { head = 0 }
      let length = UInt32(chapters.count + 3)
      let word = UInt32(isLast ? 0 : 0x80_0000) | UInt32(number) << 19 | length << 8 | UInt32(flags)
      body += [UInt8(word >> 16), UInt8(word >> 8 & 0xFF), UInt8(word & 0xFF)] + chapters
    }
    head |= 0x20 | UInt8(recorded.count - 1)
    return [head, UInt8(checkpoint >> 8), UInt8(checkpoint & 0xFF)] + body
  }
}

extension JournalHistory.Channel {
  /// Forgets the messages that a message about the channel's mode undoes: notes, or controllers.
  fileprivate mutating func undo(_ controller: UInt8) {
    switch controller {
    case 120, 123...127: started = [:]
    case 121:
      controllers = controllers.filter { $0.key >= 120 || PlayedState.lasting.contains($0.key) }
      (wheel, pressure) = (nil, nil)
    default: break
    }
  }

  /// The chapters of a channel in their order, their flags, and whether one has a message of the
  /// packet before.
  fileprivate func chapters(_ last: UInt16) -> ([UInt8], flags: UInt8, isLast: Bool) {
    var (bytes, flags, isLast): ([UInt8], UInt8, Bool) = ([], 0, false)
    func mark(_ sequence: UInt16) -> UInt8 {
      if sequence == last { isLast = true }
      return sequence == last ? 0 : 0x80
    }
    if let program {
      flags |= 0x80
      bytes += [mark(program.sequence) | program.bytes[0]] + program.bytes[1...]
    }
    if !controllers.isEmpty {
      flags |= 0x40
      let logs = controllers.sorted { $0.key < $1.key }.flatMap { _, value in
        [mark(value.sequence) | value.bytes[0], value.bytes[1]]
      }
      let isAny = controllers.values.contains { $0.sequence == last }
      bytes += [(isAny ? 0 : 0x80) | UInt8(controllers.count - 1)] + logs
    }
    if let wheel {
      flags |= 0x10
      bytes += [mark(wheel.sequence) | wheel.bytes[0], wheel.bytes[1]]
    }
    if !started.isEmpty || !ended.isEmpty {
      flags |= 0x08
      bytes += notes(last, mark)
    }
    if let pressure {
      flags |= 0x02
      bytes.append(mark(pressure.sequence) | pressure.bytes[0])
    }
    return (bytes, flags, isLast)
  }

  private func notes(_ last: UInt16, _ mark: (UInt16) -> UInt8) -> [UInt8] {
    let logs = started.sorted { $0.key < $1.key }.flatMap { _, value in
      // Y: it is not too late to begin it.
      [mark(value.sequence) | value.bytes[0], 0x80 | value.bytes[1]]
    }
    for sequence in ended.values { _ = mark(sequence) }
    let isEnded = ended.values.contains(last)
    let count = UInt8(min(127, started.count))
    guard let low = ended.keys.min(), let high = ended.keys.max() else {
      // 127 and F0 would be all 128 keys.
      return [0x80 | count, started.count == 127 ? 0xF1 : 0xF0] + logs
    }
    var bits = [UInt8](repeating: 0, count: Int(high / 8 - low / 8) + 1)
    for key in ended.keys { bits[Int(key / 8 - low / 8)] |= 0x80 >> (key % 8) }
    return [(isEnded ? 0 : 0x80) | count, (low / 8) << 4 | high / 8] + logs + bits
  }
}
