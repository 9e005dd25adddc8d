// The stereo mixer: faders, pan, meters, its buses.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing

private let mixer = "aumx:smxr:appl"

@Suite("Stereo mixer")
struct StereoMixerTests {
  private func noise(_ seed: UInt64) -> [Float] {
    TestSignal.noise(seed: seed, amplitude: 0.3, frameCount: 4096)
  }

  @Test("a stereo input passes bit for bit at first; mono goes to the middle")
  func identity() throws {
    let rig = try MultiBusRig(mixer, inputs: [2], outputs: [2])
    rig.feeds[0].channels = [noise(1), noise(2)]
    #expect(try rig.render(4096) == rig.feeds[0].channels)
    let mono = try MultiBusRig(mixer, inputs: [1], outputs: [2])
    mono.feeds[0].channels = [noise(3)]
    let output = try mono.render(4096)
    #expect(output[0] == output[1])
    #expect(maximumDifference(output[0], noise(3).map { $0 * Float(0.5.squareRoot()) }) < 1e-7)
  }

  @Test("volumes are faders, the third power; pan goes from 0 to 1 with equal power")
  func gains() throws {
    let rig = try MultiBusRig(mixer, inputs: [1, 2], outputs: [2])
    rig.feeds[0].channels = [noise(1)]
    rig.feeds[1].channels = [noise(2), noise(3)]
    try rig.unit.setParameter(0, 0.8, scope: kAudioUnitScope_Input, element: 0)
    try rig.unit.setParameter(1, 0.3, scope: kAudioUnitScope_Input, element: 0)
    try rig.unit.setParameter(1, 1, scope: kAudioUnitScope_Input, element: 1)
    try rig.unit.setParameter(0, 0.9, scope: kAudioUnitScope_Output, element: 0)
    let output = try rig.render(4096)
    let fader = pow(0.8, 3.0), out = pow(0.9, 3.0), angle = 0.3 * Double.pi / 2
    let left = noise(1).map { Float(Double($0) * fader * cos(angle) * out) }
    let right = (0..<4096).map { frame in
      Float((Double(noise(1)[frame]) * fader * sin(angle) + Double(noise(3)[frame])) * out)
    }
    #expect(maximumDifference(output[0], left) < 3e-7)
    #expect(maximumDifference(output[1], right) < 3e-7)
  }

  @Test("changes make no click and sound the same whatever the slices")
  func changes() throws {
    let sine = TestSignal.sine(frequency: 200, amplitude: 0.4, frameCount: 12_000)
    func render(_ slices: [Int]) throws -> [[Float]] {
      let rig = try MultiBusRig(mixer, inputs: [2, 1], outputs: [2])
      rig.feeds[0].channels = [sine, sine]
      rig.feeds[1].channels = [sine]
      return try rig.render(12_000, slices: slices) { frame in
        if frame == 3000 {
          try rig.unit.setParameter(0, 0.2, scope: kAudioUnitScope_Input, element: 0)
        }
        if frame == 6000 {
          try rig.unit.setParameter(1, 0, scope: kAudioUnitScope_Input, element: 1)
        }
        if frame == 8000 {
          try rig.unit.setParameter(0, 0, scope: kAudioUnitScope_Output, element: 0)
        }
      }
    }
    let whole = try render([1000])
    for channel in whole { #expect(largestBend(channel, from: 10) < 0.002) }
    #expect(try render([125]) == whole && render([8]) == whole)
    #expect(whole[0].suffix(2000).allSatisfy { $0 == 0 })
  }

  @Test("meters are before and after the fader")
  func meters() throws {
    let rig = try MultiBusRig(mixer, inputs: [2], outputs: [2])
    let sine = TestSignal.sine(frequency: 1000, amplitude: 0.5, frameCount: 96_000)
    rig.feeds[0].channels = [sine, sine]
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      try rig.unit.setProperty(
        kAudioUnitProperty_MeteringMode, scope: scope, element: 0, UInt32(1))
      try rig.unit.setParameter(0, Float(pow(0.5, 1 / 3.0)), scope: scope, element: 0)
    }
    _ = try rig.render(96_000)
    func meter(_ id: UInt32, _ scope: UInt32) throws -> Float {
      try rig.unit.parameter(id, scope: scope, element: 0)
    }
    #expect(abs(try meter(2000, kAudioUnitScope_Input) - -6.02) < 0.01)
    #expect(abs(try meter(4001, kAudioUnitScope_Input) - -12.04) < 0.01)
    #expect(abs(try meter(3001, kAudioUnitScope_Input) - -15.05) < 0.05)
    #expect(abs(try meter(2000, kAudioUnitScope_Output) - -12.04) < 0.01)
    #expect(abs(try meter(4001, kAudioUnitScope_Output) - -18.06) < 0.01)
  }

  @Test("inputs are mono or stereo, the output is stereo")
  func formats() throws {
    let unit = try Shipped.open(name: mixer)
    for (scope, channels) in [(kAudioUnitScope_Input, 3), (kAudioUnitScope_Output, 1)] {
      #expect(throws: AuricleError.self) {
        try unit.setStreamFormat(
          AudioStreamFormat(sampleRate: 48_000, channelCount: channels), scope: scope)
      }
    }
    #expect(try unit.parameters(scope: kAudioUnitScope_Output).filter(\.isWritable).count == 1)
  }
}
