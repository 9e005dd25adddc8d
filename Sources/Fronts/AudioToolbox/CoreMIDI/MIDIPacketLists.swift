// The functions of MIDIServices.h that fill lists of packets.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// Empties a list, and answers the packet to begin with.
///
/// Context: any, also while rendering.
@c @implementation
public func MIDIPacketListInit(
  _ list: UnsafeMutablePointer<MIDIPacketList>?
) -> UnsafeMutablePointer<MIDIPacket>? {
  guard let list = unsafe list else { return nil }
  unsafe list.pointee.numPackets = 0
  return unsafe firstPacket(of: list)
}

/// Adds bytes for a moment to a list of `size` bytes.
///
/// They join the packet at hand if it is for the same moment and neither holds system exclusive
/// bytes; else they make the next packet. A packet of such bytes is one message.
///
/// - Returns: The packet they are in; null, with the list as it was, if they do not fit or are more than
///   65,535 bytes.
///
/// Context: any, also while rendering.
@c @implementation
public func MIDIPacketListAdd(
  _ list: UnsafeMutablePointer<MIDIPacketList>?, _ size: Int,
  _ packet: UnsafeMutablePointer<MIDIPacket>?, _ time: MIDITimeStamp, _ length: Int,
  _ data: UnsafePointer<UInt8>?
) -> UnsafeMutablePointer<MIDIPacket>? {
  guard let list = unsafe list, let packet = unsafe packet, let data = unsafe data,
    0...Int(UInt16.max) ~= length, size >= 0
  else { return nil }
  let end = unsafe UnsafeMutableRawPointer(list) + size
  if unsafe list.pointee.numPackets > 0, unsafe joins(packet, time: time, data: data, length) {
    let old = unsafe Int(packet.pointee.length)
    let place = unsafe bytes(of: packet) + old
    guard old + length <= UInt16.max, unsafe place + length <= end else { return nil }
    unsafe place.copyMemory(from: data, byteCount: length)
    unsafe packet.pointee.length = UInt16(old + length)
    return unsafe packet
  }
  let next = unsafe list.pointee.numPackets == 0 ? firstPacket(of: list) : MIDIPacketNext(packet)
  guard let next = unsafe next, unsafe bytes(of: next) + length <= end else { return nil }
  let raw = UnsafeMutableRawPointer(next)
  unsafe raw.storeBytes(of: time, toByteOffset: 0, as: MIDITimeStamp.self)
  unsafe raw.storeBytes(of: UInt16(length), toByteOffset: 8, as: UInt16.self)
  unsafe bytes(of: next).copyMemory(from: data, byteCount: length)
  unsafe list.pointee.numPackets += 1
  return unsafe next
}

/// Whether bytes belong into the packet at hand.
private func joins(
  _ packet: UnsafeMutablePointer<MIDIPacket>, time: MIDITimeStamp, data: UnsafePointer<UInt8>,
  _ count: Int
) -> Bool {
  let raw = UnsafeMutableRawPointer(packet)
  guard unsafe raw.loadUnaligned(as: MIDITimeStamp.self) == time, count > 0,
    unsafe data[0] & 0x80 != 0, unsafe data[0] != 0xf0
  else { return false }
  let length = unsafe raw.loadUnaligned(fromByteOffset: 8, as: UInt16.self)
  guard length > 0 else { return false }
  let first = unsafe bytes(of: packet).load(as: UInt8.self)
  return first & 0x80 != 0 && first != 0xf0
}

private func firstPacket(
  of list: UnsafeMutablePointer<MIDIPacketList>
) -> UnsafeMutablePointer<MIDIPacket>? {
  let offset = MemoryLayout<MIDIPacketList>.offset(of: \.packet) ?? 4
  return unsafe (UnsafeMutableRawPointer(list) + offset).assumingMemoryBound(to: MIDIPacket.self)
}

/// The bytes of a packet, which may lie at any address.
private func bytes(of packet: UnsafeMutablePointer<MIDIPacket>) -> UnsafeMutableRawPointer {
  unsafe UnsafeMutableRawPointer(packet) + 10
}
