// The model of a chain preset: what to load, how to set it, what to do with the output.
// SPDX-License-Identifier: Apache-2.0

/// A chain of units with their settings, as a preset file or a command line tells it.
///
/// Nothing here depends on what is installed; `resolve(_:in:)` joins a preset to real units.
public struct ChainPreset: Sendable {
  /// The version of the format this program reads, told by the key `auricle`.
  public static let formatVersion = 1

  /// What people call it: "Podcast voice".
  public var name: String
  /// What it is for, in a sentence or two.
  public var description = ""
  /// Who made it.
  public var author = ""
  /// Under which terms it may be used.
  public var license = ""
  /// Words to find it by.
  public var tags: [String] = []
  /// Units and branches in the order of the signal.
  public var entries: [ChainEntry] = []
  /// What happens at the end of the chain.
  public var output = OutputSettings()
  /// The files a rendering is stored as, each with all its settings; empty for one as in `output`.
  public var render: [Deliverable] = []
  /// The file it was read from, for diagnostics; not compared.
  public var source: PresetSource?

  /// Makes a preset of units in a row in code.
  ///
  /// Context: any.
  public init(name: String, units: [UnitEntry] = [], output: OutputSettings = OutputSettings()) {
    self.name = name
    self.entries = units.map(ChainEntry.unit)
    self.output = output
  }

  /// All units in the order they are written, those of branches among them.
  ///
  /// Context: any.
  public var units: [UnitEntry] { entries.flatMap(\.units) }

  /// Whether some value of the preset is drawn anew for each variant.
  ///
  /// Context: any.
  public var hasRandomValues: Bool {
    units.contains { $0.parameters.contains { $0.random != nil } }
  }
}

extension ChainPreset: Equatable {
  /// Compares what two presets say, not where they say it.
  ///
  /// Context: any.
  public static func == (left: ChainPreset, right: ChainPreset) -> Bool {
    left.name == right.name && left.description == right.description
      && left.author == right.author && left.license == right.license && left.tags == right.tags
      && left.entries == right.entries && left.output == right.output && left.render == right.render
  }
}
