// Parameters as pages see them: one place makes the text of a value, and reads it.
// SPDX-License-Identifier: Apache-2.0

import AudioUnits
import AuricleHost
import CAudioToolbox
import ChainPresets
import Foundation
import HostSystem

/// The parameters of one unit.
struct ParameterShapes {
  /// The unit as it was described.
  let report: UnitReport
  /// The parameters as settings of presets find them.
  let parameters: [UnitParameter]

  init(_ report: UnitReport) {
    self.report = report
    parameters = report.parameters.map(Self.parameter)
  }

  private static func parameter(_ reported: UnitReport.Parameter) -> UnitParameter {
    UnitParameter(
      id: reported.id, name: reported.name, symbol: reported.symbol,
      unit: reported.measure
        ?? (reported.valueNames.isEmpty
          ? kAudioUnitParameterUnit_Generic : kAudioUnitParameterUnit_Indexed),
      unitName: reported.unit, minimum: reported.minimum, maximum: reported.maximum,
      defaultValue: reported.defaultValue,
      flags: (reported.isWritable ? kAudioUnitParameterFlag_IsWritable : 0)
        | kAudioUnitParameterFlag_IsReadable
        | (reported.isLogarithmic ? kAudioUnitParameterFlag_DisplayLogarithmic : 0),
      valuePoints: reported.valueNames.map { ($0.value, $0.name) }, clumpName: reported.group)
  }

  /// The parameter of a name, symbol or number; nil for none.
  func parameter(named name: String) -> UnitParameter? {
    let wanted = SettingNames.comparable(name)
    return parameters.first { $0.symbol == name } ?? parameters.first { $0.name == name }
      ?? parameters.first { SettingNames.comparable($0.name) == wanted }
      ?? parameters.first { $0.symbol.map(SettingNames.comparable) == wanted }
      ?? UInt32(name).flatMap { id in parameters.first { $0.id == id } }
  }

  /// The name that a preset sets a parameter by: its own where no other has it.
  func key(of parameter: UnitParameter) -> String {
    let name = SettingNames.comparable(parameter.name)
    let isAlone =
      !name.isEmpty && UInt32(parameter.name) == nil
      && parameters.count { SettingNames.comparable($0.name) == name } == 1
      && !parameters.contains {
        $0.id != parameter.id && $0.symbol.map(SettingNames.comparable) == name
      }
    return isAlone ? parameter.name : parameter.symbol ?? "\(parameter.id)"
  }

  /// The text of a value that a page sends, as presets have it.
  ///
  /// - Throws: `PresetErrors` for a name or a value that the unit does not take.
  func spelled(_ name: String, _ value: JSONValue) throws -> JSONValue {
    let written: String
    switch value {
    case .string(let text): written = text
    case .boolean(let isOn): written = isOn ? "true" : "false"
    default:
      guard let number = value.number, number.isFinite else {
        throw StudioFault(.usage, "the value of \(name) is a text, a number, or true or false")
      }
      if let parameter = parameter(named: name), parameter.isWritable {
        let range = parameter.acceptedRange
        let bounded = min(max(Float(number), range.lowerBound), range.upperBound)
        return .string(text(of: parameter, bounded))
      }
      written = ChainText.number(number)
    }
    if report.texts.contains(where: { isSame($0, name) }) { return .string(written) }
    guard report.wasOpened || !parameters.isEmpty else { return .string(written) }
    let setting = ParameterSetting(name: Located(name), value: Located(written))
    let found = try setting.resolved(among: parameters)
    return .string(text(of: found.parameter, found.value))
  }

  /// The value that a written text means for a parameter; nil for what it does not take.
  func value(_ name: String, _ text: String) -> Float? {
    try? ParameterSetting(name: Located(name), value: Located(text)).resolved(among: parameters)
      .value
  }

  private func isSame(_ property: UnitReport.Text, _ name: String) -> Bool {
    property.symbol == name || property.uri == name
      || SettingNames.comparable(property.name) == SettingNames.comparable(name)
  }

  /// The text of a value, which reads back as that value.
  func text(of parameter: UnitParameter, _ value: Float) -> String {
    let text = parameter.text(for: value)
    // A name that two values have, or that reads as another value, would move the parameter.
    let setting = ParameterSetting(
      name: Located("\(parameter.id)"), value: Located(text))
    if let found = try? setting.resolved(among: parameters), found.value == value { return text }
    return ChainText.number(Double(value))
  }

