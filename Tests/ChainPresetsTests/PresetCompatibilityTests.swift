// Every preset that ships sounds as it did when its levels were recorded.
// SPDX-License-Identifier: Apache-2.0

import ChainPresets
import TestSupport
import Testing

@Suite struct PresetCompatibilityTests {
  @Test func presetsSoundAsRecorded() throws {
    var levels = RecordedLevels(path: "Tests/Fixtures/RecordedSound/presets.txt")
    let signal = RecordedLevels.signal(sampleRate: 44_100)
    for name in ShippedPresetsTests.names {
      let preset = try ShippedPresetsTests.library.preset(name)
      let chain = try ResolvedChain(preset, in: PresetPlayer.registry.get())
        .variant(1, seed: 1, key: "a.wav")
      let output = try PresetPlayer.render(chain, signal)
      // A preset that changed its version may sound different; the name has both.
      levels.add("\(name) \(preset.version ?? 0)", [output])
    }
    let differences = try levels.differences()
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
  }
}
