// Matches changing values with a unit's parameters: random ones, and breakpoints.
// SPDX-License-Identifier: Apache-2.0

package import AudioUnits
import CAudioToolbox

extension Located where Value == String {
  /// Finds the writable parameter with a name.
  package func writableParameter(
    among parameters: [UnitParameter], source: PresetSource?
  ) throws(PresetErrors) -> UnitParameter {
    let found: UnitParameter
    do throws(SettingProblem) {
      found = try UnitParameter.named(value, among: parameters)
    } catch { throw error.diagnostic(at: position, source) }
    guard found.isWritable else {
      throw SettingProblem("\(quoted(found.name)) is a meter and cannot be set")
        .diagnostic(at: position, source)
    }
    return found
  }

  /// The parameter of this name, which may be a meter.
  ///
  /// - Throws: One diagnostic of the kind `usage`.
  ///
  /// Context: any.
  package func readableParameter(
    among parameters: [UnitParameter]
  ) throws(PresetErrors) -> UnitParameter {
    do throws(SettingProblem) {
      return try UnitParameter.named(value, among: parameters)
    } catch { throw error.diagnostic(at: position, nil) }
  }

  /// The value that a text means for a parameter.
  func value(
    for parameter: UnitParameter, source: PresetSource?
  ) throws(PresetErrors) -> Float {
    do throws(SettingProblem) {
      return try parameter.value(fromText: value)
    } catch { throw error.diagnostic(at: position, source) }
  }
}

extension SettingProblem {
  /// The problem as a diagnostic.
  func diagnostic(at position: SourcePosition?, _ source: PresetSource?) -> PresetErrors {
    PresetErrors([
      PresetDiagnostic(
        message, kind: source == nil ? .usage : .preset, at: position, in: source)
    ])
  }
}

extension ParameterSetting {
  /// Finds the parameter and the source of its random values.
  ///
  /// - Returns: The middle of the range is the value without variants.
  func resolved(
    _ random: RandomSetting, among parameters: [UnitParameter], source: PresetSource?
  ) throws(PresetErrors) -> (
    parameter: UnitParameter, source: ResolvedRandom.Source, middle: Float
  ) {
    let parameter = try name.writableParameter(among: parameters, source: source)
    switch random {
    case .choices(let texts):
      var values: [Float] = []
      for text in texts { values.append(try text.value(for: parameter, source: source)) }
      return (parameter, .choices(values), values.first ?? parameter.defaultValue)
    case .folder:
      throw SettingProblem(
        "\(quoted(parameter.name)) is a number; a file of a folder is drawn for settings that are paths"
      ).diagnostic(at: name.position, source)
    case .range(let lowText, let highText, let isLogarithmic):
      let low = try lowText.value(for: parameter, source: source)
      let high = try highText.value(for: parameter, source: source)
      if low > high {
        throw SettingProblem(
          "the range of \(quoted(parameter.name)) goes downwards; write the lower value first"
        ).diagnostic(at: lowText.position, source)
      }
      if isLogarithmic, low <= 0 {
        throw SettingProblem(
          "a logarithmic range lies above zero; \(parameter.text(for: low)) does not"
        ).diagnostic(at: lowText.position, source)
      }
      let range = ResolvedRandom.Source.range(low: low, high: high, isLogarithmic: isLogarithmic)
      return (parameter, range, range.value(at: 0.5, isWhole: parameter.isDrawnWhole))
    }
  }
}

extension UnitParameter {
  /// Whether its values are integers.
  var isWhole: Bool { isIndexed || unit == kAudioUnitParameterUnit_Boolean }

  /// Whether integers are drawn for it: frames have no fractions.
  var isDrawnWhole: Bool { isWhole || unit == kAudioUnitParameterUnit_SampleFrames }
}

extension ChainResolver {
  /// Finds the parameters that change over time, and their values.
  mutating func automation(
    _ entry: UnitEntry, _ facts: UnitFacts, settings: [ResolvedParameter]
  ) -> [ResolvedAutomation] {
    var found: [ResolvedAutomation] = []
    for automation in entry.automation {
      do throws(PresetErrors) {
        let parameter = try automation.name.writableParameter(
          among: facts.parameters, source: preset.source)
        func isSame(_ other: UnitParameter) -> Bool {
          other.id == parameter.id && other.scope == parameter.scope
            && other.element == parameter.element
        }
        if settings.contains(where: { isSame($0.parameter) }) {
          add(
            "\(quoted(parameter.name)) is both in 'parameters' and in 'automation'; "
              + "its first breakpoint says where it starts", at: automation.name.position)
        }
        if found.contains(where: { isSame($0.parameter) }) {
          add(
            "the parameter \(quoted(parameter.name)) is automated twice",
            at: automation.name.position)
        }
        found.append(
          ResolvedAutomation(parameter: parameter, points: try points(automation, parameter)))
      } catch { diagnostics += error.diagnostics }
    }
    return found
  }

  private func points(
    _ automation: AutomationEntry, _ parameter: UnitParameter
  ) throws(PresetErrors) -> [ResolvedAutomation.Point] {
    var points: [ResolvedAutomation.Point] = []
    for point in automation.points {
      let value = try point.value.value(for: parameter, source: preset.source)
      let curve = point.curve?.value ?? (parameter.isWhole ? .step : .linear)
      if parameter.isWhole, curve != .step {
        throw SettingProblem("\(quoted(parameter.name)) is a choice and changes in steps only")
          .diagnostic(at: point.curve?.position, preset.source)
      }
      if curve == .exponential, let last = points.last, last.value * value <= 0 {
        throw SettingProblem(
          "an exponential curve stays on one side of zero; it cannot go from "
            + "\(parameter.text(for: last.value)) to \(parameter.text(for: value))"
        ).diagnostic(at: point.value.position, preset.source)
      }
      points.append(ResolvedAutomation.Point(time: point.time.value, value: value, curve: curve))
    }
    return points
  }
}
