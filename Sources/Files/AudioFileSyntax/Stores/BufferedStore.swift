// A store with a window to read through and a block of bytes not yet written.
// SPDX-License-Identifier: Apache-2.0

/// Small reads come from a window, small writes gather in a block: a header is read, and samples are written one
/// at a time, without a call of the system for each.
package final class BufferedStore {
  private let store: any ByteStore
  private var window: [UInt8] = []
  private var windowStart: Int64 = 0
  private var block: [UInt8] = []
  private var blockStart: Int64 = 0

  private static let windowSize = 1 << 15
  private static let blockSize = 1 << 16

  /// Reads and writes through a store.
  package init(_ store: any ByteStore) { self.store = store }

  /// The bytes from a position on, of a store that nothing was written to yet.
  package func from(_ position: Int64) -> BufferedStore {
    BufferedStore(OffsetStore(store, from: position))
  }

  /// The number of bytes, those not yet written included.
  package var byteCount: Int64 {
    get throws(AudioFileFailure) {
      max(try store.byteCount, block.isEmpty ? 0 : blockStart + Int64(block.count))
    }
  }

  /// Whether more bytes may come, and nobody knows how many.
  package var isArriving: Bool { store.isArriving }

  /// Checks that the bytes up to a position have come.
  package func require(_ end: Int64) throws(AudioFileFailure) { try store.require(end) }

  /// Forgets the bytes that were read: those of a stream are others now.
  package func forget() { window.removeAll(keepingCapacity: true) }

  /// Copies bytes; fewer than asked for only at the end.
  package func read(
    at position: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(AudioFileFailure) -> Int {
    try store.require(position + Int64(buffer.count))
    try flush()
    if buffer.count >= Self.windowSize { return try unsafe store.read(at: position, into: buffer) }
    let end = position + Int64(buffer.count)
    if position < windowStart || end > windowStart + Int64(window.count) {
      try fillWindow(at: position)
    }
    let offset = Int(position - windowStart)
    let count = max(0, min(buffer.count, window.count - offset))
    unsafe window.withUnsafeBytes {
      unsafe buffer.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: $0[offset..<(offset + count)]))
    }
    return count
  }

  /// Up to `count` bytes from a position.
  package func bytes(at position: Int64, count: Int) throws(AudioFileFailure) -> [UInt8] {
    let total = try byteCount
    guard position >= 0, position < total, count > 0 else { return [] }
    let count = Int(min(Int64(count), total - position))
    try store.require(position + Int64(count))
    var bytes = [UInt8](repeating: 0, count: count)
    var span = bytes.mutableSpan
    let got = try unsafe span.withUnsafeMutableBytes { (buffer) throws(AudioFileFailure) in
      try unsafe read(at: position, into: buffer)
    }
    if got < count { bytes.removeLast(count - got) }
    return bytes
  }

  /// The four bytes at a position as a number, largest byte first; nil at the end.
  package func word(at position: Int64) throws(AudioFileFailure) -> UInt32? {
    let offset = Int(position - windowStart)
    if !block.isEmpty || position < windowStart || offset + 4 > window.count {
      let bytes = try bytes(at: position, count: 4)
      return bytes.count == 4 ? bytes.code(at: 0) : nil
    }
    return UInt32(window[offset]) << 24 | UInt32(window[offset + 1]) << 16
      | UInt32(window[offset + 2]) << 8 | UInt32(window[offset + 3])
  }

  private func fillWindow(at position: Int64) throws(AudioFileFailure) {
    guard position >= 0 else { throw .parameter }
    var window = [UInt8](repeating: 0, count: Self.windowSize)
    var span = window.mutableSpan
    let count = try unsafe span.withUnsafeMutableBytes { (buffer) throws(AudioFileFailure) in
      try unsafe store.read(at: position, into: buffer)
    }
    window.removeLast(window.count - count)
    self.window = window
    windowStart = position
  }

  /// Writes bytes, at the latest when `flush` is called.
  package func write(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws(AudioFileFailure) {
    guard bytes.count > 0 else { return }
    window.removeAll(keepingCapacity: true)
    if !block.isEmpty, position != blockStart + Int64(block.count) { try flush() }
    if bytes.count >= Self.blockSize {
      try flush()
      return try unsafe store.write(bytes, at: position)
    }
    if block.isEmpty { blockStart = position }
    unsafe block.append(contentsOf: bytes)
    if block.count >= Self.blockSize { try flush() }
  }

  /// Writes bytes.
  package func write(_ bytes: [UInt8], at position: Int64) throws(AudioFileFailure) {
    try unsafe bytes.span.withUnsafeBytes { (buffer) throws(AudioFileFailure) in
      try unsafe write(buffer, at: position)
    }
  }

  /// Writes the gathered bytes. On failure they are dropped: the next call would fail the same way.
  package func flush() throws(AudioFileFailure) {
    guard !block.isEmpty else { return }
    defer { block.removeAll(keepingCapacity: true) }
    try unsafe block.span.withUnsafeBytes { (buffer) throws(AudioFileFailure) in
      try unsafe store.write(buffer, at: blockStart)
    }
  }

  /// Cuts or lengthens the store.
  package func resize(to byteCount: Int64) throws(AudioFileFailure) {
    try flush()
    window.removeAll(keepingCapacity: true)
    try store.resize(to: byteCount)
  }

  /// Copies bytes within the store; the two places may overlap.
  package func move(from source: Int64, to target: Int64, count: Int64) throws(AudioFileFailure) {
    try flush()
    if try store.move(from: source, to: target, count: count) {
      return window.removeAll(keepingCapacity: true)
    }
    let step: Int64 = 1 << 20
    var done: Int64 = 0
    while done < count {
      let length = min(step, count - done)
      // Towards the end from the last byte on, so that nothing is overwritten before it is read.
      let offset = target > source ? count - done - length : done
      let part = try bytes(at: source + offset, count: Int(length))
      guard part.count == Int(length) else { throw .broken }
      try write(part, at: target + offset)
      done += length
    }
    try flush()
  }
}
