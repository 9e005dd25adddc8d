// The mixers in space: directions, distances, algorithms, the turn of the head.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing

private let input = kAudioUnitScope_Input

@Suite("Mixers in space")
struct SpatialMixerTests {
  private let mixers = ["aumx:3dem:appl", "aumx:3dmx:appl"]

  /// Gains of a mono input that is set up by `prepare`.
  private func gains(
    _ name: String, _ tag: AudioChannelLayoutTag = kAudioChannelLayoutTag_Stereo,
    _ prepare: (AudioUnit) throws -> Void
  ) throws -> [Double] {
    let rig = try spatialRig(name, [1], tag)
    rig.feeds[0].channels = [[Float](repeating: 1, count: 256)]
    try prepare(rig.unit)
    return try rig.slice(256).map { Double($0[255]) }
  }

  private func set(_ unit: AudioUnit, _ id: AudioUnitPropertyID, _ value: UInt32) throws {
    try unit.setProperty(id, scope: input, element: 0, value)
  }

  @Test("level falls with distance by the curve that is chosen")
  func distance() throws {
    let least = pow(10, -30.0 / 20), reference = 2.0, most = 50.0
    for name in mixers {
      let plain = try gains(name) { try $0.setParameter(2, 4, scope: input) }
      #expect(abs(plain[0] - 0.25 * 0.5.squareRoot()) < 1e-6 && plain[0] == plain[1])
      for (curve, metres) in [(0, 9.0), (1, 9), (2, 9), (3, 9), (2, 1), (0, 80)] {
        let found = try gains(name) { unit in
          try unit.setProperty(
            kAudioUnitProperty_SpatialMixerDistanceParams, scope: input, element: 0,
            MixerDistanceParams(
              mReferenceDistance: Float(reference), mMaxDistance: Float(most), mMaxAttenuation: 30))
          try set(unit, kAudioUnitProperty_SpatialMixerAttenuationCurve, UInt32(curve))
          try unit.setParameter(2, Float(metres), scope: input)
        }
        let part = (metres - reference) / (most - reference)
        let inside =
          switch curve {
          case 0: pow(least, log(metres / reference) / log(most / reference))
          case 1: pow(least, part)
          case 2: 1 / (1 + (1 / least - 1) * part)
          default: 1 + (least - 1) * part
          }
        let expected = metres < reference ? 1 : (metres > most ? least : inside)
        #expect(abs(found[0] - expected * 0.5.squareRoot()) < 1e-6, "curve \(curve)")
      }
      let near = try gains(name) { unit in
        try set(unit, kAudioUnitProperty_SpatialMixerRenderingFlags, 1)
        try unit.setParameter(2, 4, scope: input)
      }
      #expect(abs(near[0] - 0.5.squareRoot()) < 1e-6)
    }
  }

  @Test("a name sets the property of all inputs, as the number does")
  func names() throws {
    for name in mixers {
      let byNumber = try gains(name, kAudioChannelLayoutTag_AudioUnit_5_1) { unit in
        try set(unit, kAudioUnitProperty_SpatializationAlgorithm, 4)
        try unit.setParameter(0, 10, scope: input)
      }
      let byName = try gains(name, kAudioChannelLayoutTag_AudioUnit_5_1) { unit in
        try unit.setText("algorithm", "4")
        try unit.setParameter(0, 10, scope: input)
        #expect(unit.textValues["algorithm"] == "4" && unit.textValues["reverb"] == "0")
        #expect(unit.textProperties.contains { $0.symbol == "room" && $0.isWritable })
        #expect(throws: (any Error).self) { try unit.setText("algorithm", "9") }
      }
      #expect(byNumber == byName)
    }
  }

