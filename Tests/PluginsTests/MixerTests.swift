// The multichannel mixer: gains, pan, switches, meters, silence, many inputs.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing

private let mixer = "aumx:mcmx:appl"

@Suite("Multichannel mixer")
struct MixerTests {
  private func noise(_ seed: UInt64, _ count: Int = 8192) -> [Float] {
    TestSignal.noise(seed: seed, amplitude: 0.3, frameCount: count)
  }

  @Test("one stereo input at full volume passes bit for bit")
  func identity() throws {
    let rig = try MultiBusRig(mixer, inputs: [2], outputs: [2])
    rig.feeds[0].channels = [noise(1), noise(2)]
    #expect(try rig.render(8192) == rig.feeds[0].channels)
  }

  @Test("inputs are added with their volumes; mono is panned with equal power")
  func gains() throws {
    let rig = try MultiBusRig(mixer, inputs: [2, 1, 1], outputs: [2])
    rig.feeds[0].channels = [noise(1), noise(2)]
    rig.feeds[1].channels = [noise(3)]
    rig.feeds[2].channels = [noise(4)]
    let (v0, v1, v2, out): (Float, Float, Float, Float) = (0.5, 0.8, 1, 0.7)
    try rig.unit.setParameter(0, v0, scope: kAudioUnitScope_Input, element: 0)
    try rig.unit.setParameter(0, v1, scope: kAudioUnitScope_Input, element: 1)
    try rig.unit.setParameter(2, -0.4, scope: kAudioUnitScope_Input, element: 1)
    try rig.unit.setParameter(2, 1, scope: kAudioUnitScope_Input, element: 2)
    try rig.unit.setParameter(0, out, scope: kAudioUnitScope_Output, element: 0)
    let mixed = try rig.render(8192)
    let angle = (-0.4 + 1) * Double.pi / 4
    let left = (0..<8192).map { frame in
      Float(
        (Double(rig.feeds[0].channels[0][frame]) * Double(v0)
          + Double(rig.feeds[1].channels[0][frame]) * Double(v1) * cos(angle)) * Double(out))
    }
    let right = (0..<8192).map { frame in
      Float(
        (Double(rig.feeds[0].channels[1][frame]) * Double(v0)
          + Double(rig.feeds[1].channels[0][frame]) * Double(v1) * sin(angle)
          + Double(rig.feeds[2].channels[0][frame]) * Double(v2)) * Double(out))
    }
    #expect(maximumDifference(mixed[0], left) < 3e-7)
    #expect(maximumDifference(mixed[1], right) < 3e-7)
  }

  @Test("pan of mono and balance of stereo at their corners", arguments: [-1, -0.5, 0, 0.5, 1])
  func pan(_ pan: Double) throws {
    let ones = [Float](repeating: 0.5, count: 256)
    let mono = try MultiBusRig(mixer, inputs: [1], outputs: [2])
    let stereo = try MultiBusRig(mixer, inputs: [2], outputs: [2])
    mono.feeds[0].channels = [ones]
    stereo.feeds[0].channels = [ones, ones]
    for rig in [mono, stereo] {
      try rig.unit.setParameter(2, Float(pan), scope: kAudioUnitScope_Input, element: 0)
    }
    let a = try mono.render(256), b = try stereo.render(256)
    #expect(abs(Double(a[0][9]) - 0.5 * cos((pan + 1) * .pi / 4)) < 1e-7)
    #expect(abs(Double(a[1][9]) - 0.5 * sin((pan + 1) * .pi / 4)) < 1e-7)
    #expect(abs(Double(b[0][9]) - 0.5 * (pan > 0 ? cos(pan * .pi / 2) : 1)) < 1e-7)
    #expect(abs(Double(b[1][9]) - 0.5 * (pan < 0 ? cos(pan * .pi / 2) : 1)) < 1e-7)
  }

  @Test(
    "channel counts: matching ones pass, a mono output gets the mean, others the common channels")
  func channels() throws {
    let six = try MultiBusRig(mixer, inputs: [6, 2], outputs: [6])
    six.feeds[0].channels = (0..<6).map { noise(UInt64(10 + $0), 512) }
    six.feeds[1].channels = [noise(20, 512), noise(21, 512)]
    let mixed = try six.render(512)
    for channel in 0..<6 {
      let sum = (0..<512).map {
        six.feeds[0].channels[channel][$0] + (channel < 2 ? six.feeds[1].channels[channel][$0] : 0)
      }
      #expect(maximumDifference(mixed[channel], sum) < 1e-7)
    }
    let mono = try MultiBusRig(mixer, inputs: [2], outputs: [1])
    mono.feeds[0].channels = [noise(1, 512), noise(2, 512)]
    let mean = (0..<512).map { (mono.feeds[0].channels[0][$0] + mono.feeds[0].channels[1][$0]) / 2 }
    #expect(maximumDifference(try mono.render(512)[0], mean) < 1e-7)
  }

