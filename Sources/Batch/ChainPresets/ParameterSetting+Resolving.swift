// Resolves a written setting to a parameter and value of a unit.
// SPDX-License-Identifier: Apache-2.0

public import AudioUnits

extension ParameterSetting {
  /// Finds the parameter and its value among those of a unit.
  ///
  /// - Throws: One diagnostic, with its position if there is a `source`.
  ///
  /// Context: any.
  public func resolved(
    among parameters: [UnitParameter], source: PresetSource? = nil
  ) throws(PresetErrors) -> ResolvedParameter {
    func refuse(_ problem: SettingProblem, at position: SourcePosition?) -> PresetErrors {
      let kind: PresetDiagnostic.Kind = source == nil ? .usage : .preset
      return PresetErrors([
        PresetDiagnostic(problem.message, kind: kind, at: position, in: source)
      ])
    }
    let parameter = try name.writableParameter(among: parameters, source: source)
    do throws(SettingProblem) {
      return ResolvedParameter(
        parameter: parameter, value: try parameter.value(fromText: value.value))
    } catch { throw refuse(error, at: value.position) }
  }
}
