// MIDI messages of one cycle, sorted by frame, with their bytes; nothing is allocated after the start.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Glibc
import RealtimeSupport

/// A complete message of MIDI 1.0 for a kernel, with its status byte; a system exclusive one from 0xF0 to
/// 0xF7.
///
/// ```swift
/// let event = slice.midiEvent(0)
/// let isClock = unsafe event.bytes[0] == 0xF8
/// ```
///
/// `RenderSlice.midi` has the same messages as values. Context: render.
@safe public struct MIDIEventRecord {
  /// Frame of the slice at which it is due, in `0..<slice.frameCount`.
  public let frame: Int
  /// Number of bytes, at least 1.
  public let byteCount: Int
  /// The bytes, the status first; valid during the call of `process`.
  public let bytes: UnsafePointer<UInt8>

  @_noLocks init(frame: Int, byteCount: Int, bytes: UnsafePointer<UInt8>) {
    self.frame = frame
    self.byteCount = byteCount
    unsafe self.bytes = unsafe bytes
  }
}

/// The place of a message in a store.
struct MIDIEventEntry: BitwiseCopyable {
  var frame: Int
  /// Index of its output.
  var output: Int
  var offset: Int
  var byteCount: Int
}

/// A sorted list of messages of fixed capacity. Copies share the memory. Context: render.
@safe struct MIDIEventStore {
  private struct Header {
    var count = 0
    /// Bytes in use in the current half.
    var used = 0
    var isUpper = false

    @_noLocks init(count: Int, used: Int, isUpper: Bool) {
      self.count = count
      self.used = used
      self.isUpper = isUpper
    }
  }

  private let header: UnsafeMutablePointer<Header>
  private let entries: UnsafeMutablePointer<MIDIEventEntry>
  private let bytes: UnsafeMutablePointer<UInt8>
  private let entryCapacity: Int
  private let byteCapacity: Int

  /// Allocates; nil without memory. Context: control.
  init?(entryCapacity: Int, byteCapacity: Int) {
    guard let entries = unsafe plentyOfMemory(for: entryCapacity, of: MIDIEventEntry.self) else {
      return nil
    }
    guard let bytes = unsafe plentyOfMemory(for: 2 * byteCapacity, of: UInt8.self) else {
      unsafe free(entries)
      return nil
    }
    self.entryCapacity = entryCapacity
    self.byteCapacity = byteCapacity
    unsafe header = .allocate(capacity: 1)
    unsafe header.initialize(to: Header(count: 0, used: 0, isUpper: false))
    unsafe self.entries = unsafe entries
    unsafe self.bytes = unsafe bytes
  }

  /// Frees. Context: control.
  func deallocate() {
    unsafe header.deallocate()
    unsafe free(entries)
    unsafe free(bytes)
  }

  var count: Int {
    @_noLocks get { unsafe header.pointee.count }
  }

  /// Bytes of all messages.
  var usedBytes: Int {
    @_noLocks get { unsafe header.pointee.used }
  }

  @_noLocks func entry(_ index: Int) -> MIDIEventEntry { unsafe entries[index] }

  @_noLocks func bytes(of entry: MIDIEventEntry) -> UnsafePointer<UInt8> {
    unsafe UnsafePointer(bytes + entry.offset)
  }

  @_noLocks func removeAll() {
    unsafe header.pointee.count = 0
    unsafe header.pointee.used = 0
  }

  /// Adds a message after those of the same frame; false when there is no room.
  @_noLocks func insert(
    frame: Int, output: Int = 0, _ source: UnsafePointer<UInt8>, count byteCount: Int
  ) -> Bool {
    let count = unsafe header.pointee.count
    let used = unsafe header.pointee.used
    guard count < entryCapacity, byteCount > 0, byteCount <= byteCapacity - used else {
      return false
    }
    let offset = unsafe used + (header.pointee.isUpper ? byteCapacity : 0)
    unsafe UnsafeMutableRawPointer(bytes + offset).copyMemory(from: source, byteCount: byteCount)
    var place = count
    while place > 0, unsafe entries[place - 1].frame > frame {
      unsafe entries[place] = entries[place - 1]
      place -= 1
    }
    unsafe entries[place] = MIDIEventEntry(
      frame: frame, output: output, offset: offset, byteCount: byteCount)
    unsafe header.pointee.count = count + 1
    unsafe header.pointee.used = used + byteCount
    return true
  }

  /// Index of the first message at or after a frame.
  @_noLocks func firstIndex(from frame: Int) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if unsafe entries[middle].frame < frame { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Drops the messages of the first frames and shifts the others.
  @_noLocks func advance(_ frameCount: Int) {
    let first = firstIndex(from: frameCount)
    let count = unsafe header.pointee.count
    if first == count {
      removeAll()
      return
    }
    // The bytes move to the other half of the memory, in the order of frames.
    let half = unsafe header.pointee.isUpper ? 0 : byteCapacity
    var used = 0
    for index in first..<count {
      var entry = unsafe entries[index]
      unsafe UnsafeMutableRawPointer(bytes + half + used).copyMemory(
        from: bytes + entry.offset, byteCount: entry.byteCount)
      entry.offset = half + used
      entry.frame -= frameCount
      used += entry.byteCount
      unsafe entries[index - first] = entry
    }
    unsafe header.pointee = Header(
      count: count - first, used: used, isUpper: !header.pointee.isUpper)
  }
}
