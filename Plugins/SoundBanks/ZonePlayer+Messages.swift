// MIDI messages for an instrument of sounds.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

extension ZonePlayer {
  /// Receives a message. Context: render.
  @_noLocks mutating func receive(_ event: MIDIEventRecord) {
    guard event.byteCount > 0 else { return }
    let status = unsafe event.bytes[0]
    let channel = Int(status & 0xF)
    let first = unsafe event.byteCount > 1 ? Int(event.bytes[1] & 0x7F) : 0
    let second = unsafe event.byteCount > 2 ? Int(event.bytes[2] & 0x7F) : 0
    switch status {
    case 0x80..<0x90: letGo(first, channel)
    case 0x90..<0xA0:
      if second > 0 { strike(first, second, channel) } else { letGo(first, channel) }
    case 0xA0..<0xB0: keyPressure = Float(second)
    case 0xB0..<0xC0: control(channel, first, second)
    case 0xC0..<0xD0: program = Float(first)
    case 0xD0..<0xE0: pressure = Float(first)
    case 0xE0..<0xF0: parameters.bend = second << 7 | first
    case 0xF0: receiveExclusive(event)
    case 0xFF: reset()
    default: break
    }
  }

  @_noLocks private mutating func control(_ channel: Int, _ number: Int, _ value: Int) {
    let wasDown = unsafe controllers[64] >= 64
    _ = parameters.control(number, value)
    switch number {
    case 120: return silence()
    case 121: return resetControllers(channel)
    case 123...127:
      for key in 0..<128 { letGo(key, channel) }
      return
    default: break
    }
    unsafe controllers[number] = UInt8(value)
    follow()
    if number == 64, wasDown, value < 64 { liftPedal(channel) }
    if number == 66 { holdNotes(channel, isDown: value >= 64) }
  }

  /// Catches the notes that are down, or lets them go.
  @_noLocks private mutating func holdNotes(_ channel: Int, isDown: Bool) {
    for index in 0..<Self.voiceCount where unsafe voices[index].isActive {
      if isDown {
        if unsafe voices[index].isKeyDown { unsafe voices[index].isSostenuto = true }
      } else {
        unsafe voices[index].isSostenuto = false
      }
    }
    if !isDown, unsafe controllers[64] < 64 { liftPedal(channel) }
  }

  /// Applies controller 121: volume and pan stay.
  @_noLocks private mutating func resetControllers(_ channel: Int) {
    for number in 0..<120 where number != 7 && number != 10 && !(91...95).contains(number) {
      unsafe controllers[number] = number == 11 ? 127 : 0
    }
    pressure = 0
    keyPressure = 0
    holdNotes(channel, isDown: false)
    follow()
  }

  @_noLocks private mutating func reset() {
    silence()
    forgetMessages()
  }

  @_noLocks private mutating func receiveExclusive(_ event: MIDIEventRecord) {
    switch SystemMessage(event) {
    case .reset: reset()
    case .volume(let gain): master.volume = gain
    case .balance(let place): master.balance = place
    case .fineTuning(let cents): master.fine = cents
    case .coarseTuning(let semitones): master.coarse = semitones
    default: break
    }
  }
}
