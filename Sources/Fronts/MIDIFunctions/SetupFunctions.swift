// The functions of MIDISetup.h.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import CAudioToolbox
import MIDIPorts
import Synchronization

/// Makes a device, which belongs to this process until it is added to the setup.
///
/// - Returns: -50 for a null pointer; -10839 where the folder of ports cannot be used.
///
/// Context: control.
@c @implementation
public func MIDIExternalDeviceCreate(
  _ name: CFStringRef?, _ manufacturer: CFStringRef?, _ model: CFStringRef?,
  _ outDevice: UnsafeMutablePointer<MIDIDeviceRef>?
) -> OSStatus {
  unsafe make(outDevice) { system throws(MIDIError) in
    try unsafe system.makeDevice(text(name), text(manufacturer), text(model))
  }
}

/// Adds an entity to a device.
///
/// - Returns: -10842 for another object; -50 for a null pointer, and for more than 1024 endpoints
///   of a kind.
///
/// Context: control.
@c @implementation
public func MIDIDeviceAddEntity(
  _ device: MIDIDeviceRef, _ name: CFStringRef?, _ embedded: Bool, _ sources: Int,
  _ destinations: Int, _ outEntity: UnsafeMutablePointer<MIDIEntityRef>?
) -> OSStatus {
  unsafe make(outEntity) { system throws(MIDIError) in
    try unsafe system.makeEntity(
      device, text(name), protocolID: nil, isEmbedded: embedded, sources: sources,
      destinations: destinations)
  }
}

/// Adds an entity that speaks a protocol.
///
/// - Returns: As `MIDIDeviceAddEntity`; -50 for an unknown protocol, too.
///
/// Context: control.
@c @implementation
public func MIDIDeviceNewEntity(
  _ device: MIDIDeviceRef, _ name: CFStringRef?, _ protocolID: MIDIProtocolID, _ embedded: Bool,
  _ sources: Int, _ destinations: Int, _ outEntity: UnsafeMutablePointer<MIDIEntityRef>?
) -> OSStatus {
  unsafe make(outEntity) { system throws(MIDIError) in
    _ = try form(protocolID)
    return try unsafe system.makeEntity(
      device, text(name), protocolID: protocolID, isEmbedded: embedded, sources: sources,
      destinations: destinations)
  }
}

/// Removes an entity of a device.
///
/// - Returns: -10842 for another object than a device, or an entity of it.
///
/// Context: control.
@c @implementation
public func MIDIDeviceRemoveEntity(_ device: MIDIDeviceRef, _ entity: MIDIEntityRef) -> OSStatus {
  status { () throws(MIDIError) in try MIDISystem.shared().removeEntity(device, entity) }
}

/// Brings an entity to so many endpoints.
///
/// - Returns: -10842 for another object; -50 for more than 1024 endpoints of a kind.
///
/// Context: control.
@c @implementation
public func MIDIEntityAddOrRemoveEndpoints(
  _ entity: MIDIEntityRef, _ sources: Int, _ destinations: Int
) -> OSStatus {
  status { () throws(MIDIError) in
    try MIDISystem.shared().setCounts(entity, sources: sources, destinations: destinations)
  }
}

private func list(_ device: MIDIRef, isExternal: Bool, _ isListed: Bool) -> OSStatus {
  status { () throws(MIDIError) in
    try MIDISystem.shared().list(device, isExternal: isExternal, isListed)
  }
}

/// Adds a device to the lists of devices.
///
/// - Returns: -10842 for another object, or a device in a list; -10839 where it cannot be kept.
///
/// Context: control.
@c @implementation
public func MIDISetupAddDevice(_ device: MIDIDeviceRef) -> OSStatus {
  list(device, isExternal: false, true)
}

/// Removes a device from the lists of devices.
///
/// - Returns: -10842 for another object; -10839 where that cannot be kept.
///
/// Context: control.
@c @implementation
public func MIDISetupRemoveDevice(_ device: MIDIDeviceRef) -> OSStatus {
  list(device, isExternal: false, false)
}

/// Puts a device into the lists of those at the ends of cables.
///
/// - Returns: As `MIDISetupAddDevice`.
///
/// Context: control.
@c @implementation
public func MIDISetupAddExternalDevice(_ device: MIDIDeviceRef) -> OSStatus {
  list(device, isExternal: true, true)
}

/// Removes a device from the lists of those at the ends of cables.
///
/// - Returns: As `MIDISetupRemoveDevice`.
///
/// Context: control.
@c @implementation
public func MIDISetupRemoveExternalDevice(_ device: MIDIDeviceRef) -> OSStatus {
  list(device, isExternal: true, false)
}

