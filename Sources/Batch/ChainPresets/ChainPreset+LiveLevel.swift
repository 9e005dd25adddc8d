// The loudness that a preset expects of its input, where nobody can measure all of that first.
// SPDX-License-Identifier: Apache-2.0

package import AudioComponents
import CAudioToolbox
import ResultSettings

extension ChainPreset {
  /// The preset for sound that arrives: with a leveller as its first stage, which follows `inputLoudness` slowly.
  ///
  /// The same preset where it sets no loudness, begins with notes, or where no leveller is installed.
  ///
  /// Context: control.
  package func levelled(in registry: AudioComponentRegistry) -> ChainPreset {
    guard let inputLoudness, !entries.isEmpty, !playsNotes(in: registry),
      (try? registry.resolve(Self.leveller)) != nil
    else { return self }
    func setting(_ name: String, _ value: String) -> ParameterSetting {
      ParameterSetting(name: Located(name), value: Located(value))
    }
    let leveller = UnitEntry(
      unit: Located(Self.leveller), label: "Input loudness",
      parameters: [
        setting("target loudness", plainNumber(inputLoudness)), setting("boost", "20"),
        setting("cut", "20"), setting("gate", "-60"),
      ])
    var preset = self
    preset.entries.insert(.unit(leveller), at: 0)
    return preset
  }

  /// Whether it has instruments, or begins with one, and so needs notes. Context: control; opens no unit.
  package func playsNotes(in registry: AudioComponentRegistry) -> Bool {
    guard instruments.isEmpty else { return true }
    let first = units.first.flatMap { try? registry.resolve($0.unit.value) }
    return first?.description.componentType == kAudioUnitType_MusicDevice
  }

  private static var leveller: String { "aufx:levl:Auri" }
}
