// The functions of AudioHardware.h that add and remove listeners.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import HardwareObjects
import MacSystem

/// Has a function called whenever a property changes.
///
/// Context: control; the function is called on a thread of the library, one call at a time, under no lock.
@c @implementation
public func AudioObjectAddPropertyListener(
  _ object: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>?,
  _ listener: AudioObjectPropertyListenerProc?, _ clientData: UnsafeMutableRawPointer?
) -> OSStatus {
  HardwareCalls.status { () throws(HardwareError) in
    try unsafe HardwareSystem.shared.listeners.add(made(object, address, listener, clientData))
  }
}

/// Has a function not called any more; a call that runs is not waited for.
///
/// Context: control.
@c @implementation
public func AudioObjectRemovePropertyListener(
  _ object: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>?,
  _ listener: AudioObjectPropertyListenerProc?, _ clientData: UnsafeMutableRawPointer?
) -> OSStatus {
  HardwareCalls.status { () throws(HardwareError) in
    try unsafe HardwareSystem.shared.listeners.remove(made(object, address, listener, clientData))
  }
}

/// A pointer that C code keeps valid, and uses from any thread.
@safe private struct ForeignPointer: @unchecked Sendable {
  let pointer: UnsafeMutableRawPointer?
  init(_ pointer: UnsafeMutableRawPointer?) { unsafe self.pointer = unsafe pointer }
}

private func made(
  _ object: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>?,
  _ listener: AudioObjectPropertyListenerProc?, _ clientData: UnsafeMutableRawPointer?
) throws(HardwareError) -> PropertyListeners.Listener {
  let address = try unsafe HardwareCalls.address(address)
  guard let listener = unsafe listener else { throw .illegal }
  guard HardwareSystem.shared.hasObject(object) else { throw .badObject }
  let function = unsafe UInt(bitPattern: unsafeBitCast(listener, to: Int.self))
  let data = unsafe ForeignPointer(clientData)
  return PropertyListeners.Listener(
    object, address, identity: [function, UInt(bitPattern: clientData)]
  ) { object, address in
    var address = address
    _ = unsafe listener(object, 1, &address, data.pointer)
  }
}

// The declarations are hidden from Swift: `@c` cannot check a signature with a block.

/// Has a block run on a queue whenever a property changes; without a queue, on the library's thread.
///
/// Context: control. The corresponding Core Audio function is `AudioObjectAddPropertyListenerBlock`.
@_cdecl("AudioObjectAddPropertyListenerBlock")
public func addListenerBlock(
  _ object: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>?,
  _ queue: UnsafeMutableRawPointer?, _ block: UnsafeRawPointer?
) -> OSStatus {
  HardwareCalls.status { () throws(HardwareError) in
    try unsafe HardwareSystem.shared.listeners.add(madeOfBlock(object, address, queue, block))
  }
}

/// Has a block not run any more.
///
/// Context: control. The corresponding Core Audio function is `AudioObjectRemovePropertyListenerBlock`.
@_cdecl("AudioObjectRemovePropertyListenerBlock")
public func removeListenerBlock(
  _ object: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>?,
  _ queue: UnsafeMutableRawPointer?, _ block: UnsafeRawPointer?
) -> OSStatus {
  HardwareCalls.status { () throws(HardwareError) in
    try unsafe HardwareSystem.shared.listeners.remove(madeOfBlock(object, address, queue, block))
  }
}

private func madeOfBlock(
  _ object: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>?,
  _ queue: UnsafeMutableRawPointer?, _ supplied: UnsafeRawPointer?
) throws(HardwareError) -> PropertyListeners.Listener {
  let address = try unsafe HardwareCalls.address(address)
  guard let block = unsafe Block(supplied) else { throw .illegal }
  guard HardwareSystem.shared.hasObject(object) else { throw .badObject }
  typealias Function =
    @convention(c) (
      UnsafeMutableRawPointer?, UInt32, UnsafePointer<AudioObjectPropertyAddress>?
    ) -> Void
  let target = unsafe DispatchQueueHandle(queue)
  // A block that was copied to the heap is itself again.
  let identity = unsafe [UInt(bitPattern: block.pointer), UInt(bitPattern: queue), 1]
  return PropertyListeners.Listener(object, address, identity: identity) { _, address in
    let call = { @Sendable in
      var address = address
      unsafe block.function(as: Function.self)(block.pointer, 1, &address)
    }
    if let target { target.run(after: 0, call) } else { call() }
  }
}
