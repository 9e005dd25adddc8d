// Finds a unit's parameter by name in any case, symbol, or id.
// SPDX-License-Identifier: Apache-2.0

import AudioUnits
import ResultSettings

extension UnitParameter {
  /// Finds the parameter with a name, symbol or id.
  ///
  /// - Throws: A sentence that there is none, with near names, or that there are several.
  static func named(
    _ text: String, among parameters: [UnitParameter]
  ) throws(SettingProblem) -> UnitParameter {
    let text = trimmingSpaces(text)
    if let id = UInt32(text) { return try withID(id, among: parameters) }
    let wanted = comparableName(text)
    let found = parameters.filter { parameter in
      comparableName(parameter.name) == wanted
        || parameter.symbol.map(comparableName) == wanted
    }
    if found.count == 1 { return found[0] }
    if found.isEmpty { throw unknownName(text, among: parameters) }
    // Spelt exactly, a symbol names one parameter; so may a name.
    let bySymbol = found.filter { $0.symbol == text }
    if bySymbol.count == 1 { return bySymbol[0] }
    let byName = found.filter { $0.name == text }
    if byName.count == 1, bySymbol.isEmpty { return byName[0] }
    // Some have a hidden meter of the same name.
    let settable = found.filter(\.isWritable)
    if settable.count == 1 { return settable[0] }
    let choices = found.map { parameter in
      let symbol = parameter.symbol.map { ", symbol \(quoted($0))" } ?? ""
      return "\(parameter.id) (\(quoted(parameter.name))\(symbol))"
    }
    throw SettingProblem(
      "\(quoted(text)) is the name of \(found.count) parameters; give the id: "
        + alternatives(choices))
  }

  private static func withID(
    _ id: UInt32, among parameters: [UnitParameter]
  ) throws(SettingProblem) -> UnitParameter {
    // Settings that are no parameters have no number.
    let parameters = parameters.filter { $0.id != .max }
    let found = parameters.filter { $0.id == id }
    if let first = found.first { return first }
    // A few plug-ins call a control just "1".
    let byName = parameters.filter { $0.name == String(id) || $0.symbol == String(id) }
    if byName.count == 1 { return byName[0] }
    let ids = parameters.prefix(24).map { String($0.id) }
    let more = parameters.count > 24 ? " …" : ""
    throw SettingProblem(
      ids.isEmpty
        ? "there is no parameter \(id); the unit has no parameters"
        : "there is no parameter with the id \(id); the ids are "
          + alternatives(ids, joinedBy: "and") + more)
  }

  private static func unknownName(
    _ text: String, among parameters: [UnitParameter]
  ) -> SettingProblem {
    if parameters.isEmpty {
      return SettingProblem("there is no parameter \(quoted(text)); the unit has no parameters")
    }
    let names = parameters.map(\.name)
    var near = nearest(to: text, in: names + parameters.compactMap(\.symbol))
    near = near.filter { name in near.first { comparableName($0) == comparableName(name) } == name }
    if !near.isEmpty {
      return SettingProblem(
        "there is no parameter \(quoted(text)); did you mean \(alternatives(near.map(quoted)))?")
    }
    let more = names.count > 24 ? " …" : ""
    return SettingProblem(
      "there is no parameter \(quoted(text)); there are "
        + alternatives(names.prefix(24).map(quoted), joinedBy: "and") + more)
  }
}
