// The reverb: decay, echo density, colour, stereo, rooms.
// SPDX-License-Identifier: Apache-2.0

import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing

@Suite("Matrix reverb")
struct ReverbTests {
  static let rate = 48_000.0

  /// Impulse response of all channels.
  private func response(
    _ values: [UInt32: Float], seconds: Double, channels: Int = 2
  ) throws -> [[Float]] {
    let rig = try UnitRig("mrev", values, channels: channels)
    return try rig.render([TestSignal.impulse(frameCount: Int(seconds * Self.rate))])
  }

  /// Energy still to come at each frame, in decibels of the whole.
  private func decayCurve(_ response: [Float]) -> [Double] {
    var sum = 0.0
    var curve = [Double](repeating: 0, count: response.count)
    for index in response.indices.reversed() {
      sum += Double(response[index]) * Double(response[index])
      curve[index] = sum
    }
    return curve.map { 10 * log10($0 / sum + 1e-30) }
  }

  /// Frame at which a decay curve falls below a level.
  private func frame(_ curve: [Double], below level: Double) -> Int {
    curve.firstIndex { $0 < level } ?? curve.count
  }

  /// The late part of a response, made as loud at the end as at the start.
  private func flattened(_ response: [Float], from start: Double, count: Int, decayTime: Double)
    -> [Float]
  {
    let first = Int(start * Self.rate)
    return (0..<count).map { index in
      response[first + index] * Float(exp(6.9078 * Double(index) / Self.rate / decayTime))
    }
  }

  @Test(
    "the large room decays by 60 dB in its size, along a straight line", arguments: [0.6, 3.07])
  func decay(_ size: Double) throws {
    let values: [UInt32: Float] = [1: 100, 3: Float(size), 10: 1, 13: 0]
    let curve = decayCurve(try response(values, seconds: size * 1.3 + 0.2)[0])
    let start = frame(curve, below: -5), end = frame(curve, below: -45)
    let measured = Double(end - start) / Self.rate * 60 / 40
    #expect(abs(measured / size - 1) < 0.12, "measured \(measured)")
    for level in stride(from: -10.0, to: -45, by: -1) {
      let line = Double(start) + (-5 - level) / 40 * Double(end - start)
      let error = Double(frame(curve, below: level)) - line
      // One decibel of deviation from the line.
      #expect(abs(error) < Double(end - start) / 40, "at \(level) dB")
    }
  }

  @Test("brightness shortens the decay at high frequencies")
  func brightness() throws {
    func highPart(_ brightness: Float) throws -> Double {
      let late = try response([1: 100, 3: 2, 10: brightness], seconds: 1.2)[0].suffix(32_768)
      let spectrum = powerSpectrum(Array(late))
      return spectrum[8000...14_000].reduce(0, +) / spectrum[200...2000].reduce(0, +)
    }
    #expect(try highPart(0.9) > 10 * highPart(0.3))
  }

  @Test("echoes are as dense as noise within 100 ms", arguments: [0, 1])
  func echoDensity(_ channel: Int) throws {
    let response = try response([:], seconds: 0.6)[channel]
    let onset = try #require(response.firstIndex { abs($0) > 1e-5 })
    // Abel and Huang: the part of a 20 ms window outside one standard deviation, relative to that
    // of Gaussian noise.
    func density(at frame: Int) -> Double {
      let window = response[(frame - 480)..<(frame + 480)].map { Double($0) }
      let deviation = (window.reduce(0) { $0 + $1 * $1 } / 960).squareRoot()
      return Double(window.count { abs($0) > deviation }) / 960 / 0.3173
    }
    let at100 = (0..<10).map { density(at: onset + 4800 + 960 * $0) }
    #expect(at100.reduce(0, +) / 10 > 0.9, "\(at100)")
    #expect(density(at: onset + 20_000) > 0.85)
  }

