// MIDI messages of channels for a bank: the calls of FluidSynth, registered parameters, banks.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

extension BankPlayer {
  /// Receives a message; it acts from the next block on. Context: render.
  @_noLocks mutating func receive(_ event: MIDIEventRecord) {
    guard event.byteCount > 0, unsafe synth != nil else { return }
    let status = unsafe event.bytes[0]
    let channel = isSingle ? 0 : Int32(status & 0xF)
    let first = unsafe event.byteCount > 1 ? Int32(event.bytes[1] & 0x7F) : 0
    let second = unsafe event.byteCount > 2 ? Int32(event.bytes[2] & 0x7F) : 0
    switch status {
    case 0x90..<0xA0 where second > 0:
      alignToNote()
      pass(status, channel, first, second)
      makeRoom()
    case 0xB0..<0xC0: control(channel, first, second)
    case 0xC0..<0xD0 where ignoresPrograms: break
    case 0xE0..<0xF0:
      unsafe channels[Int(channel)].parameters.bend = Int(second << 7 | first)
      bend(channel)
    case 0x80..<0xF0: pass(status, channel, first, second)
    case 0xF0: receiveExclusive(event)
    case 0xFF: reset(.plain)
    default: break
    }
  }

  /// Passes a message of a channel to FluidSynth.
  @_noLocks func pass(_ status: UInt8, _ channel: Int32, _ first: Int32, _ second: Int32) {
    guard let library, let synth = unsafe synth else { return }
    // Door out of checked code: FluidSynth receives a message; it neither allocates nor locks, but for tuning tables.
    unsafe _unsafePerformance {
      switch status >> 4 {
      case 0x8: unsafe _ = library.noteOff(synth, channel, first)
      case 0x9: unsafe _ = library.noteOn(synth, channel, first, second)
      case 0xA: unsafe _ = library.keyPressure(synth, channel, first, second)
      case 0xB: unsafe _ = library.controller(synth, channel, first, second)
      case 0xC: unsafe _ = library.program(synth, channel, first)
      case 0xD: unsafe _ = library.channelPressure(synth, channel, first)
      default: break
      }
    }
  }

  /// Receives a controller.
  @_noLocks mutating func control(_ channel: Int32, _ number: Int32, _ value: Int32) {
    if isSingle, number == 0 || number == 32 { return }
    if chooseBank(channel, number, value) { return }
    let changed = unsafe channels[Int(channel)].parameters.control(Int(number), Int(value))
    pass(0xB0, channel, number, value)
    switch changed {
    case ChannelParameters.bendRange: setBendRange(channel)
    case ChannelParameters.fineTuning: tune(channel)
    default: break
    }
    // A reset of controllers includes the tuning; messages of a channel's mode end its notes.
    if number == 121 { tuneAgain(channel) }
    if number >= 124 { pass(0xB0, channel, 123, 0) }
  }

  /// Tunes a channel that FluidSynth has reset, where it is tuned.
  @_noLocks func tuneAgain(_ channel: Int32) {
    let part = unsafe channels[Int(channel)]
    guard
      tuning != 0 || pan != 0 || master.fine != 0 || master.coarse != 0 || part.partCents != 0
        || part.keyShift != 0
    else { return }
    tune(channel)
  }

  /// Passes the range of a wheel to FluidSynth.
  @_noLocks func setBendRange(_ channel: Int32) {
    guard let library, let synth = unsafe synth else { return }
    let semitones = unsafe channels[Int(channel)].synthBendRange
    // Door out of checked code: FluidSynth stores the range of a pitch wheel.
    unsafe _ = _unsafePerformance { unsafe library.bendRange(synth, channel, semitones) }
    bend(channel)
  }

  /// Passes the wheel of a channel to FluidSynth.
  @_noLocks private func bend(_ channel: Int32) {
    guard let library, let synth = unsafe synth else { return }
    let part = unsafe channels[Int(channel)]
    let moved = Float(part.parameters.bend - 8192) * part.bendScale
    let value = Int32(min(max(RealtimeMath.floor(8192.5 + moved), 0), 16_383))
    // Door out of checked code: FluidSynth bends a channel.
    unsafe _ = _unsafePerformance { unsafe library.bend(synth, channel, value) }
  }

  /// Makes a channel one of drums, or one of melodies with bank 0: channel 10 begins with the bank of drums.
  @_noLocks func setKind(_ channel: Int32, isDrum: Bool) {
    guard let library, let synth = unsafe synth else { return }
    unsafe channels[Int(channel)].isDrum = isDrum
    let kind: Int32 = isDrum ? 1 : 0
    // Door out of checked code: FluidSynth chooses a kind of channel.
    unsafe _ = _unsafePerformance { unsafe library.channelType(synth, channel, kind) }
    if !isDrum { selectBank(channel, 0) }
    tuneAgain(channel)
  }

  /// Selects a bank of melodies by its number, in any mode.
  @_noLocks private func selectBank(_ channel: Int32, _ bank: Int32) {
    guard let library, let synth = unsafe synth else { return }
    // Door out of checked code: FluidSynth stores the bank of a channel for the next program.
    unsafe _ = _unsafePerformance { unsafe library.selectBank(synth, channel, bank) }
  }

  /// Chooses banks that FluidSynth does not know as such: 121 and 120 of General MIDI 2, melodies (whose variation is the
  /// second byte of the bank) and drums; 126 and 127 of XG where no mode was chosen.
  ///
  /// - Returns: Whether FluidSynth need not know the message.
  @_noLocks private mutating func chooseBank(
    _ channel: Int32, _ controller: Int32, _ value: Int32
  ) -> Bool {
    let index = Int(channel)
    if controller == 32, unsafe channels[index].hasGM2Bank {
      selectBank(channel, value)
      return true
    }
    guard controller == 0 else { return false }
    unsafe channels[index].hasGM2Bank = false
    if case .xg = mode {
      let isDrum = value >= 120
      if unsafe channels[index].isDrum != isDrum { setKind(channel, isDrum: isDrum) }
      return false
    }
    var isPlain = false
    if case .plain = mode { isPlain = true }
    let isDrumBank = value == 120 || (isPlain && value >= 126)
    switch value {
    case _ where isDrumBank:
      unsafe channels[index].hasDrumBank = true
      setKind(channel, isDrum: true)
      pass(0xB0, channel, 0, 0)
      return true
    case 121:
      unsafe channels[index].hasGM2Bank = true
      unsafe channels[index].hasDrumBank = false
      setKind(channel, isDrum: false)
      return true
    default:
      guard unsafe channels[index].hasDrumBank else { return false }
      unsafe channels[index].hasDrumBank = false
      setKind(channel, isDrum: channel == 9)
      return false
    }
  }
}
