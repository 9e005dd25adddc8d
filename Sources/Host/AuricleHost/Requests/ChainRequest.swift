// The chain of a request: a preset by name or path, or units in series.
// SPDX-License-Identifier: Apache-2.0

public import ChainPresets
package import RunLedgers
import Workers

/// The chain of a run.
public enum ChainRequest: Sendable {
  /// An installed preset by name, or a preset file by path.
  case preset(String)
  /// Units in series, with their settings.
  case units([UnitEntry])

  /// The name or path of the preset; nil for units.
  package var presetName: String? {
    if case .preset(let name) = self { name } else { nil }
  }

  /// Reads the preset from its file, or makes one of the units.
  ///
  /// - Throws: The mistakes in its text.
  package func read(_ presets: PresetLibrary) throws(PresetErrors) -> ChainPreset {
    switch self {
    case .preset(let name): return try presets.preset(name)
    case .units(let units): return ChainPreset(name: "command line", units: units)
    }
  }

  /// The source of the chain for workers: the text that was read, even if its file changes.
  package static func source(of preset: ChainPreset) -> ChainSource {
    preset.source.map { .text(name: $0.name, $0.text) } ?? .units(preset.spelledJSON)
  }
}
