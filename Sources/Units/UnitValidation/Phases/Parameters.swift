// Parameters: their information, and the texts of their values.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

extension UnitValidation {
  /// The most parameters of a scope that are gone through.
  private static let limit = 1000

  private static let scopes = [
    kAudioUnitScope_Global, kAudioUnitScope_Input, kAudioUnitScope_Output,
  ]

  /// Checks the parameter information of the unit and its first elements.
  func checkParameters() {
    for scope in Self.scopes {
      guard
        let ids = try? unit.propertyArray(
          kAudioUnitProperty_ParameterList, scope: scope, of: AudioUnitParameterID.self)
      else { continue }
      let twice = Dictionary(grouping: ids) { $0 }.filter { $1.count > 1 }.keys.sorted()
      expect(
        twice.isEmpty, .parameterList,
        "scope \(scope) lists parameter \(twice.map { "\($0)" }.joined(separator: ", ")) twice",
        twice.map { UnitFault.Evidence.count("parameter", Int($0)) })
      for id in ids.prefix(Self.limit) {
        do throws(AuricleError) {
          let parameter = try unit.parameterInfo(id, scope: scope)
          checkDescription(parameter)
          checkTexts(parameter)
        } catch {
          fault(
            .parameterInfo,
            "\(id) of scope \(scope) is listed and not described: \(error.message)",
            [.count("parameter", Int(id)), .count("scope", Int(scope))])
        }
      }
    }
  }

  /// The parameters of a unit that can be set and read.
  func settable(of unit: AudioUnit) -> [UnitParameter] {
    Self.scopes.flatMap { scope in
      let ids =
        (try? unit.propertyArray(
          kAudioUnitProperty_ParameterList, scope: scope, of: AudioUnitParameterID.self)) ?? []
      return ids.prefix(Self.limit).compactMap { try? unit.parameterInfo($0, scope: scope) }
    }.filter { $0.isWritable && $0.isReadable && !$0.isMeter && $0.minimum <= $0.maximum }
  }

  func value(of parameter: UnitParameter, in unit: AudioUnit) -> Float? {
    try? unit.parameter(parameter.id, scope: parameter.scope, element: 0)
  }

  /// Sets parameters to values by chance.
  func setAny(
    _ parameters: [UnitParameter], of unit: AudioUnit, _ random: inout ValidationRandom
  ) {
    for parameter in parameters where parameter.minimum < parameter.maximum {
      var value = Float.random(in: parameter.minimum...parameter.maximum, using: &random)
      if parameter.isIndexed { value = value.rounded(.down) }
      try? unit.setParameter(parameter.id, value, scope: parameter.scope)
    }
  }

  private func checkDescription(_ parameter: UnitParameter) {
    let place = "\(parameter.id) of scope \(parameter.scope), \"\(parameter.name)\","
    let seen: [UnitFault.Evidence] = [
      .count("parameter", Int(parameter.id)), .value("minimum", parameter.minimum),
      .value("maximum", parameter.maximum), .value("default", parameter.defaultValue),
    ]
    // The placeholder of a missing name: see `AudioUnit.parameterInfo`.
    expect(
      parameter.name != "parameter \(parameter.id)", .parameterName, "\(place) has no name", seen)
    let isRange =
      parameter.minimum.isFinite && parameter.maximum.isFinite
      && parameter.minimum < parameter.maximum
    expect(
      isRange, .parameterRange, "\(place) goes from \(parameter.minimum) to \(parameter.maximum)",
      seen)
    guard parameter.minimum <= parameter.maximum, !parameter.isMeter else { return }
    expect(
      (parameter.minimum...parameter.maximum).contains(parameter.defaultValue),
      .parameterDefault,
      "the default of \(place) is \(parameter.defaultValue), outside its range", seen)
    guard isRange, parameter.unit == kAudioUnitParameterUnit_Indexed,
      let names = parameter.valueNames
    else { return }
    let steps = Int((parameter.maximum - parameter.minimum).rounded()) + 1
    expect(
      names.count == steps, .valueNames, "\(place) has \(names.count) names for \(steps) values",
      seen + [.count("names", names.count)])
  }

  /// Checks that the unit reads its text of a value as that value, to the digits written; clumps have names.
  private func checkTexts(_ parameter: UnitParameter) {
    let place = "\(parameter.id), \"\(parameter.name)\","
    let flag = parameter.flags & kAudioUnitParameterFlag_HasClump
    if flag != 0 {
      expect(parameter.clumpName?.isEmpty == false, .clump, "\(place) is in a group with no name")
    }
    guard parameter.minimum < parameter.maximum else { return }
    for value in Set([parameter.minimum, parameter.defaultValue, parameter.maximum]).sorted() {
      guard let text = unit.text(ofParameter: parameter.id, value: value, scope: parameter.scope)
      else { continue }
      expect(
        !text.isEmpty, .text, "\(place) writes nothing for \(value)", [.value("value", value)])
      guard !text.isEmpty,
        let read = unit.value(ofParameter: parameter.id, text: text, scope: parameter.scope)
      else { continue }
      let again = unit.text(ofParameter: parameter.id, value: read, scope: parameter.scope)
      expect(
        again == text, .textRead,
        "\(place) writes \"\(text)\" for \(value), and reads \(read) in it",
        [.value("value", value), .value("read", read)])
    }
  }
}
