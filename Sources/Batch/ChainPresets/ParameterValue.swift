// Parses the text of a setting as a parameter's value: numbers, units, booleans, names of values.
// SPDX-License-Identifier: Apache-2.0

import AudioUnits
import CAudioToolbox
import Glibc
import ResultSettings

extension UnitParameter {
  /// The value that a text means for this parameter.
  ///
  /// - Throws: A sentence with the right form.
  func value(fromText text: String) throws(SettingProblem) -> Float {
    if let value = namedValue(text) { return value }
    if unit == kAudioUnitParameterUnit_Boolean || isSwitch {
      if let value = try booleanValue(text) { return value }
    }
    switch Quantity.read(text) {
    case .quantity(let quantity):
      return try checkedValue(value(of: quantity), written: quantity)
    case .unknownUnit(let value, let unit):
      if !unitName.isEmpty, comparableName(unit) == comparableName(unitName) {
        return try checkedValue(value, written: Quantity(value: value, unit: nil))
      }
      if !valuePoints.isEmpty { throw noSuchValue(text) }
      if unit.hasPrefix(",") {
        throw SettingProblem("\(quoted(text)) is not a number; write a point, not a comma")
      }
      throw wrongUnit(text)
    case .notANumber:
      if !valuePoints.isEmpty { throw noSuchValue(text) }
      throw SettingProblem(
        "\(quoted(name)) takes a number such as \(self.text(for: defaultValue)), not \(quoted(text))"
      )
    }
  }

  /// Whether it has only the values 0 and 1.
  private var isSwitch: Bool { isIndexed && minimum == 0 && maximum == 1 }

  private func namedValue(_ text: String) -> Float? {
    if let value = value(named: text) { return value }
    let wanted = comparableName(text)
    guard !wanted.isEmpty else { return nil }
    let alike = valuePoints.filter { comparableName($0.name) == wanted }
    // "12" may also be a value's name without its sign or unit; the number has precedence.
    return alike.count == 1 && parseNumber(text) == nil ? alike[0].value : nil
  }

  private func booleanValue(_ text: String) throws(SettingProblem) -> Float? {
    switch text.lowercased() {
    case "true" where text == "true": return 1
    case "false" where text == "false": return 0
    default: break
    }
    if isForeignBoolean(text) {
      throw SettingProblem(
        "\(quoted(name)) is either true or false, written so, not \(quoted(text))")
    }
    if unit == kAudioUnitParameterUnit_Boolean, parseNumber(text) == nil {
      throw SettingProblem("\(quoted(name)) is true or false, not \(quoted(text))")
    }
    return nil
  }

  private func noSuchValue(_ text: String) -> SettingProblem {
    let names = valuePoints.map(\.name)
    var hint = suggestion(for: text, in: names)
    if hint.isEmpty, names.count <= 24 {
      hint = "; it is \(alternatives(names.map(quoted)))"
    }
    return SettingProblem("\(quoted(name)) has no value \(quoted(text))\(hint)")
  }

  private func checkedValue(
    _ number: Double, written: Quantity
  ) throws(SettingProblem) -> Float {
    // The range is compared in the parameter's own precision: 0.1 may be its limit.
    let value = Float(number)
    let shown = written.unit == nil ? numberText(for: value) : written.description
    let range = acceptedRange
    guard value.isFinite, range.contains(value) else {
      let isBelow = value < range.lowerBound
      let side = isBelow ? "below the minimum" : "above the maximum"
      let limit = isBelow ? range.lowerBound : range.upperBound
      // A number is compared with a number in the message, not with a name.
      let named = valueName(of: limit).map { "\(numberText(for: limit)) (\($0))" }
      throw SettingProblem(
        "\(shown) is \(side) \(named ?? text(for: limit)) of \(quoted(name)), "
          + (rangeAtAnyRate == nil ? "which goes from \(rangeText)" : "whatever the sample rate"))
    }
    if isIndexed, value != value.rounded() {
      throw SettingProblem("\(quoted(name)) is a choice and takes a whole number, not \(shown)")
    }
    return value
  }
}