  @Test("names of flags and distances set their part of the property")
  func partNames() throws {
    for name in mixers {
      let unit = try Shipped.open(name: name)
      let fresh = unit.textValues
      for setting in unit.textProperties {
        let initial = try #require(setting.parameter).defaultValue
        #expect(fresh[setting.symbol].flatMap(Float.init) == initial, "\(setting.symbol)")
      }
      try unit.setText("distance-attenuation", "0")
      try unit.setText("longest-distance", "250")
      try unit.setText("reference-distance", "200")
      try unit.setText("most-attenuation", "12")
      let flags = try unit.property(
        kAudioUnitProperty_SpatialMixerRenderingFlags, scope: input, element: 0, as: UInt32.self
      )
      #expect(flags == kSpatialMixerRenderingFlags_InterAuralDelay)
      let found = try unit.property(
        kAudioUnitProperty_SpatialMixerDistanceParams, scope: input, element: 0,
        as: MixerDistanceParams.self)
      #expect(found.mReferenceDistance == 200 && found.mMaxDistance == 250)
      #expect(found.mMaxAttenuation == 12)
      for (symbol, text) in [
        ("longest-distance", "100"), ("most-attenuation", "-1"), ("inter-aural-delay", "2"),
      ] {
        #expect(throws: (any Error).self) { try unit.setText(symbol, text) }
      }
    }
  }

  @Test("equal power, vectors and the sound field have the gains of their laws")
  func laws() throws {
    for name in mixers {
      let equal = try gains(name) { try $0.setParameter(0, 40, scope: input) }
      let angle = (sin(40 * Double.pi / 180) + 1) * .pi / 4
      #expect(abs(equal[0] - cos(angle)) < 1e-6 && abs(equal[1] - sin(angle)) < 1e-6)
      let between = try gains(name, kAudioChannelLayoutTag_AudioUnit_5_1) {
        try $0.setParameter(0, 10, scope: input)
      }
      #expect(abs(between[2] - cos(.pi / 6)) < 1e-6 && abs(between[1] - 0.5) < 1e-6)
      let vector = try gains(name, kAudioChannelLayoutTag_AudioUnit_5_1) { unit in
        try set(unit, kAudioUnitProperty_SpatializationAlgorithm, 4)
        try unit.setParameter(0, 10, scope: input)
      }
      let (c, r) = (sin(20 * Double.pi / 180), sin(10 * Double.pi / 180))
      #expect(abs(vector[2] - c / hypot(c, r)) < 1e-6)
      let field = try gains(name) { unit in
        try set(unit, kAudioUnitProperty_SpatializationAlgorithm, 3)
        try unit.setParameter(0, 90, scope: input)
      }
      #expect(abs(field[0]) < 1e-6 && abs(field[1] - 1) < 1e-6)
    }
  }

  @Test("gains are in decibels, limited, switched, and also of the output")
  func levels() throws {
    let found = try gains("aumx:3dem:appl") { unit in
      try unit.setParameter(3, -6, scope: input)
      try unit.setParameter(3, 3, scope: kAudioUnitScope_Output)
    }
    #expect(abs(found[0] - pow(10, -3.0 / 20) * 0.5.squareRoot()) < 1e-6)
    let limited = try gains("aumx:3dem:appl") { unit in
      try unit.setParameter(3, 20, scope: input)
      try unit.setParameter(7, 2, scope: input)
    }
    #expect(abs(limited[0] - 2 * 0.5.squareRoot()) < 1e-6)
    // The 3D mixer has its limits twice: the tighter one holds.
    let again = try gains("aumx:3dmx:appl") { unit in
      try unit.setParameter(3, 20, scope: input)
      try unit.setParameter(10, 12, scope: input)
      try unit.setParameter(22, 6, scope: input)
      try unit.setParameter(22, -3, scope: kAudioUnitScope_Output)
    }
    #expect(abs(again[0] - pow(10, 3.0 / 20) * 0.5.squareRoot()) < 1e-6)
    for (name, id) in [("aumx:3dem:appl", UInt32(5)), ("aumx:3dmx:appl", 20)] {
      let rig = try MultiBusRig(name, inputs: [1], outputs: [2])
      rig.feeds[0].channels = [[Float](repeating: 1, count: 8192)]
      _ = try rig.slice(512)
      try rig.unit.setParameter(id, 0, scope: input)
      for _ in 0..<3 { _ = try rig.slice(512) }
      let count = rig.feeds[0].pulls.count
      #expect(try rig.slice(512).allSatisfy { $0.allSatisfy { $0 == 0 } })
      #expect(rig.feeds[0].pulls.count == count)
    }
  }

