// Property information, reading and writing: the table of what every unit has, by scope and element.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import Synchronization

/// What a unit says of a property.
struct PropertyInfo {
  var status: OSStatus = 0
  var size: UInt32 = 0
  var isWritable = false

  static func error(_ status: OSStatus) -> PropertyInfo { PropertyInfo(status: status) }
}

extension UnitInstance {
  /// Size and writability of a property.
  func info(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) -> PropertyInfo {
    guard elementCount(scope) != nil else { return .error(kAudioUnitErr_InvalidScope) }
    if Self.elementIsParameter.contains(id) {
      return parameterPropertyInfo(id, scope, element)
    }
    // How many elements there are can be asked of a scope that has none.
    guard isValid(scope, element) || (id == kAudioUnitProperty_ElementCount && element == 0) else {
      return .error(kAudioUnitErr_InvalidElement)
    }
    if let custom = definition.properties.first(where: { $0.id == id && $0.scope == scope }) {
      return PropertyInfo(size: custom.size, isWritable: custom.isWritable)
    }
    let isBus = scope == kAudioUnitScope_Input || scope == kAudioUnitScope_Output
    switch id {
    case kAudioUnitProperty_StreamFormat:
      return isBus
        ? PropertyInfo(
          size: UInt32(MemoryLayout<AudioStreamBasicDescription>.size), isWritable: true)
        : .error(kAudioUnitErr_InvalidScope)
    case kAudioUnitProperty_SampleRate:
      return isBus ? PropertyInfo(size: 8, isWritable: true) : .error(kAudioUnitErr_InvalidScope)
    case kAudioUnitProperty_ElementCount:
      return PropertyInfo(size: 4, isWritable: canSetElementCount(scope))
    case kAudioUnitProperty_ElementName:
      return PropertyInfo(size: Self.pointerSize, isWritable: true)
    case kAudioUnitProperty_MakeConnection:
      return unsafe scope == kAudioUnitScope_Input || isGlobalInput(scope)
        ? PropertyInfo(size: UInt32(MemoryLayout<AudioUnitConnection>.size), isWritable: true)
        : .error(kAudioUnitErr_InvalidScope)
    case kAudioUnitProperty_SetRenderCallback:
      return unsafe scope == kAudioUnitScope_Input || isGlobalInput(scope)
        ? PropertyInfo(size: UInt32(MemoryLayout<AURenderCallbackStruct>.size), isWritable: true)
        : .error(kAudioUnitErr_InvalidScope)
    case kAudioUnitProperty_ParameterList:
      return PropertyInfo(size: UInt32(table.parameterCount(scope) * 4))
    default: break
    }
    guard scope == kAudioUnitScope_Global else {
      return .error(
        Self.globalProperties.contains(id)
          ? kAudioUnitErr_InvalidScope : kAudioUnitErr_InvalidProperty)
    }
    return globalInfo(id)
  }

  /// Whether the global scope stands for input bus 0, as hosts may use it for connections.
  private func isGlobalInput(_ scope: AudioUnitScope) -> Bool {
    scope == kAudioUnitScope_Global && !definition.inputs.isEmpty
  }

  static let pointerSize = unsafe UInt32(MemoryLayout<UnsafeRawPointer>.size)

  /// Properties whose element is a parameter id or whose value names a parameter.
  static let elementIsParameter: Set<AudioUnitPropertyID> = [
    kAudioUnitProperty_ParameterInfo, kAudioUnitProperty_ParameterValueStrings,
    kAudioUnitProperty_ParameterStringFromValue, kAudioUnitProperty_ParameterValueFromString,
    kAudioUnitProperty_ParameterClumpName, kAuricleProperty_ParameterSymbol,
    kAuricleProperty_ParameterValuePoints,
  ]

  /// Properties whose value carries a question to the unit and its answer back.
  static let valueNamesParameter: Set<AudioUnitPropertyID> = [
    kAudioUnitProperty_ParameterStringFromValue, kAudioUnitProperty_ParameterValueFromString,
    kAudioUnitProperty_ParameterClumpName,
  ]

  private static let globalProperties: Set<AudioUnitPropertyID> = [
    kAudioUnitProperty_ClassInfo, kAudioUnitProperty_Latency, kAudioUnitProperty_TailTime,
    kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitProperty_SupportedNumChannels,
    kAudioUnitProperty_BypassEffect, kAudioUnitProperty_LastRenderError,
    kAudioUnitProperty_FactoryPresets, kAudioUnitProperty_PresentPreset,
    kAudioUnitProperty_InPlaceProcessing, kAudioUnitProperty_OfflineRender,
    kAudioUnitProperty_LastRenderSampleTime, kAuricleProperty_FailureReason,
    kAudioUnitProperty_HostCallbacks, kAudioUnitProperty_MIDIOutputCallback,
    kAudioUnitProperty_MIDIOutputCallbackInfo, kMusicDeviceProperty_InstrumentCount,
    kMusicDeviceProperty_SupportsStartStopNote,
  ]

