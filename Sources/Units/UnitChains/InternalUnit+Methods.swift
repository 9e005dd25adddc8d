// The methods of a chain's internal units.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

/// The method of a selector.
func internalMethod(_ selector: Int16) -> AudioComponentMethod? {
  switch selector {
  case Int16(kAudioUnitInitializeSelect), Int16(kAudioUnitUninitializeSelect):
    unsafe internalNothing
  case Int16(kAudioUnitGetPropertyInfoSelect):
    unsafe unsafeBitCast(internalPropertyInfo, to: AudioComponentMethod.self)
  case Int16(kAudioUnitGetPropertySelect):
    unsafe unsafeBitCast(internalGetProperty, to: AudioComponentMethod.self)
  case Int16(kAudioUnitSetPropertySelect):
    unsafe unsafeBitCast(internalSetProperty, to: AudioComponentMethod.self)
  case Int16(kAudioUnitResetSelect):
    unsafe unsafeBitCast(internalReset, to: AudioComponentMethod.self)
  case Int16(kAudioUnitRenderSelect):
    unsafe unsafeBitCast(internalRender, to: AudioComponentMethod.self)
  default: nil
  }
}

private let internalNothing: AudioUnitInitializeProc = { _ in 0 }

private func internalState(_ plugIn: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<
  InternalUnitState
>? {
  unsafe plugIn?.assumingMemoryBound(to: InternalUnitState.self)
}

private func internalBus(
  _ state: UnsafeMutablePointer<InternalUnitState>, _ scope: AudioUnitScope,
  _ element: AudioUnitElement
) -> UnsafeMutablePointer<InternalBus>? {
  switch scope {
  case kAudioUnitScope_Input where unsafe element < state.pointee.inputCount:
    unsafe state.pointee.inputs + Int(element)
  case kAudioUnitScope_Output where unsafe element < state.pointee.outputCount:
    unsafe state.pointee.outputs + Int(element)
  default: nil
  }
}

private let internalPropertyInfo: AudioUnitGetPropertyInfoProc = {
  plugIn, property, scope, element, size, isWritable in
  guard let state = unsafe internalState(plugIn) else { return kAudio_ParamError }
  var isSettable = false
  let length: Int
  switch property {
  case kAudioUnitProperty_StreamFormat:
    guard unsafe internalBus(state, scope, element) != nil else {
      return kAudioUnitErr_InvalidElement
    }
    length = MemoryLayout<AudioStreamBasicDescription>.size
    isSettable = true
  case kAudioUnitProperty_ElementCount, kAudioUnitProperty_MaximumFramesPerSlice,
    kAuricleProperty_LatencyIsKnown:
    length = 4
  case kAudioUnitProperty_Latency, kAudioUnitProperty_TailTime: length = 8
  case kAudioUnitProperty_SetRenderCallback:
    length = unsafe MemoryLayout<AURenderCallbackStruct>.size
    isSettable = true
  default: return kAudioUnitErr_InvalidProperty
  }
  unsafe size?.pointee = UInt32(length)
  unsafe isWritable?.pointee = isSettable
  return 0
}

private func internalStore<Value: BitwiseCopyable>(
  _ data: UnsafeMutableRawPointer, _ size: UnsafeMutablePointer<UInt32>, _ value: Value
) -> OSStatus {
  let length = UInt32(MemoryLayout<Value>.size)
  guard unsafe size.pointee >= length else { return kAudioUnitErr_InvalidPropertyValue }
  unsafe data.storeBytes(of: value, as: Value.self)
  unsafe size.pointee = length
  return 0
}

private let internalGetProperty: AudioUnitGetPropertyProc = {
  plugIn, property, scope, element, data, size in
  guard let state = unsafe internalState(plugIn), let data = unsafe data, let size = unsafe size
  else { return kAudio_ParamError }
  switch property {
  case kAudioUnitProperty_StreamFormat:
    guard let bus = unsafe internalBus(state, scope, element) else {
      return kAudioUnitErr_InvalidElement
    }
    let format = unsafe AudioStreamFormat(
      sampleRate: state.pointee.sampleRate, channelCount: bus.pointee.channelCount)
    return unsafe internalStore(data, size, format.asbd)
  case kAudioUnitProperty_ElementCount:
    switch scope {
    case kAudioUnitScope_Global: return unsafe internalStore(data, size, UInt32(1))
    case kAudioUnitScope_Input:
      return unsafe internalStore(data, size, UInt32(state.pointee.inputCount))
    case kAudioUnitScope_Output:
      return unsafe internalStore(data, size, UInt32(state.pointee.outputCount))
    default: return unsafe internalStore(data, size, UInt32(0))
    }
  case kAudioUnitProperty_MaximumFramesPerSlice:
    return unsafe internalStore(data, size, UInt32(state.pointee.maximumFrames))
  case kAudioUnitProperty_Latency:
    // Before the first slice a stage would believe a latency that its unit cannot know yet.
    let isRead = unsafe state.pointee.stage?.pointee.latencyIsRead ?? false
    let isKnown = unsafe isRead || state.pointee.pulledTime >= 0
    let frames = isKnown ? unsafe internalStage(state)?.latencyFrames ?? 0 : 0
    let rate = unsafe state.pointee.sampleRate
    return unsafe internalStore(data, size, Double(frames) / rate)
  case kAudioUnitProperty_TailTime:
    guard let stage = unsafe internalStage(state) else {
      return unsafe internalStore(data, size, 0.0)
    }
    guard let tail = stage.tailSeconds else { return kAudioUnitErr_InvalidProperty }
    return unsafe internalStore(data, size, tail)
  case kAuricleProperty_LatencyIsKnown:
    let isKnown = unsafe internalStage(state)?.isLatencyKnown ?? true
    return unsafe internalStore(data, size, UInt32(isKnown ? 1 : 0))
  default: return kAudioUnitErr_InvalidProperty
  }
}

private func internalStage(_ state: UnsafeMutablePointer<InternalUnitState>) -> StageNode? {
  unsafe state.pointee.stageNode.map {
    unsafe Unmanaged<StageNode>.fromOpaque($0).takeUnretainedValue()
  }
}

private let internalSetProperty: AudioUnitSetPropertyProc = {
  plugIn, property, scope, element, data, size in
  guard let state = unsafe internalState(plugIn), let data = unsafe data else {
    return kAudio_ParamError
  }
  switch property {
  case kAudioUnitProperty_StreamFormat:
    guard let bus = unsafe internalBus(state, scope, element) else {
      return kAudioUnitErr_InvalidElement
    }
    guard size == MemoryLayout<AudioStreamBasicDescription>.size else {
      return kAudioUnitErr_InvalidPropertyValue
    }
    let wanted = unsafe AudioStreamFormat(data.loadUnaligned(as: AudioStreamBasicDescription.self))
    let own = unsafe AudioStreamFormat(
      sampleRate: state.pointee.sampleRate, channelCount: bus.pointee.channelCount)
    return wanted == own ? 0 : kAudioUnitErr_FormatNotSupported
  case kAudioUnitProperty_SetRenderCallback:
    guard unsafe size == MemoryLayout<AURenderCallbackStruct>.size,
      let bus = unsafe internalBus(state, kAudioUnitScope_Input, element)
    else { return kAudioUnitErr_InvalidElement }
    let callback = unsafe data.loadUnaligned(as: AURenderCallbackStruct.self)
    unsafe bus.pointee.callback = unsafe callback.inputProc
    unsafe bus.pointee.refCon = unsafe callback.inputProcRefCon
    return 0
  case kAudioUnitProperty_OfflineRender: return 0
  default: return kAudioUnitErr_InvalidProperty
  }
}

private let internalReset: AudioUnitResetProc = { plugIn, _, _ in
  guard let state = unsafe internalState(plugIn) else { return kAudio_ParamError }
  unsafe state.pointee.pulledTime = -1
  do throws(AuricleError) {
    try unsafe internalStage(state)?.reset()
    return 0
  } catch {
    return error.status == 0 ? kAudio_UnimplementedError : error.status
  }
}

/// Context: render.
private let internalRender: AudioUnitRenderProc = { plugIn, flags, stamp, bus, frameCount, list in
  guard let state = unsafe internalState(plugIn), let flags = unsafe flags,
    let stamp = unsafe stamp,
    let list = unsafe list
  else { return kAudio_ParamError }
  return unsafe InternalRendering.render(
    state, flags, stamp, Int(bus), Int(frameCount), list)
}
