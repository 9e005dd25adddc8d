// The functions of MIDIThruConnection.h.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import CAudioToolbox
import MIDIPorts

/// Sets parameters to pass everything on, between no ends.
///
/// Context: any.
@c @implementation
public func MIDIThruConnectionParamsInitialize(
  _ params: UnsafeMutablePointer<MIDIThruConnectionParams>?
) {
  guard let params = unsafe params else { return }
  unsafe params.pointee = MIDIThruConnectionParams()
  unsafe params.pointee.highNote = 127
  unsafe withUnsafeMutableBytes(of: &params.pointee.channelMap) { map in
    for channel in 0..<16 { unsafe map[channel] = UInt8(channel) }
  }
}

private func parameters(_ data: CFDataRef?) throws(MIDIError) -> ThruParameters {
  guard let data = unsafe data else { throw .argument }
  return try unsafe ThruParameters(PropertyObjects.bytes(data))
}

/// Makes a connection; with an owner, one that is kept until it is disposed.
///
/// - Returns: -50 for a null pointer and for parameters that cannot be; -10834 for an end that is no endpoint; -10832 for
///   a source in place of a destination and the reverse; -10839 where it cannot be kept.
///
/// Context: control.
@c @implementation
public func MIDIThruConnectionCreate(
  _ persistentOwnerID: CFStringRef?, _ params: CFDataRef?,
  _ outConnection: UnsafeMutablePointer<MIDIThruConnectionRef>?
) -> OSStatus {
  unsafe make(outConnection) { system throws(MIDIError) in
    let owner = unsafe String(cfString: persistentOwnerID)
    return try unsafe system.makeThru(owner, parameters(params))
  }
}

/// Ends a connection.
///
/// - Returns: -10842 for another object.
///
/// Context: control.
@c @implementation
public func MIDIThruConnectionDispose(_ connection: MIDIThruConnectionRef) -> OSStatus {
  status { () throws(MIDIError) in try MIDISystem.shared().disposeThru(connection) }
}

/// The parameters of a connection, to be released.
///
/// - Returns: -10842 for another object; -50 for null.
///
/// Context: control.
@c @implementation
public func MIDIThruConnectionGetParams(
  _ connection: MIDIThruConnectionRef, _ outParams: UnsafeMutablePointer<CFDataRef?>?
) -> OSStatus {
  status { () throws(MIDIError) in
    guard let out = unsafe outParams else { throw .argument }
    let found = try MIDISystem.shared().thruParameters(connection)
    unsafe out.pointee = unsafe PropertyObjects.data(found.bytes)
  }
}

/// Sets the parameters of a connection.
///
/// - Returns: -10842 for another object; else as `MIDIThruConnectionCreate`.
///
/// Context: control.
@c @implementation
public func MIDIThruConnectionSetParams(
  _ connection: MIDIThruConnectionRef, _ params: CFDataRef?
) -> OSStatus {
  status { () throws(MIDIError) in
    try unsafe MIDISystem.shared().setThru(connection, parameters(params))
  }
}

/// The connections of an owner, as an array of numbers to be released.
///
/// - Returns: -50 for a null pointer.
///
/// Context: control.
@c @implementation
public func MIDIThruConnectionFind(
  _ persistentOwnerID: CFStringRef?, _ outConnections: UnsafeMutablePointer<CFDataRef?>?
) -> OSStatus {
  status { () throws(MIDIError) in
    guard let out = unsafe outConnections else { throw .argument }
    let found = try unsafe MIDISystem.shared().findThru(text(persistentOwnerID))
    let bytes = found.flatMap { ref in
      (0..<4).map { UInt8(truncatingIfNeeded: ref >> UInt32(8 * $0)) }
    }
    unsafe out.pointee = unsafe PropertyObjects.data(bytes)
  }
}
