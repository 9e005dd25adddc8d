// The functions of MIDIServices.h that fill lists of universal packets.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// Empties a list, and answers the packet to begin with.
///
/// Context: any, also while rendering.
@c @implementation
public func MIDIEventListInit(
  _ list: UnsafeMutablePointer<MIDIEventList>?, _ protocolID: MIDIProtocolID
) -> UnsafeMutablePointer<MIDIEventPacket>? {
  guard let list = unsafe list else { return nil }
  unsafe list.pointee.protocol = protocolID
  unsafe list.pointee.numPackets = 0
  return unsafe firstPacket(of: list)
}

/// Adds universal packets for a moment to a list of `size` bytes.
///
/// They join the packet at hand if it is for the same moment and has room for them among 64 words; else they make the
/// next packet.
///
/// - Returns: The packet they are in; null, with the list as it was, if they do not fit.
///
/// Context: any, also while rendering.
@c @implementation
public func MIDIEventListAdd(
  _ list: UnsafeMutablePointer<MIDIEventList>?, _ size: Int,
  _ packet: UnsafeMutablePointer<MIDIEventPacket>?, _ time: MIDITimeStamp, _ wordCount: Int,
  _ words: UnsafePointer<UInt32>?
) -> UnsafeMutablePointer<MIDIEventPacket>? {
  guard let list = unsafe list, let packet = unsafe packet, let words = unsafe words,
    0...0x3FFF ~= wordCount, size >= 0
  else { return nil }
  let end = unsafe UnsafeMutableRawPointer(list) + size
  let count = unsafe list.pointee.numPackets
  let old = unsafe count == 0 ? 0 : Int(packet.pointee.wordCount)
  if unsafe count > 0 && packet.pointee.timeStamp == time && old > 0 && old + wordCount <= 64 {
    let place = unsafe memory(of: packet) + 4 * old
    guard unsafe place + 4 * wordCount <= end else { return nil }
    unsafe place.copyMemory(from: words, byteCount: 4 * wordCount)
    unsafe packet.pointee.wordCount = UInt32(old + wordCount)
    return unsafe packet
  }
  let next = unsafe count == 0 ? firstPacket(of: list) : MIDIEventPacketNext(packet)
  guard let next = unsafe next, unsafe memory(of: next) + 4 * wordCount <= end else { return nil }
  unsafe next.pointee.timeStamp = time
  unsafe next.pointee.wordCount = UInt32(wordCount)
  unsafe memory(of: next).copyMemory(from: words, byteCount: 4 * wordCount)
  unsafe list.pointee.numPackets += 1
  return unsafe next
}

private func firstPacket(
  of list: UnsafeMutablePointer<MIDIEventList>
) -> UnsafeMutablePointer<MIDIEventPacket> {
  unsafe (UnsafeMutableRawPointer(list) + 8).assumingMemoryBound(to: MIDIEventPacket.self)
}

/// The words of a packet.
private func memory(of packet: UnsafeMutablePointer<MIDIEventPacket>) -> UnsafeMutableRawPointer {
  unsafe UnsafeMutableRawPointer(packet) + 12
}
