// System exclusive messages for a bank: modes, volume, balance, tuning, parts, scales.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

extension BankPlayer {
  /// Receives a whole system exclusive message. Context: render.
  @_noLocks mutating func receiveExclusive(_ event: MIDIEventRecord) {
    switch SystemMessage(event) {
    case .reset(let mode): reset(mode)
    case .volume(let gain): master.volume = gain
    case .balance(let place): master.balance = place
    case .fineTuning(let cents):
      master.fine = cents
      tuneAll()
    case .coarseTuning(let semitones):
      master.coarse = semitones
      tuneAll()
    case .universal: passUniversal(event)
    case let message: if !isSingle { receive(message, event) }
    }
  }

  /// Receives a message for one channel.
  @_noLocks private mutating func receive(_ message: SystemMessage, _ event: MIDIEventRecord) {
    switch message {
    case .rhythmPart(let channel, let isDrum):
      setKind(Int32(channel), isDrum: isDrum)
      if !ignoresPrograms { pass(0xC0, Int32(channel), 0, 0) }
    case .keyShift(let channel, let semitones):
      unsafe channels[channel].keyShift = semitones
      tune(Int32(channel))
    case .partTuning(let channel, let cents):
      unsafe channels[channel].partCents = cents
      tune(Int32(channel))
    case .bendRange(let channel, let semitones):
      unsafe channels[channel].parameters.bendSemitones = semitones
      unsafe channels[channel].parameters.bendCents = 0
      setBendRange(Int32(channel))
    case .controller(let channel, let number, let value):
      control(Int32(channel), Int32(number), Int32(value))
    case .program(let channel, let number):
      if !ignoresPrograms { pass(0xC0, Int32(channel), Int32(number), 0) }
    case .scale(let channel, let firstKey, let offset, let count):
      for index in 0..<count {
        unsafe scales[channel * 12 + firstKey + index] = event.bytes[offset + index] & 0x7F
      }
      passScale(channel)
    default: break
    }
  }

  @_noLocks private func tuneAll() {
    for channel in 0..<Int32(16) { tune(channel) }
  }

  /// Begins anew under the rules of a mode. One instrument keeps its preset.
  @_noLocks mutating func reset(_ mode: SystemMode) {
    forgetMessages()
    guard !isSingle else {
      pass(0xB0, 0, 120, 0)
      pass(0xB0, 0, 121, 0)
      setBendRange(0)
      tune(0)
      return
    }
    self.mode = mode
    switch mode {
    case .plain: resetSystem()
    case .generalMIDI: passBytes(0x7E, 0x7F, 0x09, 0x01)
    case .generalMIDI2: passBytes(0x7E, 0x7F, 0x09, 0x03)
    case .gs: passBytes(0x41, 0x7F, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41)
    case .xg: passBytes(0x43, 0x7F, 0x4C, 0, 0, 0x7E, 0)
    }
    // A reset includes the tuning; the wheels are as this player has them.
    for channel in 0..<Int32(16) { tuneAgain(channel) }
  }

  @_noLocks private func resetSystem() {
    guard let library, let synth = unsafe synth else { return }
    // Door out of checked code: FluidSynth resets its channels.
    unsafe _ = _unsafePerformance { unsafe library.systemReset(synth) }
  }

  /// Passes a message of a few bytes, without those at its ends.
  @_noLocks private func passBytes(
    _ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8, _ e: UInt8? = nil, _ f: UInt8 = 0,
    _ g: UInt8 = 0, _ h: UInt8? = nil, _ i: UInt8 = 0
  ) {
    unsafe (message[0], message[1], message[2], message[3]) = (a, b, c, d)
    unsafe (message[4], message[5], message[6]) = (e ?? 0, f, g)
    unsafe (message[7], message[8]) = (h ?? 0, i)
    passMessage(e == nil ? 4 : h == nil ? 7 : 9)
  }

  /// Passes the first bytes of `message`.
  @_noLocks private func passMessage(_ count: Int) {
    guard let library, let synth = unsafe synth else { return }
    let bytes = unsafe message
    // Door out of checked code: FluidSynth receives a message; it neither allocates nor locks, but for tuning tables.
    unsafe _ = _unsafePerformance {
      unsafe library.exclusive(synth, bytes, Int32(count), nil, nil, nil, 0)
    }
  }

  /// Passes a universal message as one for all devices.
  @_noLocks private func passUniversal(_ event: MIDIEventRecord) {
    guard !isSingle, event.byteCount - 2 <= Self.messageRoom else { return }
    for index in 0..<(event.byteCount - 2) { unsafe message[index] = event.bytes[index + 1] }
    unsafe message[1] = 0x7F
    passMessage(event.byteCount - 2)
  }

  /// Passes the scale of a channel as a universal message of tuning, which FluidSynth knows.
  @_noLocks private func passScale(_ channel: Int) {
    let bit = UInt32(1) << UInt32(channel)
    unsafe (message[0], message[1], message[2], message[3]) = (0x7F, 0x7F, 0x08, 0x08)
    unsafe message[4] = UInt8(bit >> 14 & 0x3)
    unsafe message[5] = UInt8(bit >> 7 & 0x7F)
    unsafe message[6] = UInt8(bit & 0x7F)
    for key in 0..<12 { unsafe message[7 + key] = scales[channel * 12 + key] }
    passMessage(19)
  }
}
