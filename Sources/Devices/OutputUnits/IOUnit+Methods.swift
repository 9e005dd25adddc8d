// The methods of the interface of output units.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AuricleSDK
import CAudioToolbox
import Glibc
import Synchronization

/// The `self` of the methods: the interface first, as the host expects.
@safe struct IOUnitRecord {
  var interface: AudioComponentPlugInInterface
  var unit: Unmanaged<IOUnit>
}

extension IOUnit {
  /// Makes a unit's interface; nil where there is no memory for it. Its Close frees everything. Context: control.
  static func make(
    _ description: AudioComponentDescription
  ) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
    guard let unit = IOUnit(description) else { return nil }
    let record = UnsafeMutablePointer<IOUnitRecord>.allocate(capacity: 1)
    unsafe record.initialize(
      to: IOUnitRecord(
        interface: AudioComponentPlugInInterface(
          Open: { plugIn, handle in
            guard let unit = unsafe IOUnit.behind(plugIn) else { return kAudio_ParamError }
            return unsafe unit.open(handle)
          },
          Close: { plugIn in
            guard let plugIn = unsafe plugIn else { return kAudio_ParamError }
            let record = unsafe plugIn.assumingMemoryBound(to: IOUnitRecord.self)
            unsafe record.pointee.unit.takeRetainedValue().close()
            unsafe record.deinitialize(count: 1)
            unsafe record.deallocate()
            return 0
          }, Lookup: { selector in unsafe IOUnit.lookUp(selector) }, reserved: nil),
        unit: Unmanaged.passRetained(unit)))
    return unsafe UnsafeMutableRawPointer(record).assumingMemoryBound(
      to: AudioComponentPlugInInterface.self)
  }

  /// The unit of a method's first argument.
  static func behind(_ plugIn: UnsafeMutableRawPointer?) -> IOUnit? {
    guard let plugIn = unsafe plugIn else { return nil }
    return unsafe plugIn.assumingMemoryBound(to: IOUnitRecord.self).pointee.unit
      .takeUnretainedValue()
  }

  private static func erased<Method>(_ method: Method) -> AudioComponentMethod {
    unsafe unsafeBitCast(method, to: AudioComponentMethod.self)
  }

  private static func lookUp(_ selector: Int16) -> AudioComponentMethod? {
    switch selector {
    case kAudioUnitInitializeSelect:
      let method: AudioUnitInitializeProc = {
        unsafe IOUnit.behind($0)?.initialize() ?? kAudio_ParamError
      }
      return unsafe erased(method)
    case kAudioUnitUninitializeSelect:
      let method: AudioUnitUninitializeProc = {
        unsafe IOUnit.behind($0)?.uninitialize() ?? kAudio_ParamError
      }
      return unsafe erased(method)
    case kAudioOutputUnitStartSelect:
      let method: AudioOutputUnitStartProc = {
        unsafe IOUnit.behind($0)?.start() ?? kAudio_ParamError
      }
      return unsafe erased(method)
    case kAudioOutputUnitStopSelect:
      let method: AudioOutputUnitStopProc = {
        unsafe IOUnit.behind($0)?.stop() ?? kAudio_ParamError
      }
      return unsafe erased(method)
    case kAudioUnitRenderSelect: return unsafe erased(ioRender)
    case kAudioUnitResetSelect:
      let method: AudioUnitResetProc = { plugIn, scope, element in
        guard let half = unsafe IOUnit.behind(plugIn)?.half(element) else {
          return kAudioUnitErr_InvalidElement
        }
        return half.reset(scope)
      }
      return unsafe erased(method)
    default: return unsafe lookUpSetting(selector)
    }
  }

  private static func lookUpSetting(_ selector: Int16) -> AudioComponentMethod? {
    switch selector {
    case kAudioUnitGetPropertyInfoSelect:
      let method: AudioUnitGetPropertyInfoProc = { plugIn, property, scope, element, size, flag in
        unsafe IOUnit.behind(plugIn)?.info(property, scope, element, size, flag)
          ?? kAudio_ParamError
      }
      return unsafe erased(method)
    case kAudioUnitGetPropertySelect:
      let method: AudioUnitGetPropertyProc = { plugIn, property, scope, element, data, size in
        unsafe IOUnit.behind(plugIn)?.get(property, scope, element, data, size)
          ?? kAudio_ParamError
      }
      return unsafe erased(method)
    case kAudioUnitSetPropertySelect:
      let method: AudioUnitSetPropertyProc = { plugIn, property, scope, element, data, size in
        unsafe IOUnit.behind(plugIn)?.set(property, scope, element, data, size)
          ?? kAudio_ParamError
      }
      return unsafe erased(method)
    case kAudioUnitAddPropertyListenerSelect:
      let method: AudioUnitAddPropertyListenerProc = { plugIn, property, listener, context in
        guard let unit = unsafe IOUnit.behind(plugIn), let listener = unsafe listener else {
          return kAudio_ParamError
        }
        unsafe unit.addListener(
          UnitListener(property: property, procedure: listener, context: context))
        return 0
      }
      return unsafe erased(method)
    case kAudioUnitRemovePropertyListenerSelect:
      let method: AudioUnitRemovePropertyListenerProc = { plugIn, property, listener in
        guard let unit = unsafe IOUnit.behind(plugIn), let listener = unsafe listener else {
          return kAudio_ParamError
        }
        unsafe unit.removeListeners(property, listener) { _ in true }
        return 0
      }
      return unsafe erased(method)
    case kAudioUnitRemovePropertyListenerWithUserDataSelect:
      let method: AudioUnitRemovePropertyListenerWithUserDataProc = {
        plugIn, property, listener, context in
        guard let unit = unsafe IOUnit.behind(plugIn), let listener = unsafe listener else {
          return kAudio_ParamError
        }
        unsafe unit.removeListeners(property, listener) { unsafe $0 == context }
        return 0
      }
      return unsafe erased(method)
    default: return unsafe lookUpParameters(selector)
    }
  }

  private static func lookUpParameters(_ selector: Int16) -> AudioComponentMethod? {
    switch selector {
    case kAudioUnitAddRenderNotifySelect:
      let method: AudioUnitAddRenderNotifyProc = { plugIn, callback, context in
        guard let half = unsafe IOUnit.behind(plugIn)?.output else { return kAudio_ParamError }
        return unsafe half.method(selectorOfAdding, AudioUnitAddRenderNotifyProc.self)?(
          half.object, callback, context) ?? kAudio_ParamError
      }
      return unsafe erased(method)
    case kAudioUnitRemoveRenderNotifySelect:
      let method: AudioUnitRemoveRenderNotifyProc = { plugIn, callback, context in
        guard let half = unsafe IOUnit.behind(plugIn)?.output else { return kAudio_ParamError }
        return unsafe half.method(selectorOfRemoving, AudioUnitRemoveRenderNotifyProc.self)?(
          half.object, callback, context) ?? kAudio_ParamError
      }
      return unsafe erased(method)
    case kAudioUnitGetParameterSelect:
      let method: AudioUnitGetParameterProc = { plugIn, parameter, scope, element, value in
        guard let unit = unsafe IOUnit.behind(plugIn), let value = unsafe value else {
          return kAudio_ParamError
        }
        guard parameter == kHALOutputParam_Volume else { return kAudioUnitErr_InvalidParameter }
        unsafe value.pointee = Float(bitPattern: unit.cycle.volume.load(ordering: .relaxed))
        return 0
      }
      return unsafe erased(method)
    case kAudioUnitSetParameterSelect:
      let method: AudioUnitSetParameterProc = { plugIn, parameter, scope, element, value, _ in
        guard let unit = unsafe IOUnit.behind(plugIn) else { return kAudio_ParamError }
        return unit.setVolume(parameter, value)
      }
      return unsafe erased(method)
    case kAudioUnitScheduleParametersSelect:
      let method: AudioUnitScheduleParametersProc = { plugIn, events, count in
        guard let unit = unsafe IOUnit.behind(plugIn), let events = unsafe events else {
          return kAudio_ParamError
        }
        for index in 0..<Int(count) {
          let event = unsafe events[index]
          let isRamp = event.eventType == kParameterEvent_Ramped
          let value =
            unsafe isRamp ? event.eventValues.ramp.endValue : event.eventValues.immediate.value
          let status = unit.setVolume(event.parameter, value)
          guard status == 0 else { return status }
        }
        return 0
      }
      return unsafe erased(method)
    default: return nil
    }
  }

  private func setVolume(_ parameter: AudioUnitParameterID, _ value: Float) -> OSStatus {
    guard parameter == kHALOutputParam_Volume else { return kAudioUnitErr_InvalidParameter }
    guard value.isFinite else { return kAudioUnitErr_InvalidParameterValue }
    cycle.volume.store(min(max(value, 0), 1).bitPattern, ordering: .relaxed)
    return 0
  }
}

