// A chain from a preset: nothing that the preset says is lost.
// SPDX-License-Identifier: Apache-2.0

import ChainPresets
import HostSystem

extension ChainState {
  /// The content of a preset.
  init(_ preset: ChainPreset, numbers: inout StageNumbers) {
    let json = JSONValue(text: preset.canonicalJSON) ?? .object([])
    name = preset.name
    (description, author, license) = (preset.description, preset.author, preset.license)
    (version, tags, inputLoudness) = (preset.version, preset.tags, preset.inputLoudness)
    output = (json["output"]?.members ?? []).filter { Self.standardOutput[$0.key] != $0.value }
    others = (json.members ?? []).filter {
      ["render", "instruments", "bus", "midi"].contains($0.key)
    }
    entries = Self.stages(preset.entries, json["units"]?.elements ?? [], &numbers)
  }

  /// The defaults of an output: the canonical form names them, and a saved text does not.
  private static let standardOutput: [String: JSONValue] = [
    "container": "same", "encoding": "same", "sample rate": "same", "tail": "auto",
    "latency": "compensate",
  ]

  private static func stages(
    _ entries: [ChainEntry], _ json: [JSONValue], _ numbers: inout StageNumbers
  ) -> [ChainStage] {
    zip(entries, json).map { entry, json in
      let id = numbers.next("s")
      var stage: ChainStage
      switch entry {
      case .unit(let unit):
        stage = ChainStage(id: id, name: unit.label, kind: .unit(UnitStage(unit, json)))
      case .parallel(let parallel):
        let branches = zip(parallel.branches, json["parallel"]?.elements ?? []).map {
          branch, json in
          ChainBranch(
            id: numbers.next("b"), name: branch.label?.value,
            gain: branch.randomGain != nil
              ? json["gain"] ?? 0 : JSONValue(branch.gainDecibels),
            pan: branch.pan,
            entries: stages(branch.entries, json["units"]?.elements ?? [], &numbers))
        }
        stage = ChainStage(id: id, name: parallel.label?.value, kind: .parallel(branches))
      case .noise:
        let members = (json.members ?? []).filter { $0.key != "name" && $0.key != "bypass" }
        stage = ChainStage(id: id, name: json["name"]?.text, kind: .noise(members))
      }
      stage.bypass = json["bypass"] ?? false
      return stage
    }
  }
}

extension UnitStage {
  /// A unit of a preset, its settings as they are spelled and in their order.
  fileprivate init(_ entry: UnitEntry, _ json: JSONValue) {
    unit = entry.unit.value
    preset = entry.preset?.value
    mix = entry.randomMix != nil ? json["mix"] ?? 1 : JSONValue(entry.mix)
    parameters = entry.parameters.map { setting in
      Setting(
        name: setting.name.value,
        value: setting.random == nil
          ? .string(setting.value.value) : json["parameters"]?[setting.name.value] ?? "")
    }
    sideChains = json["sidechain"]?.elements ?? []
    output = entry.output?.value
    automation = json["automation"]
  }
}
