// Parameters: values and descriptions.
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

  /// Sets a parameter, clamped to its range. Context: any.
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

  /// Updates parameters that still have a default that depends on the sample rate.
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

  /// Returns the C description of a parameter; its strings belong to the instance.
  func info(of parameter: ParameterDefinition) -> AudioUnitParameterInfo {
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

  /// Returns a value as text.
  func text(of value: Float, _ parameter: ParameterDefinition) -> String {
    if let text = definition.parameterText?(self, parameter.id, value) { return text }
    // A host may pass any value: NaN, or one beyond all integers, has no name.
    if let index = Int(exactly: (value - parameter.minimum).rounded()),
      parameter.valueNames.indices.contains(index)
    {
      return parameter.valueNames[index]
    }
    if let point = parameter.valuePoints.first(where: { $0.value == value }) { return point.name }
    return "\(value)"
  }

  /// Returns the value of a text: a value name in any case, or a number.
  func value(of text: String, _ parameter: ParameterDefinition) -> Float? {
    let wanted = text.lowercased()
    if let index = parameter.valueNames.firstIndex(where: { $0.lowercased() == wanted }) {
      return parameter.minimum + Float(index)
    }
    if let point = parameter.valuePoints.first(where: { $0.name.lowercased() == wanted }) {
      return point.value
    }
    if let value = definition.parameterValue?(self, parameter.id, text) {
      return ParameterEntry(parameter, place: 0).bounded(value, atSampleRate: sampleRate)
    }
    guard let number = Self.number(in: text, unit: parameter.unit) else { return nil }
    return ParameterEntry(parameter, place: 0).bounded(Float(number), atSampleRate: sampleRate)
  }

  /// Returns the number at the start of a text, in a parameter's unit: a text may have another unit of
  /// its kind, "250 ms" of a parameter in seconds.
  private static func number(in text: String, unit: AudioUnitParameterUnit) -> Double? {
    var digits = text.drop { $0 == " " }
    while !digits.isEmpty, Double(digits) == nil { digits.removeLast() }
    guard let number = Double(digits), !number.isNaN else { return nil }
    let suffix = text[digits.endIndex...].drop { $0 == " " }.lowercased().prefix { $0 != " " }
    switch (unit, suffix) {
    case (kAudioUnitParameterUnit_Seconds, "ms"), (kAudioUnitParameterUnit_Milliseconds, "us"),
      (kAudioUnitParameterUnit_Milliseconds, "µs"):
      return number / 1000
    case (kAudioUnitParameterUnit_Seconds, "us"), (kAudioUnitParameterUnit_Seconds, "µs"):
      return number / 1_000_000
    case (kAudioUnitParameterUnit_Seconds, "min"): return number * 60
    case (kAudioUnitParameterUnit_Milliseconds, "s"), (kAudioUnitParameterUnit_Hertz, "khz"),
      (kAudioUnitParameterUnit_Hertz, "k"):
      return number * 1000
    case (kAudioUnitParameterUnit_LinearGain, "db"): return RealtimeMath.gain(decibels: number)
    default: return number
    }
  }
}
