// The functions of MIDIDriver.h that programs call: devices, lists of devices, pointers of endpoints.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import CAudioToolbox
import MIDIPorts
import Synchronization

/// The lists of devices of this process, and the pointers that it keeps with endpoints.
private struct DriverTables {
  var lists: [MIDIDeviceListRef: [MIDIDeviceRef]] = [:]
  var lastList: MIDIDeviceListRef = 0
  var contexts: [MIDIEndpointRef: (first: UInt, second: UInt)] = [:]
}

private let driverTables = Mutex(DriverTables())

/// Whether an endpoint or a device is there.
private func isPresent(_ object: MIDIObjectRef) -> Bool {
  (try? MIDISystem.shared().property(object, PropertyName.displayName)) != nil
}

/// Makes a device, which belongs to this process until it is added to the setup.
///
/// - Returns: -50 for a null pointer; -10839 where the folder of ports cannot be used.
///
/// Context: control.
@c @implementation
public func MIDIDeviceCreate(
  _ owner: MIDIDriverRef?, _ name: CFStringRef?, _ manufacturer: CFStringRef?,
  _ model: CFStringRef?, _ outDevice: UnsafeMutablePointer<MIDIDeviceRef>?
) -> OSStatus {
  unsafe make(outDevice) { system throws(MIDIError) in
    try unsafe system.makeDevice(text(name), text(manufacturer), text(model))
  }
}

/// Ends a device that is in no list.
///
/// - Returns: -10842 for a number that is no device, and for one that was added to the setup.
///
/// Context: control.
@c @implementation
public func MIDIDeviceDispose(_ device: MIDIDeviceRef) -> OSStatus {
  status { () throws(MIDIError) in try MIDISystem.shared().discardDevice(device) }
}

/// Makes a list of the devices of a driver, which is empty: there are no drivers.
///
/// Context: control.
@c @implementation
public func MIDIGetDriverDeviceList(_ driver: MIDIDriverRef?) -> MIDIDeviceListRef {
  driverTables.withLock { tables -> MIDIDeviceListRef in
    tables.lastList += 1
    tables.lists[tables.lastList] = []
    return tables.lastList
  }
}

/// The number of devices of a list; 0 for a number that is no list.
///
/// Context: control.
@c @implementation
public func MIDIDeviceListGetNumberOfDevices(_ list: MIDIDeviceListRef) -> Int {
  driverTables.withLock { $0.lists[list]?.count ?? 0 }
}

/// A device of a list; 0 behind the last.
///
/// Context: control.
@c @implementation
public func MIDIDeviceListGetDevice(_ list: MIDIDeviceListRef, _ index: Int) -> MIDIDeviceRef {
  driverTables.withLock { tables -> MIDIDeviceRef in
    guard let devices = tables.lists[list], devices.indices.contains(index) else { return 0 }
    return devices[index]
  }
}

/// Adds a device to a list.
///
/// - Returns: -10842 for a number that is no list, and for a number that is no device.
///
/// Context: control.
@c @implementation
public func MIDIDeviceListAddDevice(
  _ list: MIDIDeviceListRef, _ device: MIDIDeviceRef
) -> OSStatus {
  guard isPresent(device) else { return kMIDIObjectNotFound }
  return driverTables.withLock { tables -> OSStatus in
    guard tables.lists[list] != nil else { return kMIDIObjectNotFound }
    tables.lists[list]?.append(device)
    return noErr
  }
}

/// Ends a list, and none of its devices.
///
/// - Returns: -10842 for a number that is no list.
///
/// Context: control.
@c @implementation
public func MIDIDeviceListDispose(_ list: MIDIDeviceListRef) -> OSStatus {
  let gone = driverTables.withLock { $0.lists.removeValue(forKey: list) }
  return gone == nil ? kMIDIObjectNotFound : noErr
}

/// Keeps two pointers of this process with an endpoint.
///
/// - Returns: -10834 for a number that is no endpoint.
///
/// Context: control.
@c @implementation
public func MIDIEndpointSetRefCons(
  _ endpoint: MIDIEndpointRef, _ refCon1: UnsafeMutableRawPointer?,
  _ refCon2: UnsafeMutableRawPointer?
) -> OSStatus {
  guard isPresent(endpoint) else { return kMIDIUnknownEndpoint }
  let pointers = (first: UInt(bitPattern: refCon1), second: UInt(bitPattern: refCon2))
  driverTables.withLock { $0.contexts[endpoint] = pointers }
  return noErr
}

/// The pointers that were set for an endpoint; null where none were.
///
/// - Returns: -10834 for a number that is no endpoint.
///
/// Context: control.
@c @implementation
public func MIDIEndpointGetRefCons(
  _ endpoint: MIDIEndpointRef, _ refCon1: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ refCon2: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> OSStatus {
  guard isPresent(endpoint) else { return kMIDIUnknownEndpoint }
  let found = driverTables.withLock { $0.contexts[endpoint] }
  unsafe refCon1?.pointee = unsafe UnsafeMutableRawPointer(bitPattern: found?.first ?? 0)
  unsafe refCon2?.pointee = unsafe UnsafeMutableRawPointer(bitPattern: found?.second ?? 0)
  return noErr
}

/// The run loop for a driver's input and output: the main one.
///
/// Context: any.
@c @implementation
public func MIDIGetDriverIORunLoop() -> CFRunLoopRef? { unsafe CFRunLoopGetMain() }

/// Has a driver called with all that is sent: nothing is monitored by drivers here.
///
/// - Returns: -10844; -50 for a null driver.
///
/// Context: control.
@c @implementation
public func MIDIDriverEnableMonitoring(_ driver: MIDIDriverRef?, _ enabled: Bool) -> OSStatus {
  unsafe driver == nil ? OSStatus(paramErr) : kMIDINotPermitted
}
