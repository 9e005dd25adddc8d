// The properties of version 2 of a unit that a program wrote.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A property's value: bytes, or an object that the reader releases.
enum PlugInValue {
  case bytes([UInt8], isWritable: Bool)
  case object(AnyObject, isWritable: Bool)

  static func number<Value: BitwiseCopyable>(_ value: Value, isWritable: Bool = false)
    -> PlugInValue
  {
    .bytes(withUnsafeBytes(of: value) { Array($0) }, isWritable: isWritable)
  }
  var size: Int {
    switch self {
    case .bytes(let bytes, _): bytes.count
    case .object: MemoryLayout<UnsafeRawPointer>.size
    }
  }
  var isWritable: Bool {
    switch self {
    case .bytes(_, let isWritable), .object(_, let isWritable): isWritable
    }
  }
}

extension PlugInInstance {
  private func bus(_ scope: AudioUnitScope, _ element: AudioUnitElement) throws(PlugInFailure)
    -> AUAudioUnitBus
  {
    guard let unit else { throw PlugInFailure(kAudioUnitErr_Uninitialized) }
    guard scope == kAudioUnitScope_Input || scope == kAudioUnitScope_Output else {
      throw PlugInFailure(kAudioUnitErr_InvalidScope)
    }
    let busses = scope == kAudioUnitScope_Input ? unit.inputBusses : unit.outputBusses
    guard Int(element) < busses.count else { throw PlugInFailure(kAudioUnitErr_InvalidElement) }
    return busses[Int(element)]
  }
  private func global(_ scope: AudioUnitScope, _ element: AudioUnitElement) throws(PlugInFailure) {
    guard scope == kAudioUnitScope_Global else { throw PlugInFailure(kAudioUnitErr_InvalidScope) }
    guard element == 0 else { throw PlugInFailure(kAudioUnitErr_InvalidElement) }
  }

  /// Bytes of a property of an input that is set and not read; nil for other properties.
  func sizeOfSetting(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) throws(PlugInFailure) -> Int? {
    let sizes = [
      kAudioUnitProperty_SetRenderCallback: MemoryLayout<AURenderCallbackStruct>.size,
      kAudioUnitProperty_MakeConnection: MemoryLayout<AudioUnitConnection>.size,
    ]
    guard let size = sizes[property] else { return nil }
    guard scope == kAudioUnitScope_Input else { throw PlugInFailure(kAudioUnitErr_InvalidScope) }
    _ = try bus(scope, element)
    return size
  }

