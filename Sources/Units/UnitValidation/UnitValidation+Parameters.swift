// Parameters: what is told of them, values that are set, and that they stay.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

extension UnitValidation {
  /// The most parameters that are gone through.
  private static let limit = 1000

  /// Checks all parameters of the unit and of its first elements.
  mutating func checkParameters() {
    var settable: [UnitParameter] = []
    for scope in [kAudioUnitScope_Global, kAudioUnitScope_Input, kAudioUnitScope_Output] {
      guard
        let ids = try? unit.propertyArray(
          kAudioUnitProperty_ParameterList, scope: scope, of: AudioUnitParameterID.self)
      else { continue }
      expect(Set(ids).count == ids.count, "parameters", "scope \(scope) lists a parameter twice")
      for id in ids.prefix(Self.limit) {
        do throws(AuricleError) {
          let parameter = try unit.parameterInfo(id, scope: scope)
          checkDescription(parameter)
          checkTexts(parameter)
          if parameter.isWritable, parameter.isReadable, !parameter.isMeter {
            settable.append(parameter)
          }
        } catch {
          fault(
            "parameters", "\(id) of scope \(scope) is listed and not described: \(error.message)")
        }
      }
    }
    for parameter in settable { checkSetting(parameter) }
    checkOthers(settable)
    checkStaying(settable)
  }

  private mutating func checkDescription(_ parameter: UnitParameter) {
    let place = "\(parameter.id) of scope \(parameter.scope), \"\(parameter.name)\","
    // What stands for a name that is missing: see `AudioUnit.parameterInfo`.
    expect(
      parameter.name != "parameter \(parameter.id)", "parameters", "\(place) has no name")
    expect(
      parameter.minimum.isFinite && parameter.maximum.isFinite
        && parameter.minimum < parameter.maximum, "parameters",
      "\(place) goes from \(parameter.minimum) to \(parameter.maximum)")
    guard parameter.minimum <= parameter.maximum, !parameter.isMeter else { return }
    expect(
      (parameter.minimum...parameter.maximum).contains(parameter.defaultValue), "parameters",
      "the default of \(place) is \(parameter.defaultValue), outside its range")
    if let names = parameter.valueNames, parameter.isIndexed {
      let steps = Int((parameter.maximum - parameter.minimum).rounded()) + 1
      expect(
        names.count <= steps, "parameters", "\(place) has \(names.count) names for \(steps) values")
    }
  }

  /// A value beside the default.
  private func otherValue(_ parameter: UnitParameter) -> Float {
    parameter.defaultValue == parameter.minimum ? parameter.maximum : parameter.minimum
  }

  private mutating func checkSetting(_ parameter: UnitParameter) {
    for value in [parameter.minimum, parameter.maximum, parameter.defaultValue] {
      do throws(AuricleError) {
        try unit.setParameter(parameter.id, value, scope: parameter.scope)
        let kept = try unit.parameter(parameter.id, scope: parameter.scope, element: 0)
        let place = "\(parameter.id), \"\(parameter.name)\","
        expect(kept.isFinite, "parameters", "\(place) was set and is \(kept)")
        let nearness = 1e-3 * (parameter.maximum - parameter.minimum)
        advise(
          abs(kept - value) <= nearness, "parameters",
          "\(place) was set to \(value), and is \(kept)")
      } catch {
        fault(
          "parameters",
          "\(parameter.id), \"\(parameter.name)\", cannot be set to \(value): \(error.message)")
      }
    }
  }

  /// A parameter that changes others has a flag that says so.
  private mutating func checkOthers(_ parameters: [UnitParameter]) {
    let flags = kAudioUnitParameterFlag_IsGlobalMeta | kAudioUnitParameterFlag_IsElementMeta
    // Each is compared with each.
    let compared = parameters.prefix(100)
    for parameter in compared where parameter.flags & flags == 0 {
      let before = compared.map { value(of: $0) }
      try? unit.setParameter(parameter.id, otherValue(parameter), scope: parameter.scope)
      for (other, value) in zip(compared, before)
      where (other.id, other.scope) != (parameter.id, parameter.scope) {
        expect(
          self.value(of: other) == value, "parameters",
          "\(parameter.id), \"\(parameter.name)\", changes \(other.id), and no flag says so")
      }
      try? unit.setParameter(parameter.id, parameter.defaultValue, scope: parameter.scope)
    }
  }

  /// Values stay over Initialize and Reset.
  private mutating func checkStaying(_ parameters: [UnitParameter]) {
    for parameter in parameters {
      try? unit.setParameter(parameter.id, otherValue(parameter), scope: parameter.scope)
    }
    let values = parameters.map { value(of: $0) }
    for (name, step) in [
      ("Initialize", { (unit: AudioUnit) throws(AuricleError) in try unit.initialize() }),
      ("Reset", { (unit: AudioUnit) throws(AuricleError) in try unit.reset() }),
    ] as [(String, (AudioUnit) throws(AuricleError) -> Void)] {
      do throws(AuricleError) {
        try step(unit)
      } catch {
        return fault("life", "\(name) failed: \(error.message)")
      }
      for (parameter, value) in zip(parameters, values) {
        expect(
          self.value(of: parameter) == value, "parameters",
          "\(parameter.id), \"\(parameter.name)\", did not keep its value over \(name)")
      }
    }
    try? unit.uninitialize()
    for parameter in parameters {
      try? unit.setParameter(parameter.id, parameter.defaultValue, scope: parameter.scope)
    }
  }

  private func value(of parameter: UnitParameter) -> Float? {
    try? unit.parameter(parameter.id, scope: parameter.scope, element: 0)
  }
}
