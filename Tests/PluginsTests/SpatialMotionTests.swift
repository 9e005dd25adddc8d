// The spatial mixers: speeds, the Doppler shift, the reverb inside, losses at walls, meters, latency.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing

private let input = kAudioUnitScope_Input

@Suite("Motion and rooms of the mixers in space")
struct SpatialMotionTests {
  private func set(_ unit: AudioUnit, _ id: AudioUnitPropertyID, _ value: UInt32) throws {
    try unit.setProperty(id, scope: input, element: 0, value)
  }

  /// Signal to noise against the best sine of a frequency.
  private func purity(_ samples: ArraySlice<Float>, _ hertz: Double) -> Double {
    let turn = 2 * Double.pi * hertz / 48_000
    var (re, im) = (0.0, 0.0)
    for (frame, sample) in samples.enumerated() {
      re += Double(sample) * cos(turn * Double(frame))
      im += Double(sample) * sin(turn * Double(frame))
    }
    let scale = 2 / Double(samples.count)
    let tone = samples.indices.map { index in
      let angle = turn * Double(index - samples.startIndex)
      return Float(scale * (re * cos(angle) + im * sin(angle)))
    }
    return signalToNoise(Array(samples), reference: tone)
  }

  @Test(
    "a playback rate plays a tone faster, without a click at the change", arguments: [0.5, 1.5])
  func rate(_ rate: Double) throws {
    for name in ["aumx:3dem:appl", "aumx:3dmx:appl"] {
      func render(_ slices: [Int]) throws -> [[Float]] {
        let rig = try MultiBusRig(name, inputs: [1], outputs: [2])
        rig.feeds[0].channels = [
          TestSignal.sine(frequency: 400, amplitude: 0.5, frameCount: 60_000)
        ]
        return try rig.render(16_000, slices: slices) { frame in
          if frame == 4000 { try rig.unit.setParameter(4, Float(rate), scope: input) }
        }
      }
      let whole = try render([1000])
      #expect(purity(whole[0][6000..<15_000], 400 * rate) > 80)
      #expect(largestBend(whole[0], from: 10) < 0.004)
      #expect(try render([8]) == whole)
    }
  }

  @Test("a source that goes away sounds lower by its speed, one that comes higher")
  func doppler() throws {
    for speed in [34.3, -20] {
      let rig = try MultiBusRig("aumx:3dmx:appl", inputs: [1], outputs: [2])
      rig.feeds[0].channels = [
        TestSignal.sine(frequency: 1000, amplitude: 0.5, frameCount: 60_000)
      ]
      try set(rig.unit, kAudioUnitProperty_SpatialMixerRenderingFlags, 1)
      try set(rig.unit, kAudioUnitProperty_DopplerShift, 1)
      // A new distance is reached in 20 ms, which are 960 frames.
      let output = try rig.render(19_200, slices: [960]) { frame in
        let seconds = Double(frame + 960) / 48_000
        try rig.unit.setParameter(2, Float(50 + speed * seconds), scope: input)
      }
      let expected = 1000 * 343 / (343 + speed)
      #expect(purity(output[0][4800..<18_000], expected) > 50, "\(speed) m/s")
    }
  }

