// Which chain files go through: a preset by its name or file, or units one after the other.
// SPDX-License-Identifier: Apache-2.0

public import ChainPresets
import RunLedgers
import Workers

/// The chain of a run.
public enum ChainRequest: Sendable {
  /// A preset that is installed, by its name, or a preset file, by its path.
  case preset(String)
  /// Units in a row, with their settings.
  case units([UnitEntry])

  /// The preset that is named; nil for units.
  var presetName: String? {
    if case .preset(let name) = self { name } else { nil }
  }

  /// The preset, as it is read from its file or made of the units.
  ///
  /// - Throws: What is wrong with its text.
  func read(_ presets: PresetLibrary) throws(PresetErrors) -> ChainPreset {
    switch self {
    case .preset(let name): return try presets.preset(name)
    case .units(let units): return ChainPreset(name: "command line", units: units)
    }
  }

  /// What workers make the chain of: the text that was read, whatever becomes of its file.
  static func source(of preset: ChainPreset) -> ChainSource {
    preset.source.map { .text(name: $0.name, $0.text) } ?? .units(preset.spelledJSON)
  }
}
