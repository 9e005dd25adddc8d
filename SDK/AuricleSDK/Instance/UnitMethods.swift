// The C functions behind the selectors, and the table that finds them.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// Runs a body with the instance of a `self` pointer; a null pointer is an error.
func withInstance(
  _ plugIn: UnsafeMutableRawPointer?, _ body: (UnitInstance) -> OSStatus
) -> OSStatus {
  guard let plugIn = unsafe plugIn else { return kAudio_ParamError }
  return unsafe plugIn.assumingMemoryBound(to: UnitRecord.self).pointee.instance
    ._withUnsafeGuaranteedRef(body)
}

/// Finds the function of a selector; null for one that the unit does not implement.
func lookUpMethod(_ selector: Int16) -> AudioComponentMethod? {
  switch Int32(selector) {
  case Int32(kAudioUnitInitializeSelect): unsafe erased(initializeMethod)
  case Int32(kAudioUnitUninitializeSelect): unsafe erased(uninitializeMethod)
  case Int32(kAudioUnitGetPropertyInfoSelect): unsafe erased(getInfoMethod)
  case Int32(kAudioUnitGetPropertySelect): unsafe erased(getPropertyMethod)
  case Int32(kAudioUnitSetPropertySelect): unsafe erased(setPropertyMethod)
  case Int32(kAudioUnitAddPropertyListenerSelect): unsafe erased(addListenerMethod)
  case Int32(kAudioUnitRemovePropertyListenerSelect): unsafe erased(removeListenerMethod)
  case Int32(kAudioUnitRemovePropertyListenerWithUserDataSelect):
    unsafe erased(removeListenerWithDataMethod)
  case Int32(kAudioUnitAddRenderNotifySelect): unsafe erased(addNotifyMethod)
  case Int32(kAudioUnitRemoveRenderNotifySelect): unsafe erased(removeNotifyMethod)
  case Int32(kAudioUnitGetParameterSelect): unsafe erased(getParameterMethod)
  case Int32(kAudioUnitSetParameterSelect): unsafe erased(setParameterMethod)
  case Int32(kAudioUnitScheduleParametersSelect): unsafe erased(scheduleMethod)
  case Int32(kAudioUnitRenderSelect): unsafe erased(renderMethod)
  case Int32(kAudioUnitResetSelect): unsafe erased(resetMethod)
  default: nil
  }
}

private let initializeMethod: AudioUnitInitializeProc = { plugIn in
  unsafe withInstance(plugIn) { $0.initialize() }
}

private let uninitializeMethod: AudioUnitUninitializeProc = { plugIn in
  unsafe withInstance(plugIn) { $0.uninitialize() }
}

private let getInfoMethod: AudioUnitGetPropertyInfoProc = {
  plugIn, id, scope, element, outSize, outWritable in
  unsafe withInstance(plugIn) { (instance) in
    let info = instance.locked { instance.info(id, scope, element) }
    unsafe outSize?.pointee = info.size
    unsafe outWritable?.pointee = info.isWritable
    return info.status
  }
}

private let getPropertyMethod: AudioUnitGetPropertyProc = {
  plugIn, id, scope, element, data, ioSize in
  unsafe withInstance(plugIn) { (instance) in
    guard let ioSize = unsafe ioSize else { return kAudio_ParamError }
    return instance.locked { unsafe instance.get(id, scope, element, data, ioSize) }
  }
}

private let setPropertyMethod: AudioUnitSetPropertyProc = {
  plugIn, id, scope, element, data, size in
  unsafe withInstance(plugIn) { (instance) in
    instance.locked {
      let status = unsafe instance.write(id, scope, element, data, size)
      unsafe instance.render.pointee.updateFastPaths()
      return status
    }
  }
}

private let addListenerMethod: AudioUnitAddPropertyListenerProc = { plugIn, id, procedure, data in
  unsafe withInstance(plugIn) { (instance) in
    guard let procedure = unsafe procedure else { return kAudio_ParamError }
    return unsafe instance.addPropertyListener(id, procedure, data)
  }
}

private let removeListenerMethod: AudioUnitRemovePropertyListenerProc = { plugIn, id, procedure in
  unsafe withInstance(plugIn) { (instance) in
    guard let procedure = unsafe procedure else { return kAudio_ParamError }
    return unsafe instance.removePropertyListener(id, procedure, nil, matchUserData: false)
  }
}

private let removeListenerWithDataMethod: AudioUnitRemovePropertyListenerWithUserDataProc = {
  plugIn, id, procedure, data in
  unsafe withInstance(plugIn) { (instance) in
    guard let procedure = unsafe procedure else { return kAudio_ParamError }
    return unsafe instance.removePropertyListener(id, procedure, data, matchUserData: true)
  }
}

private let addNotifyMethod: AudioUnitAddRenderNotifyProc = { plugIn, callback, refCon in
  unsafe withInstance(plugIn) { (instance) in
    guard let callback = unsafe callback else { return kAudio_ParamError }
    return unsafe instance.addRenderNotify(callback, refCon)
  }
}

private let removeNotifyMethod: AudioUnitRemoveRenderNotifyProc = { plugIn, callback, refCon in
  unsafe withInstance(plugIn) { (instance) in
    guard let callback = unsafe callback else { return kAudio_ParamError }
    return unsafe instance.removeRenderNotify(callback, refCon)
  }
}

private let getParameterMethod: AudioUnitGetParameterProc = { plugIn, id, scope, element, value in
  guard let plugIn = unsafe plugIn, let value = unsafe value else { return kAudio_ParamError }
  return unsafe plugIn.assumingMemoryBound(to: UnitRecord.self).pointee.table.get(
    id, scope, element, value)
}

private let setParameterMethod: AudioUnitSetParameterProc = {
  plugIn, id, scope, element, value, offset in
  guard let plugIn = unsafe plugIn else { return kAudio_ParamError }
  return unsafe plugIn.assumingMemoryBound(to: UnitRecord.self).pointee.table.set(
    id, scope, element, value)
}

private let scheduleMethod: AudioUnitScheduleParametersProc = { plugIn, events, count in
  guard let plugIn = unsafe plugIn else { return kAudio_ParamError }
  guard let events = unsafe events else { return count == 0 ? 0 : kAudio_ParamError }
  return unsafe plugIn.assumingMemoryBound(to: UnitRecord.self).pointee.render.pointee.schedule(
    events, count: Int(count))
}

private let resetMethod: AudioUnitResetProc = { plugIn, scope, element in
  unsafe withInstance(plugIn) { $0.reset(scope, element) }
}

private let renderMethod: AudioUnitRenderProc = { plugIn, flags, timeStamp, bus, frames, list in
  guard let plugIn = unsafe plugIn, let timeStamp = unsafe timeStamp, let list = unsafe list else {
    return kAudio_ParamError
  }
  return unsafe plugIn.assumingMemoryBound(to: UnitRecord.self).pointee.render.pointee.render(
    flags, timeStamp, Int(bus), Int(frames), list)
}