  /// The value of a property.
  func value(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) throws(PlugInFailure) -> PlugInValue {
    guard let unit else { throw PlugInFailure(kAudioUnitErr_Uninitialized) }
    switch property {
    case kAudioUnitProperty_StreamFormat:
      return .number(try bus(scope, element).format.raw, isWritable: true)
    case kAudioUnitProperty_SampleRate:
      return .number(try bus(scope, element).format.sampleRate, isWritable: true)
    case kAudioUnitProperty_SetRenderCallback, kAudioUnitProperty_MakeConnection:
      guard scope == kAudioUnitScope_Input else { throw PlugInFailure(kAudioUnitErr_InvalidScope) }
      throw PlugInFailure(kAudioUnitErr_InvalidProperty)
    case kAudioUnitProperty_ElementCount:
      switch scope {
      case kAudioUnitScope_Global: return .number(UInt32(1))
      case kAudioUnitScope_Input: return .number(UInt32(unit.inputBusses.count))
      case kAudioUnitScope_Output: return .number(UInt32(unit.outputBusses.count))
      default: return .number(UInt32(0))
      }
    case kAudioUnitProperty_ParameterList:
      guard scope == kAudioUnitScope_Global else { return .bytes([], isWritable: false) }
      return .bytes(
        parameterNumbers.flatMap { number in withUnsafeBytes(of: number) { Array($0) } },
        isWritable: false)
    case kAudioUnitProperty_ParameterInfo:
      guard scope == kAudioUnitScope_Global else { throw PlugInFailure(kAudioUnitErr_InvalidScope) }
      guard let parameter = parameter(element) else {
        throw PlugInFailure(kAudioUnitErr_InvalidParameter)
      }
      return .bytes(information(parameter), isWritable: false)
    case kAudioUnitProperty_ParameterValueStrings:
      guard let strings = parameter(element)?.valueStrings else {
        throw PlugInFailure(kAudioUnitErr_InvalidProperty)
      }
      return .object(NSArray(array: strings.map { $0 as NSString }), isWritable: false)
    default: break
    }
    try global(scope, element)
    switch property {
    case kAudioUnitProperty_ClassInfo:
      return .object(NSDictionary(dictionary: unit.fullState ?? [:]), isWritable: true)
    case kAudioUnitProperty_Latency: return .number(unit.latency)
    case kAudioUnitProperty_TailTime: return .number(unit.tailTime)
    case kAudioUnitProperty_MaximumFramesPerSlice:
      return .number(unit.maximumFramesToRender, isWritable: true)
    case kAudioUnitProperty_BypassEffect:
      return .number(UInt32(unit.shouldBypassEffect ? 1 : 0), isWritable: true)
    case kAudioUnitProperty_OfflineRender:
      return .number(UInt32(unit.isRenderingOffline ? 1 : 0), isWritable: true)
    case kAudioUnitProperty_InPlaceProcessing:
      return .number(UInt32(unit.canProcessInPlace ? 1 : 0))
    case kAudioUnitProperty_LastRenderError: return .number(lastRenderError)
    case kAudioUnitProperty_SupportedNumChannels:
      guard let pairs = unit.channelCapabilities, pairs.count >= 2 else {
        throw PlugInFailure(kAudioUnitErr_InvalidProperty)
      }
      return .bytes(
        pairs.flatMap { number in withUnsafeBytes(of: number.int16Value) { Array($0) } },
        isWritable: false)
    case kAudioUnitProperty_PresentPreset:
      var preset = AUPreset()
      let present = unit.currentPreset
      preset.presetNumber = Int32(clamping: present?.number ?? -1)
      preset.presetName = Unmanaged.passRetained((present?.name ?? "Untitled") as NSString)
      return .number(preset, isWritable: true)
    default: throw PlugInFailure(kAudioUnitErr_InvalidProperty)
    }
  }

  /// The information of a parameter as C has it; the name is the reader's to release.
  private func information(_ parameter: AUParameter) -> [UInt8] {
    var info = AudioUnitParameterInfo()
    withUnsafeMutableBytes(of: &info.name) {
      $0.copyBytes(from: Array(parameter.displayName.utf8.prefix(51)))
    }
    info.cfNameString = Unmanaged.passRetained(parameter.displayName as NSString)
    info.unit = parameter.unit
    info.minValue = parameter.minValue
    info.maxValue = parameter.maxValue
    info.defaultValue = min(max(initialValue(parameter), parameter.minValue), parameter.maxValue)
    info.flags = parameter.flags.union([.flag_HasCFNameString, .flag_CFNameRelease])
    if !info.flags.contains(.flag_IsReadable), !info.flags.contains(.flag_IsWritable) {
      info.flags.formUnion([.flag_IsReadable, .flag_IsWritable])
    }
    if parameter.valueStrings != nil { info.flags.insert(.flag_ValuesHaveStrings) }
    return withUnsafeBytes(of: info) { Array($0) }
  }