  @Test("changes make no click and sound the same whatever the slices")
  func changes() throws {
    let sine = TestSignal.sine(frequency: 200, amplitude: 0.4, frameCount: 20_000)
    func render(_ slices: [Int]) throws -> [[Float]] {
      let rig = try MultiBusRig(mixer, inputs: [2, 1], outputs: [2])
      rig.feeds[0].channels = [sine, sine]
      rig.feeds[1].channels = [sine]
      return try rig.render(20_000, slices: slices) { frame in
        func set(_ id: UInt32, _ value: Float, _ bus: UInt32) throws {
          try rig.unit.setParameter(id, value, scope: kAudioUnitScope_Input, element: bus)
        }
        if frame == 4000 { try set(0, 0.1, 0) }
        if frame == 6000 { try set(1, 0, 1) }
        if frame == 9000 { try set(2, 1, 0) }
        if frame == 12_000 {
          try set(1, 1, 1)
          try set(0, 1, 0)
        }
        if frame == 15_000 {
          try rig.unit.setParameter(0, 0, scope: kAudioUnitScope_Output, element: 0)
        }
      }
    }
    let whole = try render([1000])
    for channel in whole { #expect(largestBend(channel, from: 10) < 0.002) }
    #expect(try render([125]) == whole)
    #expect(try render([8]) == whole)
    #expect(whole[0].suffix(3000).allSatisfy { $0 == 0 })
  }

  @Test(
    "a bus that is switched off is not pulled once it has faded; one without a source is silent")
  func switches() throws {
    let rig = try MultiBusRig(mixer, inputs: [2, 2, 2], outputs: [2])
    rig.feeds[0].channels = [noise(1), noise(2)]
    rig.feeds[1].channels = [noise(3), noise(4)]
    try rig.unit.disconnectInput(element: 2)
    unsafe try rig.unit.setInputCallback(element: 2, nil, refCon: nil)
    _ = try rig.render(2048, slices: [512])
    #expect(rig.feeds[1].pulls.count == 4)
    try rig.unit.setParameter(1, 0, scope: kAudioUnitScope_Input, element: 1)
    _ = try rig.render(2048, slices: [512])
    let faded = rig.feeds[1].pulls.count
    #expect(faded > 4 && faded < 8)
    let alone = try rig.render(1024, slices: [512])
    #expect(rig.feeds[1].pulls.count == faded)
    #expect(alone[0] == Array(rig.feeds[0].channels[0][4096..<5120]))
    try rig.unit.setParameter(1, 1, scope: kAudioUnitScope_Input, element: 1)
    _ = try rig.render(512, slices: [512])
    #expect(rig.feeds[1].pulls.last?.time == 5120)
  }

  @Test("an input that fails ends the render with its error")
  func upstreamError() throws {
    let rig = try MultiBusRig(mixer, inputs: [2, 2], outputs: [2])
    rig.feeds[1].status = -12_345
    #expect(throws: AuricleError.self) { try rig.slice(64) }
    #expect(try rig.unit.property(kAudioUnitProperty_LastRenderError, as: OSStatus.self) == -12_345)
  }

  @Test("silence of all inputs is reported, and mixing is left out")
  func silence() throws {
    let rig = try MultiBusRig(mixer, inputs: [2, 1], outputs: [2])
    for feed in rig.feeds { feed.isSilent = true }
    _ = try rig.slice(256)
    #expect(rig.flags & kAudioUnitRenderAction_OutputIsSilence != 0)
    rig.feeds[1].isSilent = false
    rig.feeds[1].channels = [TestSignal.sine(frequency: 1000, amplitude: 0.5, frameCount: 512)]
    _ = try rig.slice(256)
    #expect(rig.flags & kAudioUnitRenderAction_OutputIsSilence == 0)
  }

  @Test("meters report power and peak before and after, where metering is on")
  func meters() throws {
    let rig = try MultiBusRig(mixer, inputs: [1, 2], outputs: [2])
    let sine = TestSignal.sine(frequency: 1000, amplitude: 0.5, frameCount: 96_000)
    rig.feeds[0].channels = [sine]
    rig.feeds[1].channels = [sine, sine]
    func meter(_ id: UInt32, _ bus: UInt32, _ scope: UInt32 = kAudioUnitScope_Input) throws -> Float
    { try rig.unit.parameter(id, scope: scope, element: bus) }
    try rig.unit.setProperty(
      kAudioUnitProperty_MeteringMode, scope: kAudioUnitScope_Input, element: 0, UInt32(1))
    try rig.unit.setProperty(
      kAudioUnitProperty_MeteringMode, scope: kAudioUnitScope_Output, element: 0, UInt32(1))
    try rig.unit.setParameter(0, 0.5, scope: kAudioUnitScope_Input, element: 0)
    try rig.unit.setParameter(0, 0, scope: kAudioUnitScope_Input, element: 1)
    try rig.unit.setParameter(0, 0.5, scope: kAudioUnitScope_Output, element: 0)
    _ = try rig.render(96_000)
    #expect(abs(try meter(1000, 0) - -9.03) < 0.05)
    #expect(abs(try meter(2000, 0) - -6.02) < 0.01)
    #expect(abs(try meter(3000, 0) - -15.05) < 0.05)
    #expect(abs(try meter(4000, 0) - -12.04) < 0.01)
    #expect(try meter(1000, 1) == -120, "metering of input 1 is off")
    #expect(try meter(1001, 0) == -120, "a mono input has one channel")
    // Panned to the middle, 3 dB less.
    #expect(abs(try meter(1000, 0, kAudioUnitScope_Output) - -18.06) < 0.05)
    #expect(abs(try meter(3001, 0, kAudioUnitScope_Output) - -24.08) < 0.05)
    #expect(throws: AuricleError.self) {
      try rig.unit.setParameter(1000, 0, scope: kAudioUnitScope_Input, element: 0)
    }
    rig.feeds[0].channels = []
    _ = try rig.render(12_000)
    #expect(abs(try meter(2000, 0) - -6.02) < 0.01, "the peak is held")
    _ = try rig.render(96_000)
    #expect(try meter(2000, 0) < -20)
  }

