// The functions of AudioUnitUtilities.h that make and notify listeners.
// SPDX-License-Identifier: Apache-2.0

import AudioUnits
public import CAudioToolbox

/// The listener of a handle; nil for null and for a disposed one.
func eventListener(_ handle: OpaquePointer?) -> EventListener? {
  EventCenter.listener(at: UInt(bitPattern: handle))
}

/// Whether a sender is null or an existing listener.
private func isSender(_ handle: OpaquePointer?) -> Bool {
  unsafe handle == nil || eventListener(unsafe handle) != nil
}

/// The event of a parameter's value; nil for null and for a parameter without a unit.
private func valueChange(_ parameter: UnsafePointer<AudioUnitParameter>?) -> UnitEvent? {
  guard let parameter = unsafe parameter?.pointee else { return nil }
  return unsafe UnitEvent(.valueChange, parameter)
}

/// The event behind a pointer; nil for null and for an event without a unit.
private func unitEvent(_ event: UnsafePointer<AudioUnitEvent>?) -> UnitEvent? {
  guard let event = unsafe event?.pointee else { return nil }
  return unsafe UnitEvent(event)
}

/// Calls a body with a listener and an event, if both exist.
private func with(
  _ handle: OpaquePointer?, _ event: UnitEvent?,
  _ body: (EventListener, UnitEvent) -> OSStatus
) -> OSStatus {
  guard let listener = unsafe eventListener(unsafe handle), let event else {
    return kAudio_ParamError
  }
  return body(listener, event)
}

/// Notifies all listeners of an event, except the sender's object.
private func notify(
  _ event: UnitEvent?, _ sender: OpaquePointer?, _ object: UnsafeMutableRawPointer?
) -> OSStatus {
  guard unsafe isSender(unsafe sender), let event else { return kAudio_ParamError }
  unsafe EventCenter.notify(event, sender: eventListener(sender), sendingObject: object)
  return noErr
}

/// Calls a C procedure for each value that changes.
///
/// @unchecked Sendable because user data is passed where its owner chose: to a run loop, or any thread.
@safe struct ParameterProcedure: @unchecked Sendable {
  let procedure: AUParameterListenerProc
  let userData: UnsafeMutableRawPointer?

  func callAsFunction(_ object: UnsafeMutableRawPointer?, _ event: UnitEvent, _ value: Float) {
    var parameter = unsafe event.cParameter
    unsafe procedure(userData, object, &parameter, value)
  }
}

/// Calls a C procedure for each event.
///
/// @unchecked Sendable because user data is passed where its owner chose: to a run loop, or any thread.
@safe struct EventProcedure: @unchecked Sendable {
  let procedure: AUEventListenerProc
  let userData: UnsafeMutableRawPointer?

  func callAsFunction(
    _ object: UnsafeMutableRawPointer?, _ event: UnitEvent, _ hostTime: UInt64, _ value: Float
  ) {
    var event = unsafe event.cEvent
    unsafe procedure(userData, object, &event, hostTime, value)
  }
}

/// Makes a listener of parameters, called on a run loop at most once in an interval (s).
///
/// With an interval of 0 it is called at once, on the thread that reports the change. A null run loop is that
/// of this thread, a null mode the default one.
///
/// Context: control.
@c @implementation
public func AUListenerCreate(
  _ proc: AUParameterListenerProc?, _ userData: UnsafeMutableRawPointer?,
  _ runLoop: CFRunLoopRef?, _ mode: CFStringRef?, _ interval: Float32,
  _ listener: UnsafeMutablePointer<OpaquePointer?>?
) -> OSStatus {
  guard let proc = unsafe proc, let listener = unsafe listener, interval >= 0 else {
    return kAudio_ParamError
  }
  let procedure = unsafe ParameterProcedure(procedure: proc, userData: userData)
  let made = unsafe EventListener(
    interval: Double(interval), granularity: .infinity,
    delivery: unsafe EventDelivery(runLoop: runLoop, mode: mode)
  ) { object, event, _, value in
    if event.kind == .valueChange { unsafe procedure(object, event, value) }
  }
  unsafe listener.pointee = OpaquePointer(bitPattern: made.address)
  return noErr
}