  private func globalInfo(_ id: AudioUnitPropertyID) -> PropertyInfo {
    switch id {
    case kAudioUnitProperty_ClassInfo: PropertyInfo(size: Self.pointerSize, isWritable: true)
    case kAudioUnitProperty_Latency: PropertyInfo(size: 8)
    case kAudioUnitProperty_TailTime:
      unsafe procedures.tailSeconds(kernel) == nil
        ? .error(kAudioUnitErr_InvalidProperty) : PropertyInfo(size: 8)
    case kAudioUnitProperty_MaximumFramesPerSlice: PropertyInfo(size: 4, isWritable: true)
    case kAudioUnitProperty_SupportedNumChannels:
      if let capabilities = definition.channelCapabilities {
        PropertyInfo(size: UInt32(capabilities.count * MemoryLayout<AUChannelInfo>.size))
      } else {
        .error(kAudioUnitErr_InvalidProperty)
      }
    case kAudioUnitProperty_BypassEffect:
      definition.inputs.isEmpty || definition.kernelPullsInputs
        ? .error(kAudioUnitErr_InvalidProperty) : PropertyInfo(size: 4, isWritable: true)
    case kAudioUnitProperty_LastRenderError: PropertyInfo(size: 4)
    case kAudioUnitProperty_LastRenderSampleTime: PropertyInfo(size: 8)
    case kAudioUnitProperty_FactoryPresets:
      definition.factoryPresets.isEmpty
        ? .error(kAudioUnitErr_InvalidProperty) : PropertyInfo(size: Self.pointerSize)
    case kAudioUnitProperty_PresentPreset:
      unsafe PropertyInfo(size: UInt32(MemoryLayout<AUPreset>.size), isWritable: true)
    case kAudioUnitProperty_InPlaceProcessing: PropertyInfo(size: 4)
    case kAudioUnitProperty_OfflineRender: PropertyInfo(size: 4, isWritable: true)
    case kAuricleProperty_FailureReason: PropertyInfo(size: Self.pointerSize)
    default: hostPropertyInfo(id) ?? .error(kAudioUnitErr_InvalidProperty)
    }
  }

  /// Copies a property's value; `data` has room for the size that `info` gives.
  func read(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ data: UnsafeMutableRawPointer
  ) -> OSStatus {
    if Self.elementIsParameter.contains(id) {
      return unsafe readParameterProperty(id, scope, element, data)
    }
    if let custom = definition.properties.first(where: { $0.id == id && $0.scope == scope }) {
      return unsafe custom.read(self, element, data)
    }
    switch id {
    case kAudioUnitProperty_StreamFormat:
      return unsafe put(format(scope, element), data)
    case kAudioUnitProperty_SampleRate:
      return unsafe put(format(scope, element).mSampleRate, data)
    case kAudioUnitProperty_ElementCount:
      return unsafe put(UInt32(elementCount(scope) ?? 0), data)
    case kAudioUnitProperty_ElementName:
      return unsafe put(makeCFString(elementName(scope, element)), data)
    case kAudioUnitProperty_ParameterList:
      for (place, parameter) in parameters(of: scope).enumerated() {
        unsafe data.storeBytes(of: parameter.id, toByteOffset: place * 4, as: UInt32.self)
      }
      return 0
    case kAudioUnitProperty_ClassInfo:
      let (status, state) = unsafe makeClassInfo()
      return status == 0 ? unsafe put(state, data) : status
    case kAudioUnitProperty_Latency:
      return unsafe put(procedures.latencyFrames(kernel) / sampleRate, data)
    case kAudioUnitProperty_TailTime:
      return unsafe put(procedures.tailSeconds(kernel) ?? 0, data)
    case kAudioUnitProperty_MaximumFramesPerSlice: return unsafe put(maximumFrames, data)
    case kAudioUnitProperty_SupportedNumChannels:
      for (place, pair) in (definition.channelCapabilities ?? []).enumerated() {
        unsafe data.storeBytes(
          of: AUChannelInfo(inChannels: pair.inputs, outChannels: pair.outputs),
          toByteOffset: place * MemoryLayout<AUChannelInfo>.stride, as: AUChannelInfo.self)
      }
      return 0
    case kAudioUnitProperty_BypassEffect:
      let isBypassed = unsafe render.pointee.isBypassed.load(ordering: .relaxed)
      return unsafe put(UInt32(isBypassed ? 1 : 0), data)
    case kAudioUnitProperty_LastRenderError:
      return unsafe put(render.pointee.lastError.exchange(0, ordering: .relaxed), data)
    case kAudioUnitProperty_LastRenderSampleTime:
      return unsafe put(render.pointee.lastSampleTime.load(ordering: .relaxed), data)
    case kAudioUnitProperty_FactoryPresets: return unsafe put(factoryPresetArray(), data)
    case kAudioUnitProperty_PresentPreset:
      return unsafe put(
        AUPreset(presetNumber: presentPreset.number, presetName: makeCFString(presentPreset.name)),
        data)
    case kAudioUnitProperty_InPlaceProcessing:
      return unsafe put(UInt32(definition.processesInPlace ? 1 : 0), data)
    case kAudioUnitProperty_OfflineRender: return unsafe put(isOffline, data)
    case kAuricleProperty_FailureReason: return unsafe put(makeCFString(failureReason), data)
    default: return unsafe readHostProperty(id, data)
    }
  }

