// Lists of packets in memory, as C programs hand them over and receive them.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// Reads and writes `MIDIPacketList` and `MIDIEventList`, whose packets may lie at any address.
package enum PacketMemory {
  /// The packets of a list.
  package static func bytes(_ list: UnsafePointer<MIDIPacketList>) -> [TimedBytes] {
    let memory = unsafe UnsafeRawPointer(list)
    let count = unsafe memory.loadUnaligned(as: UInt32.self)
    var packets: [TimedBytes] = []
    var place = 4
    for _ in 0..<count {
      let time = unsafe memory.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      let length = unsafe Int(memory.loadUnaligned(fromByteOffset: place + 8, as: UInt16.self))
      let bytes = unsafe UnsafeRawBufferPointer(start: memory + place + 10, count: length)
      unsafe packets.append(TimedBytes(time, Array(bytes)))
      place = after(place + 10 + length)
    }
    return packets
  }

  /// The packets of a list.
  package static func words(_ list: UnsafePointer<MIDIEventList>) -> [TimedWords] {
    let memory = unsafe UnsafeRawPointer(list)
    let count = unsafe memory.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
    var packets: [TimedWords] = []
    var place = 8
    for _ in 0..<count {
      let time = unsafe memory.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      let packet = unsafe (memory + place).assumingMemoryBound(to: MIDIEventPacket.self)
      let words = unsafe words(of: packet)
      packets.append(TimedWords(time, words))
      place += 12 + 4 * words.count
    }
    return packets
  }

  /// The words of one packet.
  package static func words(of packet: UnsafePointer<MIDIEventPacket>) -> [UInt32] {
    let memory = unsafe UnsafeRawPointer(packet)
    let length = unsafe Int(memory.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    return (0..<length).map {
      unsafe memory.loadUnaligned(fromByteOffset: 12 + 4 * $0, as: UInt32.self)
    }
  }

  /// Returns the start of the packet after one that ends here: ARM wants packets at whole words.
  private static func after(_ end: Int) -> Int {
    #if arch(arm64) || arch(arm)
      return (end + 3) & ~3
    #else
      return end
    #endif
  }

  /// Hands a list of packets to a body; it is gone afterwards.
  package static func withList(
    _ packets: [TimedBytes], _ body: (UnsafePointer<MIDIPacketList>) -> Void
  ) {
    let size = packets.reduce(4) { after($0 + 10 + $1.bytes.count) }
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: max(size, MemoryLayout<MIDIPacketList>.size), alignment: 8)
    defer { unsafe memory.deallocate() }
    unsafe memory.storeBytes(of: UInt32(packets.count), as: UInt32.self)
    var place = 4
    for packet in packets {
      let length = min(packet.bytes.count, 0xFFFF)
      unsafe memory.storeBytes(of: packet.time, toByteOffset: place, as: UInt64.self)
      unsafe memory.storeBytes(of: UInt16(length), toByteOffset: place + 8, as: UInt16.self)
      unsafe UnsafeMutableRawBufferPointer(start: memory + place + 10, count: length)
        .copyBytes(from: packet.bytes.prefix(length))
      place = after(place + 10 + length)
    }
    unsafe body(UnsafePointer(memory.assumingMemoryBound(to: MIDIPacketList.self)))
  }

  /// Hands a list of universal packets to a body; it is gone afterwards.
  package static func withList(
    _ form: MIDIForm, _ packets: [TimedWords], _ body: (UnsafePointer<MIDIEventList>) -> Void
  ) {
    let size = packets.reduce(8) { $0 + 12 + 4 * $1.words.count }
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: max(size, MemoryLayout<MIDIEventList>.size), alignment: 8)
    defer { unsafe memory.deallocate() }
    unsafe memory.storeBytes(of: Int32(form.rawValue), as: Int32.self)
    unsafe memory.storeBytes(of: UInt32(packets.count), toByteOffset: 4, as: UInt32.self)
    var place = 8
    for packet in packets {
      unsafe memory.storeBytes(of: packet.time, toByteOffset: place, as: UInt64.self)
      unsafe memory.storeBytes(
        of: UInt32(packet.words.count), toByteOffset: place + 8, as: UInt32.self)
      for (index, word) in packet.words.enumerated() {
        unsafe memory.storeBytes(of: word, toByteOffset: place + 12 + 4 * index, as: UInt32.self)
      }
      place += 12 + 4 * packet.words.count
    }
    unsafe body(UnsafePointer(memory.assumingMemoryBound(to: MIDIEventList.self)))
  }
}
