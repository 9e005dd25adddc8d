// Parameters of a plug-in as parameters of a unit.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
internal import CAudioToolbox
internal import CForeignPlugIns
internal import ForeignPlugIns

extension CLAPParameter {
  func has(_ flag: some BinaryInteger) -> Bool { flags & UInt32(flag) != 0 }

  var isMeter: Bool { has(kCLAPParameter_ReadOnly) }

  /// The range in single precision, in order; 0 to 1 where it is no range.
  var range: ClosedRange<Float> {
    let (low, high) = (Float(minimum), Float(maximum))
    guard low.isFinite, high.isFinite else { return 0...1 }
    return min(low, high)...max(low, high)
  }

  /// The defect of the range, as the end of a sentence; nil without one.
  var rangeDefect: String? {
    if !Float(minimum).isFinite || !Float(maximum).isFinite {
      return "has a bound that is no number"
    }
    if minimum > maximum { return "has an inverted range, \(minimum) to \(maximum)" }
    if minimum == maximum, !isMeter { return "has an empty range, \(minimum) to \(maximum)" }
    return !(minimum...maximum).contains(defaultValue)
      ? "has a default \(defaultValue) beyond its range, \(minimum) to \(maximum)" : nil
  }

  /// The parameter for hosts.
  func definition(clumpID: UInt32) -> ParameterDefinition {
    let range = range
    let unit = unitOfMeasure
    var definition = ParameterDefinition(
      id: id, name: name.isEmpty ? "Parameter \(id)" : name, unit: unit, range: range,
      defaultValue: Float(initialValue), isMeter: isMeter,
      isNonRealtime: !has(kCLAPParameter_Automatable), isExpert: has(kCLAPParameter_Hidden),
      valueNames: valueNames.count == Int(range.upperBound - range.lowerBound) + 1
        ? valueNames : [], clumpID: clumpID)
    // Ramps are events of one slice.
    definition.isRampedByKernel = !isMeter
    return definition
  }

  private var unitOfMeasure: UInt32 {
    if has(kCLAPParameter_Stepped) {
      let isSwitch = minimum == 0 && maximum == 1 && valueNames.isEmpty
      return isSwitch ? kAudioUnitParameterUnit_Boolean : kAudioUnitParameterUnit_Indexed
    }
    let suffix = text.drop { $0.isNumber || "+-., ".contains($0) }
    return PlugInUnits.code(of: String(suffix)) ?? kAudioUnitParameterUnit_Generic
  }
}

extension CLAPDescription {
  /// The unit's parameters, and the names of their groups.
  var definitions: (parameters: [ParameterDefinition], clumpNames: [UInt32: String]) {
    var clumps: [String] = []
    let definitions = parameters.map { parameter -> ParameterDefinition in
      guard !parameter.module.isEmpty else { return parameter.definition(clumpID: 0) }
      if !clumps.contains(parameter.module) { clumps.append(parameter.module) }
      return parameter.definition(
        clumpID: UInt32((clumps.firstIndex(of: parameter.module) ?? 0) + 1))
    }
    var names: [UInt32: String] = [:]
    for (index, name) in clumps.enumerated() { names[UInt32(index + 1)] = name }
    return (definitions, names)
  }

  /// The defects of parameters, a sentence each.
  var remarks: [String] {
    parameters.compactMap { parameter in
      parameter.rangeDefect.map { "its parameter \(parameter.id) \"\(parameter.name)\" \($0)" }
    }
  }
}
