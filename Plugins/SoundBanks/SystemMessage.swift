// System exclusive messages that players of banks and sounds act on: General MIDI, GS, XG, universal ones.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK

/// The rules by which banks are chosen and parts begin.
enum SystemMode {
  /// No message has named one: banks are those of GS, and 126 and 127 are drums as in XG.
  case plain
  case generalMIDI
  case generalMIDI2
  case gs
  case xg
}

/// A system exclusive message by its effect; the device number may be any. Channels count from 0.
enum SystemMessage {
  /// Everything begins anew, under the rules of a mode.
  case reset(SystemMode)
  /// A linear gain of everything.
  case volume(Float)
  /// −1 left, 1 right, of everything.
  case balance(Float)
  /// Cents, of everything.
  case fineTuning(Float)
  /// Semitones, of everything but drums.
  case coarseTuning(Float)
  /// Whether a channel plays drums.
  case rhythmPart(channel: Int, isDrum: Bool)
  /// Semitones of one channel, which drums ignore.
  case keyShift(channel: Int, semitones: Float)
  /// Cents of one channel.
  case partTuning(channel: Int, cents: Float)
  /// Semitones of a channel's pitch wheel.
  case bendRange(channel: Int, semitones: Int)
  /// A controller of a channel under another address.
  case controller(channel: Int, number: Int, value: Int)
  /// A program of a channel under another address.
  case program(channel: Int, number: Int)
  /// Cents + 64 of the keys from C on, as many as there are bytes behind an offset of the message.
  case scale(channel: Int, firstKey: Int, offset: Int, count: Int)
  /// A universal message that the synth knows, such as a table of tuning.
  case universal
  /// A message that nobody here acts on.
  case other

  /// Reads a whole message, from 0xF0 to 0xF7. Context: render.
  @_noLocks init(_ event: MIDIEventRecord) {
    self = .other
    let (bytes, count) = unsafe (event.bytes, event.byteCount)
    guard count >= 6, unsafe bytes[0] == 0xF0, unsafe bytes[count - 1] == 0xF7 else { return }
    switch unsafe bytes[1] {
    case 0x7E, 0x7F: unsafe self = Self.universal(bytes, count)
    case 0x41: unsafe self = Self.roland(bytes, count)
    case 0x43: unsafe self = Self.yamaha(bytes, count)
    default: break
    }
  }

  /// The gain of a volume, which is squared as controller 7 is.
  @_noLocks private static func gain(_ volume: Float) -> Float { volume * volume }

  @_noLocks private static func universal(
    _ bytes: UnsafePointer<UInt8>, _ count: Int
  ) -> SystemMessage {
    if unsafe bytes[1] == 0x7E, unsafe bytes[3] == 0x09 {
      switch unsafe bytes[4] {
      case 1: return .reset(.generalMIDI)
      case 2: return .reset(.plain)
      case 3: return .reset(.generalMIDI2)
      default: return .other
      }
    }
    guard unsafe bytes[1] == 0x7F, unsafe bytes[3] == 0x04, count >= 8 else { return .universal }
    let value = unsafe Int(bytes[6] & 0x7F) << 7 | Int(bytes[5] & 0x7F)
    switch unsafe bytes[4] {
    case 1: return .volume(gain(Float(value) / 16_383))
    case 2: return .balance(max(-1, Float(value - 8192) / 8191))
    case 3: return .fineTuning(Float(value - 8192) * 100 / 8192)
    case 4: return .coarseTuning(Float(value >> 7 - 64))
    default: return .universal
    }
  }

  /// A number of 16 bits in four bytes, in tenths of cents around 1024.
  @_noLocks private static func tuning(_ data: UnsafePointer<UInt8>) -> Float {
    var value = 0
    for index in 0..<4 { unsafe value = value << 4 | Int(data[index] & 0xF) }
    return Float(min(max(value - 1024, -1000), 1000)) / 10
  }

  /// Semitones around 64, two octaves at most.
  @_noLocks private static func semitones(_ value: Int) -> Float {
    Float(min(max(value - 64, -24), 24))
  }

