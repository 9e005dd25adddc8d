// Channel voice messages of MIDI 1.0 as those of MIDI 2.0.
// SPDX-License-Identifier: Apache-2.0

/// Translates universal packets of protocol 1.0 to those of 2.0.
///
/// Bank selects become part of the program change that follows them; controllers 98 to 101 with 6 and 38 become
/// registered and assignable controllers. Where only controller 6 comes, its value counts at once; 38 refines it.
package struct OneToTwo: Sendable {
  private struct Channel {
    var bankHigh: UInt32 = 0
    var bankLow: UInt32 = 0
    var hasBank = false
    /// Parameter numbers, high and low; 127, 127 is none.
    var number: (high: UInt32, low: UInt32) = (127, 127)
    var isRegistered = true
    var entry: UInt32 = 0
    var selects: Bool { number.high != 127 || number.low != 127 }
  }
  private var channels = [Channel](repeating: Channel(), count: 256)

  /// At the start of a stream.
  package init() {}

  /// Converts words to protocol 2.0; other messages than those of channel voices pass.
  package mutating func words(_ words: [UInt32]) -> [UInt32] {
    UniversalWords.messages(words).flatMap { message -> [UInt32] in
      let first = message[message.startIndex]
      return first >> 28 == 2 ? translate(first) : Array(message)
    }
  }

  private mutating func translate(_ word: UInt32) -> [UInt32] {
    let status = word >> 20 & 15
    let (first, second) = (word >> 8 & 0x7F, word & 0x7F)
    let head = 0x4000_0000 | word & 0x0F0F_0000
    func made(_ status: UInt32, _ index: UInt32, _ value: UInt32) -> [UInt32] {
      [head | status << 20 | index, value]
    }
    switch status {
    case 8: return made(8, first << 8, ValueScaling.up(second, from: 7, to: 16) << 16)
    case 9:
      guard second > 0 else { return made(8, first << 8, 0x8000_0000) }
      return made(9, first << 8, ValueScaling.up(second, from: 7, to: 16) << 16)
    case 10: return made(10, first << 8, ValueScaling.up(second, from: 7, to: 32))
    case 11: return control(Int(word >> 16 & 15 | word >> 20 & 0xF0), first, second, made)
    case 12:
      let channel = Int(word >> 16 & 15 | word >> 20 & 0xF0)
      let state = channels[channel]
      channels[channel].hasBank = false
      guard state.hasBank else { return made(12, 0, first << 24) }
      return made(12, 1, first << 24 | state.bankHigh << 8 | state.bankLow)
    case 13: return made(13, 0, ValueScaling.up(first, from: 7, to: 32))
    case 14: return made(14, 0, ValueScaling.up(second << 7 | first, from: 14, to: 32))
    default: return []
    }
  }

  private mutating func control(
    _ channel: Int, _ index: UInt32, _ value: UInt32,
    _ made: (UInt32, UInt32, UInt32) -> [UInt32]
  ) -> [UInt32] {
    switch index {
    case 0:
      (channels[channel].bankHigh, channels[channel].hasBank) = (value, true)
      return []
    case 32:
      (channels[channel].bankLow, channels[channel].hasBank) = (value, true)
      return []
    case 98, 100:
      channels[channel].number.low = value
      channels[channel].isRegistered = index == 100
      return []
    case 99, 101:
      channels[channel].number.high = value
      channels[channel].isRegistered = index == 101
      return []
    case 6 where channels[channel].selects:
      channels[channel].entry = value << 7
      return parameter(channel, made)
    case 38 where channels[channel].selects:
      channels[channel].entry = channels[channel].entry & 0x3F80 | value
      return parameter(channel, made)
    default: return made(11, index << 8, ValueScaling.up(value, from: 7, to: 32))
    }
  }

  private func parameter(
    _ channel: Int, _ made: (UInt32, UInt32, UInt32) -> [UInt32]
  ) -> [UInt32] {
    let state = channels[channel]
    return made(
      state.isRegistered ? 2 : 3, state.number.high << 8 | state.number.low,
      ValueScaling.up(state.entry, from: 14, to: 32))
  }
}
