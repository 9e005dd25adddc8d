// The panners: gains of loudspeakers, spherical harmonics, and signals at the ears.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing

/// Opens a panner or mixer to a layout.
func spatialRig(
  _ name: String, _ inputs: [Int], _ tag: AudioChannelLayoutTag
) throws -> MultiBusRig {
  try MultiBusRig(name, inputs: inputs, outputs: [Int(tag & 0xFFFF)]) { unit in
    var layout = AudioChannelLayout()
    layout.mChannelLayoutTag = tag
    try unit.setProperty(
      kAudioUnitProperty_AudioChannelLayout, scope: kAudioUnitScope_Output, element: 0, layout)
  }
}

@Suite("Panners")
struct PannerTests {
  /// The gains of a mono source at a place.
  private func gains(
    _ name: String, _ tag: AudioChannelLayoutTag, azimuth: Float, elevation: Float = 0,
    _ more: [AudioUnitParameterID: Float] = [:]
  ) throws -> [Double] {
    let rig = try spatialRig(name, [1], tag)
    rig.feeds[0].channels = [[Float](repeating: 1, count: 64)]
    try rig.unit.setParameter(1, azimuth)
    try rig.unit.setParameter(2, elevation)
    for (id, value) in more { try rig.unit.setParameter(id, value) }
    return try rig.slice(64).map { Double($0[63]) }
  }

  private func power(_ gains: [Double]) -> Double { gains.reduce(0) { $0 + $1 * $1 } }

  @Test("vectors add up to the direction with constant power, and low frequencies stay out")
  func vector() throws {
    let tag = kAudioChannelLayoutTag_AudioUnit_5_1
    let places: [Double?] = [-30, 30, 0, nil, -110, 110]
    for azimuth in stride(from: -180, through: 180, by: 20) {
      let found = try gains("aupn:vbas:appl", tag, azimuth: Float(azimuth))
      #expect(abs(power(found) - 1) < 1e-6 && found[3] == 0)
      #expect(found.filter { abs($0) > 1e-7 }.count <= 2 && found.allSatisfy { $0 > -1e-7 })
      var (x, y) = (0.0, 0.0)
      for (gain, place) in zip(found, places) {
        x += gain * cos((place ?? 0) * .pi / 180)
        y += gain * sin((place ?? 0) * .pi / 180)
      }
      let turn = (atan2(y, x) * 180 / .pi - Double(azimuth)).truncatingRemainder(dividingBy: 360)
      #expect(min(abs(turn), 360 - abs(turn)) < 1e-4, "azimuth \(azimuth)")
    }
    let between = try gains("aupn:vbas:appl", tag, azimuth: 10)
    let (c, r) = (sin(20 * Double.pi / 180), sin(10 * Double.pi / 180))
    #expect(abs(between[2] - c / hypot(c, r)) < 1e-6 && abs(between[1] - r / hypot(c, r)) < 1e-6)
    for tag in [kAudioChannelLayoutTag_Stereo, kAudioChannelLayoutTag_AudioUnit_8] {
      for (azimuth, elevation) in [(77, 0), (-130, 40), (180, -60), (5, 90)] {
        let found = try gains(
          "aupn:vbas:appl", tag, azimuth: Float(azimuth), elevation: Float(elevation))
        #expect(abs(power(found) - 1) < 1e-6, "\(azimuth), \(elevation)")
      }
    }
  }

  @Test("a stereo source in front passes; gain and distance are linear and 6 dB as it doubles")
  func stereo() throws {
    let rig = try MultiBusRig("aupn:vbas:appl", inputs: [2], outputs: [2])
    rig.feeds[0].channels = [
      TestSignal.noise(seed: 1, frameCount: 512), TestSignal.noise(seed: 2, frameCount: 512),
    ]
    let delivered = try rig.slice(512)
    for channel in 0..<2 {
      #expect(maximumDifference(delivered[channel], rig.feeds[0].channels[channel]) < 1e-6)
    }
    let far = try gains(
      "aupn:vbas:appl", kAudioChannelLayoutTag_Stereo, azimuth: 0, [0: 0.5, 4: 8, 3: 0.5])
    #expect(abs(far[0] - 0.5 / 4 * 0.5.squareRoot()) < 1e-7 && far[0] == far[1])
  }

  /// A real spherical harmonic, SN3D, by the recursion of associated Legendre functions.
  private func harmonic(_ index: Int, _ turn: Double, _ elevation: Double) -> Double {
    let l = Int(Double(index).squareRoot()), m = index - l * l - l, k = abs(m)
    let x = sin(elevation)
    var previous = 0.0
    var legendre = (0..<k).reduce(1.0) { $0 * Double(2 * $1 + 1) * cos(elevation) }
    for degree in stride(from: k + 1, through: l, by: 1) {
      let next =
        (Double(2 * degree - 1) * x * legendre - Double(degree + k - 1) * previous)
        / Double(degree - k)
      (previous, legendre) = (legendre, next)
    }
    func factorial(_ n: Int) -> Double { (0..<n).reduce(1) { $0 * Double($1 + 1) } }
    let scale = ((k == 0 ? 1 : 2) * factorial(l - k) / factorial(l + k)).squareRoot()
    return scale * legendre * (m < 0 ? sin(Double(k) * turn) : cos(Double(k) * turn))
  }

