// The functions of MIDIServices.h about ports.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import MIDIPorts

/// Makes an input port whose function is called on a thread of the library, with bytes of MIDI 1.0.
///
/// - Returns: -10830 for another object than a client; -50 for a null pointer.
///
/// Context: control.
@c @implementation
public func MIDIInputPortCreate(
  _ client: MIDIClientRef, _ name: CFStringRef?, _ readProc: MIDIReadProc?,
  _ refCon: UnsafeMutableRawPointer?, _ outPort: UnsafeMutablePointer<MIDIPortRef>?
) -> OSStatus {
  unsafe make(outPort) { system throws(MIDIError) in
    try unsafe system.makePort(
      client: client, text(name), deliver: Deliveries.function(readProc, refCon))
  }
}

/// Makes an input port whose block is called on a thread of the library, with bytes of MIDI 1.0.
///
/// - Returns: As `MIDIInputPortCreate`.
///
/// Context: control. The corresponding Core MIDI function is `MIDIInputPortCreateWithBlock`.
@_cdecl("MIDIInputPortCreateWithBlock")
public func inputPortCreateWithBlock(
  _ client: MIDIClientRef, _ name: CFStringRef?, _ outPort: UnsafeMutablePointer<MIDIPortRef>?,
  _ readBlock: UnsafeRawPointer?
) -> OSStatus {
  unsafe make(outPort) { system throws(MIDIError) in
    try unsafe system.makePort(
      client: client, text(name), deliver: Deliveries.readBlock(readBlock))
  }
}

/// Makes an input port whose block is called on a thread of the library, with universal packets.
///
/// - Returns: As `MIDIInputPortCreate`; -50 for an unknown protocol.
///
/// Context: control. The corresponding Core MIDI function is `MIDIInputPortCreateWithProtocol`.
@_cdecl("MIDIInputPortCreateWithProtocol")
public func inputPortCreateWithProtocol(
  _ client: MIDIClientRef, _ name: CFStringRef?, _ protocolID: MIDIProtocolID,
  _ outPort: UnsafeMutablePointer<MIDIPortRef>?, _ receiveBlock: UnsafeRawPointer?
) -> OSStatus {
  unsafe make(outPort) { system throws(MIDIError) in
    try unsafe system.makePort(
      client: client, text(name), form(protocolID), deliver: Deliveries.receiveBlock(receiveBlock))
  }
}

/// Makes an output port.
///
/// - Returns: -10830 for another object than a client; -50 for a null pointer.
///
/// Context: control.
@c @implementation
public func MIDIOutputPortCreate(
  _ client: MIDIClientRef, _ name: CFStringRef?, _ outPort: UnsafeMutablePointer<MIDIPortRef>?
) -> OSStatus {
  unsafe make(outPort) { system throws(MIDIError) in
    try unsafe system.makePort(client: client, text(name))
  }
}

/// Ends a port.
///
/// - Returns: -10831 for another object.
///
/// Context: control; not from a thread that a callback of the port waits for.
@c @implementation
public func MIDIPortDispose(_ port: MIDIPortRef) -> OSStatus {
  status { () throws(MIDIError) in try MIDISystem.shared().disposePort(port) }
}

/// Connects an input port to a source; where it is already, the context is replaced.
///
/// - Returns: -10831 for another object than an input port; -10834 for another object than an
///   endpoint; -10832 for a destination.
///
/// Context: control.
@c @implementation
public func MIDIPortConnectSource(
  _ port: MIDIPortRef, _ source: MIDIEndpointRef, _ connRefCon: UnsafeMutableRawPointer?
) -> OSStatus {
  status { () throws(MIDIError) in
    try MIDISystem.shared().connect(port, source, context: UInt(bitPattern: connRefCon))
  }
}

/// Disconnects an input port from a source.
///
/// - Returns: -10833 where it is not connected; else as `MIDIPortConnectSource`.
///
/// Context: control.
@c @implementation
public func MIDIPortDisconnectSource(_ port: MIDIPortRef, _ source: MIDIEndpointRef) -> OSStatus {
  status { () throws(MIDIError) in try MIDISystem.shared().disconnect(port, source) }
}