  @Test("no line sticks out of the late spectrum, which is as flat as that of noise")
  func noRing() throws {
    for (values, decayTime) in [
      ([1: 100, 3: 3.07, 10: 1] as [UInt32: Float], 3.07), ([1: 100, 3: 1, 10: 1, 13: 0], 1.0),
    ] {
      let whole = try response(values, seconds: 0.9)[0]
      // A third of a second, the span that the ear considers.
      let late = flattened(whole, from: 0.5, count: 16_384, decayTime: decayTime)
      let spectrum = powerSpectrum(late)
      // 100 Hz to 8 kHz; above, reading between frames adds to the decay.
      for center in stride(from: 135, to: 2640, by: 100) {
        let around = spectrum[(center - 100)...(center + 100)]
        let mean = around.reduce(0, +) / Double(around.count)
        let highest = around.max() ?? 0
        #expect(10 * log10(highest / mean) < 12, "bin \(center)")
        let geometric = exp(around.reduce(0) { $0 + log($1 + 1e-30) } / Double(around.count))
        // Noise has 0.56.
        #expect(geometric / mean > 0.42, "bin \(center)")
      }
    }
  }

  @Test("the tail does not repeat itself")
  func autocorrelation() throws {
    let late = flattened(
      try response([1: 100, 3: 2, 10: 1], seconds: 1.9)[0], from: 0.4, count: 65_536, decayTime: 2)
    let energy = late.reduce(0) { $0 + Double($1) * Double($1) }
    var highest = 0.0
    for lag in stride(from: 96, to: 16_000, by: 1) {
      var sum: Float = 0
      for index in stride(from: 0, to: 65_536 - lag, by: 1) {
        sum += late[index] * late[index + lag]
      }
      highest = max(highest, abs(Double(sum)) / energy)
    }
    #expect(highest < 0.18, "\(highest)")
  }

  @Test("channels have different reflections of the same room", arguments: [2, 6, 20])
  func decorrelated(_ channels: Int) throws {
    let output = try response([1: 60], seconds: 1, channels: channels)
    for first in 0..<channels {
      let a = output[first].suffix(40_000).map { Double($0) }
      let energy = a.reduce(0) { $0 + $1 * $1 }
      #expect(energy > 0)
      for second in 0..<first {
        let b = output[second].suffix(40_000)
        let cross = zip(a, b).reduce(0) { $0 + $1.0 * Double($1.1) }
        let other = b.reduce(0) { $0 + Double($1) * Double($1) }
        // Beyond sixteen channels, two share one half of their input.
        let limit = channels > 16 ? 0.8 : 0.15
        #expect(abs(cross) / (energy * other).squareRoot() < limit, "\(first), \(second)")
      }
    }
  }

  @Test("a mono unit has a room as well")
  func mono() throws {
    let output = try response([:], seconds: 1, channels: 1)
    #expect(output.count == 1)
    #expect(rootMeanSquare(output[0]) > 1e-4)
  }

  @Test("steady noise is about as loud behind the unit as before it", arguments: [0.5, 2.0])
  func level(_ size: Double) throws {
    for mix: Float in [0, 50, 100] {
      let rig = try UnitRig("mrev", [1: mix, 3: Float(size), 10: 1])
      let count = Int((size + 1) * Self.rate)
      let left = TestSignal.noise(seed: 101, frameCount: count)
      let right = TestSignal.noise(seed: 102, frameCount: count)
      let output = try rig.render([left, right])
      let gain = rootMeanSquare(output[0].suffix(24_000)) / rootMeanSquare(left)
      #expect(abs(decibels(gain)) < 3, "mix \(mix): \(decibels(gain)) dB")
    }
  }

  @Test("dry stays dry, and the mix has equal power")
  func mix() throws {
    let input = TestSignal.noise(seed: 103, frameCount: 4000)
    #expect(try UnitRig("mrev", [0: 0]).renderMono(input) == input)
    let half = try UnitRig("mrev", [0: 50]).renderMono(TestSignal.impulse(frameCount: 100))
    #expect(abs(half[0] - 0.70710678) < 1e-6)
  }

  @Test("changing the lengths of the lines adds no energy")
  func structuralChanges() throws {
    let rig = try UnitRig("mrev", [3: 10, 10: 1, 13: 1, 12: 2])
    var random = SeededGenerator(seed: 104)
    let burst = TestSignal.noise(seed: 105, amplitude: 1, frameCount: 4800)
    let input = burst + TestSignal.silence(frameCount: 192_000)
    let output = try rig.render([input], slices: [480]) { _ in
      for id: UInt32 in [2, 8, 11] {
        let parameter: ClosedRange<Float> = id == 2 ? 0.005...0.02 : 0...1
        let part = (random.nextSample() + 1) / 2
        try rig.unit.setParameter(
          id, parameter.lowerBound + part * (parameter.upperBound - parameter.lowerBound))
      }
    }[0]
    let early = rootMeanSquare(output[10_000..<30_000])
    let late = rootMeanSquare(output[170_000..<190_000])
    #expect(late < 0.5 * early, "seed 104")
  }

