// The memory of an atom port, or of a port of the older event extension.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import LV2Bundles

/// One event of a buffer.
@safe struct LV2EventView {
  /// Frames from the start of the run.
  var frame: Int
  var type: UInt32
  var size: Int
  var body: UnsafeMutableRawPointer
}

/// The buffer of one port: events in, room for events out. Render code writes and reads it.
@safe struct LV2AtomBuffer {
  /// The size in bytes of a port without a minimum size.
  static let standardSize = 8192

  /// The memory of the port: a sequence, or the header of an event buffer.
  let memory: UnsafeMutableRawPointer
  let isInput: Bool
  private let isEvents: Bool
  private let data: UnsafeMutableRawPointer
  private let capacity: Int
  private let sequenceType: UInt32
  private let chunkType: UInt32

  /// Bytes of an event before its body.
  private var headerSize: Int { @_noLocks get { isEvents ? 12 : 16 } }

  /// Allocates a buffer; `free` frees it.
  init(isInput: Bool, minimumSize: Int, isEvents: Bool = false) {
    capacity = max(LV2AtomBuffer.standardSize, (minimumSize + 7) & ~7) + 64
    unsafe data = .allocate(byteCount: capacity, alignment: 64)
    unsafe data.initializeMemory(as: UInt8.self, repeating: 0, count: capacity)
    self.isInput = isInput
    self.isEvents = isEvents
    sequenceType = LV2URIDs.shared.sequence
    chunkType = LV2URIDs.shared.chunk
    if isEvents {
      let header = UnsafeMutablePointer<AuricleEventBuffer>.allocate(capacity: 1)
      unsafe header.initialize(
        to: AuricleEventBuffer(
          data: data.assumingMemoryBound(to: UInt8.self),
          header_size: UInt16(MemoryLayout<AuricleEventBuffer>.size), stamp_type: 0,
          event_count: 0, capacity: UInt32(capacity), size: 0))
      unsafe memory = UnsafeMutableRawPointer(header)
    } else {
      unsafe memory = data
    }
    prepare()
  }

  /// Frees the memory.
  func free() {
    if isEvents { unsafe memory.deallocate() }
    unsafe data.deallocate()
  }

  /// Prepares the buffer for a run: empties an input, or sets the capacity of an output, as specified.
  @_noLocks func prepare() {
    guard !isEvents else {
      let header = unsafe memory.assumingMemoryBound(to: AuricleEventBuffer.self)
      unsafe header.pointee.event_count = 0
      unsafe header.pointee.size = 0
      return
    }
    // LV2_Atom: size, type. LV2_Atom_Sequence_Body: unit (0 is frames), padding.
    let words = unsafe memory.assumingMemoryBound(to: UInt32.self)
    if isInput {
      unsafe words[0] = 8
      unsafe words[1] = sequenceType
    } else {
      unsafe words[0] = UInt32(capacity - 8)
      unsafe words[1] = chunkType
    }
    unsafe words[2] = 0
    unsafe words[3] = 0
  }

  /// Whether it has no events.
  var isEmpty: Bool {
    @_noLocks get {
      if isEvents {
        return unsafe memory.assumingMemoryBound(to: AuricleEventBuffer.self).pointee.size == 0
      }
      let words = unsafe memory.assumingMemoryBound(to: UInt32.self)
      return unsafe words[1] != sequenceType || words[0] <= 8
    }
  }

  /// Appends an event; nil when there is no room.
  ///
  /// - Parameter size: Bytes of the body; the returned memory is aligned to at least 4 bytes (8 bytes in a
  ///   sequence).
  @_noLocks func append(frame: Int, type: UInt32, size: Int) -> UnsafeMutableRawPointer? {
    let stamp = max(frame, 0)
    let needed = headerSize + (size + 7) & ~7
    if isEvents {
      let header = unsafe memory.assumingMemoryBound(to: AuricleEventBuffer.self)
      let used = unsafe Int(header.pointee.size)
      guard size <= 0xFFFF, type <= 0xFFFF, used + needed <= capacity else { return nil }
      let event = unsafe (data + used).assumingMemoryBound(to: AuricleEvent.self)
      unsafe event.pointee.frames = UInt32(truncatingIfNeeded: stamp)
      unsafe event.pointee.subframes = 0
      unsafe event.pointee.type = UInt16(truncatingIfNeeded: type)
      unsafe event.pointee.size = UInt16(truncatingIfNeeded: size)
      unsafe header.pointee.size = UInt32(truncatingIfNeeded: used + (12 + size + 7) & ~7)
      unsafe header.pointee.event_count += 1
      return unsafe data + used + 12
    }
    let words = unsafe memory.assumingMemoryBound(to: UInt32.self)
    let used = unsafe Int(words[0]) + 8
    guard used + needed <= capacity else { return nil }
    let event = unsafe memory + used
    unsafe event.storeBytes(of: Int64(stamp), as: Int64.self)
    unsafe event.storeBytes(
      of: UInt32(truncatingIfNeeded: size), toByteOffset: 8, as: UInt32.self)
    unsafe event.storeBytes(of: type, toByteOffset: 12, as: UInt32.self)
    unsafe words[0] = UInt32(truncatingIfNeeded: used - 8 + needed)
    return unsafe event + 16
  }

  /// The event at `offset` bytes, which is then advanced past it; nil at the end or for damaged data.
  @_noLocks func next(_ offset: inout Int) -> LV2EventView? {
    if isEvents {
      let header = unsafe memory.assumingMemoryBound(to: AuricleEventBuffer.self)
      let used = min(unsafe Int(header.pointee.size), capacity)
      guard offset + 12 <= used else { return nil }
      let event = unsafe (data + offset).assumingMemoryBound(to: AuricleEvent.self)
      let size = unsafe Int(event.pointee.size)
      guard offset + 12 + size <= used else { return nil }
      let body = unsafe data + offset + 12
      offset += (12 + size + 7) & ~7
      return unsafe LV2EventView(
        frame: Int(event.pointee.frames), type: UInt32(event.pointee.type), size: size, body: body)
    }
    let words = unsafe memory.assumingMemoryBound(to: UInt32.self)
    guard unsafe words[1] == sequenceType else { return nil }
    let used = min(unsafe Int(words[0]) + 8, capacity)
    if offset < 16 { offset = 16 }
    guard offset + 16 <= used else { return nil }
    let event = unsafe memory + offset
    let size = unsafe Int(event.load(fromByteOffset: 8, as: UInt32.self))
    guard offset + 16 + size <= used else { return nil }
    offset += (16 + size + 7) & ~7
    return unsafe LV2EventView(
      frame: Int(truncatingIfNeeded: event.load(as: Int64.self)),
      type: event.load(fromByteOffset: 12, as: UInt32.self), size: size, body: event + 16)
  }
}