/// Makes a listener of events, called on a run loop at most once in an interval (s).
///
/// Only the last of a parameter's changes within the granularity (s) is reported.
///
/// Context: control.
@c @implementation
public func AUEventListenerCreate(
  _ proc: AUEventListenerProc?, _ userData: UnsafeMutableRawPointer?, _ runLoop: CFRunLoopRef?,
  _ mode: CFStringRef?, _ interval: Float32, _ valueChangeGranularity: Float32,
  _ listener: UnsafeMutablePointer<OpaquePointer?>?
) -> OSStatus {
  guard let proc = unsafe proc, let listener = unsafe listener, interval >= 0,
    valueChangeGranularity >= 0
  else { return kAudio_ParamError }
  let procedure = unsafe EventProcedure(procedure: proc, userData: userData)
  let made = unsafe EventListener(
    interval: Double(interval), granularity: Double(valueChangeGranularity),
    delivery: unsafe EventDelivery(runLoop: runLoop, mode: mode)
  ) { object, event, hostTime, value in
    unsafe procedure(object, event, hostTime, value)
  }
  unsafe listener.pointee = OpaquePointer(bitPattern: made.address)
  return noErr
}

/// Ends a listener of either kind; it is not called any more once this returns on its run loop.
///
/// Context: control; also from within the listener's procedure.
@c @implementation
public func AUListenerDispose(_ listener: OpaquePointer?) -> OSStatus {
  guard let listener = unsafe eventListener(unsafe listener) else { return kAudio_ParamError }
  listener.dispose()
  return noErr
}

/// Adds a parameter to a listener; the object is passed to its procedure.
///
/// Context: control.
@c @implementation
public func AUListenerAddParameter(
  _ listener: OpaquePointer?, _ object: UnsafeMutableRawPointer?,
  _ parameter: UnsafePointer<AudioUnitParameter>?
) -> OSStatus {
  unsafe with(listener, valueChange(parameter)) { unsafe $0.add($1, object: object) }
}

/// Removes a parameter from a listener.
///
/// Context: control.
@c @implementation
public func AUListenerRemoveParameter(
  _ listener: OpaquePointer?, _ object: UnsafeMutableRawPointer?,
  _ parameter: UnsafePointer<AudioUnitParameter>?
) -> OSStatus {
  unsafe with(listener, valueChange(parameter)) { unsafe $0.remove($1, object: object) }
}

/// Sets a parameter and notifies all listeners, except the sender's object (null: all of its objects).
///
/// Context: any thread but a render thread.
@c @implementation
public func AUParameterSet(
  _ sender: OpaquePointer?, _ object: UnsafeMutableRawPointer?,
  _ parameter: UnsafePointer<AudioUnitParameter>?, _ value: AudioUnitParameterValue,
  _ bufferOffset: UInt32
) -> OSStatus {
  guard unsafe isSender(unsafe sender), let event = unsafe valueChange(parameter) else {
    return kAudio_ParamError
  }
  return unsafe EventCenter.setParameter(
    event, value, bufferOffset: bufferOffset, sender: eventListener(sender), sendingObject: object)
}

/// Notifies all listeners that a parameter, or every parameter of a unit, has a new value.
///
/// Context: any thread but a render thread.
@c @implementation
public func AUParameterListenerNotify(
  _ sender: OpaquePointer?, _ object: UnsafeMutableRawPointer?,
  _ parameter: UnsafePointer<AudioUnitParameter>?
) -> OSStatus {
  unsafe notify(valueChange(parameter), sender, object)
}

/// Adds an event to a listener; property changes are reported by the unit itself.
///
/// Context: control.
@c @implementation
public func AUEventListenerAddEventType(
  _ listener: OpaquePointer?, _ object: UnsafeMutableRawPointer?,
  _ event: UnsafePointer<AudioUnitEvent>?
) -> OSStatus {
  unsafe with(listener, unitEvent(event)) { unsafe $0.add($1, object: object) }
}

/// Removes an event from a listener.
///
/// Context: control.
@c @implementation
public func AUEventListenerRemoveEventType(
  _ listener: OpaquePointer?, _ object: UnsafeMutableRawPointer?,
  _ event: UnsafePointer<AudioUnitEvent>?
) -> OSStatus {
  unsafe with(listener, unitEvent(event)) { unsafe $0.remove($1, object: object) }
}

/// Notifies all listeners of an event.
///
/// Context: any thread but a render thread.
@c @implementation
public func AUEventListenerNotify(
  _ sender: OpaquePointer?, _ object: UnsafeMutableRawPointer?,
  _ event: UnsafePointer<AudioUnitEvent>?
) -> OSStatus {
  unsafe notify(unitEvent(event), sender, object)
}