  // MARK: JSON

  /// A parameter as a page sees it.
  func json(_ parameter: UnitParameter, more: [(String, JSONValue?)] = []) -> JSONValue {
    let isSwitch =
      parameter.unit == kAudioUnitParameterUnit_Boolean
      || (parameter.isIndexed && parameter.valuePoints.isEmpty && parameter.minimum == 0
        && parameter.maximum == 1)
    let isList =
      !parameter.valuePoints.isEmpty && (parameter.isIndexed || parameter.unitName.isEmpty)
    let scale =
      isSwitch ? "switch" : isList ? "list" : parameter.isLogarithmic ? "logarithmic" : "linear"
    return .members(
      [
        ("id", JSONValue(Int(parameter.id))), ("name", .string(parameter.name)),
        ("key", .string(key(of: parameter))),
        ("symbol", parameter.symbol.map(JSONValue.string) ?? .null),
        ("group", parameter.clumpName.map(JSONValue.string) ?? .null),
        ("minimum", JSONValue(Double(parameter.minimum))),
        ("maximum", JSONValue(Double(parameter.maximum))),
        ("minimumText", .string(parameter.text(for: parameter.minimum))),
        ("maximumText", .string(parameter.text(for: parameter.maximum))),
        ("default", JSONValue(Double(parameter.defaultValue))),
        ("defaultText", .string(text(of: parameter, parameter.defaultValue))),
        ("unit", .string(parameter.unitName)), ("scale", .string(scale)),
        ("isWritable", .boolean(parameter.isWritable)),
        (
          "values",
          .array(
            parameter.valuePoints.map { point in
              .members([
                ("value", JSONValue(Double(point.value))), ("name", .string(point.name)),
                ("text", .string(text(of: parameter, point.value))),
              ])
            })
        ),
      ] + more)
  }

  /// A setting that is no parameter, as a page sees it.
  static func json(_ property: UnitReport.Text, more: [(String, JSONValue?)] = []) -> JSONValue {
    .members(
      [
        ("name", .string(property.name)), ("key", .string(property.symbol)),
        ("kind", .string(property.kind)),
        ("minimum", property.minimum.map { JSONValue(Double($0)) } ?? .null),
        ("maximum", property.maximum.map { JSONValue(Double($0)) } ?? .null),
        ("unit", property.unit.map(JSONValue.string) ?? .null),
        ("values", property.values.map { .array($0.map(JSONValue.string)) } ?? .null),
        ("default", property.defaultValue.map(JSONValue.string) ?? .null),
        ("isWritable", .boolean(property.isWritable)),
      ] + more)
  }

  /// Where a value lies on its slider, 0 to 1.
  func place(of value: Float, on parameter: UnitParameter) -> Double {
    let (low, high) = (Double(parameter.minimum), Double(parameter.maximum))
    guard high > low else { return 0 }
    let number = min(max(Double(value), low), high)
    if parameter.isLogarithmic, low > 0 {
      return Foundation.log(number / low) / Foundation.log(high / low)
    }
    return (number - low) / (high - low)
  }

  /// The parameters of a stage with their values, those that are not set at their defaults or as its preset has them.
  ///
  /// - Parameter known: Values by number, of a stage whose preset sets them.
  func values(_ stage: UnitStage, known: [UInt32: Float]) -> [JSONValue] {
    var set: [UInt32: Float] = [:]
    for setting in stage.parameters {
      guard let text = setting.value.text,
        let found = try? ParameterSetting(name: Located(setting.name), value: Located(text))
          .resolved(among: parameters)
      else { continue }
      set[found.parameter.id] = found.value
    }
    return parameters.map { parameter in
      let value = set[parameter.id] ?? known[parameter.id] ?? parameter.defaultValue
      return json(
        parameter,
        more: [
          ("value", JSONValue(Double(value))),
          // What a unit measures is known where it renders, and no setting.
          ("text", parameter.isWritable ? .string(text(of: parameter, value)) : .null),
          ("isSet", .boolean(set[parameter.id] != nil)),
          ("normal", JSONValue(place(of: value, on: parameter))),
        ])
    }
  }
}
