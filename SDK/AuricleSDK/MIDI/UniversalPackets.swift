// Converts universal MIDI packets to messages of MIDI 1.0.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

extension MIDIInput {
  /// Words of a universal packet, by the top four bits of its first word.
  @_noLocks private static func wordCount(_ type: UInt32) -> Int {
    switch type {
    case 0, 1, 2, 6, 7: 1
    case 3, 4, 8, 9, 10: 2
    case 11, 12: 3
    default: 4
    }
  }

  /// Adds the messages of a list of universal packets, all for one frame.
  ///
  /// Messages of MIDI 2.0 are translated to the closest of MIDI 1.0; those without a counterpart are dropped.
  /// Context: any.
  @_noLocks func send(_ list: UnsafePointer<MIDIEventList>, offset: UInt32) -> OSStatus {
    let raw = unsafe UnsafeRawPointer(list)
    let packets = unsafe raw.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
    var place = 8
    for _ in 0..<packets {
      let count = unsafe Int(raw.loadUnaligned(fromByteOffset: place + 8, as: UInt32.self))
      guard count <= 64 else { return kAudio_ParamError }
      let words = unsafe raw + (place + 12)
      var index = 0
      while index < count {
        let first = unsafe words.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
        let size = Self.wordCount(first >> 28)
        guard index + size <= count else { return kAudio_ParamError }
        let second =
          size > 1
          ? unsafe words.loadUnaligned(fromByteOffset: 4 * index + 4, as: UInt32.self) : 0
        let status = send(first, second, offset)
        guard status == 0 else { return status }
        index += size
      }
      place += 12 + 4 * count
    }
    return 0
  }

  /// Adds one packet of up to two words; a longer one has no counterpart.
  @_noLocks private func send(_ first: UInt32, _ second: UInt32, _ offset: UInt32) -> OSStatus {
    switch first >> 28 {
    case 1, 2:
      let message = ShortMIDIMessage(first >> 16 & 0xFF, first >> 8, first)
      return message.byteCount == 0 ? 0 : send(message, offset: offset)
    case 3: return sendExclusive(first, second, offset)
    case 4: return sendVoice(first, second, offset)
    default: return 0
    }
  }

  /// Returns a part of a system exclusive message: up to six bytes.
  @_noLocks private func sendExclusive(
    _ first: UInt32, _ second: UInt32, _ offset: UInt32
  ) -> OSStatus {
    let part = first >> 20 & 0xF
    let count = Int(first >> 16 & 0xF)
    guard part <= 3, count <= 6 else { return kAudio_ParamError }
    func byte(_ word: UInt32, _ shift: UInt32) -> UInt8 {
      UInt8(truncatingIfNeeded: word &>> shift)
    }
    var bytes = (
      byte(first, 8), byte(first, 0), byte(second, 24), byte(second, 16), byte(second, 8),
      byte(second, 0)
    )
    return unsafe send(&bytes, count: count, offset: offset, tag: Tag.part + part)
  }

  /// Returns a channel voice message of MIDI 2.0.
  @_noLocks private func sendVoice(_ first: UInt32, _ second: UInt32, _ offset: UInt32) -> OSStatus
  {
    let status = first >> 16 & 0xF0
    let channel = first >> 16 & 0x0F
    let index = first >> 8 & 0x7F
    switch status {
    case 0x80: return send(ShortMIDIMessage(0x80 | channel, index, second >> 25), offset: offset)
    case 0x90:
      // The lowest velocity of MIDI 2.0 is still a note on.
      return send(
        ShortMIDIMessage(0x90 | channel, index, second >> 25 == 0 ? 1 : second >> 25),
        offset: offset)
    case 0xA0, 0xB0:
      return send(ShortMIDIMessage(status | channel, index, second >> 25), offset: offset)
    case 0xC0:
      if first & 1 != 0 {
        let bank = send(ShortMIDIMessage(0xB0 | channel, 0, second >> 8), offset: offset)
        guard bank == 0 else { return bank }
        let fine = send(ShortMIDIMessage(0xB0 | channel, 32, second), offset: offset)
        guard fine == 0 else { return fine }
      }
      return send(ShortMIDIMessage(0xC0 | channel, second >> 24, 0), offset: offset)
    case 0xD0: return send(ShortMIDIMessage(0xD0 | channel, second >> 25, 0), offset: offset)
    case 0xE0:
      return send(
        ShortMIDIMessage(0xE0 | channel, second >> 18 & 0x7F, second >> 25), offset: offset)
    case 0x20, 0x30:
      // A registered or assignable controller: its number, then its value in two parts.
      let (high, low): (UInt32, UInt32) = status == 0x20 ? (101, 100) : (99, 98)
      let control = 0xB0 | channel
      var result = send(ShortMIDIMessage(control, high, index), offset: offset)
      if result == 0 { result = send(ShortMIDIMessage(control, low, first), offset: offset) }
      if result == 0 { result = send(ShortMIDIMessage(control, 6, second >> 25), offset: offset) }
      if result == 0 {
        result = send(ShortMIDIMessage(control, 38, second >> 18 & 0x7F), offset: offset)
      }
      return result
    default: return 0
    }
  }
}
