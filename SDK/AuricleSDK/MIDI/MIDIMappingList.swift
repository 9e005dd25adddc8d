// The MIDI mapping as the render thread sees it: messages that move parameters, at their frame.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport
import Synchronization

/// A message and the parameter it moves.
struct MIDIMappingEntry: BitwiseCopyable {
  var flags: UInt32
  var status: UInt8
  var data1: UInt8
  /// Index of the value in the store.
  var index: Int
  /// Values at the ends of the controller's way.
  var least: Float
  var greatest: Float
}

/// An immutable list of entries in one block of memory, and the message that a waiting mapping learnt.
///
/// Made by a control thread, published as a whole. Context: render, but for `make`.
@safe struct MIDIMappingList: ~Copyable {
  /// The message that was learnt: 0 none yet, else 0x10000 | status << 8 | second byte.
  let learnt = Atomic<UInt32>(0)
  /// Whether the next message of a channel is to be learnt.
  var learns: Bool
  var count: Int

  private init(count: Int, learns: Bool) {
    self.count = count
    self.learns = learns
  }

  /// Where the entries begin, in bytes behind the list.
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

  /// An entry of a list.
  @_noLocks static func entry(
    _ list: UnsafeMutablePointer<MIDIMappingList>, _ index: Int
  ) -> MIDIMappingEntry {
    unsafe (UnsafeMutableRawPointer(list) + offset).assumingMemoryBound(
      to: MIDIMappingEntry.self)[index]
  }
}

extension MIDIMappingEntry {
  /// Whether a message is the one of this entry: kind, channel, and controller or note.
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

  /// How far the message is on the controller's way, 0 to 1.
  @_noLocks static func position(_ status: UInt8, _ data1: UInt8, _ data2: UInt8) -> Float {
    switch status & 0xF0 {
    case 0xC0, 0xD0: Float(data1) / 127
    case 0xE0: Float(Int(data2) << 7 | Int(data1)) / 16_383
    default: Float(data2) / 127
    }
  }

  /// The value a message sets; `present` for one that changes nothing.
  @_noLocks func value(_ position: Float, present: Float) -> Float {
    let isOn = position >= 0.5
    if flags & kAUParameterMIDIMapping_Toggle != 0 {
      // One half of the way toggles, or any move above zero.
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
