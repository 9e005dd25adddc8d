// A preset matched with the installed units: components, parameter ids and values, ready to be loaded.
// SPDX-License-Identifier: Apache-2.0

public import AudioComponents
public import AudioTypes
public import AudioUnits
public import CAudioToolbox
import UnitPresets

/// A parameter of a unit and its value.
public struct ResolvedParameter: Sendable {
  /// The parameter's information from the unit.
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

/// A preset of a unit.
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
  /// A value and its time.
  public struct Point: Sendable, Equatable {
    /// The time in the input file.
    public let time: AutomationTime
    /// The value, in the parameter's own unit and within its range.
    public internal(set) var value: Float
    /// The curve from the previous point.
    public let curve: AutomationPoint.Curve
  }

  /// The parameter's information from the unit.
  public let parameter: UnitParameter
  /// The breakpoints in the order of time, at least one.
  public internal(set) var points: [Point]
}

/// A parameter whose value is drawn for each variant.
public struct ResolvedRandom: Sendable {
  /// The source of a random value, in the parameter's unit.
  public enum Source: Sendable, Equatable {
    /// Any value between two, uniformly distributed on a linear or logarithmic scale.
    case range(low: Float, high: Float, isLogarithmic: Bool)
    /// One of several values.
    case choices([Float])
  }

  /// The index of the parameter in the stage.
  public let index: Int
  /// The source of the value.
  public let source: Source
}

/// A side chain: the source of a further input bus of a stage.
public struct ResolvedSideChain: Sendable {
  /// Where the sound comes from.
  public enum Source: Sendable, Equatable {
    /// The input of the whole chain.
    case input
    /// The stage, branch or sum of this name.
    case stage(String)
    /// An audio file, by absolute path.
    case file(String)
  }

  /// Where the sound comes from.
  public let source: Source
  /// The input bus of the unit, from 1.
  public let bus: Int
  /// The output bus of the source stage; `nil` for its main output.
  public let output: Int?
  /// Its gain in dB.
  public let gainDecibels: Double
  /// Whether a file loops.
  public let loops: Bool
}

/// One unit of a chain: its component and its settings.
public struct ResolvedStage: Sendable {
  /// The component.
  public let component: AudioComponent
  /// The label of the stage in reports and errors.
  public let label: String
  /// The unit's preset, chosen first.
  public let preset: ResolvedPreset?
  /// The parameters to set, in the order of their ids.
  public var parameters: [ResolvedParameter]
  /// The texts to set, such as the paths of impulse files.
  public var texts: [ResolvedText]
  /// The random ones of `parameters`.
  public let randoms: [ResolvedRandom]
  /// The parameters that change over time.
  public internal(set) var automation: [ResolvedAutomation]
  /// The side chains.
  public let sideChains: [ResolvedSideChain]
  /// The main output bus.
  public let outputBus: Int
  /// All parameters of the unit.
  public let allParameters: [UnitParameter]
  /// Whether the unit is bypassed.
  public var isBypassed: Bool
  /// The mix of wet and dry signal, 0 to 1.
  public var mix: Double

  /// Opens an instance that is to play, without setting or initializing it.
  ///
  /// Context: control.
  public func makeUnit() throws(AuricleError) -> AudioUnit {
    let unit = try component.instantiate()
    unit.bindParameters()
    return unit
  }

  /// Sets the preset and then the parameters of an instance.
  ///
  /// - Throws: The setting that the unit refused.
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

/// Noise that is added to the signal, and the files it may come from.
public struct ResolvedNoise: Sendable {
  /// The name in reports.
  public let label: String
  /// The files, by paths that do not depend on the preset's folder; one at least.
  public let files: [String]
  /// The one that is played.
  public var file: String
  /// Where in it the noise begins, as a part of its length.
  public var start = 0.0
  /// By how much the signal is louder, in dB.
  public var ratioDecibels: Double
  /// Whether no noise is added.
  public var isBypassed: Bool
}

/// A whole chain, ready to be built.
public struct ResolvedChain: Sendable {
  /// The preset it was made from; for a variant, with the draws of its branches.
  public internal(set) var preset: ChainPreset
  /// The units in order, including those of branches.
  public package(set) var stages: [ResolvedStage]
  /// The noises in the order they are written, those of branches among them.
  public internal(set) var noises: [ResolvedNoise]
  /// The random values of this variant; empty without any.
  public internal(set) var drawnValues: [DrawnValue] = []
  /// The connections of chains that were joined; nil for those of the preset.
  private(set) var joint: ChainStructure?

  init(preset: ChainPreset, stages: [ResolvedStage], noises: [ResolvedNoise]) {
    self.preset = preset
    self.stages = stages
    self.noises = noises
  }

  /// Joins chains: rows side by side, and a chain behind their sum. Random values were drawn before.
  ///
  /// - Parameter isTapped: Whether a chain that is made of it keeps the rows as they meet.
  ///
  /// Context: any.
  package init(rows: [[ResolvedChain]], behind: ResolvedChain?, isTapped: Bool) {
    let all = rows.joined() + [behind].compactMap(\.self)
    var preset = all.first?.preset ?? ChainPreset(name: "")
    preset.entries = all.flatMap(\.preset.entries)
    self.init(preset: preset, stages: all.flatMap(\.stages), noises: all.flatMap(\.noises))
    drawnValues = all.flatMap(\.drawnValues)
    joint = ChainStructure(
      rows: rows.map { $0.map(\.structure) }, behind: behind?.structure, isTapped: isTapped)
  }

  /// The connections.
  var structure: ChainStructure { joint ?? ChainStructure(preset) }

  /// The output settings.
  public var output: OutputSettings { preset.output }
}