  /// Sets a property; `size` bytes at `data`.
  func write(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ data: UnsafeRawPointer?, _ size: UInt32
  ) -> OSStatus {
    let info = info(id, scope, element)
    guard info.status == 0 else { return info.status }
    guard info.isWritable else { return kAudioUnitErr_PropertyNotWritable }
    // No data of size 0 asks to remove a value; only one of the two is a mistake.
    guard unsafe (data == nil) == (size == 0) else { return kAudio_ParamError }
    if let custom = definition.properties.first(where: { $0.id == id && $0.scope == scope }) {
      let status = unsafe custom.write(self, element, data, size)
      if status == 0 { propertyChanged(id, scope: scope, element: element) }
      return status
    }
    if let status = unsafe writeHostProperty(id, data, size) {
      if status == 0 { propertyChanged(id, scope: scope, element: element) }
      return status
    }
    guard let data = unsafe data else {
      guard id == kAudioUnitProperty_ElementName else { return kAudio_ParamError }
      setElementName(scope, element, nil)
      propertyChanged(id, scope: scope, element: element)
      return 0
    }
    switch id {
    case kAudioUnitProperty_ElementCount:
      guard let count = unsafe take(UInt32.self, data, size) else {
        return kAudioUnitErr_InvalidPropertyValue
      }
      return setElementCount(count, of: scope)
    case kAudioUnitProperty_ElementName:
      guard let name = unsafe take(CFStringRef?.self, data, size) else {
        return kAudioUnitErr_InvalidPropertyValue
      }
      setElementName(scope, element, unsafe String(cfString: name))
    case kAudioUnitProperty_StreamFormat:
      return unsafe setFormat(scope, element, data, size)
    case kAudioUnitProperty_SampleRate:
      guard let rate = unsafe take(Float64.self, data, size) else {
        return kAudioUnitErr_InvalidPropertyValue
      }
      return setSampleRate(scope, element, rate)
    case kAudioUnitProperty_MaximumFramesPerSlice:
      guard let frames = unsafe take(UInt32.self, data, size), frames > 0, frames <= 1 << 24 else {
        return kAudioUnitErr_InvalidPropertyValue
      }
      guard !isInitialized else { return kAudioUnitErr_Initialized }
      maximumFrames = frames
    case kAudioUnitProperty_MakeConnection:
      guard let connection = unsafe take(AudioUnitConnection.self, data, size) else {
        return kAudioUnitErr_InvalidPropertyValue
      }
      return unsafe connect(scope, connection)
    case kAudioUnitProperty_SetRenderCallback:
      guard let callback = unsafe take(AURenderCallbackStruct.self, data, size) else {
        return kAudioUnitErr_InvalidPropertyValue
      }
      return unsafe setCallback(element, callback)
    case kAudioUnitProperty_BypassEffect:
      guard let value = unsafe take(UInt32.self, data, size) else {
        return kAudioUnitErr_InvalidPropertyValue
      }
      unsafe render.pointee.isBypassed.store(value != 0, ordering: .relaxed)
    case kAudioUnitProperty_OfflineRender:
      guard let value = unsafe take(UInt32.self, data, size) else {
        return kAudioUnitErr_InvalidPropertyValue
      }
      isOffline = value
    case kAudioUnitProperty_PresentPreset:
      guard let preset = unsafe take(AUPreset.self, data, size) else {
        return kAudioUnitErr_InvalidPropertyValue
      }
      return unsafe setPresentPreset(preset)
    case kAudioUnitProperty_ClassInfo:
      guard let state = unsafe take(CFDictionaryRef?.self, data, size) else {
        return kAudioUnitErr_InvalidPropertyValue
      }
      return unsafe restoreClassInfo(state)
    default: return kAudioUnitErr_PropertyNotWritable
    }
    propertyChanged(id, scope: scope, element: element)
    return 0
  }

  /// Stores a value.
  func put<Value>(_ value: Value, _ data: UnsafeMutableRawPointer) -> OSStatus {
    unsafe data.initializeMemory(as: Value.self, to: value)
    return 0
  }

  /// Loads a value of exactly its size.
  func take<Value>(_ type: Value.Type, _ data: UnsafeRawPointer, _ size: UInt32) -> Value? {
    guard Int(size) == MemoryLayout<Value>.size else { return nil }
    return unsafe data.loadUnaligned(as: Value.self)
  }
}
