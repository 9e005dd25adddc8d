// The places of a file's packets of different sizes.
// SPDX-License-Identifier: Apache-2.0

/// A part of a packet.
struct PacketPiece {
  var start: Int64
  var count: Int
}

/// A packet that was found.
struct FoundFrame {
  /// Start of its bytes, behind a header that is not its own.
  var start: Int64
  /// Its bytes.
  var size: UInt32
  /// Its frames of sound, where they vary.
  var frames: UInt32?
  /// The places of its bytes when they are not contiguous; empty when they are.
  var pieces: [PacketPiece] = []
  /// Bytes between it and the next one.
  var behind: Int64 = 0

  /// The place where the next one is searched.
  var end: Int64 { start + Int64(size) + behind }
}

/// The place, the size and, where they vary, the frames of each packet.
struct PacketTable {
  private(set) var starts: [Int64] = []
  private(set) var sizes: [UInt32] = []
  /// Frames of each packet; empty where all have the format's.
  private(set) var frames: [UInt32] = []
  /// The places of the bytes of packets that are not contiguous, by packet.
  private(set) var pieces: [Int: [PacketPiece]] = [:]
  /// The largest packet so far.
  private(set) var largest: UInt32 = 0
  /// Whether every packet of the file is known.
  var isComplete = true

  var count: Int { sizes.count }

  /// Start of the next packet of a contiguous sound.
  var end: Int64 { (starts.last ?? 0) + Int64(sizes.last ?? 0) }

  /// Returns the end of a packet.
  func end(of index: Int) -> Int64 { starts[index] + Int64(sizes[index]) }

  mutating func append(start: Int64, size: UInt32, frames count: UInt32? = nil) {
    starts.append(start)
    sizes.append(size)
    if let count { frames.append(count) }
    largest = max(largest, size)
  }

  mutating func append(_ found: FoundFrame) {
    if !found.pieces.isEmpty { pieces[count] = found.pieces }
    append(start: found.start, size: found.size, frames: found.frames)
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
    if !pieces.isEmpty { pieces = pieces.filter { $0.key < count } }
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
