// The internal mixer of a chain sounds as the mixer that ships does.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import TestSupport
import Testing
import UnitChains

@Suite("Internal mixer of chains")
struct InternalMixerTests {
  @Test("branches of a chain are mixed as by the mixer that ships: the same gains, the same pan")
  func mixing() throws {
    let noise = [2, 3].map { TestSignal.noise(seed: $0, amplitude: 0.3, frameCount: 4096) }
    let settings: [(gain: Float, pan: Float)] = [
      (1, 0), (0.5, -0.3), (0.25, 0.7), (0.8, 1), (0, 0),
    ]
    let rig = try MultiBusRig(
      "aumx:mcmx:appl", inputs: settings.map { _ in 2 }, outputs: [2])
    for (bus, setting) in settings.enumerated() {
      rig.feeds[bus].channels = noise
      for (id, value) in [(0, setting.gain), (2, setting.pan)] {
        try rig.unit.setParameter(
          UInt32(id), value, scope: kAudioUnitScope_Input, element: UInt32(bus))
      }
    }
    let expected = try rig.render(4096)
    let branches = settings.map { ChainGraph.Branch(node: 0, gain: $0.gain, pan: $0.pan) }
    let chain = try UnitChain(
      ChainGraph(nodes: [.input, .sum(label: "sum", branches: branches)], outputNode: 1),
      sampleRate: 48_000, channelCount: 2, maximumFrames: 4096)
    let input = AudioBuffers(channelCount: 2, frameCapacity: 4096)
    let output = AudioBuffers(channelCount: 2, frameCapacity: 4096)
    for channel in 0..<2 {
      for frame in 0..<4096 { unsafe input.channel(channel)[frame] = noise[channel][frame] }
    }
    var inputs = unsafe [input.channel(0), input.channel(1)]
    var outputs = unsafe [output.channel(0), output.channel(1)]
    unsafe try chain.render(input: &inputs, output: &outputs, frameCount: 4096)
    for channel in 0..<2 {
      let mixed = unsafe Array(
        UnsafeBufferPointer(start: output.channel(channel), count: 4096))
      #expect(maximumDifference(mixed, expected[channel]) < 3e-7, "channel \(channel)")
    }
  }
}
