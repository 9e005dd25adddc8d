// The methods of the fake unit, as C functions found by its Lookup.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

private func erased<Method>(_ method: Method) -> AudioComponentMethod {
  unsafe unsafeBitCast(method, to: AudioComponentMethod.self)
}

/// Answers every selector a host uses.
func lookUpFake(_ selector: Int16) -> AudioComponentMethod? {
  switch selector {
  case 1: unsafe erased(initializeMethod)
  case 2: unsafe erased(uninitializeMethod)
  case 3: unsafe erased(getInfoMethod)
  case 4: unsafe erased(getMethod)
  case 5: unsafe erased(setMethod)
  case 6: unsafe erased(getParameterMethod)
  case 7: unsafe erased(setParameterMethod)
  case 9: unsafe erased(resetMethod)
  case 14: unsafe erased(renderMethod)
  default: nil
  }
}

private let initializeMethod: AudioUnitInitializeProc = { plugIn in
  guard let unit = unsafe fake(plugIn) else { return -50 }
  unit.calls.append("Initialize")
  if unit.initializeStatus == 0 { unit.isInitialized = true }
  return unit.initializeStatus
}

private let uninitializeMethod: AudioUnitUninitializeProc = { plugIn in
  guard let unit = unsafe fake(plugIn) else { return -50 }
  unit.calls.append("Uninitialize")
  unit.isInitialized = false
  return 0
}

private let resetMethod: AudioUnitResetProc = { plugIn, scope, element in
  unsafe fake(plugIn)?.calls.append("Reset \(scope) \(element)")
  return 0
}

private let getInfoMethod: AudioUnitGetPropertyInfoProc = {
  plugIn, id, scope, element, size, isWritable in
  guard let unit = unsafe fake(plugIn) else { return -50 }
  guard let bytes = unit.value(id, scope, element) else { return kAudioUnitErr_InvalidProperty }
  unsafe size?.pointee = unit.claimedSize[id] ?? UInt32(bytes.count)
  unsafe isWritable?.pointee = unit.writable.contains(id)
  return 0
}

private let getMethod: AudioUnitGetPropertyProc = { plugIn, id, scope, element, data, size in
  guard let unit = unsafe fake(plugIn), let size = unsafe size else { return -50 }
  unit.calls.append("get \(id) scope \(scope) element \(element)")
  guard var bytes = unit.value(id, scope, element) else { return kAudioUnitErr_InvalidProperty }
  if id == kAudioUnitProperty_ParameterClumpName {
    bytes = unsafe unit.clumpName(request: data)
  }
  let count = unsafe min(bytes.count, Int(size.pointee))
  for index in 0..<count {
    unsafe data?.storeBytes(of: bytes[index], toByteOffset: index, as: UInt8.self)
  }
  unsafe size.pointee = unit.claimedSize[id] ?? UInt32(count)
  return 0
}

private let setMethod: AudioUnitSetPropertyProc = { plugIn, id, scope, element, data, size in
  guard let unit = unsafe fake(plugIn) else { return -50 }
  unit.calls.append("set \(id) scope \(scope) element \(element) size \(size)")
  return unsafe unit.setValue(id, scope, element, data, Int(size))
}

private let getParameterMethod: AudioUnitGetParameterProc = { plugIn, id, scope, element, value in
  guard let unit = unsafe fake(plugIn) else { return -50 }
  guard scope == 0, let stored = unit.values[id] else { return kAudioUnitErr_InvalidParameter }
  unsafe value?.pointee = stored
  return 0
}

private let setParameterMethod: AudioUnitSetParameterProc = {
  plugIn, id, scope, element, value, offset in
  guard let unit = unsafe fake(plugIn) else { return -50 }
  unit.calls.append("parameter \(id) \(value) at \(offset)")
  guard scope == 0, unit.values[id] != nil else { return kAudioUnitErr_InvalidParameter }
  unit.values[id] = value
  return 0
}

/// Pulls its input and multiplies it by parameter 0.
private let renderMethod: AudioUnitRenderProc = { plugIn, flags, time, bus, frames, buffers in
  guard let unit = unsafe fake(plugIn), let buffers = unsafe buffers else { return -50 }
  guard unit.isInitialized else { return kAudioUnitErr_Uninitialized }
  guard frames <= unit.maximumFrames else { return kAudioUnitErr_TooManyFramesToProcess }
  if unit.renderStatus != 0 { return unit.renderStatus }
  var status: OSStatus = 0
  if let callback = unsafe unit.callback.inputProc {
    var inputFlags: AudioUnitRenderActionFlags = 0
    status = unsafe callback(
      unit.callback.inputProcRefCon, &inputFlags, time, 0, frames, buffers)
  } else if let source = unsafe unit.connection.sourceAudioUnit,
    let render = unsafe source.pointee.render
  {
    status = unsafe render(
      source.pointee.plugIn, flags, time, unit.connection.sourceOutputNumber, frames, buffers)
  } else {
    status = kAudioUnitErr_NoConnection
  }
  guard status == 0 else { return status }
  let gain = unit.values[0] ?? 1
  let channels = unsafe buffers.bufferCount
  for channel in 0..<channels {
    guard let samples = unsafe buffers.samples(channel) else { continue }
    for frame in 0..<Int(frames) { unsafe samples[frame] *= gain }
  }
  return 0
}
