// The bytes of a stream that have come, and are still needed.
// SPDX-License-Identifier: Apache-2.0

/// A store that grows at its end and forgets its beginning.
///
/// Reading bytes that have not come yet fails, and leaves a note of the missing number: the reader
/// tries again then.
package final class ArrivingStore: ByteStore {
  private var bytes: [UInt8] = []
  /// The position of the first byte that is kept.
  package private(set) var first: Int64 = 0
  /// The position up to which bytes are wanted.
  package private(set) var wanted: Int64 = 1
  /// Whether more bytes may come.
  package private(set) var isArriving = true

  /// Begins with nothing.
  package init() {}

  /// More bytes than any stream has.
  package static let endless: Int64 = 1 << 60
  /// Bytes that are kept behind the ones read: a tag at the end is searched there.
  private static let keptCount: Int64 = 256

  /// The position behind the last byte.
  package var arrived: Int64 { first + Int64(bytes.count) }

  package var byteCount: Int64 { isArriving ? Self.endless : arrived }

  /// Appends the next bytes.
  package func append(_ more: UnsafeRawBufferPointer) {
    isArriving = true
    unsafe bytes.append(contentsOf: more)
  }

  /// No more bytes come.
  package func end() { isArriving = false }

  /// Forgets all, and continues at a position.
  package func restart(at position: Int64) {
    bytes.removeAll(keepingCapacity: true)
    first = position
    wanted = position + 1
    isArriving = true
  }

  /// Forgets the bytes before a position.
  package func discard(before position: Int64) {
    let count = Int(min(position - Self.keptCount, arrived) - first)
    guard count > 1 << 14, count > bytes.count / 2 else { return }
    bytes.removeFirst(count)
    first += Int64(count)
  }

  package func require(_ end: Int64) throws(AudioFileFailure) {
    guard isArriving, end > arrived else { return }
    wanted = end
    throw .notYet
  }

  package func read(
    at position: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(AudioFileFailure) -> Int {
    guard position >= first else { throw .unspecified }
    guard position < arrived else { return 0 }
    let start = Int(position - first)
    let count = min(buffer.count, bytes.count - start)
    unsafe bytes.withUnsafeBytes {
      unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<(start + count)]))
    }
    return count
  }

  package func write(_ source: UnsafeRawBufferPointer, at position: Int64) throws(AudioFileFailure)
  {
    throw .permission
  }

  package func resize(to byteCount: Int64) throws(AudioFileFailure) { throw .permission }
}
