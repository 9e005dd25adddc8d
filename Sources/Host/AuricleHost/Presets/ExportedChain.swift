// A chain preset as stages with their states, for a bundle that other hosts load.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import ChainPresets
import UnitPresets

/// A stage of a chain: a unit and its state.
public struct ExportedStage: Sendable {
  /// The unit.
  public let component: ComponentLine
  /// The label of the stage.
  public let label: String
  /// The part of the processed signal, 0 to 1; the rest is the input.
  public let mix: Double
  /// The state of the unit, the bytes of an `.aupreset` file.
  public let state: [UInt8]
}

/// A chain that becomes one plug-in.
public struct ExportedChain: Sendable {
  /// The name of its preset.
  public let name: String
  /// The author of its preset; empty for none.
  public let author: String
  /// The description of its preset.
  public let summary: String
  /// The tags of its preset.
  public let tags: [String]
  /// The version of its sound; 1 where the preset has none.
  public let version: Int
  /// Its stages; bypassed ones are left out.
  public let stages: [ExportedStage]
}

extension AuricleInstallation {
  /// Resolves a chain preset into stages.
  ///
  /// An input loudness becomes a leveller, as in `auricle live`; settings of results are for files alone.
  ///
  /// - Parameter preset: Its name, or its file.
  /// - Throws: `PresetErrors` of the preset, or `AuricleError` with the reason why it cannot be one plug-in.
  ///
  /// Context: control. Opens the units in this process.
  public func exportedChain(preset: String) throws -> ExportedChain {
    let registry = host.makeRegistry()
    let written = try ChainPreset(path: try host.presets.path(of: preset))
    if !written.instruments.isEmpty {
      throw Self.refusal(
        of: written, "its instruments share a song, and a plug-in is one instrument")
    }
    let resolved = try ResolvedChain(written.levelled(in: registry), in: registry, formats: .files)
    for entry in resolved.preset.entries {
      guard case .unit = entry else {
        throw Self.refusal(
          of: written, "it has branches or noise, and stages of a plug-in are one behind the other")
      }
    }
    let stages = try resolved.stages.filter { !$0.isBypassed }.map {
      try Self.stage($0, of: written)
    }
    guard !stages.isEmpty else { throw Self.refusal(of: written, "it has no units") }
    return ExportedChain(
      name: written.name, author: written.author, summary: written.description, tags: written.tags,
      version: written.version ?? 1, stages: stages)
  }

  private static func stage(
    _ stage: ResolvedStage, of preset: ChainPreset
  ) throws(AuricleError) -> ExportedStage {
    let reason: String? =
      if !stage.automation.isEmpty {
        "its parameters follow the times of a file; automate them in the host"
      } else if !stage.randoms.isEmpty || stage.texts.contains(where: { !$0.choices.isEmpty }) {
        "its values are drawn for each file"
      } else if !stage.sideChains.isEmpty {
        "it has a side chain, and a plug-in of a chain has one input"
      } else if stage.outputBus != 0 {
        "another output bus than the first goes on"
      } else if let text = stage.texts.first(where: { $0.property.isPath }) {
        "it needs the file \(text.text), which another machine may not have"
      } else {
        nil
      }
    if let reason { throw refusal(of: preset, "of \(stage.label), \(reason)") }
    let unit = try stage.makeUnit()
    try stage.configure(unit)
    return ExportedStage(
      component: ComponentLine(stage.component), label: stage.label, mix: stage.mix,
      state: try UnitPreset(of: unit, name: stage.label).bytes())
  }

  private static func refusal(of preset: ChainPreset, _ reason: String) -> AuricleError {
    AuricleError(.badData, "the chain \"\(preset.name)\" cannot be one plug-in: \(reason)")
  }
}
