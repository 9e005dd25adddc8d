// Packets that an encoder made and that were not dequeued yet.
// SPDX-License-Identifier: Apache-2.0

/// Packets in order. Context: control.
package final class PacketQueue {
  /// A packet in the queue.
  package struct Item: BitwiseCopyable {
    fileprivate let start: Int
    /// Bytes of it.
    package let size: Int
    /// Frames that a decoder makes of it.
    package let frameCount: UInt32
  }

  private var bytes: [UInt8] = []
  private var items: [Item] = []
  private var next = 0
  /// Bytes of a packet where all have as many, which are then in the queue as bytes alone; 0
  /// elsewhere.
  private let constantSize: Int
  private let constantFrames: UInt32
  private var used = 0
  /// Frames of all packets that were ever put in, and the bytes of the largest.
  package private(set) var frameCount = 0
  /// The bytes of the largest packet so far.
  package private(set) var largest = 0
  /// Bytes of all packets that were ever put in.
  package private(set) var byteCount = 0
  /// Packets that were ever put in.
  package private(set) var packetCount = 0

  init(constantSize: Int, constantFrames: UInt32) {
    self.constantSize = constantSize
    self.constantFrames = constantFrames
  }

  /// The packet that is next; nil for none.
  package var first: Item? {
    if constantSize > 0 {
      return bytes.count - used >= constantSize
        ? Item(start: used, size: constantSize, frameCount: constantFrames) : nil
    }
    return next < items.count ? items[next] : nil
  }

  /// Copies the next packet, and releases it.
  package func dequeue(_ item: Item, into target: UnsafeMutableRawPointer) {
    unsafe copy(item.start, item.size, target)
    next += 1
    letGo(item.size)
  }

  /// Copies as many packets as are there, at most so many, where all have the same size; returns how many.
  package func dequeueConstant(
    _ wanted: Int, into target: UnsafeMutableRawPointer
  ) -> Int {
    guard constantSize > 0 else { return 0 }
    let count = min(wanted, (bytes.count - used) / constantSize)
    unsafe copy(used, count * constantSize, target)
    letGo(count * constantSize)
    return count
  }

  private func copy(_ start: Int, _ size: Int, _ target: UnsafeMutableRawPointer) {
    unsafe bytes.withUnsafeBytes { source in
      if let first = source.baseAddress {
        unsafe target.copyMemory(from: first + start, byteCount: size)
      }
    }
  }

  private func letGo(_ size: Int) {
    used += size
    guard used == bytes.count else { return }
    bytes.removeAll(keepingCapacity: true)
    items.removeAll(keepingCapacity: true)
    next = 0
    used = 0
  }

  func put(_ packet: UnsafeRawBufferPointer, frameCount count: UInt32) {
    if constantSize == 0 {
      items.append(Item(start: bytes.count, size: packet.count, frameCount: count))
    }
    unsafe bytes.append(contentsOf: packet)
    note(packet.count, count)
  }

  func putBytes(frameCount count: UInt32, _ body: (inout [UInt8]) -> Void) {
    let before = bytes.count
    body(&bytes)
    note(bytes.count - before, count)
  }

  private func note(_ size: Int, _ frames: UInt32) {
    frameCount += Int(frames)
    largest = max(largest, constantSize > 0 ? constantSize : size)
    byteCount += size
    packetCount += constantSize > 0 ? size / constantSize : 1
  }
}
