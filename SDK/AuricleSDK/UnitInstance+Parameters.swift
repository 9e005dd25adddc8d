// Parameters: values, and what a host may ask about them.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import Glibc
import RealtimeSupport

extension UnitInstance {
  /// Value of a parameter. Context: any.
  func parameter(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ value: UnsafeMutablePointer<AudioUnitParameterValue>
  ) -> OSStatus {
    unsafe table.get(id, scope, element, value)
  }

  /// Sets a parameter, brought into its range. Context: any.
  func setParameter(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement, _ value: Float
  ) -> OSStatus {
    table.set(id, scope, element, value)
  }

  /// Sets every parameter that a host can write to its default.
  func setDefaults() {
    for (place, parameter) in definition.parameters.enumerated() where !parameter.isMeter {
      values.setValue(parameter.defaultValue(atSampleRate: sampleRate), at: place)
    }
  }

  /// Takes parameters whose default depends on the sample rate and that still have it to the new one.
  func followSampleRate(from old: Double) {
    guard old != sampleRate else { return }
    table.sampleRate = sampleRate
    for scope in 0..<AudioUnitScope(ParameterTable.scopeCount) {
      for (place, parameter) in parameters(of: scope).enumerated()
      where parameter.isScaledBySampleRate {
        for element in 0..<max(0, table.elementCount(scope))
        where value(scope, element, place) == parameter.defaultValue(atSampleRate: old) {
          setValue(parameter.defaultValue(atSampleRate: sampleRate), scope, element, place)
        }
      }
    }
  }

  func parameterPropertyInfo(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) -> PropertyInfo {
    switch id {
    case kAudioUnitProperty_ParameterStringFromValue:
      return unsafe PropertyInfo(size: UInt32(MemoryLayout<AudioUnitParameterStringFromValue>.size))
    case kAudioUnitProperty_ParameterValueFromString:
      return unsafe PropertyInfo(size: UInt32(MemoryLayout<AudioUnitParameterValueFromString>.size))
    case kAudioUnitProperty_ParameterClumpName:
      return unsafe definition.clumpNames.isEmpty
        ? .error(kAudioUnitErr_InvalidProperty)
        : PropertyInfo(size: UInt32(MemoryLayout<AudioUnitParameterNameInfo>.size))
    default: break
    }
    guard let parameter = parameterDefinition(element, scope) else {
      return .error(kAudioUnitErr_InvalidParameter)
    }
    switch id {
    case kAudioUnitProperty_ParameterInfo:
      return unsafe PropertyInfo(size: UInt32(MemoryLayout<AudioUnitParameterInfo>.size))
    case kAudioUnitProperty_ParameterValueStrings:
      return parameter.valueNames.isEmpty
        ? .error(kAudioUnitErr_PropertyNotInUse) : PropertyInfo(size: Self.pointerSize)
    case kAuricleProperty_ParameterSymbol:
      return parameter.symbol == nil
        ? .error(kAudioUnitErr_PropertyNotInUse) : PropertyInfo(size: Self.pointerSize)
    case kAuricleProperty_ParameterValuePoints:
      let size = unsafe parameter.valuePoints.count * MemoryLayout<AuricleValuePoint>.stride
      return size == 0
        ? .error(kAudioUnitErr_PropertyNotInUse) : PropertyInfo(size: UInt32(size))
    default: return .error(kAudioUnitErr_InvalidProperty)
    }
  }

