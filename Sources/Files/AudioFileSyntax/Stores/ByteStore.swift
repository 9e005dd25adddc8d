// The stores of a sound file's bytes: a file of the system, a caller's functions, or memory.
// SPDX-License-Identifier: Apache-2.0

/// Bytes by their position. One caller at a time.
package protocol ByteStore: AnyObject {
  /// The number of bytes.
  var byteCount: Int64 { get throws(AudioFileFailure) }

  /// Copies bytes from a position; fewer than there is room for only at the end.
  func read(
    at position: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(AudioFileFailure) -> Int

  /// Writes all bytes at a position, and makes the store longer where needed.
  func write(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws(AudioFileFailure)

  /// Cuts or lengthens the store.
  func resize(to byteCount: Int64) throws(AudioFileFailure)

  /// Copies bytes within the store, to a place that may overlap; false where the store has no short cut for it.
  func move(from source: Int64, to target: Int64, count: Int64) throws(AudioFileFailure) -> Bool

  /// Whether more bytes may come, and nobody knows how many.
  var isArriving: Bool { get }

  /// Checks that the bytes up to a position have come.
  ///
  /// - Throws: `.notYet` while the store is growing towards it.
  func require(_ end: Int64) throws(AudioFileFailure)
}

extension ByteStore {
  package func move(
    from source: Int64, to target: Int64, count: Int64
  ) throws(AudioFileFailure) -> Bool { false }
  package var isArriving: Bool { false }
  package func require(_ end: Int64) throws(AudioFileFailure) {}
}

/// Bytes in memory: for tests, and for data that is parsed as it arrives.
package final class MemoryStore: ByteStore {
  /// The bytes.
  package private(set) var bytes: [UInt8]

  /// Holds bytes.
  package init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  package var byteCount: Int64 { Int64(bytes.count) }

  package func read(
    at position: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(AudioFileFailure) -> Int {
    guard position >= 0 else { throw .parameter }
    guard position < bytes.count else { return 0 }
    let count = min(buffer.count, bytes.count - Int(position))
    unsafe bytes.withUnsafeBytes {
      unsafe buffer.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: $0[Int(position)...].prefix(count)))
    }
    return count
  }

  package func write(
    _ source: UnsafeRawBufferPointer, at position: Int64
  ) throws(AudioFileFailure) {
    guard position >= 0, position < 1 << 40 else { throw .parameter }
    let end = Int(position) + source.count
    if bytes.count < end { bytes += repeatElement(0, count: end - bytes.count) }
    unsafe bytes.withUnsafeMutableBytes {
      unsafe UnsafeMutableRawBufferPointer(rebasing: $0[Int(position)..<end]).copyMemory(
        from: source)
    }
  }

  package func resize(to byteCount: Int64) throws(AudioFileFailure) {
    let count = Int(byteCount)
    if count < bytes.count {
      bytes.removeLast(bytes.count - count)
    } else {
      bytes += repeatElement(0, count: count - bytes.count)
    }
  }
}
