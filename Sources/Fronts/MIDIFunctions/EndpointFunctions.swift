// The functions of MIDIServices.h that make virtual endpoints.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import MIDIMessages
import MIDIPorts

/// Makes a virtual source, which sends bytes of MIDI 1.0.
///
/// - Returns: -10830 for another object than a client; -50 for a null pointer; -10839 where the
///   folder of ports cannot be used.
///
/// Context: control.
@c @implementation
public func MIDISourceCreate(
  _ client: MIDIClientRef, _ name: CFStringRef?, _ outSource: UnsafeMutablePointer<MIDIEndpointRef>?
) -> OSStatus {
  unsafe make(outSource) { system throws(MIDIError) in
    try unsafe system.makeEndpoint(client: client, text(name), .bytes)
  }
}

/// Makes a virtual source, which sends universal packets.
///
/// - Returns: As `MIDISourceCreate`; -50 for an unknown protocol.
///
/// Context: control.
@c @implementation
public func MIDISourceCreateWithProtocol(
  _ client: MIDIClientRef, _ name: CFStringRef?, _ protocolID: MIDIProtocolID,
  _ outSource: UnsafeMutablePointer<MIDIEndpointRef>?
) -> OSStatus {
  unsafe make(outSource) { system throws(MIDIError) in
    try unsafe system.makeEndpoint(client: client, text(name), form(protocolID))
  }
}

private func makeDestination(
  _ client: MIDIClientRef, _ name: CFStringRef?, _ protocolID: MIDIProtocolID?,
  _ out: UnsafeMutablePointer<MIDIEndpointRef>?, _ delivery: () throws(MIDIError) -> Delivery
) -> OSStatus {
  unsafe make(out) { system throws(MIDIError) in
    let deliver = try delivery()
    let form = if let protocolID { try form(protocolID) } else { MIDIForm.bytes }
    return try unsafe system.makeEndpoint(client: client, text(name), form) { deliver($0, 0) }
  }
}

/// Makes a virtual destination whose function is called on a thread of the library, with bytes of MIDI 1.0.
///
/// - Returns: As `MIDISourceCreate`.
///
/// Context: control.
@c @implementation
public func MIDIDestinationCreate(
  _ client: MIDIClientRef, _ name: CFStringRef?, _ readProc: MIDIReadProc?,
  _ refCon: UnsafeMutableRawPointer?, _ outDestination: UnsafeMutablePointer<MIDIEndpointRef>?
) -> OSStatus {
  unsafe makeDestination(client, name, nil, outDestination) { () throws(MIDIError) in
    unsafe Deliveries.function(readProc, refCon)
  }
}

/// Makes a virtual destination whose block is called on a thread of the library, with bytes of MIDI 1.0.
///
/// - Returns: As `MIDISourceCreate`.
///
/// Context: control. The corresponding Core MIDI function is `MIDIDestinationCreateWithBlock`.
@_cdecl("MIDIDestinationCreateWithBlock")
public func destinationCreateWithBlock(
  _ client: MIDIClientRef, _ name: CFStringRef?,
  _ outDestination: UnsafeMutablePointer<MIDIEndpointRef>?, _ readBlock: UnsafeRawPointer?
) -> OSStatus {
  unsafe makeDestination(client, name, nil, outDestination) { () throws(MIDIError) in
    try unsafe Deliveries.readBlock(readBlock)
  }
}

/// Makes a virtual destination whose block is called on a thread of the library, with universal packets.
///
/// - Returns: As `MIDISourceCreate`; -50 for an unknown protocol.
///
/// Context: control. The corresponding Core MIDI function is `MIDIDestinationCreateWithProtocol`.
@_cdecl("MIDIDestinationCreateWithProtocol")
public func destinationCreateWithProtocol(
  _ client: MIDIClientRef, _ name: CFStringRef?, _ protocolID: MIDIProtocolID,
  _ outDestination: UnsafeMutablePointer<MIDIEndpointRef>?, _ receiveBlock: UnsafeRawPointer?
) -> OSStatus {
  unsafe makeDestination(client, name, protocolID, outDestination) { () throws(MIDIError) in
    try unsafe Deliveries.receiveBlock(receiveBlock)
  }
}

/// Ends a virtual endpoint of this process.
///
/// - Returns: -10834 for another object; -10844 for one of another process.
///
/// Context: control.
@c @implementation
public func MIDIEndpointDispose(_ endpoint: MIDIEndpointRef) -> OSStatus {
  status { () throws(MIDIError) in try MIDISystem.shared().disposeEndpoint(endpoint) }
}
