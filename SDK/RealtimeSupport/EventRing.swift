// A queue of small records from many threads to a render thread, without locks.
// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Synchronization

/// One record of an `EventRing`, as its reader sees it.
@safe public struct EventRecord {
  /// The writer's tag.
  public var tag: UInt32
  /// A number of the writer's own: usually a frame.
  public var frame: UInt32
  /// Bytes of the record.
  public var count: Int
  /// The bytes; valid until the reader releases the record.
  public var bytes: UnsafePointer<UInt8>

  @_noLocks init(tag: UInt32, frame: UInt32, count: Int, bytes: UnsafePointer<UInt8>) {
    self.tag = tag
    self.frame = frame
    self.count = count
    unsafe self.bytes = unsafe bytes
  }
}

/// A lock-free ring of records of any length: any number of threads write, one reads.
///
/// A writer reserves its place with one exchange and then fills it, so writers never wait for each
/// other; the reader stops at a record that is not filled yet. The struct is a pointer: the code
/// that made the ring deallocates it when no thread uses it any more.
@safe public struct EventRing: @unchecked Sendable {
  // @unchecked Sendable because the counters and the first word of each record are atomic. One thread
  // at a time owns a record, and only it reaches the record's bytes.
  private static let headerSize = 16
  private static let padding = UInt32.max
  private let bytes: UnsafeMutableRawPointer
  private let capacity: Int
  private let reserved: UnsafeMutablePointer<Atomic<Int>>
  private let released: UnsafeMutablePointer<Atomic<Int>>

  /// Allocates a ring; a record may take up to half of it. Nil where there is no memory for it.
  ///
  /// - Parameter minimumCapacity: Bytes it holds at least, 16 a record included.
  ///
  /// Context: control.
  public init?(minimumCapacity: Int) {
    var capacity = 64
    while capacity < min(minimumCapacity, 1 << 30) { capacity <<= 1 }
    self.capacity = capacity
    // Cleared pages come from the system as they are needed, so a ring that is not used costs nothing.
    guard let memory = unsafe calloc(capacity, 1) else { return nil }
    unsafe bytes = unsafe memory
    unsafe reserved = .allocate(capacity: 1)
    unsafe reserved.initialize(to: Atomic(0))
    unsafe released = .allocate(capacity: 1)
    unsafe released.initialize(to: Atomic(0))
  }

  /// Frees the memory; no copy of the ring may be used afterwards.
  ///
  /// Context: control.
  public func deallocate() {
    unsafe free(bytes)
    unsafe reserved.deinitialize(count: 1)
    unsafe reserved.deallocate()
    unsafe released.deinitialize(count: 1)
    unsafe released.deallocate()
  }

  /// Adds a record, or nothing if there is no room for it.
  ///
  /// - Parameters:
  ///   - tag: Anything but the greatest number.
  ///   - frame: Anything.
  ///   - source: The bytes; may be nil where `count` is 0.
  ///   - count: Number of bytes.
  /// - Returns: True if it was added.
  ///
  /// Context: any.
  @_noLocks
  public func write(
    tag: UInt32, frame: UInt32, _ source: UnsafeRawPointer?, count: Int
  ) -> Bool {
    guard count >= 0, count <= capacity / 2 - Self.headerSize, tag != Self.padding else {
      return false
    }
    let size = (Self.headerSize + count + 15) & ~15
    var start = unsafe reserved.pointee.load(ordering: .relaxed)
    var skipped = 0
    while true {
      let place = start & (capacity - 1)
      // A record is contiguous: the remainder at the end is skipped.
      skipped = capacity - place < size ? capacity - place : 0
      let end = start + skipped + size
      guard unsafe end - released.pointee.load(ordering: .acquiring) <= capacity else {
        return false
      }
      let (exchanged, original) = unsafe reserved.pointee.weakCompareExchange(
        expected: start, desired: end, ordering: .relaxed)
      if exchanged { break }
      start = original
    }
    if skipped > 0 {
      let gap = unsafe bytes + (start & (capacity - 1))
      unsafe gap.storeBytes(of: Self.padding, toByteOffset: 4, as: UInt32.self)
      unsafe commit(gap, skipped)
      start += skipped
    }
    let record = unsafe bytes + (start & (capacity - 1))
    unsafe record.storeBytes(of: tag, toByteOffset: 4, as: UInt32.self)
    unsafe record.storeBytes(of: frame, toByteOffset: 8, as: UInt32.self)
    unsafe record.storeBytes(
      of: UInt32(truncatingIfNeeded: count), toByteOffset: 12, as: UInt32.self)
    if count > 0, let source = unsafe source {
      unsafe (record + Self.headerSize).copyMemory(from: source, byteCount: count)
    }
    unsafe commit(record, size)
    return true
  }

  /// Hands out the oldest record, which stays until `release`; false if none is there.
  ///
  /// Context: the one thread that reads.
  @_noLocks
  public func peek(_ record: inout EventRecord) -> Bool {
    while true {
      let start = unsafe released.pointee.load(ordering: .relaxed)
      let place = unsafe bytes + (start & (capacity - 1))
      let size = unsafe state(place).pointee.load(ordering: .acquiring)
      guard size > 0 else { return false }
      let tag = unsafe place.load(fromByteOffset: 4, as: UInt32.self)
      if tag == Self.padding {
        release()
        continue
      }
      let count = unsafe Int(place.load(fromByteOffset: 12, as: UInt32.self))
      unsafe record = EventRecord(
        tag: tag, frame: place.load(fromByteOffset: 8, as: UInt32.self), count: count,
        bytes: UnsafePointer((place + Self.headerSize).assumingMemoryBound(to: UInt8.self)))
      return true
    }
  }

  /// Frees the place of the oldest record. Only after `peek` returned true.
  ///
  /// Context: the one thread that reads.
  @_noLocks
  public func release() {
    let start = unsafe released.pointee.load(ordering: .relaxed)
    let place = unsafe bytes + (start & (capacity - 1))
    let size = unsafe Int(state(place).pointee.load(ordering: .relaxed))
    // A later record may begin anywhere here: its first word must be marked as not filled.
    unsafe _ = _unsafePerformance { unsafe memset(place, 0, size) }
    unsafe released.pointee.store(start + size, ordering: .releasing)
  }

  /// An empty record, to be filled by `peek`.
  public static var emptyRecord: EventRecord {
    @_noLocks get {
      unsafe EventRecord(
        tag: 0, frame: 0, count: 0,
        bytes: UnsafePointer(bitPattern: 16).unsafelyUnwrapped)
    }
  }

  @_noLocks private func commit(_ record: UnsafeMutableRawPointer, _ size: Int) {
    unsafe state(record).pointee.store(UInt32(truncatingIfNeeded: size), ordering: .releasing)
  }

  /// Returns the first word of a record: its size once it is filled, 0 before.
  @_noLocks private func state(
    _ record: UnsafeMutableRawPointer
  ) -> UnsafeMutablePointer<Atomic<UInt32>> {
    unsafe record.assumingMemoryBound(to: Atomic<UInt32>.self)
  }
}