  /// Sets a property.
  func set(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ data: UnsafeRawPointer?,
    _ size: Int
  ) throws(PlugInFailure) {
    guard let unit else { throw PlugInFailure(kAudioUnitErr_Uninitialized) }
    func read<Value: BitwiseCopyable>(_ type: Value.Type) throws(PlugInFailure) -> Value {
      guard let data, size >= MemoryLayout<Value>.size else {
        throw PlugInFailure(kAudioUnitErr_InvalidPropertyValue)
      }
      return data.loadUnaligned(as: type)
    }
    switch property {
    case kAudioUnitProperty_StreamFormat:
      try setFormat(bus(scope, element), .auricleMake(read(AudioStreamBasicDescription.self)))
    case kAudioUnitProperty_SampleRate:
      let bus = try bus(scope, element)
      try setFormat(bus, .auricleStandard(read(Double.self), bus.format.channelCount))
    case kAudioUnitProperty_SetRenderCallback, kAudioUnitProperty_MakeConnection:
      guard scope == kAudioUnitScope_Input else { throw PlugInFailure(kAudioUnitErr_InvalidScope) }
      guard Int(element) < unit.inputBusses.count else {
        throw PlugInFailure(kAudioUnitErr_InvalidElement)
      }
      if property == kAudioUnitProperty_SetRenderCallback {
        setCallback(Int(element), try read(AURenderCallbackStruct.self))
      } else {
        setConnection(try read(AudioUnitConnection.self))
      }
    case kAudioUnitProperty_ElementCount:
      let count = try read(UInt32.self)
      let busses = scope == kAudioUnitScope_Input ? unit.inputBusses : unit.outputBusses
      if Int(count) != busses.count, (try? busses.setBusCount(Int(count))) == nil {
        throw PlugInFailure(kAudioUnitErr_PropertyNotWritable)
      }
    case kAudioUnitProperty_ShouldAllocateBuffer:
      try bus(scope, element).shouldAllocateBuffer = read(UInt32.self) != 0
    default:
      try global(scope, element)
      try setGlobal(property, unit, data, size)
    }
    changed(property, scope, element)
  }
  private func setFormat(_ bus: AUAudioUnitBus, _ format: AVAudioFormat) throws(PlugInFailure) {
    let result = Result { try bus.setFormat(format) }
    if case .failure(let error) = result {
      throw PlugInFailure(OSStatus(clamping: (error as NSError).code))
    }
  }
  private func setGlobal(
    _ property: AudioUnitPropertyID, _ unit: AUAudioUnit, _ data: UnsafeRawPointer?, _ size: Int
  ) throws(PlugInFailure) {
    func number() throws(PlugInFailure) -> UInt32 {
      guard let data, size >= 4 else { throw PlugInFailure(kAudioUnitErr_InvalidPropertyValue) }
      return data.loadUnaligned(as: UInt32.self)
    }
    switch property {
    case kAudioUnitProperty_MaximumFramesPerSlice:
      guard !unit.renderResourcesAllocated else { throw PlugInFailure(kAudioUnitErr_Initialized) }
      unit.maximumFramesToRender = try number()
    case kAudioUnitProperty_BypassEffect: unit.shouldBypassEffect = try number() != 0
    case kAudioUnitProperty_OfflineRender: unit.isRenderingOffline = try number() != 0
    case kAudioUnitProperty_MIDIOutputCallback:
      guard let data, size >= MemoryLayout<AUMIDIOutputCallbackStruct>.size else {
        throw PlugInFailure(kAudioUnitErr_InvalidPropertyValue)
      }
      setMIDIOutput(data.loadUnaligned(as: AUMIDIOutputCallbackStruct.self))
    case kAudioUnitProperty_HostCallbacks:
      guard let data, size >= 32 else { throw PlugInFailure(kAudioUnitErr_InvalidPropertyValue) }
      var host = HostCallbackInfo()
      withUnsafeMutableBytes(of: &host) {
        $0.copyMemory(from: UnsafeRawBufferPointer(start: data, count: min(size, $0.count)))
      }
      setHost(host)
    case kAudioUnitProperty_ClassInfo:
      guard let data, size >= 8, let reference = data.loadUnaligned(as: UnsafeRawPointer?.self)
      else {
        throw PlugInFailure(kAudioUnitErr_InvalidPropertyValue)
      }
      let object = Unmanaged<AnyObject>.fromOpaque(reference).takeUnretainedValue()
      guard let state = object as? [String: Any] ?? (object as? NSDictionary) as? [String: Any]
      else {
        throw PlugInFailure(kAudioUnitErr_InvalidPropertyValue)
      }
      unit.fullState = state
    case kAudioUnitProperty_PresentPreset:
      guard let data, size >= MemoryLayout<AUPreset>.size else {
        throw PlugInFailure(kAudioUnitErr_InvalidPropertyValue)
      }
      let raw = data.loadUnaligned(as: AUPreset.self)
      let known = unit.factoryPresets?.first { $0.number == Int(raw.presetNumber) }
      guard raw.presetNumber < 0 || known != nil else {
        throw PlugInFailure(kAudioUnitErr_InvalidPropertyValue)
      }
      let preset = known ?? AUAudioUnitPreset()
      if known == nil {
        preset.number = Int(raw.presetNumber)
        preset.name = raw.presetName.map { String(describing: $0.takeUnretainedValue()) } ?? ""
      }
      unit.currentPreset = preset
    default: throw PlugInFailure(kAudioUnitErr_InvalidProperty)
    }
  }
}

/// The status of a function of a unit that fails.
struct PlugInFailure: Error {
  let status: OSStatus
  init(_ status: OSStatus) { self.status = status }
}