  @Test("a turned head is the same as a turned source")
  func turn() throws {
    let turned = try gains("aumx:3dem:appl", kAudioChannelLayoutTag_AudioUnit_8) { unit in
      try unit.setParameter(0, 70, scope: input)
      try unit.setParameter(19, 50)
    }
    let plain = try gains("aumx:3dem:appl", kAudioChannelLayoutTag_AudioUnit_8) {
      try $0.setParameter(0, 20, scope: input)
    }
    for (a, b) in zip(turned, plain) { #expect(abs(a - b) < 1e-5) }
    // With the right ear down, the sound from above comes from the left.
    let rolled = try gains("aumx:3dem:appl") { unit in
      try unit.setParameter(1, 90, scope: input)
      try unit.setParameter(21, 90)
    }
    #expect(abs(rolled[0] - 1) < 1e-6 && abs(rolled[1]) < 1e-6)
  }

  @Test("stereo passes bit for bit, or becomes a bed or a point")
  func stereo() throws {
    let noise = [1, 2].map { TestSignal.noise(seed: $0, amplitude: 0.3, frameCount: 1024) }
    for name in mixers {
      let rig = try MultiBusRig(name, inputs: [2], outputs: [2])
      rig.feeds[0].channels = noise
      try rig.unit.setParameter(0, 60, scope: input)
      #expect(try rig.slice(1024) == noise)
    }
    let rig = try MultiBusRig("aumx:3dem:appl", inputs: [2], outputs: [2])
    rig.feeds[0].channels = noise
    try set(rig.unit, kAudioUnitProperty_SpatialMixerSourceMode, 2)
    try set(rig.unit, kAudioUnitProperty_SpatializationAlgorithm, 4)
    let point = try rig.slice(1024)
    let mean = (0..<1024).map {
      Float(Double(noise[0][$0] + noise[1][$0]) / 2 * 0.5.squareRoot())
    }
    #expect(maximumDifference(point[0], mean) < 1e-6 && point[0] == point[1])
  }

  @Test("movement and changes of the algorithm make no click, whatever the slices")
  func changes() throws {
    let sine = TestSignal.sine(frequency: 200, amplitude: 0.4, frameCount: 16_000)
    func render(_ slices: [Int]) throws -> [[Float]] {
      let rig = try MultiBusRig("aumx:3dem:appl", inputs: [1, 2], outputs: [2])
      rig.feeds[0].channels = [sine]
      rig.feeds[1].channels = [sine, sine]
      return try rig.render(16_000, slices: slices) { frame in
        if frame == 2000 { try rig.unit.setParameter(0, 120, scope: input) }
        if frame == 4000 { try set(rig.unit, kAudioUnitProperty_SpatializationAlgorithm, 1) }
        if frame == 6000 { try rig.unit.setParameter(0, -60, scope: input) }
        if frame == 8000 { try rig.unit.setParameter(2, 30, scope: input) }
        if frame == 9000 { try set(rig.unit, kAudioUnitProperty_SpatializationAlgorithm, 2) }
        if frame == 10_000 { try rig.unit.setParameter(1, 40, scope: input) }
        if frame == 11_000 { try set(rig.unit, kAudioUnitProperty_SpatializationAlgorithm, 3) }
        if frame == 12_000 { try rig.unit.setParameter(5, 0, scope: input) }
        if frame == 13_000 { try rig.unit.setParameter(3, -120, scope: kAudioUnitScope_Output) }
      }
    }
    let whole = try render([1000])
    for channel in whole { #expect(largestBend(channel, from: 100) < 0.004) }
    #expect(try render([125]) == whole && render([8]) == whole)
    #expect(whole[0].suffix(1500).allSatisfy { $0 == 0 })
  }

  @Test("settings that a mixer does not have are refused")
  func refusals() throws {
    let unit = try Shipped.open(name: "aumx:3dmx:appl")
    for (id, value) in [
      (kAudioUnitProperty_SpatializationAlgorithm, UInt32(6)),
      (kAudioUnitProperty_SpatialMixerRenderingFlags, 16),
      (kAudioUnitProperty_SpatialMixerAttenuationCurve, 4),
    ] {
      #expect(throws: AuricleError.self) { try set(unit, id, value) }
    }
    #expect(throws: AuricleError.self) {
      try unit.setProperty(
        kAudioUnitProperty_SpatialMixerDistanceParams, scope: input, element: 0,
        MixerDistanceParams(mReferenceDistance: 0, mMaxDistance: 1, mMaxAttenuation: 1))
    }
  }
}
