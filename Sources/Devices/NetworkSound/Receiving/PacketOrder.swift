// Packets in their order: which came before, which is a copy, which are waited for.
// SPDX-License-Identifier: Apache-2.0

/// The numbers of packets, with their turns.
struct PacketNumbers {
  /// The first and the highest number.
  private(set) var first: Int64 = 0
  private(set) var highest: Int64?
  /// Packets that came, each once.
  private(set) var count = 0
  private var seen = [Int64](repeating: -1, count: 1024)

  /// The number with its turns; nil for a packet that came before, or is older than copies are looked for.
  mutating func accept(_ sequence: UInt16) -> Int64? {
    guard let last = highest else {
      // A turn of room for those that were overtaken by the first.
      first = Int64(sequence) + 65_536
      highest = first
      return note(first)
    }
    let number = last + Int64(Int16(bitPattern: sequence &- UInt16(truncatingIfNeeded: last)))
    guard number > last - Int64(seen.count), number >= 0, seen[Int(number % 1024)] != number else {
      return nil
    }
    highest = max(last, number)
    first = min(first, number)
    return note(number)
  }

  private mutating func note(_ number: Int64) -> Int64 {
    seen[Int(number % 1024)] = number
    count += 1
    return number
  }

  /// Packets that have not come.
  var missing: Int { highest.map { max(0, Int($0 - first) + 1 - count) } ?? 0 }
}

/// Packets that wait for those in front of them: for encodings that have to be decoded in order.
struct PacketOrder {
  /// A packet that came.
  struct Item {
    var number: Int64
    var packet: SoundPacket
    var arrival: UInt64
  }

  private var waiting: [Item] = []
  private var next: Int64?
  /// When the packet came that is released next; nil for none.
  var firstArrival: UInt64? { waiting.first?.arrival }
  /// Packets that may wait.
  private static let most = 64

  /// Adds a packet.
  mutating func add(_ item: Item) {
    if let next, item.number < next { return }
    let place = waiting.firstIndex { $0.number > item.number } ?? waiting.endIndex
    waiting.insert(item, at: place)
  }

  /// Removes and returns the next packet, and whether others in front of it are lost; nil where it is waited for.
  ///
  /// - Parameter waitLimit: Nanoseconds that a packet waits.
  mutating func dequeue(now: UInt64, waitLimit: UInt64) -> (item: Item, isBroken: Bool)? {
    guard let item = waiting.first else { return nil }
    let isNext = next.map { item.number == $0 } ?? true
    guard isNext || waiting.count > Self.most || now >= item.arrival + waitLimit else { return nil }
    waiting.removeFirst()
    next = item.number + 1
    return (item, !isNext)
  }
}
