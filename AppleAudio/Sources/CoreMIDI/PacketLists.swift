// Lists of packets of MIDI 1.0 bytes: reading and building them.
// SPDX-License-Identifier: Apache-2.0

@_exported import CoreAudioTypes

/// The offset of a packet's bytes from its beginning.
private let dataOffset = 10

extension MIDIPacketList {
  /// The packets of a list in memory, as pointers.
  public struct UnsafeSequence: Sequence {
    let list: UnsafePointer<MIDIPacketList>
    /// The packets of a list.
    public init(_ list: UnsafePointer<MIDIPacketList>) { self.list = list }
    /// Begins at the first packet.
    public func makeIterator() -> Iterator { Iterator(list) }

    /// A place between packets.
    public struct Iterator: IteratorProtocol {
      var packet: UnsafePointer<MIDIPacket>
      var left: UInt32
      init(_ list: UnsafePointer<MIDIPacketList>) {
        packet = (UnsafeRawPointer(list) + 4).assumingMemoryBound(to: MIDIPacket.self)
        left = UnsafeRawPointer(list).loadUnaligned(as: UInt32.self)
      }
      /// The next packet.
      public mutating func next() -> UnsafePointer<MIDIPacket>? {
        guard left > 0 else { return nil }
        left -= 1
        defer { if left > 0 { packet = UnsafePointer(MIDIPacketNext(packet)) } }
        return packet
      }
    }
  }

  /// Packets in memory that grows no further than was asked for.
  public final class Builder {
    private let memory: UnsafeMutableRawPointer
    private let byteSize: Int
    private var last: UnsafeMutablePointer<MIDIPacket>?
    private var list: UnsafeMutablePointer<MIDIPacketList> {
      memory.assumingMemoryBound(to: MIDIPacketList.self)
    }

    /// An empty list with room for bytes.
    public init(byteSize: Int) {
      self.byteSize = Swift.max(byteSize, MemoryLayout<MIDIPacketList>.size)
      memory = .allocate(byteCount: self.byteSize, alignment: 8)
      last = MIDIPacketListInit(memory.assumingMemoryBound(to: MIDIPacketList.self))
    }
    deinit { memory.deallocate() }

    /// Adds bytes at a time; nothing where there is no room.
    public func append(timestamp: MIDITimeStamp, data: [UInt8]) {
      guard let packet = last else { return }
      if let next = MIDIPacketListAdd(list, byteSize, packet, timestamp, data.count, data) {
        last = next
      }
    }
    /// Adds bytes at a time; nothing where there is no room.
    public func append<Bytes: Sequence>(timestamp: MIDITimeStamp, data: Bytes)
    where Bytes.Element == UInt8 {
      append(timestamp: timestamp, data: Array(data))
    }
    /// Calls a body with the list.
    public func withUnsafePointer<Result>(
      _ body: (UnsafePointer<MIDIPacketList>) throws -> Result
    ) rethrows -> Result {
      try body(UnsafePointer(list))
    }
  }
}

extension UnsafePointer where Pointee == MIDIPacketList {
  /// The packets of the list.
  public func unsafeSequence() -> MIDIPacketList.UnsafeSequence {
    MIDIPacketList.UnsafeSequence(self)
  }
}
extension UnsafeMutablePointer where Pointee == MIDIPacketList {
  /// The packets of the list.
  public func unsafeSequence() -> MIDIPacketList.UnsafeSequence {
    MIDIPacketList.UnsafeSequence(UnsafePointer(self))
  }
}

extension MIDIPacket {
  /// The bytes of a packet in memory.
  public struct ByteCollection: RandomAccessCollection {
    let bytes: UnsafeBufferPointer<UInt8>
    /// The bytes of a packet.
    public init(_ packet: UnsafePointer<MIDIPacket>) {
      let raw = UnsafeRawPointer(packet)
      let count = Int((raw + 8).loadUnaligned(as: UInt16.self))
      bytes = UnsafeBufferPointer(
        start: (raw + dataOffset).assumingMemoryBound(to: UInt8.self), count: count)
    }
    /// The first byte's number: 0.
    public var startIndex: Int { 0 }
    /// The number of bytes, which may exceed 256.
    public var endIndex: Int { bytes.count }
    /// A byte by its number.
    public subscript(index: Int) -> UInt8 { bytes[index] }
  }
}

extension UnsafePointer where Pointee == MIDIPacket {
  /// The bytes of the packet.
  public func sequence() -> MIDIPacket.ByteCollection { MIDIPacket.ByteCollection(self) }
  /// The bytes of the packet.
  public func bytes() -> MIDIPacket.ByteCollection { MIDIPacket.ByteCollection(self) }
}
extension UnsafeMutablePointer where Pointee == MIDIPacket {
  /// The bytes of the packet.
  public func sequence() -> MIDIPacket.ByteCollection {
    MIDIPacket.ByteCollection(UnsafePointer(self))
  }
  /// The bytes of the packet.
  public func bytes() -> MIDIPacket.ByteCollection {
    MIDIPacket.ByteCollection(UnsafePointer(self))
  }
}
