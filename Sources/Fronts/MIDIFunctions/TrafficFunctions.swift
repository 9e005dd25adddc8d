// The functions of MIDIServices.h that send packets.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import MIDIMessages
import MIDIPorts

private func events(_ list: UnsafePointer<MIDIPacketList>?) throws(MIDIError) -> MIDIEvents {
  guard let list = unsafe list else { throw .argument }
  return unsafe .bytes(PacketMemory.bytes(list))
}

private func events(_ list: UnsafePointer<MIDIEventList>?) throws(MIDIError) -> MIDIEvents {
  guard let list = unsafe list else { throw .argument }
  let packets = unsafe PacketMemory.words(list)
  // A packet that one message between processes cannot hold.
  guard packets.allSatisfy({ $0.words.count <= 0x3FFF }) else { throw .argument }
  return .words(try unsafe form(list.pointee.protocol), packets)
}

/// Sends packets to a destination: now, or at their times.
///
/// - Returns: -10831 for an input port, 0 for a number that is no port; -10834 for one that is no endpoint; -10832 for a
///   source; -50 for a null list; -10838 where the destination's process does not answer.
///
/// Context: any but a device's thread.
@c @implementation
public func MIDISend(
  _ port: MIDIPortRef, _ destination: MIDIEndpointRef, _ list: UnsafePointer<MIDIPacketList>?
) -> OSStatus {
  status { () throws(MIDIError) in
    try unsafe MIDISystem.shared().send(port, destination, events(list))
  }
}

/// Sends universal packets to a destination: now, or at their times.
///
/// - Returns: As `MIDISend`.
///
/// Context: any but a device's thread.
@c @implementation
public func MIDISendEventList(
  _ port: MIDIPortRef, _ destination: MIDIEndpointRef, _ list: UnsafePointer<MIDIEventList>?
) -> OSStatus {
  status { () throws(MIDIError) in
    try unsafe MIDISystem.shared().send(port, destination, events(list))
  }
}

/// Passes on messages of a virtual source of this process.
///
/// - Returns: -10834 for another object; -10832 for a destination; -10844 for another process's
///   source; -50 for a null list.
///
/// Context: any but a device's thread.
@c @implementation
public func MIDIReceived(
  _ source: MIDIEndpointRef, _ list: UnsafePointer<MIDIPacketList>?
) -> OSStatus {
  status { () throws(MIDIError) in try unsafe MIDISystem.shared().received(source, events(list)) }
}

/// Passes on the universal packets that a virtual source of this process makes.
///
/// - Returns: As `MIDIReceived`.
///
/// Context: any but a device's thread.
@c @implementation
public func MIDIReceivedEventList(
  _ source: MIDIEndpointRef, _ list: UnsafePointer<MIDIEventList>?
) -> OSStatus {
  status { () throws(MIDIError) in try unsafe MIDISystem.shared().received(source, events(list)) }
}

/// Forgets messages of this process that wait for a destination; 0: for any.
///
/// - Returns: -10834 for another object; -10832 for a source.
///
/// Context: control.
@c @implementation
public func MIDIFlushOutput(_ destination: MIDIEndpointRef) -> OSStatus {
  status { () throws(MIDIError) in try MIDISystem.shared().flush(destination) }
}
