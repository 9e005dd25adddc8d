// A queue of bytes between two threads, without locks.
// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// A lock-free ring of bytes with one producer and one consumer.
///
/// Writing and reading return at once and transfer all or nothing, so records are never split. The owner
/// (this object) must outlive the two ends; each end belongs to one thread at a time.
@safe public final class SPSCRing: @unchecked Sendable {
  // @unchecked Sendable because it only owns the storage; the ends synchronise by its atomics.
  private let storage: UnsafeMutablePointer<SPSCRingStorage>

  /// The end that writes; for one thread.
  public let producer: SPSCRingProducer
  /// The end that reads; for one thread.
  public let consumer: SPSCRingConsumer

  /// Allocates a ring.
  ///
  /// - Parameter minimumCapacity: Bytes it holds at least; rounded up to a power of two, 16 or more.
  ///
  /// Context: control.
  public init(minimumCapacity: Int) {
    var capacity = 16
    while capacity < min(minimumCapacity, 1 << 40) { capacity <<= 1 }
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 64)
    unsafe storage = .allocate(capacity: 1)
    unsafe storage.initialize(to: SPSCRingStorage(bytes: bytes, capacity: capacity))
    unsafe producer = SPSCRingProducer(storage: storage)
    unsafe consumer = SPSCRingConsumer(storage: storage)
  }

  deinit {
    unsafe storage.pointee.bytes.deallocate()
    unsafe storage.deinitialize(count: 1)
    unsafe storage.deallocate()
  }

  /// Bytes the ring holds.
  public var capacity: Int { unsafe storage.pointee.capacity }
}

/// The shared state of the two ends; the padding keeps the two counters in separate cache lines.
@usableFromInline @unsafe
struct SPSCRingStorage: ~Copyable {
  @usableFromInline let bytes: UnsafeMutableRawPointer
  @usableFromInline let capacity: Int
  private let padding0: (Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0)
  /// Bytes ever written; wraps around at 2^64.
  @usableFromInline let written = Atomic<UInt>(0)
  private let padding1: (Int, Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0, 0)
  /// Bytes ever read.
  @usableFromInline let read = Atomic<UInt>(0)

  init(bytes: UnsafeMutableRawPointer, capacity: Int) {
    unsafe self.bytes = unsafe bytes
    unsafe self.capacity = capacity
  }
}

/// The writing end of a ring.
@safe public struct SPSCRingProducer: @unchecked Sendable {
  // @unchecked Sendable because the counters are atomic; one thread at a time uses this end.
  @usableFromInline let storage: UnsafeMutablePointer<SPSCRingStorage>

  @usableFromInline
  init(storage: UnsafeMutablePointer<SPSCRingStorage>) {
    unsafe self.storage = unsafe storage
  }

  /// Bytes that can be written now; may grow at any time.
  ///
  /// Context: render or control, one thread.
  @inlinable
  public var availableToWrite: Int {
    @_noLocks get {
      let written = unsafe storage.pointee.written.load(ordering: .relaxed)
      let read = unsafe storage.pointee.read.load(ordering: .acquiring)
      return unsafe storage.pointee.capacity - Int(bitPattern: written &- read)
    }
  }

  /// Writes `count` bytes, or nothing if there is no room for all.
  ///
  /// - Returns: True if they were written.
  ///
  /// Context: render or control, one thread.
  @inlinable @_noLocks
  public func write(_ source: UnsafeRawPointer, count: Int) -> Bool {
    guard count >= 0 && count <= availableToWrite else { return false }
    let capacity = unsafe storage.pointee.capacity
    let bytes = unsafe storage.pointee.bytes
    let written = unsafe storage.pointee.written.load(ordering: .relaxed)
    let start = Int(bitPattern: written) & (capacity - 1)
    let first = min(count, capacity - start)
    unsafe (bytes + start).copyMemory(from: source, byteCount: first)
    if first < count {
      unsafe bytes.copyMemory(from: source + first, byteCount: count - first)
    }
    unsafe storage.pointee.written.store(written &+ UInt(bitPattern: count), ordering: .releasing)
    return true
  }

  /// Writes one plain value, or nothing if there is no room for it.
  ///
  /// Context: render or control, one thread.
  @inlinable @inline(__always)
  public func push<Value: BitwiseCopyable>(_ value: Value) -> Bool {
    unsafe withUnsafeBytes(of: value) { bytes in
      guard let base = bytes.baseAddress else { return true }
      return unsafe write(base, count: bytes.count)
    }
  }
}

/// The reading end of a ring.
@safe public struct SPSCRingConsumer: @unchecked Sendable {
  // @unchecked Sendable because the counters are atomic; one thread at a time uses this end.
  @usableFromInline let storage: UnsafeMutablePointer<SPSCRingStorage>

  @usableFromInline
  init(storage: UnsafeMutablePointer<SPSCRingStorage>) {
    unsafe self.storage = unsafe storage
  }

  /// Bytes that can be read now; may grow at any time.
  ///
  /// Context: render or control, one thread.
  @inlinable
  public var availableToRead: Int {
    @_noLocks get {
      let read = unsafe storage.pointee.read.load(ordering: .relaxed)
      let written = unsafe storage.pointee.written.load(ordering: .acquiring)
      return Int(bitPattern: written &- read)
    }
  }

  /// Reads `count` bytes, or nothing if there are fewer.
  ///
  /// - Returns: True if they were read.
  ///
  /// Context: render or control, one thread.
  @inlinable @_noLocks
  public func read(into destination: UnsafeMutableRawPointer, count: Int) -> Bool {
    guard count >= 0 && count <= availableToRead else { return false }
    let capacity = unsafe storage.pointee.capacity
    let bytes = unsafe storage.pointee.bytes
    let read = unsafe storage.pointee.read.load(ordering: .relaxed)
    let start = Int(bitPattern: read) & (capacity - 1)
    let first = min(count, capacity - start)
    unsafe destination.copyMemory(from: bytes + start, byteCount: first)
    if first < count {
      unsafe (destination + first).copyMemory(from: bytes, byteCount: count - first)
    }
    unsafe storage.pointee.read.store(read &+ UInt(bitPattern: count), ordering: .releasing)
    return true
  }

  /// Reads one plain value into `value`; leaves it unchanged and returns false if there is none.
  ///
  /// Context: render or control, one thread.
  @inlinable @inline(__always)
  public func pop<Value: BitwiseCopyable>(_ value: inout Value) -> Bool {
    unsafe withUnsafeMutableBytes(of: &value) { bytes in
      guard let base = bytes.baseAddress else { return true }
      return unsafe read(into: base, count: bytes.count)
    }
  }
}
