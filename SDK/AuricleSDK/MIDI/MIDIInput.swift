// MIDI input of a kernel: from any thread through a ring, sorted into the cycle in which it is due.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Glibc
import RealtimeSupport
import Synchronization

/// The MIDI input of a unit; copies share the memory.
///
/// `send…` may be called from any thread; everything else belongs to the render thread.
@safe struct MIDIInput: @unchecked Sendable {
  // @unchecked Sendable because the ring accepts records from any thread and the rest belongs to the render
  // thread.
  private static let capacity = 1 << 17

  /// The types of records in the ring.
  enum Tag {
    static var message: UInt32 {
      @_noLocks get { 0 }
    }
    /// A part of a system exclusive message in universal packets: 1 whole, 2 first, 3 middle, 4 last.
    static var part: UInt32 {
      @_noLocks get { 1 }
    }
  }

  /// The part of a system exclusive message received so far.
  private struct Assembly {
    var count = 0
    var isOpen = false

    @_noLocks init(count: Int, isOpen: Bool) {
      self.count = count
      self.isOpen = isOpen
    }
  }

  private let ring: EventRing
  /// The messages of the cycle.
  let events: MIDIEventStore
  private let assembly: UnsafeMutablePointer<Assembly>
  private let assembled: UnsafeMutablePointer<UInt8>
  private let serial: UnsafeMutablePointer<Atomic<UInt32>>

  /// Allocates; nil without memory. Context: control.
  init?() {
    guard let ring = EventRing(minimumCapacity: 2 * Self.capacity + 64) else { return nil }
    guard let events = MIDIEventStore(entryCapacity: 4096, byteCapacity: Self.capacity) else {
      ring.deallocate()
      return nil
    }
    guard let assembled = unsafe plentyOfMemory(for: Self.capacity, of: UInt8.self) else {
      ring.deallocate()
      events.deallocate()
      return nil
    }
    self.ring = ring
    self.events = events
    unsafe self.assembled = unsafe assembled
    unsafe assembly = .allocate(capacity: 1)
    unsafe assembly.initialize(to: Assembly(count: 0, isOpen: false))
    unsafe serial = .allocate(capacity: 1)
    unsafe serial.initialize(to: Atomic(0))
  }

  /// Frees. Context: control.
  func deallocate() {
    ring.deallocate()
    events.deallocate()
    unsafe assembly.deallocate()
    unsafe free(assembled)
    unsafe serial.deinitialize(count: 1)
    unsafe serial.deallocate()
  }

  /// Returns the frame of the next cycle for a host's offset.
  @_noLocks private static func frame(_ offset: UInt32) -> UInt32 {
    offset & kMusicDeviceSampleFrameMask_SampleOffset
  }

  /// Adds a whole message; one that is too long for any cycle is refused. Context: any.
  @_noLocks func send(
    _ bytes: UnsafeRawPointer, count: Int, offset: UInt32, tag: UInt32 = Tag.message
  ) -> OSStatus {
    guard count <= Self.capacity,
      unsafe ring.write(tag: tag, frame: Self.frame(offset), bytes, count: count)
    else {
      return kAudio_MemFullError
    }
    return 0
  }

  /// Adds a message of one to three bytes. Context: any.
  @_noLocks func send(_ message: ShortMIDIMessage, offset: UInt32) -> OSStatus {
    guard message.byteCount > 0 else { return kAudio_ParamError }
    var bytes = (message.status, message.data1, message.data2)
    return unsafe send(&bytes, count: message.byteCount, offset: offset)
  }

  /// Returns a number that no earlier note had, until it wraps around. Context: any.
  @_noLocks func nextSerial() -> UInt32 {
    unsafe serial.pointee.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// Sorts received messages into the ones of the next cycle; the ones without room wait for the cycle after
  /// it. Context: render.
  @_noLocks func gather() {
    var record = EventRing.emptyRecord
    while ring.peek(&record) {
      let isAccepted =
        record.tag == Tag.message
        ? unsafe events.insert(frame: Int(record.frame), record.bytes, count: record.count)
        : assemble(record)
      guard isAccepted else { return }
      ring.release()
    }
  }

  /// Whether there is no message for this cycle or a later one. Context: render.
  var isIdle: Bool {
    @_noLocks get {
      guard events.count == 0 else { return false }
      var record = EventRing.emptyRecord
      return !ring.peek(&record)
    }
  }

  /// Ends a cycle: messages due later are kept for the next. Context: render.
  @_noLocks func finish(_ frameCount: Int) { events.advance(frameCount) }

  /// Drops all received messages. Context: control, not rendering.
  func reset() {
    var record = EventRing.emptyRecord
    while ring.peek(&record) { ring.release() }
    events.removeAll()
    unsafe assembly.pointee = Assembly(count: 0, isOpen: false)
  }

  /// Assembles a system exclusive message from the parts in universal packets; false where the whole finds no room yet.
  @_noLocks private func assemble(_ record: EventRecord) -> Bool {
    let isFirst = record.tag == Tag.part || record.tag == Tag.part + 1
    let isLast = record.tag == Tag.part || record.tag == Tag.part + 3
    if isFirst {
      unsafe assembled[0] = 0xF0
      unsafe assembly.pointee = Assembly(count: 1, isOpen: true)
    }
    let count = unsafe assembly.pointee.count
    guard unsafe assembly.pointee.isOpen else { return true }
    let end = count + record.count
    guard end + 1 <= Self.capacity else {
      unsafe assembly.pointee.isOpen = false
      return true
    }
    for index in 0..<record.count {
      unsafe assembled[count + index] = record.bytes[index] & 0x7F
    }
    if isLast {
      unsafe assembled[end] = 0xF7
      guard unsafe events.insert(frame: Int(record.frame), assembled, count: end + 1) else {
        return false
      }
      unsafe assembly.pointee.isOpen = false
    } else {
      unsafe assembly.pointee.count = end
    }
    return true
  }
}

/// A message of MIDI 1.0 other than a system exclusive one.
struct ShortMIDIMessage: BitwiseCopyable {
  var status: UInt8
  var data1: UInt8
  var data2: UInt8

  /// Makes a message from the low bits of a host's values.
  @_noLocks init(_ status: UInt32, _ data1: UInt32, _ data2: UInt32) {
    self.status = UInt8(truncatingIfNeeded: status)
    self.data1 = UInt8(truncatingIfNeeded: data1 & 0x7F)
    self.data2 = UInt8(truncatingIfNeeded: data2 & 0x7F)
  }

  /// Bytes of the message by its status; 0 for a byte that begins no short message.
  var byteCount: Int {
    @_noLocks get {
      switch status {
      case ..<0x80: 0
      case 0xC0..<0xE0: 2
      case ..<0xF0: 3
      case 0xF1, 0xF3: 2
      case 0xF2: 3
      case 0xF6, 0xF8...0xFF: 1
      default: 0
      }
    }
  }
}
