// The functions of AUComponent.h that set a unit up: initializing, properties, parameters.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// Makes a unit ready to render.
///
/// Context: control.
@c @implementation
public func AudioUnitInitialize(_ unit: AudioUnitHandle?) -> OSStatus {
  guard let unit = unsafe Instance(unit) else { return kAudio_ParamError }
  guard
    let method = unsafe unit.method(
      kAudioUnitInitializeSelect, as: AudioUnitInitializeProc.self)
  else { return kAudio_UnimplementedError }
  return unsafe method(unit.plugIn)
}

/// Uninitializes a unit.
///
/// Context: control.
@c @implementation
public func AudioUnitUninitialize(_ unit: AudioUnitHandle?) -> OSStatus {
  guard let unit = unsafe Instance(unit) else { return kAudio_ParamError }
  guard
    let method = unsafe unit.method(
      kAudioUnitUninitializeSelect, as: AudioUnitUninitializeProc.self)
  else { return kAudio_UnimplementedError }
  return unsafe method(unit.plugIn)
}

/// Returns a property's size in bytes, and whether it can be set; either result pointer may be null.
///
/// Context: control.
@c @implementation
public func AudioUnitGetPropertyInfo(
  _ unit: AudioUnitHandle?, _ property: AudioUnitPropertyID, _ scope: AudioUnitScope,
  _ element: AudioUnitElement, _ dataSize: UnsafeMutablePointer<UInt32>?,
  _ isWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  // Results are defined even when the call fails.
  unsafe dataSize?.pointee = 0
  unsafe isWritable?.pointee = false
  guard let unit = unsafe Instance(unit) else { return kAudio_ParamError }
  guard let method = unsafe unit.methods.getPropertyInfo else { return kAudio_UnimplementedError }
  var size: UInt32 = 0
  var writable = false
  let status = unsafe method(unit.plugIn, property, scope, element, &size, &writable)
  unsafe dataSize?.pointee = status == noErr ? size : 0
  unsafe isWritable?.pointee = status == noErr && writable
  return status
}

/// Returns a property's value; only its size if the buffer is null.
///
/// Context: control.
@c @implementation
public func AudioUnitGetProperty(
  _ unit: AudioUnitHandle?, _ property: AudioUnitPropertyID, _ scope: AudioUnitScope,
  _ element: AudioUnitElement, _ data: UnsafeMutableRawPointer?,
  _ dataSize: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  guard let unit = unsafe Instance(unit), let dataSize = unsafe dataSize else {
    return kAudio_ParamError
  }
  if unsafe data == nil {
    guard let method = unsafe unit.methods.getPropertyInfo else {
      return kAudio_UnimplementedError
    }
    var writable = false
    return unsafe method(unit.plugIn, property, scope, element, dataSize, &writable)
  }
  guard unsafe dataSize.pointee > 0 else { return kAudio_ParamError }
  guard let method = unsafe unit.methods.getProperty else { return kAudio_UnimplementedError }
  return unsafe method(unit.plugIn, property, scope, element, data, dataSize)
}

/// Sets a property; null and 0 remove its value.
///
/// Context: control.
@c @implementation
public func AudioUnitSetProperty(
  _ unit: AudioUnitHandle?, _ property: AudioUnitPropertyID, _ scope: AudioUnitScope,
  _ element: AudioUnitElement, _ data: UnsafeRawPointer?, _ dataSize: UInt32
) -> OSStatus {
  guard let unit = unsafe Instance(unit), unsafe (data == nil) == (dataSize == 0) else {
    return kAudio_ParamError
  }
  guard let method = unsafe unit.methods.setProperty else { return kAudio_UnimplementedError }
  return unsafe method(unit.plugIn, property, scope, element, data, dataSize)
}

/// Adds a listener of a property.
///
/// Context: control.
@c @implementation
public func AudioUnitAddPropertyListener(
  _ unit: AudioUnitHandle?, _ property: AudioUnitPropertyID,
  _ listener: AudioUnitPropertyListenerProc?, _ refCon: UnsafeMutableRawPointer?
) -> OSStatus {
  guard let unit = unsafe Instance(unit) else { return kAudio_ParamError }
  guard
    let method = unsafe unit.method(
      kAudioUnitAddPropertyListenerSelect, as: AudioUnitAddPropertyListenerProc.self)
  else { return kAudio_UnimplementedError }
  guard unsafe listener != nil else { return kAudio_ParamError }
  return unsafe method(unit.plugIn, property, listener, refCon)
}

/// Removes a listener of a property with this user data.
///
/// Context: control.
@c @implementation
public func AudioUnitRemovePropertyListenerWithUserData(
  _ unit: AudioUnitHandle?, _ property: AudioUnitPropertyID,
  _ listener: AudioUnitPropertyListenerProc?, _ refCon: UnsafeMutableRawPointer?
) -> OSStatus {
  guard let unit = unsafe Instance(unit) else { return kAudio_ParamError }
  guard
    let method = unsafe unit.method(
      kAudioUnitRemovePropertyListenerWithUserDataSelect,
      as: AudioUnitRemovePropertyListenerWithUserDataProc.self)
  else { return kAudio_UnimplementedError }
  guard unsafe listener != nil else { return kAudio_ParamError }
  return unsafe method(unit.plugIn, property, listener, refCon)
}

/// Adds a callback before and after each rendering, on the render thread.
///
/// Context: control.
@c @implementation
public func AudioUnitAddRenderNotify(
  _ unit: AudioUnitHandle?, _ callback: AURenderCallback?, _ refCon: UnsafeMutableRawPointer?
) -> OSStatus {
  guard let unit = unsafe Instance(unit) else { return kAudio_ParamError }
  guard
    let method = unsafe unit.method(
      kAudioUnitAddRenderNotifySelect, as: AudioUnitAddRenderNotifyProc.self)
  else { return kAudio_UnimplementedError }
  guard unsafe callback != nil else { return kAudio_ParamError }
  return unsafe method(unit.plugIn, callback, refCon)
}

/// Removes a render callback.
///
/// Context: control.
@c @implementation
public func AudioUnitRemoveRenderNotify(
  _ unit: AudioUnitHandle?, _ callback: AURenderCallback?, _ refCon: UnsafeMutableRawPointer?
) -> OSStatus {
  guard let unit = unsafe Instance(unit) else { return kAudio_ParamError }
  guard
    let method = unsafe unit.method(
      kAudioUnitRemoveRenderNotifySelect, as: AudioUnitRemoveRenderNotifyProc.self)
  else { return kAudio_UnimplementedError }
  guard unsafe callback != nil else { return kAudio_ParamError }
  return unsafe method(unit.plugIn, callback, refCon)
}