  @Test("five hundred and twelve inputs are added")
  func many() throws {
    let rig = try MultiBusRig(mixer, inputs: Array(repeating: 1, count: 512), outputs: [1])
    for (bus, feed) in rig.feeds.enumerated() {
      feed.channels = [[Float](repeating: Float(bus) / 65_536, count: 256)]
    }
    let sum = Float(511 * 512 / 2) / 65_536
    #expect(abs(try rig.slice(256)[0][100] - sum) < 1e-4)
    #expect(rig.feeds.allSatisfy { $0.pulls.count == 1 })
  }

  @Test("element counts may be chosen until it is initialised")
  func elements() throws {
    let unit = try Shipped.open(name: mixer)
    #expect(unit.busCount(scope: kAudioUnitScope_Input) == 8)
    try unit.setProperty(
      kAudioUnitProperty_ElementCount, scope: kAudioUnitScope_Input, UInt32(1024))
    for bad: UInt32 in [0, 1025] {
      #expect(throws: AuricleError.self) {
        try unit.setProperty(kAudioUnitProperty_ElementCount, scope: kAudioUnitScope_Input, bad)
      }
    }
    try unit.setProperty(kAudioUnitProperty_ElementCount, scope: kAudioUnitScope_Input, UInt32(3))
    #expect(throws: AuricleError.self) {
      try unit.setParameter(0, 1, scope: kAudioUnitScope_Input, element: 3)
    }
    try unit.initialize()
    #expect(throws: AuricleError.self) {
      try unit.setProperty(kAudioUnitProperty_ElementCount, scope: kAudioUnitScope_Input, UInt32(4))
    }
  }

  @Test("a scheduled ramp of a volume is the analytic curve, sample by sample")
  func ramp() throws {
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      let rig = try MultiBusRig(mixer, inputs: [2], outputs: [2])
      let ones = [Float](repeating: 1, count: 4096)
      rig.feeds[0].channels = [ones, ones]
      try rig.unit.setParameter(0, 0.2, scope: scope, element: 0)
      _ = try rig.slice(512)
      var event = AudioUnitParameterEvent()
      event.scope = scope
      event.parameter = 0
      event.eventType = kParameterEvent_Ramped
      unsafe event.eventValues.ramp.startBufferOffset = 100
      unsafe event.eventValues.ramp.durationInFrames = 300
      unsafe event.eventValues.ramp.startValue = 0.2
      unsafe event.eventValues.ramp.endValue = 1
      try rig.unit.scheduleParameters([event])
      let output = try rig.slice(512)
      for frame in 0..<512 {
        let part = min(max(Float(frame - 100) / 300, 0), 1)
        #expect(abs(output[0][frame] - (0.2 + 0.8 * part)) < 2e-6, "frame \(frame)")
      }
      #expect(output[0] == output[1])
      #expect(abs(try rig.slice(512)[0][511] - 1) < 1e-6)
    }
  }
}
