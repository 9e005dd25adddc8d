// The part of a store behind its first bytes: a sound file behind tags.
// SPDX-License-Identifier: Apache-2.0

/// The bytes of a store from a place on.
package final class OffsetStore: ByteStore {
  private let store: any ByteStore
  private let origin: Int64

  /// Begins at a place of a store.
  package init(_ store: any ByteStore, from origin: Int64) {
    self.store = store
    self.origin = origin
  }

  package var byteCount: Int64 {
    get throws(AudioFileFailure) { max(0, try store.byteCount - origin) }
  }

  package func read(
    at position: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(AudioFileFailure) -> Int {
    guard position >= 0 else { throw .parameter }
    return try unsafe store.read(at: origin + position, into: buffer)
  }

  package func write(
    _ bytes: UnsafeRawBufferPointer, at position: Int64
  ) throws(AudioFileFailure) {
    guard position >= 0 else { throw .parameter }
    try unsafe store.write(bytes, at: origin + position)
  }

  package func resize(to byteCount: Int64) throws(AudioFileFailure) {
    try store.resize(to: origin + byteCount)
  }

  package func move(
    from source: Int64, to target: Int64, count: Int64
  ) throws(AudioFileFailure) -> Bool {
    try store.move(from: origin + source, to: origin + target, count: count)
  }

  package var isArriving: Bool { store.isArriving }

  package func require(_ end: Int64) throws(AudioFileFailure) { try store.require(origin + end) }
}