  @_noLocks private static func roland(
    _ bytes: UnsafePointer<UInt8>, _ count: Int
  ) -> SystemMessage {
    guard count >= 11, unsafe bytes[3] == 0x42, unsafe bytes[4] == 0x12 else { return .other }
    var sum = 0
    for index in 5..<(count - 1) { unsafe sum += Int(bytes[index]) }
    guard sum & 0x7F == 0 else { return .other }
    let address = unsafe Int(bytes[5]) << 16 | Int(bytes[6]) << 8 | Int(bytes[7])
    let (data, room) = unsafe (bytes + 8, count - 10)
    let value = unsafe Int(data[0] & 0x7F)
    switch address {
    case 0x40_007F where value == 0, 0x00_007F: return .reset(.gs)
    case 0x40_007F where value == 0x7F: return .reset(.generalMIDI)
    case 0x40_0000 where room >= 4: return unsafe .fineTuning(tuning(data))
    case 0x40_0004: return .volume(gain(Float(value) / 127))
    case 0x40_0005: return .coarseTuning(semitones(value))
    case 0x40_0006: return .balance(max(-1, Float(value - 64) / 63))
    default: break
    }
    // Part 0 is channel 10; those before it are one lower.
    let part = address >> 8 & 0xF
    let channel = part == 0 ? 9 : part < 10 ? part - 1 : part
    switch address & 0xFF_F0FF {
    case 0x40_1015: return .rhythmPart(channel: channel, isDrum: value != 0)
    case 0x40_1016: return .keyShift(channel: channel, semitones: semitones(value))
    case 0x40_102A where room >= 2:
      let fine = unsafe value << 7 | Int(data[1] & 0x7F)
      return .partTuning(channel: channel, cents: Float(fine - 8192) * 100 / 8192)
    case 0x40_1019: return .controller(channel: channel, number: 7, value: value)
    case 0x40_101C: return .controller(channel: channel, number: 10, value: value)
    case 0x40_1021: return .controller(channel: channel, number: 93, value: value)
    case 0x40_1022: return .controller(channel: channel, number: 91, value: value)
    case 0x40_2010: return .bendRange(channel: channel, semitones: min(max(value - 64, 0), 24))
    case 0x40_1040...0x40_104B:
      let first = address & 0xF
      return .scale(channel: channel, firstKey: first, offset: 8, count: min(room, 12 - first))
    default: return .other
    }
  }

  @_noLocks private static func yamaha(
    _ bytes: UnsafePointer<UInt8>, _ count: Int
  ) -> SystemMessage {
    guard count >= 9, unsafe bytes[2] >> 4 == 1, unsafe bytes[3] == 0x4C else { return .other }
    let address = unsafe Int(bytes[4]) << 16 | Int(bytes[5]) << 8 | Int(bytes[6])
    let (data, room) = unsafe (bytes + 7, count - 8)
    let value = unsafe Int(data[0] & 0x7F)
    switch address {
    case 0x00_007E where value == 0, 0x00_007F where value == 0: return .reset(.xg)
    case 0x00_0000 where room >= 4: return unsafe .fineTuning(tuning(data))
    case 0x00_0004: return .volume(gain(Float(value) / 127))
    case 0x00_0006: return .coarseTuning(semitones(value))
    default: break
    }
    let channel = address >> 8 & 0xFF
    guard channel < 16 else { return .other }
    switch address & 0xFF_00FF {
    case 0x08_0001: return .controller(channel: channel, number: 0, value: value)
    case 0x08_0002: return .controller(channel: channel, number: 32, value: value)
    case 0x08_0003: return .program(channel: channel, number: value)
    case 0x08_0007: return .rhythmPart(channel: channel, isDrum: value != 0)
    case 0x08_0008: return .keyShift(channel: channel, semitones: semitones(value))
    case 0x08_000B: return .controller(channel: channel, number: 7, value: value)
    case 0x08_000E: return .controller(channel: channel, number: 10, value: value)
    case 0x08_0012: return .controller(channel: channel, number: 93, value: value)
    case 0x08_0013: return .controller(channel: channel, number: 91, value: value)
    case 0x08_0023: return .bendRange(channel: channel, semitones: min(max(value - 64, 0), 24))
    default: return .other
    }
  }
}

/// The settings of a whole player that messages change.
struct MasterControls: BitwiseCopyable {
  /// A linear gain.
  var volume: Float = 1
  /// −1 left, 1 right.
  var balance: Float = 0
  /// Cents.
  var fine: Float = 0
  /// Semitones; drums ignore them.
  var coarse: Float = 0

  @_noLocks init() {}

  /// The gains of the left and the right channel.
  var gains: (left: Float, right: Float) {
    @_noLocks get {
      (volume * (balance > 0 ? 1 - balance : 1), volume * (balance < 0 ? 1 + balance : 1))
    }
  }
}
