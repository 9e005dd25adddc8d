// The model of a chain preset: units, their settings, and the output.
// SPDX-License-Identifier: Apache-2.0

/// A chain of units with their settings, from a preset file or a command line.
///
/// Nothing here depends on installed units; `resolve(_:in:)` matches a preset with them.
public struct ChainPreset: Sendable {
  /// The format version that this program reads; the key `auricle`.
  public static let formatVersion = 1

  /// Its title: "Podcast voice".
  public var name: String
  /// Its purpose, in a sentence or two.
  public var description = ""
  /// Its author.
  public var author = ""
  /// Its licence.
  public var license = ""
  /// The version of its sound, from 1; nil where none is written.
  public var version: Int?
  /// Its keywords.
  public var tags: [String] = []
  /// Units and branches in the order of the signal.
  public var entries: [ChainEntry] = []
  /// The instruments that share a song; empty for a chain.
  public var instruments: [InstrumentEntry] = []
  /// The effects behind all instruments.
  public var bus: [ChainEntry] = []
  /// The parameters that controllers of a keyboard move, as they are written.
  public var controllers: [ParameterSetting] = []
  /// Which units that are not ours share a process in live sound: `chain`, `unit` or `none`; nil for the usual.
  public var isolate: String?
  /// The integrated loudness that inputs are brought to before the chain (LUFS), or `nil` to leave it.
  public var inputLoudness: Double?
  /// The output settings.
  public var output = OutputSettings()
  /// The deliverables, each with all its settings; empty for one as in `output`.
  public var render: [Deliverable] = []
  /// The file it was read from, for diagnostics; not compared.
  public var source: PresetSource?

  /// Makes a preset of units in series.
  ///
  /// Context: any.
  public init(name: String, units: [UnitEntry] = [], output: OutputSettings = OutputSettings()) {
    self.name = name
    self.entries = units.map(ChainEntry.unit)
    self.output = output
  }

  /// All units in order, including those of branches.
  ///
  /// Context: any.
  public var units: [UnitEntry] { entries.flatMap(\.units) }

  /// All entries: those of a chain, the effects of instruments, and those behind all.
  private var allEntries: [ChainEntry] { entries + instruments.flatMap(\.effects) + bus }

  /// All units, the instruments among them.
  ///
  /// Context: any.
  public var allUnits: [UnitEntry] { instruments.map(\.unit) + allEntries.flatMap(\.units) }

  /// Whether the preset has random values.
  ///
  /// Context: any.
  public var hasRandomValues: Bool {
    allUnits.contains { unit in
      unit.parameters.contains { $0.random != nil } || unit.bypassProbability != nil
        || unit.randomMix != nil
    } || allEntries.contains(where: \.drawsRouting) || output.crop != nil
      || deliverables.contains {
        $0.settings.randomLoudness != nil || $0.settings.randomPeak != nil
      }
  }

  /// The folders that files are drawn from, as they are written.
  ///
  /// Context: any.
  public var drawnFolders: [String] {
    let noise = allEntries.flatMap(\.noises).compactMap { entry -> String? in
      if case .folder(let path) = entry.source.value { path } else { nil }
    }
    let settings = allUnits.flatMap(\.parameters).compactMap { setting -> String? in
      if case .folder(let path) = setting.random { path.value } else { nil }
    }
    return noise + settings
  }

  /// The files of side chains and noises, the presets of units and of controllers, as they are written, and the values of
  /// all settings: which of these are paths, only an open unit knows.
  ///
  /// Names of units are among them: a sound file in the place of a unit is reported by its kind.
  ///
  /// Context: any.
  public var possibleFiles: [String] {
    let noises = allEntries.flatMap(\.noises).compactMap { entry -> String? in
      if case .file(let path) = entry.source.value { path } else { nil }
    }
    let sides = allUnits.flatMap(\.sideChains).compactMap { entry -> String? in
      if case .file(let path) = entry.source.value { path } else { nil }
    }
    let settings = allUnits.flatMap(\.parameters).flatMap { setting -> [String] in
      switch setting.random {
      case nil: [setting.value.value]
      case .choices(let values): values.map(\.value)
      case .range, .folder: []
      }
    }
    return noises + sides + allUnits.map(\.unit.value) + allUnits.compactMap(\.preset?.value)
      + settings + controllers.map(\.value.value)
  }

  /// All noises in the order they are written, those of branches among them.
  ///
  /// Context: any.
  public var noises: [NoiseEntry] { entries.flatMap(\.noises) }
}

extension ChainPreset: Equatable {
  /// Compares the content of two presets, without positions.
  ///
  /// Context: any.
  public static func == (left: ChainPreset, right: ChainPreset) -> Bool {
    left.name == right.name && left.description == right.description
      && left.author == right.author && left.license == right.license && left.tags == right.tags
      && left.version == right.version
      && left.entries == right.entries && left.inputLoudness == right.inputLoudness
      && left.instruments == right.instruments && left.bus == right.bus
      && left.controllers == right.controllers && left.isolate == right.isolate
      && left.output == right.output && left.render == right.render
  }
}
