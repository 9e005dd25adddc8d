// The loudness that a preset expects of its input, for sound that arrives.
// SPDX-License-Identifier: Apache-2.0

import ChainPresets
import TestSupport
import Testing

@Suite struct LiveLevelTests {
  private static let units = "units:\n  - unit: aufx:hpas:appl\n    parameters: {0: 20 Hz}\n"

  private func preset(_ text: String) throws -> ChainPreset {
    try ChainPreset(text: "auricle: 1\nname: x\n\(text)")
  }

  @Test(arguments: [-34.0, -12])
  func soundThatArrivesIsBroughtToTheLoudness(_ decibels: Double) throws {
    let registry = try PresetPlayer.registry.get()
    let live = try preset("input: {loudness: -23 LUFS}\n\(Self.units)").levelled(in: registry)
    #expect(live.units.map(\.label) == ["Input loudness", nil])
    // A sine of both sides is as loud as its amplitude in dB, at 997 Hz.
    let sine = TestSignal.sine(
      frequency: 997, amplitude: amplitude(decibels: decibels), sampleRate: 44_100,
      frameCount: 44_100 * 12)
    let output = try PresetPlayer.render(ResolvedChain(live, in: registry), sine)
    let end = TestSupport.decibels(rootMeanSquare(Array(output.suffix(44_100)))) + 3.01
    #expect(abs(end + 23) < 0.5, "\(end) LUFS")
  }

  @Test func otherPresetsStayAsTheyAre() throws {
    let registry = try PresetPlayer.registry.get()
    for text in [
      Self.units, "input: {loudness: -23 LUFS}\noutput: {loudness: -23 LUFS}\n",
      "input: {loudness: -23 LUFS}\nunits: [{unit: 'aumu:dls :appl'}]\n",
    ] {
      let preset = try preset(text)
      #expect(preset.levelled(in: registry) == preset, "\(text)")
    }
  }
}
