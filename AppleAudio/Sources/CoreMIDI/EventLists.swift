// Lists of universal packets: reading and building them.
// SPDX-License-Identifier: Apache-2.0

import CoreAudioTypes

/// The offset of a packet's words from its beginning.
private let wordsOffset = 12

extension MIDIEventList {
  /// The packets of a list in memory, as pointers.
  public struct UnsafeSequence: Sequence {
    let list: UnsafePointer<MIDIEventList>
    /// The packets of a list.
    public init(_ list: UnsafePointer<MIDIEventList>) { self.list = list }
    /// Begins at the first packet.
    public func makeIterator() -> Iterator { Iterator(list) }

    /// A place between packets.
    public struct Iterator: IteratorProtocol {
      var packet: UnsafePointer<MIDIEventPacket>
      var left: UInt32
      init(_ list: UnsafePointer<MIDIEventList>) {
        packet = (UnsafeRawPointer(list) + 8).assumingMemoryBound(to: MIDIEventPacket.self)
        left = (UnsafeRawPointer(list) + 4).loadUnaligned(as: UInt32.self)
      }
      /// The next packet.
      public mutating func next() -> UnsafePointer<MIDIEventPacket>? {
        guard left > 0 else { return nil }
        left -= 1
        defer { if left > 0 { packet = UnsafePointer(MIDIEventPacketNext(packet)) } }
        return packet
      }
    }
  }

  /// Packets in memory that grows no further than was asked for.
  public final class Builder {
    private let memory: UnsafeMutableRawPointer
    private let byteSize: Int
    private var last: UnsafeMutablePointer<MIDIEventPacket>?
    private var list: UnsafeMutablePointer<MIDIEventList> {
      memory.assumingMemoryBound(to: MIDIEventList.self)
    }

    /// An empty list of a protocol with room for so many words a packet.
    public init(inProtocol: MIDIProtocolID, wordSize: Int) {
      byteSize = MemoryLayout<MIDIEventList>.size + Swift.max(wordSize, 0) * 4
      memory = .allocate(byteCount: byteSize, alignment: 8)
      last = MIDIEventListInit(memory.assumingMemoryBound(to: MIDIEventList.self), inProtocol)
    }
    deinit { memory.deallocate() }

    /// Adds words at a time; nothing where there is no room.
    public func append(timestamp: MIDITimeStamp, words: [UInt32]) {
      guard let packet = last else { return }
      if let next = MIDIEventListAdd(list, byteSize, packet, timestamp, words.count, words) {
        last = next
      }
    }
    /// Adds words at a time; nothing where there is no room.
    public func append<Words: Sequence>(timestamp: MIDITimeStamp, words: Words)
    where Words.Element == UInt32 {
      append(timestamp: timestamp, words: Array(words))
    }
    /// Calls a body with the list.
    public func withUnsafePointer<Result>(
      _ body: (UnsafePointer<MIDIEventList>) throws -> Result
    ) rethrows -> Result {
      try body(UnsafePointer(list))
    }
  }
}

extension UnsafePointer where Pointee == MIDIEventList {
  /// The packets of the list.
  public func unsafeSequence() -> MIDIEventList.UnsafeSequence {
    MIDIEventList.UnsafeSequence(self)
  }
}
extension UnsafeMutablePointer where Pointee == MIDIEventList {
  /// The packets of the list.
  public func unsafeSequence() -> MIDIEventList.UnsafeSequence {
    MIDIEventList.UnsafeSequence(UnsafePointer(self))
  }
}

/// A packet of a list in memory that may be changed.
public typealias UnsafeMutableMIDIEventPacketPointer = UnsafeMutablePointer<MIDIEventPacket>

extension MIDIEventPacket {
  /// The words of a packet in memory.
  public struct WordCollection: RandomAccessCollection {
    let memory: UnsafeBufferPointer<UInt32>
    /// The words of a packet.
    public init(_ packet: UnsafePointer<MIDIEventPacket>) {
      let raw = UnsafeRawPointer(packet)
      let count = Int((raw + 8).loadUnaligned(as: UInt32.self))
      memory = UnsafeBufferPointer(
        start: (raw + wordsOffset).assumingMemoryBound(to: UInt32.self), count: count)
    }
    /// The first word's number: 0.
    public var startIndex: Int { 0 }
    /// The number of words.
    public var endIndex: Int { memory.count }
    /// A word by its number.
    public subscript(index: Int) -> UInt32 { memory[index] }
  }

  /// The words of one packet, as they are built.
  public final class Builder {
    private let maximum: Int
    private var words: [UInt32] = []
    /// The packet's time.
    public var timeStamp: Int = 0
    /// The number of words so far.
    public var count: Int { words.count }

    /// An empty packet of at most 64 words.
    public init(maximumNumberMIDIWords: Int) { maximum = Swift.min(maximumNumberMIDIWords, 64) }
    /// Adds words; nothing where there is no room.
    public func append(_ added: UInt32...) { append(contentsOf: added) }
    /// Adds words; nothing where there is no room.
    public func append(contentsOf added: [UInt32]) {
      if words.count + added.count <= maximum { words += added }
    }
    /// Calls a body with the packet.
    public func withUnsafePointer<Result>(
      _ body: (UnsafePointer<MIDIEventPacket>) throws -> Result
    ) rethrows -> Result {
      var packet = MIDIEventPacket()
      packet.timeStamp = MIDITimeStamp(truncatingIfNeeded: timeStamp)
      packet.wordCount = UInt32(words.count)
      withUnsafeMutableBytes(of: &packet) { bytes in
        for (index, word) in words.enumerated() {
          bytes.storeBytes(of: word, toByteOffset: wordsOffset + index * 4, as: UInt32.self)
        }
      }
      return try Swift.withUnsafePointer(to: packet, body)
    }
  }
}

extension UnsafePointer where Pointee == MIDIEventPacket {
  /// The words of the packet.
  public func words() -> MIDIEventPacket.WordCollection { MIDIEventPacket.WordCollection(self) }
  /// The words of the packet.
  public func sequence() -> MIDIEventPacket.WordCollection { MIDIEventPacket.WordCollection(self) }
}
extension UnsafeMutablePointer where Pointee == MIDIEventPacket {
  /// The words of the packet.
  public func words() -> MIDIEventPacket.WordCollection {
    MIDIEventPacket.WordCollection(UnsafePointer(self))
  }
}
