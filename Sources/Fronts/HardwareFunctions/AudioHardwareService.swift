// The functions of AudioHardwareService.h: those of audio objects under other names.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// As `AudioObjectHasProperty`. Context: control.
@c @implementation
public func AudioHardwareServiceHasProperty(
  _ object: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>?
) -> Bool { unsafe AudioObjectHasProperty(object, address) }

/// As `AudioObjectIsPropertySettable`. Context: control.
@c @implementation
public func AudioHardwareServiceIsPropertySettable(
  _ object: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>?,
  _ outIsSettable: UnsafeMutablePointer<Bool>?
) -> OSStatus { unsafe AudioObjectIsPropertySettable(object, address, outIsSettable) }

/// As `AudioObjectGetPropertyDataSize`. Context: control.
@c @implementation
public func AudioHardwareServiceGetPropertyDataSize(
  _ object: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>?,
  _ qualifierSize: UInt32, _ qualifier: UnsafeRawPointer?, _ outSize: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  unsafe AudioObjectGetPropertyDataSize(object, address, qualifierSize, qualifier, outSize)
}

/// As `AudioObjectGetPropertyData`. Context: control.
@c @implementation
public func AudioHardwareServiceGetPropertyData(
  _ object: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>?,
  _ qualifierSize: UInt32, _ qualifier: UnsafeRawPointer?, _ ioSize: UnsafeMutablePointer<UInt32>?,
  _ outData: UnsafeMutableRawPointer?
) -> OSStatus {
  unsafe AudioObjectGetPropertyData(object, address, qualifierSize, qualifier, ioSize, outData)
}

/// As `AudioObjectSetPropertyData`. Context: control.
@c @implementation
public func AudioHardwareServiceSetPropertyData(
  _ object: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>?,
  _ qualifierSize: UInt32, _ qualifier: UnsafeRawPointer?, _ size: UInt32, _ data: UnsafeRawPointer?
) -> OSStatus {
  unsafe AudioObjectSetPropertyData(object, address, qualifierSize, qualifier, size, data)
}

/// As `AudioObjectAddPropertyListener`. Context: control.
@c @implementation
public func AudioHardwareServiceAddPropertyListener(
  _ object: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>?,
  _ listener: AudioObjectPropertyListenerProc?, _ clientData: UnsafeMutableRawPointer?
) -> OSStatus { unsafe AudioObjectAddPropertyListener(object, address, listener, clientData) }

/// As `AudioObjectRemovePropertyListener`. Context: control.
@c @implementation
public func AudioHardwareServiceRemovePropertyListener(
  _ object: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>?,
  _ listener: AudioObjectPropertyListenerProc?, _ clientData: UnsafeMutableRawPointer?
) -> OSStatus { unsafe AudioObjectRemovePropertyListener(object, address, listener, clientData) }
