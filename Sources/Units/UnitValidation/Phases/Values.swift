// Values of parameters: they can be set, they stay, and they change nothing else.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

extension UnitValidation {
  /// Sets every parameter to the ends of its range, alone and with the others.
  func checkValues() throws(AuricleError) {
    let parameters = settable(of: unit).filter { $0.minimum < $0.maximum }
    // Neither of two defaults is known to be right when the reported one is none.
    for parameter in parameters where !isBroken(.parameterDefault) {
      guard let value = value(of: parameter, in: unit) else { continue }
      expect(
        isNear(value, parameter.defaultValue, parameter), .parameterInitial,
        "\(parameter.id), \"\(parameter.name)\", is \(value) in a fresh unit, and its default is "
          + "\(parameter.defaultValue)",
        [.value("found", value), .value("default", parameter.defaultValue)])
    }
    for parameter in parameters { checkSetting(parameter) }
    checkOthers(parameters)
    try checkStaying(parameters)
  }

  private func isNear(_ value: Float, _ other: Float, _ parameter: UnitParameter) -> Bool {
    abs(value - other) <= 1e-3 * (parameter.maximum - parameter.minimum)
  }

  /// A value beside the default.
  private func otherValue(_ parameter: UnitParameter) -> Float {
    parameter.defaultValue == parameter.minimum ? parameter.maximum : parameter.minimum
  }

  private func checkSetting(_ parameter: UnitParameter) {
    let place = "\(parameter.id), \"\(parameter.name)\","
    var values = [parameter.minimum, parameter.maximum]
    if (parameter.minimum...parameter.maximum).contains(parameter.defaultValue) {
      values.append(parameter.defaultValue)
    }
    for value in values {
      let seen: [UnitFault.Evidence] = [
        .count("parameter", Int(parameter.id)), .value("value", value),
      ]
      do throws(AuricleError) {
        try unit.setParameter(parameter.id, value, scope: parameter.scope)
        let kept = try unit.parameter(parameter.id, scope: parameter.scope, element: 0)
        guard
          expect(
            kept.isFinite, .parameterFinite, "\(place) was set to \(value), and is \(kept)", seen)
        else { return }
        expect(
          isNear(kept, value, parameter), .parameterValue,
          "\(place) was set to \(value), and is \(kept)", seen + [.value("found", kept)])
      } catch {
        return fault(.parameterSet, "\(place) cannot be set to \(value): \(error.message)", seen)
      }
    }
  }

  /// A parameter that changes others has a flag that says so.
  private func checkOthers(_ parameters: [UnitParameter]) {
    let flags = kAudioUnitParameterFlag_IsGlobalMeta | kAudioUnitParameterFlag_IsElementMeta
    // Each is compared with each.
    let compared = parameters.prefix(100)
    for parameter in compared where parameter.flags & flags == 0 {
      let before = compared.map { value(of: $0, in: unit) }
      try? unit.setParameter(parameter.id, otherValue(parameter), scope: parameter.scope)
      for (other, value) in zip(compared, before)
      where (other.id, other.scope) != (parameter.id, parameter.scope) {
        let now = self.value(of: other, in: unit)
        expect(
          now == value, .meta,
          "\(parameter.id), \"\(parameter.name)\", changes \(other.id), without a flag that declares it",
          [
            .count("parameter", Int(parameter.id)), .count("changed", Int(other.id)),
            .value("before", value ?? .nan), .value("after", now ?? .nan),
          ])
      }
      try? unit.setParameter(parameter.id, parameter.defaultValue, scope: parameter.scope)
    }
  }

  /// Values stay over Initialize and Reset.
  private func checkStaying(_ parameters: [UnitParameter]) throws(AuricleError) {
    for parameter in parameters {
      try? unit.setParameter(parameter.id, otherValue(parameter), scope: parameter.scope)
    }
    let values = parameters.map { value(of: $0, in: unit) }
    try unit.initialize()
    compare(parameters, with: values, .keptByInitialize, "Initialize")
    // Changes by Initialize are no fault of Reset.
    let now = parameters.map { value(of: $0, in: unit) }
    do throws(AuricleError) {
      try unit.reset()
    } catch {
      return fault(.reset, "it cannot be reset: \(error.message)")
    }
    compare(parameters, with: now, .keptByReset, "Reset")
  }

  private func compare(
    _ parameters: [UnitParameter], with values: [Float?], _ check: ValidationCheck, _ step: String
  ) {
    for (parameter, value) in zip(parameters, values) {
      let now = self.value(of: parameter, in: unit)
      expect(
        now == value, check,
        "\(parameter.id), \"\(parameter.name)\", was \(value ?? .nan) before \(step), and is "
          + "\(now ?? .nan) after it",
        [.value("before", value ?? .nan), .value("after", now ?? .nan)])
    }
  }
}