  @Test("the reverb is off at first; its blend, gain, room and filter have their effect")
  func reverb() throws {
    func render(
      _ name: String, blend: Float, gain: Float = 0, filter: [UInt32: Float] = [:],
      isOn: UInt32 = 1
    ) throws -> [[Float]] {
      let rig = try MultiBusRig(name, inputs: [1], outputs: [2])
      let isNew = name.contains("3dem")
      try rig.unit.setProperty(kAudioUnitProperty_UsesInternalReverb, isOn)
      try rig.unit.setParameter(isNew ? 8 : 5, blend, scope: input)
      try rig.unit.setParameter(isNew ? 9 : 6, gain)
      for (id, value) in filter { try rig.unit.setParameter(id, value) }
      rig.feeds[0].channels = [[1] + [Float](repeating: 0, count: 30_000)]
      return try rig.render(24_000)
    }
    for name in ["aumx:3dem:appl", "aumx:3dmx:appl"] {
      let dry = try render(name, blend: 60, isOn: 0)
      #expect(dry[0].dropFirst(1).allSatisfy { $0 == 0 })
      #expect(abs(dry[0][0] - Float(0.5.squareRoot())) < 1e-6)
      let wet = try render(name, blend: 60)
      #expect(abs(wet[0][0] - Float(0.4 * 0.5.squareRoot())) < 1e-6)
      let tail = rootMeanSquare(wet[0].dropFirst(4000))
      #expect(tail > 1e-4)
      let product = zip(wet[0], wet[1]).dropFirst(4000).reduce(0.0) {
        $0 + Double($1.0) * Double($1.1)
      }
      let other = rootMeanSquare(wet[1].dropFirst(4000))
      #expect(abs(product / Double(wet[0].count - 4000) / (tail * other)) < 0.3)
      let louder = try render(name, blend: 60, gain: 6)
      let rise = decibels(rootMeanSquare(louder[0].dropFirst(4000)) / tail)
      #expect(abs(rise - 6) < 0.05, "\(rise)")
    }
    // A high-pass at 4 kHz behind the reverb.
    let plain = try render("aumx:3dem:appl", blend: 100)
    let high = try render("aumx:3dem:appl", blend: 100, filter: [14: 4000, 17: 2])
    func low(_ samples: [Float]) -> Double {
      magnitude(of: samples, at: 500, sampleRate: 48_000)
    }
    #expect(decibels(low(high[0]) / low(plain[0])) < -30)
    let unit = try Shipped.open(name: "aumx:3dem:appl")
    try unit.setProperty(kAudioUnitProperty_ReverbRoomType, UInt32(8))
    #expect(try unit.property(kAudioUnitProperty_ReverbRoomType, as: UInt32.self) == 8)
    #expect(throws: AuricleError.self) {
      try unit.setProperty(kAudioUnitProperty_ReverbRoomType, UInt32(13))
    }
    let old = try Shipped.open(name: "aumx:3dmx:appl")
    try old.setProperty(kAudioUnitProperty_ReverbPreset, UInt32(4))
    #expect(try old.property(kAudioUnitProperty_ReverbPreset, as: UInt32.self) == 4)
  }

  @Test("occlusion damps all of the sound, obstruction the direct sound")
  func dulling() throws {
    for (id, takesFromReverb) in [(UInt32(10), true), (11, false)] {
      func render(_ decibels: Float) throws -> [Float] {
        let rig = try MultiBusRig("aumx:3dem:appl", inputs: [1], outputs: [2])
        try rig.unit.setProperty(kAudioUnitProperty_UsesInternalReverb, UInt32(1))
        try rig.unit.setParameter(8, 50, scope: input)
        try rig.unit.setParameter(id, decibels, scope: input)
        rig.feeds[0].channels = [[1] + [Float](repeating: 0, count: 30_000)]
        return try rig.render(24_000)[0]
      }
      let (plain, dull) = (try render(0), try render(-18))
      func level(_ samples: ArraySlice<Float>) -> Double {
        decibels(magnitude(of: Array(samples), at: 5000, sampleRate: 48_000))
      }
      // The reverb comes later than the straight sound.
      #expect(abs(level(dull.prefix(60)) - level(plain.prefix(60)) + 18) < 0.1)
      let used = level(dull.dropFirst(100)) - level(plain.dropFirst(100))
      #expect(abs(used + (takesFromReverb ? 18 : 0)) < 0.2, "\(used)")
    }
  }

  @Test("meters report power and peak of inputs and output; the latency of a head is reported")
  func metersAndLatency() throws {
    let rig = try MultiBusRig("aumx:3dmx:appl", inputs: [1], outputs: [2])
    for scope in [input, kAudioUnitScope_Output] {
      try rig.unit.setProperty(
        kAudioUnitProperty_MeteringMode, scope: scope, element: 0, UInt32(1))
    }
    try rig.unit.setParameter(3, -6, scope: input)
    rig.feeds[0].channels = [TestSignal.sine(frequency: 480, amplitude: 0.5, frameCount: 200_000)]
    _ = try rig.render(144_000)
    let unit = rig.unit
    func meter(_ id: UInt32, _ scope: AudioUnitScope = input) throws -> Double {
      Double(try unit.parameter(id, scope: scope))
    }
    #expect(abs(try meter(1000) + 9.03) < 0.05)
    #expect(abs(try meter(2000) + 6.02) < 0.01)
    #expect(abs(try meter(3000) + 15.03) < 0.05)
    #expect(abs(try meter(4000, kAudioUnitScope_Output) + 6.02 + 6 + 3.01) < 0.01)
    #expect(unit.latency == 0)
    try set(unit, kAudioUnitProperty_SpatializationAlgorithm, 1)
    _ = try rig.slice(64)
    #expect((unit.latency * 48_000).rounded() == 21)
  }
}
