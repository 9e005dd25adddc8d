// One unit of a preset's chain, and its parameters as they are written.
// SPDX-License-Identifier: Apache-2.0

public import ResultSettings

/// One unit of a chain: its component and settings.
public struct UnitEntry: Sendable, Equatable {
  /// The component: `aufx:hpas:appl`, an LV2 URI, or a unique name.
  public var unit: Located<String>
  /// The label of this stage, with its position.
  public var name: Located<String>?
  /// A factory preset's name or number, an LV2 preset's URI, or the path of an `.aupreset` file;
  /// chosen before `parameters` are set.
  public var preset: Located<String>?
  /// The parameters to set, in the order written.
  public var parameters: [ParameterSetting]
  /// Whether the unit is bypassed.
  public var isBypassed: Bool
  /// The probability that the signal bypasses the unit, 0 to 1, where that is drawn for each variant.
  public var bypassProbability: Double?
  /// The mix: 0 is the dry signal only, 1 the unit's output only.
  public var mix: Double
  /// The distribution of `mix` for each variant.
  public var randomMix: RandomNumber?
  /// The parameters that change over time.
  public var automation: [AutomationEntry] = []
  /// The side chains.
  public var sideChains: [SideChainEntry] = []
  /// The main output bus, by number or name; `nil` for the first.
  public var output: Located<String>?

  /// The label of this stage in reports, or `nil` for the component's name.
  ///
  /// Context: any.
  public var label: String? {
    get { name?.value }
    set { name = newValue.map { Located($0) } }
  }

  /// Makes an entry in code or from a command line.
  ///
  /// Context: any.
  public init(
    unit: Located<String>, label: String? = nil, preset: Located<String>? = nil,
    parameters: [ParameterSetting] = [], isBypassed: Bool = false, mix: Double = 1
  ) {
    self.unit = unit
    self.name = label.map { Located($0) }
    self.preset = preset
    self.parameters = parameters
    self.isBypassed = isBypassed
    self.mix = mix
  }

  /// Makes an entry of a component's name.
  ///
  /// Context: any.
  public init(unit: String) { self.init(unit: Located(unit)) }
}

/// A parameter and its value as they are written.
public struct ParameterSetting: Sendable, Equatable {
  /// The parameter: a name (any case), a symbol, or an id.
  public var name: Located<String>
  /// The value: a number, a number with a unit, `true`, `false`, or the name of a value.
  public var value: Located<String>
  /// The source of a random value; `value` is then only its description.
  public var random: RandomSetting?

  /// Makes a setting.
  ///
  /// Context: any.
  public init(name: Located<String>, value: Located<String>, random: RandomSetting? = nil) {
    self.name = name
    self.value = value
    self.random = random
  }

  /// Reads `NAME=VALUE` from a command line.
  ///
  /// - Throws: One diagnostic of the kind `usage` when there is no name or no value.
  ///
  /// Context: any.
  public init(assignment: String) throws(PresetErrors) {
    guard let equals = assignment.firstIndex(of: "=") else {
      throw PresetErrors([
        PresetDiagnostic(
          "\(quoted(assignment)) has no '='; write NAME=VALUE, such as \"threshold=-20 dB\"",
          kind: .usage)
      ])
    }
    let name = trimmingSpaces(String(assignment[..<equals]))
    let value = trimmingSpaces(String(assignment[assignment.index(after: equals)...]))
    guard !name.isEmpty, !value.isEmpty else {
      let missing = name.isEmpty ? "name before" : "value after"
      throw PresetErrors([
        PresetDiagnostic("\(quoted(assignment)) has no \(missing) the '='", kind: .usage)
      ])
    }
    self.init(name: Located(name), value: Located(value))
  }
}