  @Test("a sound field has the spherical harmonics, ACN and SN3D", arguments: [4, 9, 16])
  func harmonics(_ count: Int) throws {
    let tag = kAudioChannelLayoutTag_HOA_ACN_SN3D | UInt32(count)
    for (azimuth, elevation) in [(0, 0), (37, 22), (-121, -55), (170, 81)] {
      let found = try gains(
        "aupn:ambi:appl", tag, azimuth: Float(azimuth), elevation: Float(elevation))
      for index in 0..<count {
        let expected = harmonic(
          index, -Double(azimuth) * .pi / 180, Double(elevation) * .pi / 180)
        #expect(abs(found[index] - expected) < 1e-6, "channel \(index) at \(azimuth)")
      }
    }
    let b = try gains("aupn:ambi:appl", kAudioChannelLayoutTag_Ambisonic_B_Format, azimuth: 90)
    #expect(abs(b[0] - 0.5.squareRoot()) < 1e-7 && abs(b[2] + 1) < 1e-7 && abs(b[1]) < 1e-7)
  }

  @Test("a decoded sound field follows its closed form, with constant power on a regular ring")
  func decoding() throws {
    let places = [-45.0, 45, -135, 135, 0, 180, -90, 90]
    let weights = (1...3).map { cos(Double($0) * .pi / 8) }
    let level = (8 * (1 + 2 * weights.reduce(0) { $0 + $1 * $1 })).squareRoot()
    for azimuth in [0.0, 11, -97, 160] {
      let found = try gains(
        "aupn:ambi:appl", kAudioChannelLayoutTag_AudioUnit_8, azimuth: Float(azimuth))
      for (gain, place) in zip(found, places) {
        let sum = (1...3).reduce(1.0) {
          $0 + 2 * weights[$1 - 1] * cos(Double($1) * (azimuth - place) * .pi / 180)
        }
        #expect(abs(gain - sum / level) < 1e-6)
      }
      #expect(abs(power(found) - 1) < 1e-6)
    }
    // Also where loudspeakers are not even.
    for tag in [
      kAudioChannelLayoutTag_Stereo, kAudioChannelLayoutTag_AudioUnit_5_1,
      kAudioChannelLayoutTag_AudioUnit_7_0_Front, kAudioChannelLayoutTag_MPEG_5_0_A,
    ] {
      for azimuth in stride(from: -180, to: 180, by: 10) {
        let found = try gains("aupn:ambi:appl", tag, azimuth: Float(azimuth))
        #expect(abs(power(found) - 1) < 1e-5, "\(tag), \(azimuth) degrees")
      }
    }
  }

  @Test("ears have the response of a sphere", arguments: [0.0, 50, -90, 130])
  func head(_ azimuth: Double) throws {
    let rate = 48_000.0, radius = 0.0875 / 343
    let rig = try MultiBusRig("aupn:sphr:appl", inputs: [1], outputs: [2])
    rig.feeds[0].channels = [[1] + [Float](repeating: 0, count: 1023)]
    try rig.unit.setParameter(1, Float(azimuth))
    let latency = (rig.unit.latency * rate).rounded()
    #expect(latency == 21)
    for (ear, delivered) in try rig.slice(1024).enumerated() {
      let side = sin(azimuth * .pi / 180) * (ear == 0 ? -1 : 1)
      let angle = acos(side)
      let delay = latency + (side > 0 ? -side : angle - .pi / 2) * radius * rate
      let bright = 1.05 + 0.95 * cos(angle * 1.2), k = radius * rate
      for hertz in [100.0, 700, 3000, 9000, 15_000] {
        let w = 2 * Double.pi * hertz / rate
        var (re, im) = (0.0, 0.0)
        for (n, sample) in delivered.enumerated() {
          re += Double(sample) * cos(w * Double(n))
          im -= Double(sample) * sin(w * Double(n))
        }
        // Numerator over denominator of the shelf, times the delay.
        let (a, b) = ((1 + bright * k) + (1 - bright * k) * cos(w), -(1 - bright * k) * sin(w))
        let (c, d) = ((1 + k) + (1 - k) * cos(w), -(1 - k) * sin(w))
        let magnitude = hypot(a, b) / hypot(c, d)
        let phase = atan2(b, a) - atan2(d, c) - w * delay
        let error = hypot(re - magnitude * cos(phase), im - magnitude * sin(phase))
        #expect(error < 2e-3 * max(magnitude, 1), "ear \(ear), \(hertz) Hz")
      }
    }
  }

  @Test(
    "movement makes no click and sounds the same whatever the slices",
    arguments: ["aupn:vbas:appl", "aupn:ambi:appl", "aupn:sphr:appl", "aupn:hrtf:appl"])
  func movement(_ name: String) throws {
    let sine = TestSignal.sine(frequency: 200, amplitude: 0.4, frameCount: 12_000)
    func render(_ slices: [Int]) throws -> [[Float]] {
      let rig = try MultiBusRig(name, inputs: [2], outputs: [2])
      rig.feeds[0].channels = [sine, sine]
      return try rig.render(12_000, slices: slices) { frame in
        if frame == 3000 { try rig.unit.setParameter(1, 80) }
        if frame == 5000 { try rig.unit.setParameter(2, 45) }
        if frame == 7000 { try rig.unit.setParameter(1, -150) }
        if frame == 9000 { try rig.unit.setParameter(0, 0) }
      }
    }
    let whole = try render([1000])
    for channel in whole { #expect(largestBend(channel, from: 100) < 0.004) }
    #expect(try render([125]) == whole && render([8]) == whole)
    #expect(whole[0].suffix(1500).allSatisfy { $0 == 0 })
  }

  @Test("a layout that a panner does not know is refused")
  func layouts() throws {
    let name = "aupn:vbas:appl"
    #expect(throws: AuricleError.self) {
      _ = try spatialRig(name, [1], kAudioChannelLayoutTag_Ambisonic_B_Format)
    }
    #expect(throws: AuricleError.self) { _ = try MultiBusRig(name, inputs: [1], outputs: [3]) }
    #expect(throws: AuricleError.self) { _ = try MultiBusRig(name, inputs: [3], outputs: [2]) }
  }
}
