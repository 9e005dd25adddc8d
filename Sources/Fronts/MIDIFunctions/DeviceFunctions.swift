// The functions of MIDIServices.h about devices and entities.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import MIDIPorts

private func devices(areExternal: Bool) -> [MIDIRef] {
  (try? MIDISystem.shared().devices(areExternal: areExternal)) ?? []
}

private func children(_ ref: MIDIRef, _ kind: SetupKind) -> [MIDIRef] {
  (try? MIDISystem.shared().children(ref, kind)) ?? []
}

/// Counts the devices, without those at the ends of cables.
///
/// Context: control.
@c @implementation
public func MIDIGetNumberOfDevices() -> Int { devices(areExternal: false).count }

/// A device; 0 past the end.
///
/// Context: control.
@c @implementation
public func MIDIGetDevice(_ index: Int) -> MIDIDeviceRef {
  element(devices(areExternal: false), index)
}

/// Counts the devices that are described at the ends of cables.
///
/// Context: control.
@c @implementation
public func MIDIGetNumberOfExternalDevices() -> Int { devices(areExternal: true).count }

/// A device at the end of a cable; 0 past the end.
///
/// Context: control.
@c @implementation
public func MIDIGetExternalDevice(_ index: Int) -> MIDIDeviceRef {
  element(devices(areExternal: true), index)
}

/// Counts the entities of a device; 0 for another object.
///
/// Context: control.
@c @implementation
public func MIDIDeviceGetNumberOfEntities(_ device: MIDIDeviceRef) -> Int {
  children(device, .entity).count
}

/// An entity of a device; 0 past the end.
///
/// Context: control.
@c @implementation
public func MIDIDeviceGetEntity(_ device: MIDIDeviceRef, _ index: Int) -> MIDIEntityRef {
  element(children(device, .entity), index)
}

/// Counts the sources of an entity; 0 for another object.
///
/// Context: control.
@c @implementation
public func MIDIEntityGetNumberOfSources(_ entity: MIDIEntityRef) -> Int {
  children(entity, .source).count
}

/// A source of an entity; 0 past the end.
///
/// Context: control.
@c @implementation
public func MIDIEntityGetSource(_ entity: MIDIEntityRef, _ index: Int) -> MIDIEndpointRef {
  element(children(entity, .source), index)
}

/// Counts the destinations of an entity; 0 for another object.
///
/// Context: control.
@c @implementation
public func MIDIEntityGetNumberOfDestinations(_ entity: MIDIEntityRef) -> Int {
  children(entity, .destination).count
}

/// A destination of an entity; 0 past the end.
///
/// Context: control.
@c @implementation
public func MIDIEntityGetDestination(_ entity: MIDIEntityRef, _ index: Int) -> MIDIEndpointRef {
  element(children(entity, .destination), index)
}

/// The device of an entity.
///
/// - Returns: -10842 for another object; -50 for a null pointer.
///
/// Context: control.
@c @implementation
public func MIDIEntityGetDevice(
  _ entity: MIDIEntityRef, _ outDevice: UnsafeMutablePointer<MIDIDeviceRef>?
) -> OSStatus {
  unsafe make(outDevice) { system throws(MIDIError) in try system.parent(entity, .device) }
}

/// The entity of an endpoint.
///
/// - Returns: -10842 for a virtual endpoint; -10834 for another object; -50 for a null pointer.
///
/// Context: control.
@c @implementation
public func MIDIEndpointGetEntity(
  _ endpoint: MIDIEndpointRef, _ outEntity: UnsafeMutablePointer<MIDIEntityRef>?
) -> OSStatus {
  unsafe make(outEntity) { system throws(MIDIError) in
    do throws(MIDIError) { return try system.parent(endpoint, .entity) } catch {
      throw system.record(endpoint) == nil ? .endpoint : .object
    }
  }
}
