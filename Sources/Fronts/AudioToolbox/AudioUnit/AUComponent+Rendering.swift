// The functions of AUComponent.h that a render thread may call.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// Returns a parameter's current value.
///
/// Context: any.
@c @implementation @_noLocks
public func AudioUnitGetParameter(
  _ unit: AudioUnitHandle?, _ parameter: AudioUnitParameterID, _ scope: AudioUnitScope,
  _ element: AudioUnitElement, _ value: UnsafeMutablePointer<AudioUnitParameterValue>?
) -> OSStatus {
  guard let unit = unsafe Instance(unit) else { return kAudio_ParamError }
  guard let method = unsafe unit.methods.getParameter else { return kAudio_UnimplementedError }
  guard unsafe value != nil else { return kAudio_ParamError }
  return unsafe _unsafePerformance {
    unsafe method(unit.plugIn, parameter, scope, element, value)
  }
}

/// Sets a parameter, from a frame of the next slice on.
///
/// Context: any.
@c @implementation @_noLocks
public func AudioUnitSetParameter(
  _ unit: AudioUnitHandle?, _ parameter: AudioUnitParameterID, _ scope: AudioUnitScope,
  _ element: AudioUnitElement, _ value: AudioUnitParameterValue, _ bufferOffset: UInt32
) -> OSStatus {
  guard let unit = unsafe Instance(unit) else { return kAudio_ParamError }
  guard let method = unsafe unit.methods.setParameter else { return kAudio_UnimplementedError }
  return unsafe _unsafePerformance {
    unsafe method(unit.plugIn, parameter, scope, element, value, bufferOffset)
  }
}

/// Schedules parameter changes in the next slice.
///
/// Context: render.
@c @implementation @_noLocks
public func AudioUnitScheduleParameters(
  _ unit: AudioUnitHandle?, _ events: UnsafePointer<AudioUnitParameterEvent>?,
  _ eventCount: UInt32
) -> OSStatus {
  guard let unit = unsafe Instance(unit) else { return kAudio_ParamError }
  guard let method = unsafe unit.methods.scheduleParameters else {
    return kAudio_UnimplementedError
  }
  guard unsafe events != nil || eventCount == 0 else { return kAudio_ParamError }
  return unsafe _unsafePerformance { unsafe method(unit.plugIn, events, eventCount) }
}

/// Renders frames of an output bus.
///
/// Context: render.
@c @implementation @_noLocks
public func AudioUnitRender(
  _ unit: AudioUnitHandle?, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
  _ timeStamp: UnsafePointer<AudioTimeStamp>?, _ outputElement: UInt32, _ frameCount: UInt32,
  _ buffers: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  guard let unit = unsafe Instance(unit) else { return kAudio_ParamError }
  guard let method = unsafe unit.methods.render else { return kAudio_UnimplementedError }
  guard unsafe timeStamp != nil, unsafe buffers != nil else { return kAudio_ParamError }
  return unsafe _unsafePerformance {
    unsafe method(unit.plugIn, flags, timeStamp, outputElement, frameCount, buffers)
  }
}

/// Processes frames in place.
///
/// Context: render.
@c @implementation @_noLocks
public func AudioUnitProcess(
  _ unit: AudioUnitHandle?, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
  _ timeStamp: UnsafePointer<AudioTimeStamp>?, _ frameCount: UInt32,
  _ buffers: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  guard let unit = unsafe Instance(unit) else { return kAudio_ParamError }
  guard let method = unsafe unit.methods.process else { return kAudio_UnimplementedError }
  guard unsafe timeStamp != nil, unsafe buffers != nil else { return kAudio_ParamError }
  return unsafe _unsafePerformance {
    unsafe method(unit.plugIn, flags, timeStamp, frameCount, buffers)
  }
}

/// Processes frames of several inputs into several outputs.
///
/// Context: render.
@c @implementation @_noLocks
public func AudioUnitProcessMultiple(
  _ unit: AudioUnitHandle?, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
  _ timeStamp: UnsafePointer<AudioTimeStamp>?, _ frameCount: UInt32, _ inputCount: UInt32,
  _ inputs: UnsafeMutablePointer<UnsafePointer<AudioBufferList>?>?, _ outputCount: UInt32,
  _ outputs: UnsafeMutablePointer<UnsafeMutablePointer<AudioBufferList>?>?
) -> OSStatus {
  guard let unit = unsafe Instance(unit), unsafe timeStamp != nil,
    unsafe inputs != nil || inputCount == 0, unsafe outputs != nil || outputCount == 0
  else { return kAudio_ParamError }
  return unsafe _unsafePerformance {
    guard
      let method = unsafe unit.method(
        kAudioUnitProcessMultipleSelect, as: AudioUnitProcessMultipleProc.self)
    else { return kAudio_UnimplementedError }
    return unsafe method(
      unit.plugIn, flags, timeStamp, frameCount, inputCount, inputs, outputCount, outputs)
  }
}

/// Resets a unit's render state.
///
/// Context: render.
@c @implementation @_noLocks
public func AudioUnitReset(
  _ unit: AudioUnitHandle?, _ scope: AudioUnitScope, _ element: AudioUnitElement
) -> OSStatus {
  guard let unit = unsafe Instance(unit) else { return kAudio_ParamError }
  guard let method = unsafe unit.methods.reset else { return kAudio_UnimplementedError }
  return unsafe _unsafePerformance { unsafe method(unit.plugIn, scope, element) }
}
