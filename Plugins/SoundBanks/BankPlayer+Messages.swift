// MIDI messages for a bank: what FluidSynth is told, and banks chosen as General MIDI 2 does.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

extension BankPlayer {
  /// Takes a message; it acts from the next block on. Context: render.
  @_noLocks mutating func receive(_ event: MIDIEventRecord) {
    guard event.byteCount > 0, let library, let synth = unsafe synth else { return }
    let status = unsafe event.bytes[0]
    let channel = isSingle ? 0 : Int32(status & 0xF)
    let first = unsafe event.byteCount > 1 ? Int32(event.bytes[1] & 0x7F) : 0
    let second = unsafe event.byteCount > 2 ? Int32(event.bytes[2] & 0x7F) : 0
    if status >> 4 == 0x9, second > 0 { alignToNote() }
    if isSingle, status >> 4 == 0xB, first == 0 || first == 32 { return }
    if status >> 4 == 0xB, chooseBank(channel, first, second) { return }
    if status >> 4 == 0xC, ignoresPrograms { return }
    let (bytes, count, single) = unsafe (event.bytes, event.byteCount, isSingle)
    // Door out of checked code: FluidSynth takes a message; it neither allocates nor locks, but for tuning tables.
    unsafe _unsafePerformance {
      switch status {
      case 0x80..<0x90: unsafe _ = library.noteOff(synth, channel, first)
      case 0x90..<0xA0: unsafe _ = library.noteOn(synth, channel, first, second)
      case 0xA0..<0xB0: unsafe _ = library.keyPressure(synth, channel, first, second)
      case 0xB0..<0xC0: unsafe _ = library.controller(synth, channel, first, second)
      case 0xC0..<0xD0: unsafe _ = library.program(synth, channel, first)
      case 0xD0..<0xE0: unsafe _ = library.channelPressure(synth, channel, first)
      case 0xE0..<0xF0: unsafe _ = library.bend(synth, channel, second << 7 | first)
      case 0xF0 where count > 2 && !single:
        unsafe _ = library.exclusive(synth, bytes + 1, Int32(count - 2), nil, nil, nil, 0)
      case 0xFF where !single: unsafe _ = library.systemReset(synth)
      default: break
      }
    }
    if status == 0xFF || (status == 0xF0 && isReset(event)) { gm2Channels = 0 }
    if status >> 4 == 0x9, second > 0 { makeRoom() }
    // A reset takes the tuning along.
    guard tuning != 0 || pan != 0 else { return }
    if status >> 4 == 0xB, first == 121 { tune(channel) }
    if status == 0xFF || status == 0xF0 { for channel in 0..<Int32(16) { tune(channel) } }
  }

  /// Whether a SysEx begins a mode of banks anew: General MIDI and General MIDI 2 on, GS reset, XG on. Context: render.
  @_noLocks private func isReset(_ event: MIDIEventRecord) -> Bool {
    guard event.byteCount >= 6 else { return false }
    let bytes = unsafe event.bytes
    // Behind the device's number, which is any.
    switch unsafe (bytes[1], bytes[3]) {
    case (0x7E, 0x09): return unsafe bytes[4] == 1 || bytes[4] == 3
    case (0x41, 0x42):
      return unsafe event.byteCount >= 11 && bytes[5] == 0x40 && bytes[6] == 0 && bytes[7] == 0x7F
    case (0x43, 0x4C):
      return unsafe event.byteCount >= 9 && bytes[4] == 0 && bytes[5] == 0 && bytes[6] == 0x7E
    default: return false
    }
  }

  /// Banks 121 and 120 of General MIDI 2: melodies, whose variation is the second byte of the bank, and drums.
  ///
  /// Whether the message is dealt with.
  @_noLocks private mutating func chooseBank(
    _ channel: Int32, _ controller: Int32, _ value: Int32
  ) -> Bool {
    let bit = UInt16(1) << UInt16(truncatingIfNeeded: channel)
    guard let library, let synth = unsafe synth else { return false }
    if controller == 32, gm2Channels & bit != 0 {
      // Door out of checked code: FluidSynth chooses a bank.
      unsafe _ = _unsafePerformance { unsafe library.controller(synth, channel, 0, value) }
      return true
    }
    guard controller == 0 else { return false }
    gm2Channels &= ~bit
    guard value == 120 || value == 121 else { return false }
    if value == 121 { gm2Channels |= bit }
    // Door out of checked code: FluidSynth chooses a kind of channel and its bank.
    unsafe _ = _unsafePerformance {
      unsafe _ = library.channelType(synth, channel, value == 120 ? 1 : 0)
      return unsafe library.controller(synth, channel, 0, 0)
    }
    return true
  }
}