// MARK: Setups as a whole

/// Setups of this process, by number.
private let setups = Mutex<(next: MIDISetupRef, bytes: [MIDISetupRef: [UInt8]])>((1, [:]))

private func keep(_ bytes: [UInt8]) -> MIDISetupRef {
  setups.withLock { setups in
    defer { setups.next += 1 }
    setups.bytes[setups.next] = bytes
    return setups.next
  }
}

private func bytes(_ setup: MIDISetupRef) throws(MIDIError) -> [UInt8] {
  guard let found = setups.withLock({ $0.bytes[setup] }) else { throw .object }
  return found
}

/// Makes a setup without devices.
///
/// - Returns: -50 for a null pointer.
///
/// Context: control.
@c @implementation
public func MIDISetupCreate(_ outSetup: UnsafeMutablePointer<MIDISetupRef>?) -> OSStatus {
  unsafe make(outSetup) { _ in keep(Array("[]".utf8)) }
}

/// Forgets a setup.
///
/// - Returns: -10842 for another object.
///
/// Context: control.
@c @implementation
public func MIDISetupDispose(_ setup: MIDISetupRef) -> OSStatus {
  setups.withLock { $0.bytes.removeValue(forKey: setup) } == nil ? kMIDIObjectNotFound : noErr
}

/// Replaces the devices of the user by those of a setup.
///
/// - Returns: -10842 for another object; -10839 where they cannot be kept.
///
/// Context: control.
@c @implementation
public func MIDISetupInstall(_ setup: MIDISetupRef) -> OSStatus {
  status { () throws(MIDIError) in try MIDISystem.shared().install(bytes(setup)) }
}

/// The devices of the user as a setup.
///
/// - Returns: -50 for a null pointer.
///
/// Context: control.
@c @implementation
public func MIDISetupGetCurrent(_ outSetup: UnsafeMutablePointer<MIDISetupRef>?) -> OSStatus {
  unsafe make(outSetup) { system in keep(system.setupBytes) }
}

/// A setup as bytes, to be released.
///
/// - Returns: -10842 for another object; -50 for a null pointer.
///
/// Context: control.
@c @implementation
public func MIDISetupToData(
  _ setup: MIDISetupRef, _ outData: UnsafeMutablePointer<CFDataRef?>?
) -> OSStatus {
  status { () throws(MIDIError) in
    guard let out = unsafe outData else { throw .argument }
    unsafe out.pointee = PropertyObjects.data(try bytes(setup))
  }
}

/// The setup that bytes describe.
///
/// - Returns: -10840 for bytes that describe none; -50 for a null pointer.
///
/// Context: control.
@c @implementation
public func MIDISetupFromData(
  _ data: CFDataRef?, _ outSetup: UnsafeMutablePointer<MIDISetupRef>?
) -> OSStatus {
  unsafe make(outSetup) { _ throws(MIDIError) in
    guard let data = unsafe data else { throw .argument }
    let bytes = unsafe PropertyObjects.bytes(data)
    guard MIDISystem.isSetup(bytes) else { throw .setupFormat }
    return keep(bytes)
  }
}

// MARK: Serial ports

/// The driver of a serial port: there is none.
///
/// - Returns: -10842; -50 for a null pointer.
///
/// Context: control.
@c @implementation
public func MIDIGetSerialPortOwner(
  _ portName: CFStringRef?, _ outDriverName: UnsafeMutablePointer<CFStringRef?>?
) -> OSStatus {
  unsafe portName == nil || outDriverName == nil ? OSStatus(paramErr) : kMIDIObjectNotFound
}

/// Assigns a serial port to a driver: there is none.
///
/// - Returns: -10842; -50 for a null port.
///
/// Context: control.
@c @implementation
public func MIDISetSerialPortOwner(
  _ portName: CFStringRef?, _ driverName: CFStringRef?
) -> OSStatus {
  unsafe portName == nil ? OSStatus(paramErr) : kMIDIObjectNotFound
}

/// The drivers that use serial ports: an empty array, to be released.
///
/// - Returns: -50 for a null pointer.
///
/// Context: control.
@c @implementation
public func MIDIGetSerialPortDrivers(
  _ outDriverNames: UnsafeMutablePointer<CFArrayRef?>?
) -> OSStatus {
  guard let out = unsafe outDriverNames else { return OSStatus(paramErr) }
  unsafe out.pointee = makeCFArray([])
  return noErr
}