  func readParameterProperty(
    _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ data: UnsafeMutableRawPointer
  ) -> OSStatus {
    switch id {
    case kAudioUnitProperty_ParameterStringFromValue:
      let request = unsafe data.assumingMemoryBound(to: AudioUnitParameterStringFromValue.self)
      guard let parameter = unsafe parameterDefinition(request.pointee.inParamID, scope) else {
        return kAudioUnitErr_InvalidParameter
      }
      var present: Float = 0
      _ = unsafe self.parameter(parameter.id, scope, element, &present)
      let value = unsafe request.pointee.inValue?.pointee ?? present
      unsafe request.pointee.outString = makeCFString(text(of: value, parameter))
      return 0
    case kAudioUnitProperty_ParameterValueFromString:
      let request = unsafe data.assumingMemoryBound(to: AudioUnitParameterValueFromString.self)
      guard let parameter = unsafe parameterDefinition(request.pointee.inParamID, scope) else {
        return kAudioUnitErr_InvalidParameter
      }
      guard let string = unsafe String(cfString: request.pointee.inString),
        let value = value(of: string, parameter)
      else { return kAudioUnitErr_InvalidParameterValue }
      unsafe request.pointee.outValue = value
      return 0
    case kAudioUnitProperty_ParameterClumpName:
      let request = unsafe data.assumingMemoryBound(to: AudioUnitParameterNameInfo.self)
      guard let name = unsafe definition.clumpNames[request.pointee.inID] else {
        return kAudioUnitErr_InvalidPropertyValue
      }
      unsafe request.pointee.outName = makeCFString(name)
      return 0
    default: break
    }
    guard let parameter = parameterDefinition(element, scope) else {
      return kAudioUnitErr_InvalidParameter
    }
    switch id {
    case kAudioUnitProperty_ParameterInfo: return unsafe put(info(of: parameter), data)
    case kAudioUnitProperty_ParameterValueStrings:
      return unsafe put(makeCFArray(parameter.valueNames), data)
    case kAuricleProperty_ParameterSymbol:
      return unsafe put(makeCFString(parameter.symbol ?? ""), data)
    case kAuricleProperty_ParameterValuePoints:
      let points = unsafe data.assumingMemoryBound(to: AuricleValuePoint.self)
      for (index, point) in parameter.valuePoints.enumerated() {
        unsafe (points + index).initialize(
          to: AuricleValuePoint(value: point.value, name: makeCFString(point.name)))
      }
      return 0
    default: return kAudioUnitErr_InvalidProperty
    }
  }

  /// The C description of a parameter; its strings belong to the instance.
  private func info(of parameter: ParameterDefinition) -> AudioUnitParameterInfo {
    var info = unsafe AudioUnitParameterInfo()
    unsafe withUnsafeMutableBytes(of: &info.name) { (bytes) in
      // At most 51 bytes and whole characters.
      var length = 0
      for character in parameter.name {
        let utf8 = Array(String(character).utf8)
        guard length + utf8.count < bytes.count else { break }
        for byte in utf8 {
          unsafe bytes[length] = byte
          length += 1
        }
      }
    }
    unsafe info.cfNameString = names.string(parameter.name)
    if let unitName = parameter.unitName { unsafe info.unitName = names.string(unitName) }
    unsafe info.unit = parameter.unit
    unsafe info.minValue = parameter.minimum(atSampleRate: sampleRate)
    unsafe info.maxValue = parameter.maximum(atSampleRate: sampleRate)
    unsafe info.defaultValue = parameter.defaultValue(atSampleRate: sampleRate)
    unsafe info.clumpID = parameter.clumpID
    unsafe info.flags = parameter.flags
    return unsafe info
  }

  /// A value as a person reads it.
  private func text(of value: Float, _ parameter: ParameterDefinition) -> String {
    // A host may ask for any value: one that is no number, or beyond all integers, has no name.
    if let index = Int(exactly: (value - parameter.minimum).rounded()),
      parameter.valueNames.indices.contains(index)
    {
      return parameter.valueNames[index]
    }
    if let point = parameter.valuePoints.first(where: { $0.value == value }) { return point.name }
    return "\(value)"
  }

  /// The value that a text names: a value name of any case, or a number.
  private func value(of text: String, _ parameter: ParameterDefinition) -> Float? {
    let wanted = text.lowercased()
    if let index = parameter.valueNames.firstIndex(where: { $0.lowercased() == wanted }) {
      return parameter.minimum + Float(index)
    }
    if let point = parameter.valuePoints.first(where: { $0.name.lowercased() == wanted }) {
      return point.value
    }
    guard let number = text.split(separator: " ").first.flatMap({ Float($0) }) else { return nil }
    let least = parameter.minimum(atSampleRate: sampleRate)
    return min(max(number, least), parameter.maximum(atSampleRate: sampleRate))
  }
}
