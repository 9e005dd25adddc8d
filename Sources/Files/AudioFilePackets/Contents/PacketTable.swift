// Where the packets of a file are when they differ in size.
// SPDX-License-Identifier: Apache-2.0

/// The place, the size and, where they vary, the frames of each packet.
struct PacketTable {
  private(set) var starts: [Int64] = []
  private(set) var sizes: [UInt32] = []
  /// Frames of each packet; empty where all have the format's.
  private(set) var frames: [UInt32] = []
  /// The largest packet so far.
  private(set) var largest: UInt32 = 0
  /// Whether every packet of the file is known.
  var isComplete = true

  var count: Int { sizes.count }

  /// Where the next packet of a contiguous sound begins.
  var end: Int64 { (starts.last ?? 0) + Int64(sizes.last ?? 0) }

  mutating func append(start: Int64, size: UInt32, frames count: UInt32? = nil) {
    starts.append(start)
    sizes.append(size)
    if let count { frames.append(count) }
    largest = max(largest, size)
  }

  /// Moves all packets, with the sound.
  mutating func shift(by offset: Int64) {
    for index in starts.indices { starts[index] += offset }
  }

  /// Drops the packets from an index on.
  mutating func cut(to count: Int) {
    guard count < sizes.count else { return }
    starts.removeSubrange(count...)
    sizes.removeSubrange(count...)
    if !frames.isEmpty { frames.removeSubrange(count...) }
    largest = sizes.max() ?? 0
  }

  /// The packet that holds a byte, or that begins behind it; nil behind the last.
  func packet(atByte offset: Int64) -> Int? {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] + Int64(sizes[middle]) <= offset { low = middle + 1 } else { high = middle }
    }
    return low < starts.count ? low : nil
  }
}
