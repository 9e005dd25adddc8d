// Parameters of a chain that is running, by their names.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
package import ChainPresets
package import UnitChains

extension UnitChain {
  /// Sets a parameter of all units of a stage.
  ///
  /// - Parameter index: The stage, from 0; one that there is.
  /// - Throws: That there is no such parameter, or its value is none; the unit's refusal.
  ///
  /// Context: control, between two renders.
  package func set(_ setting: ParameterSetting, ofStage index: Int) throws {
    for unit in stages[index].units {
      let resolved = try setting.resolved(among: unit.parameters())
      try unit.setParameter(
        resolved.parameter.id, resolved.value, scope: resolved.parameter.scope,
        element: resolved.parameter.element)
    }
  }

  /// The value of a parameter of a stage; nil for a stage without units.
  ///
  /// - Throws: As `set`.
  package func value(of parameter: String, ofStage index: Int) throws -> Float? {
    guard let unit = stages[index].units.first else { return nil }
    let found = try Located(parameter).readableParameter(among: unit.parameters())
    return try unit.parameter(found.id, scope: found.scope, element: found.element)
  }
}