/// Renders silence, as a unit without a source does; an error for a buffer without memory.
private func silence(
  _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
  _ buffers: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  let list = unsafe buffers.buffers
  for index in 0..<(unsafe Int(buffers.pointee.mNumberBuffers)) {
    guard let data = unsafe list[index].mData else { return kAudioUnitErr_NoConnection }
    unsafe memset(data, 0, Int(list[index].mDataByteSize))
  }
  unsafe flags?.pointee |= kAudioUnitRenderAction_OutputIsSilence
  return 0
}

private let selectorOfAdding = kAudioUnitAddRenderNotifySelect
private let selectorOfRemoving = kAudioUnitRemoveRenderNotifySelect

/// Renders an element: 0 as a host pulls it, 1 the device's input. Context: the device's thread.
private let ioRender: AudioUnitRenderProc = { plugIn, flags, time, element, frames, buffers in
  guard let plugIn = unsafe plugIn, let time = unsafe time, let buffers = unsafe buffers else {
    return kAudio_ParamError
  }
  return unsafe plugIn.assumingMemoryBound(to: IOUnitRecord.self).pointee.unit
    ._withUnsafeGuaranteedRef { unit in
      switch element {
      case 0:
        let status = unsafe unit.output.render(flags, time, frames, buffers)
        return unsafe status == kAudioUnitErr_NoConnection ? silence(flags, buffers) : status
      case 1: return unsafe unit.cycle.renderInput(flags, time, frames, buffers)
      default: return kAudioUnitErr_InvalidElement
      }
    }
}
