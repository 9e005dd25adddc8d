// The older functions of listeners, and of procedures that are their own tokens.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import HardwareObjects

/// A pointer that C code keeps valid, and uses from any thread.
@safe private struct ClientData: @unchecked Sendable {
  let pointer: UnsafeMutableRawPointer?
  init(_ pointer: UnsafeMutableRawPointer?) { unsafe self.pointer = unsafe pointer }
}

/// A listener that is named by its function alone.
private func listener(
  _ object: AudioObjectID, _ address: AudioObjectPropertyAddress, _ function: UInt,
  _ call: @escaping @Sendable (AudioObjectPropertyAddress) -> Void
) -> PropertyListeners.Listener {
  PropertyListeners.Listener(object, address, identity: [function, 2]) { _, address in
    call(address)
  }
}

private let systemObject = AudioObjectID(kAudioObjectSystemObject)

/// Has a function called whenever a property of the system object changes. Context: control.
@c @implementation
public func AudioHardwareAddPropertyListener(
  _ property: UInt32,
  _ listener: AudioHardwarePropertyListenerProc?, _ clientData: UnsafeMutableRawPointer?
) -> OSStatus {
  guard let listener = unsafe listener else { return kAudioHardwareIllegalOperationError }
  let data = unsafe ClientData(clientData)
  let function = unsafe unsafeBitCast(listener, to: UInt.self)
  let made = HardwareFunctions.listener(systemObject, oldAddress(property), function) { address in
    _ = unsafe listener(address.mSelector, data.pointer)
  }
  HardwareSystem.shared.listeners.add(made)
  return noErr
}

/// Has a function not called any more. Context: control.
@c @implementation
public func AudioHardwareRemovePropertyListener(
  _ property: UInt32,
  _ listener: AudioHardwarePropertyListenerProc?
) -> OSStatus {
  let function = unsafe unsafeBitCast(listener, to: UInt.self)
  HardwareSystem.shared.listeners.remove(
    HardwareFunctions.listener(systemObject, oldAddress(property), function) { _ in })
  return noErr
}

/// Has a function called whenever a property of a side of a device changes. Context: control.
@c @implementation
public func AudioDeviceAddPropertyListener(
  _ device: AudioObjectID, _ channel: UInt32, _ isInput: Bool, _ property: UInt32,
  _ listener: AudioDevicePropertyListenerProc?, _ clientData: UnsafeMutableRawPointer?
) -> OSStatus {
  guard let listener = unsafe listener else { return kAudioHardwareIllegalOperationError }
  let data = unsafe ClientData(clientData)
  let function = unsafe unsafeBitCast(listener, to: UInt.self)
  let made = HardwareFunctions.listener(device, oldAddress(property, channel, isInput), function) {
    address in
    _ = unsafe listener(
      device, address.mElement, address.mScope == kAudioObjectPropertyScopeInput, address.mSelector,
      data.pointer)
  }
  HardwareSystem.shared.listeners.add(made)
  return noErr
}

/// Has a function not called any more. Context: control.
@c @implementation
public func AudioDeviceRemovePropertyListener(
  _ device: AudioObjectID, _ channel: UInt32, _ isInput: Bool, _ property: UInt32,
  _ listener: AudioDevicePropertyListenerProc?
) -> OSStatus {
  let function = unsafe unsafeBitCast(listener, to: UInt.self)
  HardwareSystem.shared.listeners.remove(
    HardwareFunctions.listener(device, oldAddress(property, channel, isInput), function) { _ in })
  return noErr
}

/// Has a function called whenever a property of a stream changes. Context: control.
@c @implementation
public func AudioStreamAddPropertyListener(
  _ stream: AudioObjectID, _ channel: UInt32, _ property: UInt32,
  _ listener: AudioStreamPropertyListenerProc?, _ clientData: UnsafeMutableRawPointer?
) -> OSStatus {
  guard let listener = unsafe listener else { return kAudioHardwareIllegalOperationError }
  let data = unsafe ClientData(clientData)
  let function = unsafe unsafeBitCast(listener, to: UInt.self)
  let made = HardwareFunctions.listener(stream, oldAddress(property, channel), function) {
    address in
    _ = unsafe listener(stream, address.mElement, address.mSelector, data.pointer)
  }
  HardwareSystem.shared.listeners.add(made)
  return noErr
}

/// Has a function not called any more. Context: control.
@c @implementation
public func AudioStreamRemovePropertyListener(
  _ stream: AudioObjectID, _ channel: UInt32, _ property: UInt32,
  _ listener: AudioStreamPropertyListenerProc?
) -> OSStatus {
  let function = unsafe unsafeBitCast(listener, to: UInt.self)
  HardwareSystem.shared.listeners.remove(
    HardwareFunctions.listener(stream, oldAddress(property, channel), function) { _ in })
  return noErr
}

/// Notices come on a thread of the library's, with any run loop. Context: any.
@c @implementation
public func AudioHardwareAddRunLoopSource(_ source: CFRunLoopSourceRef?) -> OSStatus { noErr }

/// Notices come on a thread of the library's, with any run loop. Context: any.
@c @implementation
public func AudioHardwareRemoveRunLoopSource(_ source: CFRunLoopSourceRef?) -> OSStatus { noErr }

/// Registers a procedure whose address is its token. Context: control.
@c @implementation
public func AudioDeviceAddIOProc(
  _ device: AudioObjectID, _ procedure: AudioDeviceIOProc?, _ clientData: UnsafeMutableRawPointer?
) -> OSStatus {
  HardwareCalls.status { () throws(HardwareError) in
    guard let procedure = unsafe procedure else { throw .illegal }
    _ = try unsafe IORegistrations.shared.add(device, procedure, clientData, isOwnToken: true)
  }
}

/// Stops a procedure and forgets it. Context: control.
@c @implementation
public func AudioDeviceRemoveIOProc(
  _ device: AudioObjectID, _ procedure: AudioDeviceIOProc?
) -> OSStatus { unsafe AudioDeviceDestroyIOProcID(device, procedure) }

/// There is no reading without a procedure: `unop`. Context: any.
@c @implementation
public func AudioDeviceRead(
  _ device: AudioObjectID, _ startTime: UnsafePointer<AudioTimeStamp>?,
  _ outData: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus { kAudioHardwareUnsupportedOperationError }