  @Test("growing lines hold only rendered sound, with slices of any length")
  func longerLines() throws {
    let noise = [TestSignal.noise(seed: 106, frameCount: 12_288)]
    func output(_ slices: [Int]) throws -> [Float] {
      let rig = try UnitRig("mrev", [2: 0.02, 8: 0, 11: 0])
      return try rig.render(noise, slices: slices) { frame in
        guard frame == 4096 else { return }
        try rig.unit.setParameter(8, 1)
        try rig.unit.setParameter(11, 1)
      }[0]
    }
    let whole = try output([512])
    #expect(whole.allSatisfy { $0.isFinite })
    // Frames one by one, after some at once.
    let others = try output([2048] + Array(repeating: 1, count: 2048))
    #expect(others == whole)
  }

  @Test("room types are the factory presets, and set all but the mix")
  func rooms() throws {
    let unit = try Shipped.open("mrev")
    let names = unit.factoryPresets.map(\.name)
    #expect(
      names == [
        "Small Room", "Medium Room", "Large Room", "Medium Hall", "Large Hall", "Plate",
        "Medium Chamber", "Large Chamber", "Cathedral", "Large Room 2", "Medium Hall 2",
        "Medium Hall 3", "Large Hall 2",
      ])
    try unit.setParameter(0, 25)
    for room in 0..<UInt32(names.count) {
      try unit.setProperty(kAudioUnitProperty_ReverbRoomType, room)
      #expect(try unit.property(kAudioUnitProperty_ReverbRoomType, as: UInt32.self) == room)
      #expect(try unit.parameter(0) == 25)
      let byProperty = try unit.parameters().map { try unit.parameter($0.id) }
      for parameter in try unit.parameters() {
        let value = try unit.parameter(parameter.id)
        #expect(value >= parameter.minimum && value <= parameter.maximum, "\(parameter.name)")
      }
      try unit.selectPreset(number: Int(room))
      let byPreset = try unit.parameters().map { try unit.parameter($0.id) }
      #expect(byPreset.dropFirst() == byProperty.dropFirst())
      try unit.setParameter(0, 25)
    }
    #expect(throws: (any Error).self) {
      try unit.setProperty(kAudioUnitProperty_ReverbRoomType, UInt32(13))
    }
  }

  /// Seconds for 60 dB of the band around a frequency, from two windows of a response.
  private func decayTime(at hertz: Double, sampleRate: Double, _ values: [UInt32: Float]) throws
    -> Double
  {
    let rig = try UnitRig("mrev", values, channels: 1, sampleRate: sampleRate)
    let response = try rig.renderMono(
      TestSignal.impulse(frameCount: Int(1.6 * sampleRate)))
    let size = sampleRate > 60_000 ? 16_384 : 8192
    func level(_ seconds: Double) -> Double {
      var sum = 0.0
      for part in 0..<3 {
        let start = Int(seconds * sampleRate) + part * size / 2
        let spectrum = powerSpectrum(Array(response[start..<(start + size)]))
        let bin = hertz / sampleRate * Double(size)
        sum += spectrum[Int(bin * 0.85)...Int(bin * 1.15)].reduce(0, +)
      }
      return 10 * log10(sum)
    }
    return 60 * 0.8 / (level(0.3) - level(1.1))
  }

  @Test("the treble decays alike at any sample rate, and as slowly as all else at brightness 1")
  func rates() throws {
    let values: [UInt32: Float] = [1: 100, 3: 3, 10: 0.5, 12: 1, 13: 0.2]
    let low = try decayTime(at: 8000, sampleRate: 44_100, values)
    for rate in [48_000.0, 96_000] {
      let other = try decayTime(at: 8000, sampleRate: rate, values)
      #expect(abs(other / low - 1) < 0.1, "\(low) s at 44.1 kHz, \(other) s at \(rate) Hz")
    }
    let bright = try decayTime(
      at: 8000, sampleRate: 44_100, [1: 100, 3: 3, 10: 1, 12: 1, 13: 1])
    #expect(abs(bright / 3 - 1) < 0.1, "\(bright) s")
  }
}
