// The content of an event, in C's form: checked once, kept at one address.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// The data of one event.
///
/// @unchecked Sendable because nothing changes after it was made.
@safe package final class EventData: @unchecked Sendable {
  /// The type of the event.
  package let type: MusicEventType
  /// The data as the struct of the type, followed by the bytes that the struct announces.
  package let pointer: UnsafeMutableRawPointer
  /// The number of bytes.
  package let byteCount: Int

  /// Keeps a copy of bytes that are known to make sense.
  init(_ type: MusicEventType, _ bytes: UnsafeRawPointer, byteCount: Int) {
    self.type = type
    self.byteCount = byteCount
    // No struct is longer than 32 bytes: a reader of one with a short array behind it stays inside.
    unsafe pointer = .allocate(byteCount: max(byteCount, 32), alignment: 8)
    unsafe pointer.initializeMemory(as: UInt8.self, repeating: 0, count: max(byteCount, 32))
    unsafe pointer.copyMemory(from: bytes, byteCount: byteCount)
    if let preset = unsafe preset { unsafe _ = CFRetain(preset) }
  }

  deinit {
    if let preset = unsafe preset { unsafe CFRelease(preset) }
    unsafe pointer.deallocate()
  }

  private var preset: UnsafeRawPointer? {
    guard type == kMusicEventType_AUPreset else { return nil }
    return unsafe pointer.load(fromByteOffset: 8, as: UnsafeRawPointer?.self)
  }

  /// Another one of the same data.
  package func copy() -> EventData { unsafe EventData(type, pointer, byteCount: byteCount) }

  /// Beats from its start to its end: those of a note.
  package var duration: Double {
    switch type {
    case kMusicEventType_MIDINoteMessage: Double(load(4, as: Float.self))
    case kMusicEventType_ExtendedNote: Double(load(8, as: Float.self))
    default: 0
    }
  }

  /// Beats a minute of a tempo event; nil for another.
  package var tempo: Double? {
    type == kMusicEventType_ExtendedTempo ? load(0, as: Double.self) : nil
  }

  /// The type and bytes of a meta event; nil for another.
  package var meta: (type: UInt8, bytes: [UInt8])? {
    guard type == kMusicEventType_Meta else { return nil }
    return (load(0, as: UInt8.self), bytes(from: 8))
  }

  /// A value at a place.
  package func load<Value: BitwiseCopyable>(_ offset: Int, as type: Value.Type) -> Value {
    unsafe pointer.load(fromByteOffset: offset, as: type)
  }

  /// The bytes from a place to the end.
  package func bytes(from offset: Int) -> [UInt8] {
    unsafe Array(UnsafeRawBufferPointer(start: pointer + offset, count: byteCount - offset))
  }
}

extension EventData {
  /// The most bytes of a message.
  private static let byteLimit = 16 << 20

  /// Copies a program's data; nil for values out of range, or without data.
  package convenience init?(_ type: MusicEventType, from data: UnsafeRawPointer?) {
    guard let data = unsafe data else { return nil }
    let supplied = unsafe Supplied(data: data)
    guard let count = supplied.byteCount(type), count <= Self.byteLimit, supplied.makesSense(type)
    else {
      return nil
    }
    unsafe self.init(type, data, byteCount: count)
  }

  /// A note.
  package convenience init(
    channel: UInt8, note: UInt8, velocity: UInt8, release: UInt8, duration: Float
  ) {
    var message = MIDINoteMessage(
      channel: channel, note: note, velocity: velocity, releaseVelocity: release,
      duration: duration)
    unsafe self.init(kMusicEventType_MIDINoteMessage, &message, byteCount: 8)
  }

  /// A message of a channel.
  package convenience init(status: UInt8, _ first: UInt8, _ second: UInt8) {
    var message = MIDIChannelMessage(status: status, data1: first, data2: second, reserved: 0)
    unsafe self.init(kMusicEventType_MIDIChannelMessage, &message, byteCount: 4)
  }

  /// A tempo.
  package convenience init(beatsPerMinute: Double) {
    var event = ExtendedTempoEvent(bpm: beatsPerMinute)
    unsafe self.init(kMusicEventType_ExtendedTempo, &event, byteCount: 8)
  }

  /// Bytes to be sent.
  package convenience init(raw bytes: [UInt8]) {
    let all = Self.little(bytes.count) + bytes
    unsafe self.init(kMusicEventType_MIDIRawData, all, byteCount: all.count)
  }

  /// A meta event.
  package convenience init(meta type: UInt8, _ bytes: [UInt8]) {
    let all = [type, 0, 0, 0] + Self.little(bytes.count) + bytes
    unsafe self.init(kMusicEventType_Meta, all, byteCount: all.count)
  }

  private static func little(_ count: Int) -> [UInt8] {
    unsafe withUnsafeBytes(of: UInt32(count)) { unsafe Array($0) }
  }
}

/// Data of a program, which may be at any address.
@safe private struct Supplied {
  let data: UnsafeRawPointer

  func load<Value: BitwiseCopyable>(_ offset: Int, as type: Value.Type) -> Value {
    unsafe data.loadUnaligned(fromByteOffset: offset, as: type)
  }

  /// The bytes of an event of a type; nil where there is no such type.
  func byteCount(_ type: MusicEventType) -> Int? {
    switch type {
    case kMusicEventType_ExtendedNote:
      let count = Int(load(12, as: UInt32.self))
      return (2...1026).contains(count) ? 24 + 8 * (count - 2) : nil
    case kMusicEventType_ExtendedControl: return 12
    case kMusicEventType_ExtendedTempo, kMusicEventType_MIDINoteMessage: return 8
    case kMusicEventType_User, kMusicEventType_MIDIRawData: return 4 + Int(load(0, as: UInt32.self))
    case kMusicEventType_Meta: return 8 + Int(load(4, as: UInt32.self))
    case kMusicEventType_MIDIChannelMessage: return 4
    case kMusicEventType_Parameter, kMusicEventType_AUPreset: return 16
    default: return nil
    }
  }

  /// Whether the values are in their ranges.
  func makesSense(_ type: MusicEventType) -> Bool {
    func byte(_ offset: Int) -> UInt8 { load(offset, as: UInt8.self) }
    func float(_ offset: Int) -> Float { load(offset, as: Float.self) }
    switch type {
    case kMusicEventType_MIDINoteMessage:
      return byte(0) < 16 && byte(1) | byte(2) | byte(3) < 128 && float(4).isFinite && float(4) >= 0
    case kMusicEventType_MIDIChannelMessage:
      return (0x80..<0xF0).contains(byte(0)) && byte(1) | byte(2) < 128
    case kMusicEventType_ExtendedNote:
      return float(8).isFinite && float(8) >= 0 && float(16).isFinite && float(20).isFinite
    case kMusicEventType_ExtendedTempo:
      let tempo = load(0, as: Double.self)
      return tempo.isFinite && tempo > 0
    case kMusicEventType_ExtendedControl: return float(8).isFinite
    case kMusicEventType_Parameter: return float(12).isFinite
    case kMusicEventType_MIDIRawData: return load(0, as: UInt32.self) > 0
    case kMusicEventType_AUPreset: return load(8, as: UInt.self) != 0
    default: return true
    }
  }
}
