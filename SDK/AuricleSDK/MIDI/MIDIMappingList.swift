// The MIDI mapping for the render thread: messages that set parameters, at their frame.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport
import Synchronization

/// A message and its parameter.
struct MIDIMappingEntry: BitwiseCopyable {
  var flags: UInt32
  var status: UInt8
  var data1: UInt8
  /// Index of the value in the store.
  var index: Int
  /// Values at the ends of the controller's range.
  var least: Float
  var greatest: Float
}

/// An immutable list of entries in one block of memory, and the message that the hot mapping learned.
///
/// Made by a control thread, published as a whole. Context: render, but for `make`.
@safe struct MIDIMappingList: ~Copyable {
  /// The learned message: 0 for none yet, otherwise 0x10000 | status << 8 | second byte.
  let learnt = Atomic<UInt32>(0)
  /// Whether to learn the next channel message.
  var learns: Bool
  var count: Int

  private init(count: Int, learns: Bool) {
    self.count = count
    self.learns = learns
  }

  /// The offset of the entries in bytes.
  private static let offset = 32

  /// Allocates a list; its memory is freed as one block.
  static func make(
    _ entries: [MIDIMappingEntry], learns: Bool
  ) -> UnsafeMutablePointer<MIDIMappingList> {
    let raw = UnsafeMutableRawPointer.allocate(
      byteCount: offset + entries.count * MemoryLayout<MIDIMappingEntry>.stride, alignment: 16)
    let list = unsafe raw.bindMemory(to: MIDIMappingList.self, capacity: 1)
    unsafe list.initialize(to: MIDIMappingList(count: entries.count, learns: learns))
    let first = unsafe (raw + offset).bindMemory(
      to: MIDIMappingEntry.self, capacity: entries.count)
    for (index, entry) in entries.enumerated() { unsafe (first + index).initialize(to: entry) }
    return unsafe list
  }

  /// Returns an entry of a list.
  @_noLocks static func entry(
    _ list: UnsafeMutablePointer<MIDIMappingList>, _ index: Int
  ) -> MIDIMappingEntry {
    unsafe (UnsafeMutableRawPointer(list) + offset).assumingMemoryBound(
      to: MIDIMappingEntry.self)[index]
  }
}

extension MIDIMappingEntry {
  /// Returns whether a message is the one of this entry: kind, channel, and controller or note.
  @_noLocks func matches(_ status: UInt8, _ data1: UInt8) -> Bool {
    let anyChannel = flags & kAUParameterMIDIMapping_AnyChannelFlag != 0
    guard status & 0xF0 == self.status & 0xF0, anyChannel || status == self.status else {
      return false
    }
    switch status & 0xF0 {
    case 0xC0, 0xD0, 0xE0: return true
    case 0x80, 0x90, 0xA0:
      return data1 == self.data1 || flags & kAUParameterMIDIMapping_AnyNoteFlag != 0
    default: return data1 == self.data1
    }
  }

  /// Returns the position of the message in the controller's range, 0 to 1.
  @_noLocks static func position(_ status: UInt8, _ data1: UInt8, _ data2: UInt8) -> Float {
    switch status & 0xF0 {
    case 0xC0, 0xD0: Float(data1) / 127
    case 0xE0: Float(Int(data2) << 7 | Int(data1)) / 16_383
    default: Float(data2) / 127
    }
  }

  /// Returns the value for a message; `present` if it changes nothing.
  @_noLocks func value(_ position: Float, present: Float) -> Float {
    let isOn = position >= 0.5
    if flags & kAUParameterMIDIMapping_Toggle != 0 {
      // Toggles at half of the range, or at any value above zero.
      if flags & kAUParameterMIDIMapping_Bipolar != 0 {
        guard isOn == (flags & kAUParameterMIDIMapping_Bipolar_On != 0) else { return present }
      } else if position == 0 {
        return present
      }
      return present - least < greatest - present ? greatest : least
    }
    if flags & kAUParameterMIDIMapping_Bipolar != 0 { return isOn ? greatest : least }
    return least + (greatest - least) * position
  }
}
