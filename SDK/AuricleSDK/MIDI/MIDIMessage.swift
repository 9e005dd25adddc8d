// A MIDI message as a kernel reads it: which kind, which channel, which numbers.
// SPDX-License-Identifier: Apache-2.0

/// A channel message of MIDI 1.0; channels from 0 to 15, keys, controllers and values from 0 to 127.
///
/// Units read them from `RenderSlice.midi`, and send them with `RenderSlice.send(_:at:output:)`:
///
/// ```swift
/// for event in slice.midi {
///   switch event.message {
///   case .noteOn(let channel, let key, let velocity):
///     slice.send(
///       .noteOn(channel: channel, key: min(key + 12, 127), velocity: velocity), at: event.frame)
///   case .controlChange(_, 1, let value): depth = Float(value) / 127
///   default: break
///   }
/// }
/// ```
///
/// Messages of MIDI 2.0 come as the closest of MIDI 1.0. Context: any.
@frozen public enum MIDIMessage: Equatable, Sendable {
  /// Release of a key; velocity 0 to 127, 64 from a keyboard without release velocity.
  case noteOff(channel: Int, key: Int, velocity: Int)
  /// Stroke of a key; velocity 1 to 127. A note-on of velocity 0 comes as a note-off.
  case noteOn(channel: Int, key: Int, velocity: Int)
  /// Pressure of one key (polyphonic aftertouch), 0 to 127.
  case keyPressure(channel: Int, key: Int, pressure: Int)
  /// Movement of a controller, such as 1 (modulation wheel) or 64 (sustain pedal); value 0 to 127.
  case controlChange(channel: Int, controller: Int, value: Int)
  /// Choice of a program, 0 to 127; banks are controllers 0 and 32.
  case programChange(channel: Int, program: Int)
  /// Pressure of all keys of a channel (aftertouch), 0 to 127.
  case channelPressure(channel: Int, pressure: Int)
  /// Movement of the pitch wheel, −8192 to 8191, 0 in the middle; two semitones to either end unless set otherwise.
  case pitchBend(channel: Int, value: Int)
  /// Anything else: system messages, whose bytes `RenderSlice.midiEvent(_:)` has. It cannot be sent.
  case other
}

extension MIDIMessage {
  /// Reads a whole message. A note-on of velocity 0 is a note-off of velocity 64.
  @_noLocks init(_ record: MIDIEventRecord) {
    guard record.byteCount > 0 else {
      self = .other
      return
    }
    let status = unsafe Int(record.bytes[0])
    let first = unsafe record.byteCount > 1 ? Int(record.bytes[1] & 0x7F) : 0
    let second = unsafe record.byteCount > 2 ? Int(record.bytes[2] & 0x7F) : 0
    let channel = status & 0xF
    switch status >> 4 {
    case 0x8: self = .noteOff(channel: channel, key: first, velocity: second)
    case 0x9:
      self =
        second == 0
        ? .noteOff(channel: channel, key: first, velocity: 64)
        : .noteOn(channel: channel, key: first, velocity: second)
    case 0xA: self = .keyPressure(channel: channel, key: first, pressure: second)
    case 0xB: self = .controlChange(channel: channel, controller: first, value: second)
    case 0xC: self = .programChange(channel: channel, program: first)
    case 0xD: self = .channelPressure(channel: channel, pressure: first)
    case 0xE: self = .pitchBend(channel: channel, value: second << 7 + first - 8192)
    default: self = .other
    }
  }

  /// Returns the three bytes of the message, and how many count; 0 for `other`.
  @_noLocks func bytes(_ bytes: inout (UInt8, UInt8, UInt8)) -> Int {
    switch self {
    case .noteOff(let channel, let key, let velocity):
      return Self.put(0x80, channel, key, velocity, &bytes)
    case .noteOn(let channel, let key, let velocity):
      return Self.put(0x90, channel, key, velocity, &bytes)
    case .keyPressure(let channel, let key, let pressure):
      return Self.put(0xA0, channel, key, pressure, &bytes)
    case .controlChange(let channel, let controller, let value):
      return Self.put(0xB0, channel, controller, value, &bytes)
    case .programChange(let channel, let program):
      return Self.put(0xC0, channel, program, 0, &bytes) - 1
    case .channelPressure(let channel, let pressure):
      return Self.put(0xD0, channel, pressure, 0, &bytes) - 1
    case .pitchBend(let channel, let value):
      let bits = min(max(value, -8192), 8191) + 8192
      return Self.put(0xE0, channel, bits & 0x7F, bits >> 7, &bytes)
    case .other: return 0
    }
  }

  @_noLocks private static func put(
    _ status: Int, _ channel: Int, _ first: Int, _ second: Int,
    _ bytes: inout (UInt8, UInt8, UInt8)
  ) -> Int {
    bytes.0 = UInt8(truncatingIfNeeded: status | channel & 0xF)
    bytes.1 = UInt8(truncatingIfNeeded: min(max(first, 0), 127))
    bytes.2 = UInt8(truncatingIfNeeded: min(max(second, 0), 127))
    return 3
  }
}
