// Functions of C that exchange objects of Core Foundation.
// SPDX-License-Identifier: Apache-2.0

import CAuricle
import CoreAudioTypes

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDIEventPacketSysexBytesForGroup(
  _ packet: UnsafePointer<MIDIEventPacket>?, _ group: UInt8,
  _ outData: UnsafeMutablePointer<Unmanaged<CFData>?>?
) -> OSStatus {
  __MIDIEventPacketSysexBytesForGroup(packet, group, auricleOut(outData))
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDIClientCreate(
  _ name: CFString, _ notifyProc: MIDINotifyProc?, _ notifyRefCon: UnsafeMutableRawPointer?,
  _ outClient: UnsafeMutablePointer<MIDIClientRef>?
) -> OSStatus {
  withExtendedLifetime(name) {
    __MIDIClientCreate(auricleReference(name), notifyProc, notifyRefCon, outClient)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDIInputPortCreate(
  _ client: MIDIClientRef, _ name: CFString, _ readProc: MIDIReadProc?,
  _ refCon: UnsafeMutableRawPointer?, _ outPort: UnsafeMutablePointer<MIDIPortRef>?
) -> OSStatus {
  withExtendedLifetime(name) {
    __MIDIInputPortCreate(client, auricleReference(name), readProc, refCon, outPort)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDIOutputPortCreate(
  _ client: MIDIClientRef, _ name: CFString, _ outPort: UnsafeMutablePointer<MIDIPortRef>?
) -> OSStatus {
  withExtendedLifetime(name) { __MIDIOutputPortCreate(client, auricleReference(name), outPort) }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDISourceCreate(
  _ client: MIDIClientRef, _ name: CFString, _ outSource: UnsafeMutablePointer<MIDIEndpointRef>?
) -> OSStatus {
  withExtendedLifetime(name) { __MIDISourceCreate(client, auricleReference(name), outSource) }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDISourceCreateWithProtocol(
  _ client: MIDIClientRef, _ name: CFString, _ `protocol`: MIDIProtocolID,
  _ outSource: UnsafeMutablePointer<MIDIEndpointRef>?
) -> OSStatus {
  withExtendedLifetime(name) {
    __MIDISourceCreateWithProtocol(client, auricleReference(name), `protocol`, outSource)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDIDestinationCreate(
  _ client: MIDIClientRef, _ name: CFString, _ readProc: MIDIReadProc?,
  _ refCon: UnsafeMutableRawPointer?, _ outDestination: UnsafeMutablePointer<MIDIEndpointRef>?
) -> OSStatus {
  withExtendedLifetime(name) {
    __MIDIDestinationCreate(client, auricleReference(name), readProc, refCon, outDestination)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDIObjectGetIntegerProperty(
  _ object: MIDIObjectRef, _ property: CFString, _ outValue: UnsafeMutablePointer<Int32>?
) -> OSStatus {
  withExtendedLifetime(property) {
    __MIDIObjectGetIntegerProperty(object, auricleReference(property), outValue)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDIObjectSetIntegerProperty(
  _ object: MIDIObjectRef, _ property: CFString, _ value: Int32
) -> OSStatus {
  withExtendedLifetime(property) {
    __MIDIObjectSetIntegerProperty(object, auricleReference(property), value)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDIObjectGetStringProperty(
  _ object: MIDIObjectRef, _ property: CFString,
  _ outValue: UnsafeMutablePointer<Unmanaged<CFString>?>?
) -> OSStatus {
  withExtendedLifetime(property) {
    __MIDIObjectGetStringProperty(object, auricleReference(property), auricleOut(outValue))
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDIObjectSetStringProperty(
  _ object: MIDIObjectRef, _ property: CFString, _ value: CFString?
) -> OSStatus {
  withExtendedLifetime((property, value)) {
    __MIDIObjectSetStringProperty(object, auricleReference(property), auricleReference(value))
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDIObjectGetDataProperty(
  _ object: MIDIObjectRef, _ property: CFString,
  _ outValue: UnsafeMutablePointer<Unmanaged<CFData>?>?
) -> OSStatus {
  withExtendedLifetime(property) {
    __MIDIObjectGetDataProperty(object, auricleReference(property), auricleOut(outValue))
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDIObjectSetDataProperty(
  _ object: MIDIObjectRef, _ property: CFString, _ value: CFData
) -> OSStatus {
  withExtendedLifetime((property, value)) {
    __MIDIObjectSetDataProperty(object, auricleReference(property), auricleReference(value))
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDIObjectGetDictionaryProperty(
  _ object: MIDIObjectRef, _ property: CFString,
  _ outValue: UnsafeMutablePointer<Unmanaged<CFDictionary>?>?
) -> OSStatus {
  withExtendedLifetime(property) {
    __MIDIObjectGetDictionaryProperty(object, auricleReference(property), auricleOut(outValue))
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDIObjectSetDictionaryProperty(
  _ object: MIDIObjectRef, _ property: CFString, _ value: CFDictionary
) -> OSStatus {
  withExtendedLifetime((property, value)) {
    __MIDIObjectSetDictionaryProperty(object, auricleReference(property), auricleReference(value))
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDIObjectGetProperties(
  _ object: MIDIObjectRef, _ outProperties: UnsafeMutablePointer<Unmanaged<CFPropertyList>?>?,
  _ deep: Bool
) -> OSStatus {
  __MIDIObjectGetProperties(object, auricleRawOut(outProperties), deep)
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDIObjectRemoveProperty(_ object: MIDIObjectRef, _ property: CFString) -> OSStatus {
  withExtendedLifetime(property) { __MIDIObjectRemoveProperty(object, auricleReference(property)) }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDIClientCreateWithBlock(
  _ name: CFString, _ outClient: UnsafeMutablePointer<MIDIClientRef>?,
  _ notifyBlock: MIDINotifyBlock?
) -> OSStatus {
  withExtendedLifetime(name) {
    __MIDIClientCreateWithBlock(auricleReference(name), outClient, notifyBlock)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDIInputPortCreateWithBlock(
  _ client: MIDIClientRef, _ name: CFString, _ outPort: UnsafeMutablePointer<MIDIPortRef>?,
  _ readBlock: @escaping MIDIReadBlock
) -> OSStatus {
  withExtendedLifetime(name) {
    __MIDIInputPortCreateWithBlock(client, auricleReference(name), outPort, readBlock)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDIInputPortCreateWithProtocol(
  _ client: MIDIClientRef, _ name: CFString, _ `protocol`: MIDIProtocolID,
  _ outPort: UnsafeMutablePointer<MIDIPortRef>?, _ receiveBlock: @escaping MIDIReceiveBlock
) -> OSStatus {
  withExtendedLifetime(name) {
    __MIDIInputPortCreateWithProtocol(
      client, auricleReference(name), `protocol`, outPort, receiveBlock)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDIDestinationCreateWithBlock(
  _ client: MIDIClientRef, _ name: CFString,
  _ outDestination: UnsafeMutablePointer<MIDIEndpointRef>?, _ readBlock: @escaping MIDIReadBlock
) -> OSStatus {
  withExtendedLifetime(name) {
    __MIDIDestinationCreateWithBlock(client, auricleReference(name), outDestination, readBlock)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDIDestinationCreateWithProtocol(
  _ client: MIDIClientRef, _ name: CFString, _ `protocol`: MIDIProtocolID,
  _ outDestination: UnsafeMutablePointer<MIDIEndpointRef>?,
  _ receiveBlock: @escaping MIDIReceiveBlock
) -> OSStatus {
  withExtendedLifetime(name) {
    __MIDIDestinationCreateWithProtocol(
      client, auricleReference(name), `protocol`, outDestination, receiveBlock)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDIExternalDeviceCreate(
  _ name: CFString, _ manufacturer: CFString, _ model: CFString,
  _ outDevice: UnsafeMutablePointer<MIDIDeviceRef>?
) -> OSStatus {
  withExtendedLifetime((name, manufacturer, model)) {
    __MIDIExternalDeviceCreate(
      auricleReference(name), auricleReference(manufacturer), auricleReference(model), outDevice)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDIDeviceAddEntity(
  _ device: MIDIDeviceRef, _ name: CFString, _ embedded: Bool, _ sources: ItemCount,
  _ destinations: ItemCount, _ outEntity: UnsafeMutablePointer<MIDIEntityRef>?
) -> OSStatus {
  withExtendedLifetime(name) {
    __MIDIDeviceAddEntity(
      device, auricleReference(name), embedded, sources, destinations, outEntity)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDIDeviceNewEntity(
  _ device: MIDIDeviceRef, _ name: CFString, _ `protocol`: MIDIProtocolID, _ embedded: Bool,
  _ sources: ItemCount, _ destinations: ItemCount, _ outEntity: UnsafeMutablePointer<MIDIEntityRef>?
) -> OSStatus {
  withExtendedLifetime(name) {
    __MIDIDeviceNewEntity(
      device, auricleReference(name), `protocol`, embedded, sources, destinations, outEntity)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDISetupToData(
  _ setup: MIDISetupRef, _ outData: UnsafeMutablePointer<Unmanaged<CFData>?>?
) -> OSStatus {
  __MIDISetupToData(setup, auricleOut(outData))
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDISetupFromData(_ data: CFData, _ outSetup: UnsafeMutablePointer<MIDISetupRef>?)
  -> OSStatus
{
  withExtendedLifetime(data) { __MIDISetupFromData(auricleReference(data), outSetup) }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDIGetSerialPortOwner(
  _ portName: CFString, _ outDriverName: UnsafeMutablePointer<Unmanaged<CFString>?>?
) -> OSStatus {
  withExtendedLifetime(portName) {
    __MIDIGetSerialPortOwner(auricleReference(portName), auricleOut(outDriverName))
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDISetSerialPortOwner(_ portName: CFString, _ driverName: CFString) -> OSStatus {
  withExtendedLifetime((portName, driverName)) {
    __MIDISetSerialPortOwner(auricleReference(portName), auricleReference(driverName))
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDIGetSerialPortDrivers(_ outDriverNames: UnsafeMutablePointer<Unmanaged<CFArray>?>?)
  -> OSStatus
{
  __MIDIGetSerialPortDrivers(auricleOut(outDriverNames))
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDIThruConnectionCreate(
  _ persistentOwnerID: CFString?, _ params: CFData,
  _ outConnection: UnsafeMutablePointer<MIDIThruConnectionRef>?
) -> OSStatus {
  withExtendedLifetime((persistentOwnerID, params)) {
    __MIDIThruConnectionCreate(
      auricleReference(persistentOwnerID), auricleReference(params), outConnection)
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDIThruConnectionGetParams(
  _ connection: MIDIThruConnectionRef, _ outParams: UnsafeMutablePointer<Unmanaged<CFData>?>?
) -> OSStatus {
  __MIDIThruConnectionGetParams(connection, auricleOut(outParams))
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDIThruConnectionSetParams(_ connection: MIDIThruConnectionRef, _ params: CFData)
  -> OSStatus
{
  withExtendedLifetime(params) {
    __MIDIThruConnectionSetParams(connection, auricleReference(params))
  }
}

/// The function of C, with objects of Foundation.
@discardableResult
public func MIDIThruConnectionFind(
  _ persistentOwnerID: CFString, _ outConnections: UnsafeMutablePointer<Unmanaged<CFData>?>?
) -> OSStatus {
  withExtendedLifetime(persistentOwnerID) {
    __MIDIThruConnectionFind(auricleReference(persistentOwnerID), auricleOut(outConnections))
  }
}
