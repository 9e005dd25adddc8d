// A preset joined to what is installed: components, parameter ids and values, ready to be loaded.
// SPDX-License-Identifier: Apache-2.0

public import AudioComponents
public import AudioTypes
public import AudioUnits
public import CAudioToolbox
import UnitPresets

/// A parameter of a unit and the value it is set to.
public struct ResolvedParameter: Sendable {
  /// What the unit tells of the parameter.
  public let parameter: UnitParameter
  /// The value, in the parameter's own unit and within its range.
  public var value: Float

  /// The parameter's number.
  public var id: AudioUnitParameterID { parameter.id }
  /// The scope it belongs to.
  public var scope: AudioUnitScope { parameter.scope }
  /// The element of the scope it belongs to.
  public var element: AudioUnitElement { parameter.element }
}

/// One of the presets that come with a unit.
public struct ResolvedPreset: Sendable, Hashable {
  /// Its number in the unit's list, or `nil` when it is loaded by its URI.
  public let number: Int?
  /// Its name, or its URI when it has none.
  public let name: String
  /// The URI of a preset that has one.
  public let uri: String?
  /// The path of an `.aupreset` file.
  public let path: String?

  init(number: Int?, name: String, uri: String? = nil, path: String? = nil) {
    self.number = number
    self.name = name
    self.uri = uri
    self.path = path
  }
}

/// A parameter that changes over time.
public struct ResolvedAutomation: Sendable {
  /// A value and when it is reached.
  public struct Point: Sendable, Equatable {
    /// When, counted in the input file.
    public let time: AutomationTime
    /// The value, in the parameter's own unit and within its range.
    public let value: Float
    /// How it is reached from the point before.
    public let curve: AutomationPoint.Curve
  }

  /// What the unit tells of the parameter.
  public let parameter: UnitParameter
  /// The breakpoints in the order of time, at least one.
  public let points: [Point]
}

/// A parameter whose value is drawn for each variant.
public struct ResolvedRandom: Sendable {
  /// What a value is drawn from, in the parameter's own unit.
  public enum Source: Sendable, Equatable {
    /// Any value between two; with equal factors equally likely when logarithmic.
    case range(low: Float, high: Float, isLogarithmic: Bool)
    /// One of several values.
    case choices([Float])
  }

  /// The place of the parameter among the stage's.
  public let index: Int
  /// What the value is drawn from.
  public let source: Source
}

/// What feeds a further input bus of a stage.
public struct ResolvedSideChain: Sendable {
  /// Where the sound comes from.
  public enum Source: Sendable, Equatable {
    /// What comes into the whole chain.
    case input
    /// The stage, branch or sum of this name.
    case stage(String)
    /// An audio file, by a path that does not depend on the preset's folder.
    case file(String)
  }

  /// Where the sound comes from.
  public let source: Source
  /// The input bus of the unit, from 1.
  public let bus: Int
  /// The output bus of the source stage; `nil` for the one it plays on.
  public let output: Int?
  /// How much louder or softer it is fed in, in dB.
  public let gainDecibels: Double
  /// Whether a file starts again at its end.
  public let loops: Bool
}

/// One unit of a chain: the component that is there for it, and its settings.
public struct ResolvedStage: Sendable {
  /// The component.
  public let component: AudioComponent
  /// What to call the stage in reports and errors.
  public let label: String
  /// The unit's own preset that is chosen first.
  public let preset: ResolvedPreset?
  /// The parameters to set, in the order of their ids, however the preset is written.
  public var parameters: [ResolvedParameter]
  /// The texts to set, such as the paths of impulse files.
  public let texts: [ResolvedText]
  /// Those of `parameters` whose values are drawn for each variant.
  public let randoms: [ResolvedRandom]
  /// The parameters that change over time.
  public let automation: [ResolvedAutomation]
  /// What feeds further input buses.
  public let sideChains: [ResolvedSideChain]
  /// The output bus that is heard.
  public let outputBus: Int
  /// All parameters of the unit.
  public let allParameters: [UnitParameter]
  /// Whether the signal passes by the unit.
  public let isBypassed: Bool
  /// How much of the unit is heard, 0 to 1.
  public let mix: Double

  /// Opens an instance; it is neither set nor initialized.
  ///
  /// Context: control.
  public func makeUnit() throws(AuricleError) -> AudioUnit { try component.instantiate() }

  /// Chooses the preset and then sets the parameters of an instance.
  ///
  /// - Throws: What the unit refused.
  ///
  /// Context: control.
  public func configure(_ unit: AudioUnit) throws(AuricleError) {
    if let number = preset?.number {
      try unit.selectPreset(number: number)
    } else if let path = preset?.path {
      try unit.loadPresetFile(path)
    } else if let uri = preset?.uri {
      try unit.selectPreset(uri: uri)
    }
    for setting in texts { try unit.setText(setting.property.uri, setting.text) }
    for setting in parameters { try unit.set(setting) }
    for entry in automation { try unit.begin(entry) }
  }
}

/// A whole chain, ready to be built.
public struct ResolvedChain: Sendable {
  /// The preset it was made from.
  public let preset: ChainPreset
  /// The units in the order they are written, those of branches among them.
  public internal(set) var stages: [ResolvedStage]
  /// What was drawn for this variant; empty when nothing was.
  public internal(set) var drawnValues: [DrawnValue] = []

  init(preset: ChainPreset, stages: [ResolvedStage]) {
    self.preset = preset
    self.stages = stages
  }

  /// What happens at the end of the chain.
  public var output: OutputSettings { preset.output }
}
