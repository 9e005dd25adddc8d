// The functions of MIDIServices.h that tell what there is.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import MIDIPorts

private func endpoints(areSources: Bool) -> [MIDIRef] {
  (try? MIDISystem.shared().endpoints(areSources: areSources)) ?? []
}

private func element(_ list: [MIDIRef], _ index: Int) -> MIDIRef {
  list.indices.contains(index) ? list[index] : 0
}

/// How many sources there are, of all programs of the user.
///
/// Context: control.
@c @implementation
public func MIDIGetNumberOfSources() -> Int { endpoints(areSources: true).count }

/// A source; 0 past the end.
///
/// Context: control.
@c @implementation
public func MIDIGetSource(_ index: Int) -> MIDIEndpointRef {
  element(endpoints(areSources: true), index)
}

/// How many destinations there are, of all programs of the user.
///
/// Context: control.
@c @implementation
public func MIDIGetNumberOfDestinations() -> Int { endpoints(areSources: false).count }

/// A destination; 0 past the end.
///
/// Context: control.
@c @implementation
public func MIDIGetDestination(_ index: Int) -> MIDIEndpointRef {
  element(endpoints(areSources: false), index)
}

// Programs' endpoints are all there is: no device, and so no entity.

/// How many devices there are: none.
///
/// Context: control.
@c @implementation
public func MIDIGetNumberOfDevices() -> Int { 0 }

/// A device; 0 past the end.
///
/// Context: control.
@c @implementation
public func MIDIGetDevice(_ index: Int) -> MIDIDeviceRef { 0 }

/// How many external devices there are: none.
///
/// Context: control.
@c @implementation
public func MIDIGetNumberOfExternalDevices() -> Int { 0 }

/// An external device; 0 past the end.
///
/// Context: control.
@c @implementation
public func MIDIGetExternalDevice(_ index: Int) -> MIDIDeviceRef { 0 }

/// How many entities a device has; 0 for what is no device.
///
/// Context: control.
@c @implementation
public func MIDIDeviceGetNumberOfEntities(_ device: MIDIDeviceRef) -> Int { 0 }

/// An entity of a device; 0 past the end.
///
/// Context: control.
@c @implementation
public func MIDIDeviceGetEntity(_ device: MIDIDeviceRef, _ index: Int) -> MIDIEntityRef { 0 }

/// How many sources an entity has; 0 for what is no entity.
///
/// Context: control.
@c @implementation
public func MIDIEntityGetNumberOfSources(_ entity: MIDIEntityRef) -> Int { 0 }

/// A source of an entity; 0 past the end.
///
/// Context: control.
@c @implementation
public func MIDIEntityGetSource(_ entity: MIDIEntityRef, _ index: Int) -> MIDIEndpointRef { 0 }

/// How many destinations an entity has; 0 for what is no entity.
///
/// Context: control.
@c @implementation
public func MIDIEntityGetNumberOfDestinations(_ entity: MIDIEntityRef) -> Int { 0 }

/// A destination of an entity; 0 past the end.
///
/// Context: control.
@c @implementation
public func MIDIEntityGetDestination(_ entity: MIDIEntityRef, _ index: Int) -> MIDIEndpointRef {
  0
}

/// The device of an entity.
///
/// - Returns: -10842 for what is no entity; -50 for a null pointer.
///
/// Context: control.
@c @implementation
public func MIDIEntityGetDevice(
  _ entity: MIDIEntityRef, _ outDevice: UnsafeMutablePointer<MIDIDeviceRef>?
) -> OSStatus {
  unsafe outDevice == nil ? OSStatus(paramErr) : kMIDIObjectNotFound
}

/// The entity of an endpoint.
///
/// - Returns: -10842 for a virtual endpoint; -10834 for what is no endpoint; -50 for a null pointer.
///
/// Context: control.
@c @implementation
public func MIDIEndpointGetEntity(
  _ endpoint: MIDIEndpointRef, _ outEntity: UnsafeMutablePointer<MIDIEntityRef>?
) -> OSStatus {
  status { () throws(MIDIError) in
    guard unsafe outEntity != nil else { throw .argument }
    throw try MIDISystem.shared().record(endpoint) == nil ? .endpoint : .object
  }
}
