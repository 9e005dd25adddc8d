// Time pitch and the pitch effect: pitch and length against the settings, alignment, sameness, wild input.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing

/// Returns the share of the best tone of a frequency in a signal, in decibels above the rest.
private func purity(_ signal: [Float], frequency: Double) -> Double {
  var sine = 0.0, cosine = 0.0
  for (frame, sample) in signal.enumerated() {
    let angle = 2 * Double.pi * frequency * Double(frame) / 48_000
    sine += Double(sample) * sin(angle)
    cosine += Double(sample) * cos(angle)
  }
  let scale = 2 / Double(signal.count)
  let tone = signal.indices.map { frame in
    let angle = 2 * Double.pi * frequency * Double(frame) / 48_000
    return Float(scale * (sine * sin(angle) + cosine * cos(angle)))
  }
  return signalToNoise(signal, reference: tone)
}

/// A burst of 400 frames around a place.
private func burst(at place: Int, frames: Int) -> [Float] {
  (0..<frames).map { frame in
    let part = Double(frame - place) / 400
    guard abs(part) < 0.5 else { return 0 }
    return Float(0.5 * (1 + cos(2 * .pi * part)) / 2 * sin(0.3 * Double(frame - place)))
  }
}

/// Where the energy of a signal has its middle.
private func middle(_ signal: [Float]) -> Double {
  var energy = 0.0, moment = 0.0
  for (frame, sample) in signal.enumerated() {
    energy += Double(sample) * Double(sample)
    moment += Double(sample) * Double(sample) * Double(frame)
  }
  return moment / energy
}

@Suite("Time pitch") struct TimePitchTests {
  private func rig(
    _ name: String, rate: Float, cents: Float, _ input: [[Float]], inputRate: Double = 48_000,
    more: [UInt32: Float] = [:]
  ) throws -> MultiBusRig {
    let rig = try MultiBusRig(
      name, inputs: [input.count], outputs: [input.count], inputRate: inputRate,
      maximumFrames: 1024
    ) {
      try $0.setParameter(0, rate)
      // Playing time has no pitch.
      if cents != 0 { try $0.setParameter(1, cents) }
      for (id, value) in more { try $0.setParameter(id, value) }
    }
    rig.feeds[0].channels = input
    return rig
  }

  @Test(
    "the cents set the pitch, and the rate sets the length",
    arguments: [
      ("aufc:tmpt:appl", 1.0, 0.0), ("aufc:tmpt:appl", 0.5, 0), ("aufc:nutp:appl", 1.5, 700),
      ("aufc:nutp:appl", 0.8, -500), ("aufc:nutp:appl", 2, 1200), ("aufc:iptm:appl", 1.7, 0),
      ("aufc:ipto:appl", 0.6, 0),
    ])
  func tones(_ name: String, _ rate: Double, _ cents: Double) throws {
    let frames = 40_000
    let input = TestSignal.sine(
      frequency: 500, frameCount: Int(Double(frames) * rate) + 20_000)
    let rig = try rig(name, rate: Float(rate), cents: Float(cents), [input])
    let output = try rig.render(frames, slices: [1000, 333])[0]
    let found = purity(Array(output[12_000..<36_000]), frequency: 500 * exp2(cents / 1200))
    #expect(found > 30, "\(found) dB at rate \(rate), \(cents) cents")
    let pulled = rig.feeds[0].pulls.reduce(0) { $0 + $1.frames }
    #expect(abs(Double(pulled) - Double(frames) * rate) < 9000, "\(pulled)")
    let pulls = rig.feeds[0].pulls
    #expect(zip(pulls, pulls.dropFirst()).allSatisfy { $0.time + Double($0.frames) == $1.time })
  }

  @Test(
    "a whole sound is as long as its rate makes it, and each place in it where the rate puts it")
  func whole() throws {
    let unit = try Shipped.open(name: "auol:tmpt:appl")
    try unit.setParameter(0, 1.25)
    try unit.setProperty(kAudioUnitOfflineProperty_InputSize, UInt64(60_000))
    #expect(
      try unit.property(kAudioUnitOfflineProperty_OutputSize, as: UInt64.self) == 48_000)
    let rig = try MultiBusRig(
      "auol:tmpt:appl", inputs: [1], outputs: [1], maximumFrames: 1024
    ) {
      try $0.setParameter(0, 1.25)
      try $0.setProperty(kAudioUnitOfflineProperty_InputSize, UInt64(60_000))
    }
    rig.feeds[0].channels = [burst(at: 20_000, frames: 60_000)]
    let output = try rig.render(48_000, slices: [1000])[0]
    #expect(abs(middle(output) - 16_000) < 480, "\(middle(output))")
    #expect(rig.feeds[0].pulls.allSatisfy { $0.time + Double($0.frames) <= 60_000 })
  }

  @Test("speeds beyond eight are kept, and sound the same each time", arguments: [9.0, 11, 15])
  func fast(_ rate: Double) throws {
    let input = TestSignal.sine(frequency: 500, frameCount: Int(32_000 * rate))
    let rigs = try (0..<2).map { _ in
      try rig("aufc:nutp:appl", rate: Float(rate), cents: 0, [input])
    }
    var outputs = try rigs.map { try $0.render(10_000)[0] }
    #expect(outputs[0] == outputs[1])
    // Frames pulled ahead at first are pulled once.
    let before = rigs[0].feeds[0].pulls.reduce(0) { $0 + $1.frames }
    outputs = try rigs.map { try $0.render(14_000)[0] }
    #expect(outputs[0] == outputs[1])
    let pulled = rigs[0].feeds[0].pulls.reduce(0) { $0 + $1.frames } - before
    #expect(abs(Double(pulled) / rate - 14_000) < 700, "\(pulled)")
  }

  @Test("sound of a time comes at that time divided by the rate", arguments: [0.5, 1, 1.6])
  func alignment(_ rate: Double) throws {
    let input = burst(at: 16_000, frames: 60_000)
    let rig = try rig("aufc:nutp:appl", rate: Float(rate), cents: 300, [input])
    let output = try rig.render(Int(50_000 / rate))[0]
    #expect(abs(middle(output) - 16_000 / rate) < 480, "\(middle(output))")
  }

  @Test("the same samples whatever the slices, and after a reset", arguments: [1.0, 0])
  func sameness(_ locksPeaks: Float) throws {
    let input = (3...4).map { TestSignal.noise(seed: $0, frameCount: 40_000) }
    func render(_ rig: MultiBusRig, _ slices: [Int]) throws -> [[Float]] {
      try rig.render(6400, slices: slices) { frame in
        if frame % 6400 == 1600 { try rig.unit.setParameter(1, 400) }
        if frame % 6400 == 3200 { try rig.unit.setParameter(0, 1.7) }
      }
    }
    func make() throws -> MultiBusRig {
      try rig(
        "aufc:nutp:appl", rate: 0.8, cents: -200, input, inputRate: 44_100, more: [6: locksPeaks])
    }
    let first = try make()
    let whole = try render(first, [800])
    let cut = try render(make(), [32, 128])
    #expect(cut == whole)
    try first.unit.reset()
    try first.unit.setParameter(0, 0.8)
    try first.unit.setParameter(1, -200)
    first.position = -Double(800)
    let again = try render(first, [800])
    #expect(again == whole)
  }

  @Test(
    "noise is as loud as its input at every rate and pitch",
    arguments: [
      ("aufc:tmpt:appl", 0.25, 0.0), ("aufc:tmpt:appl", 2, 0), ("aufc:tmpt:appl", 1, 700),
      ("aufc:nutp:appl", 4, 0), ("aufc:nutp:appl", 0.6, -900), ("aufc:iptm:appl", 2, 0),
    ])
  func levels(_ name: String, _ rate: Double, _ cents: Double) throws {
    let frames = 120_000
    let input = TestSignal.noise(
      seed: 17, amplitude: 0.4, frameCount: Int(Double(frames) * rate) + 40_000)
    let rig = try rig(name, rate: Float(rate), cents: Float(cents), [input])
    let output = try rig.render(frames)[0]
    let change = decibels(rootMeanSquare(Array(output[24_000...])) / rootMeanSquare(input))
    // A higher pitch loses the part that comes above half the sample rate.
    let kept = cents > 0 ? 10 * log10(exp2(-cents / 1200)) : 0
    #expect(abs(change - kept) < 0.5, "\(change) dB at rate \(rate), \(cents) cents")
  }

  @Test("extreme rates, pitches and levels stay finite", arguments: [1.0, 0])
  func extremes(_ locksPeaks: Float) throws {
    var random = SeededGenerator(seed: 5)
    let input = TestSignal.noise(seed: 6, amplitude: 1e7, frameCount: 300_000)
    let rig = try rig("aufc:nutp:appl", rate: 1, cents: 0, [input], more: [6: locksPeaks])
    let output = try rig.render(24_000, slices: [1, 500, 77]) { _ in
      try rig.unit.setParameter(0, exp2(random.nextSample() * 5))
      try rig.unit.setParameter(1, random.nextSample() * 2400)
    }[0]
    let isFinite = output.allSatisfy { $0.isFinite }
    #expect(isFinite)
    #expect(peak(output) < 1e5)
  }
}

@Suite("Pitch effect") struct PitchEffectTests {
  private func rig(
    _ cents: Float, blend: Float = 100, windows: Float = 0, sampleRate: Double = 48_000
  ) throws -> UnitRig {
    try UnitRig(
      "tmpt", [1: cents, 2: blend, 64_101: windows], channels: 1, sampleRate: sampleRate)
  }

  @Test("the pitch is shifted and nothing else", arguments: [-2400, -700, 0, 500, 2400])
  func tones(_ cents: Float) throws {
    let output = try rig(cents).renderMono(TestSignal.sine(frequency: 500, frameCount: 60_000))
    let found = purity(
      Array(output[28_000..<52_000]), frequency: 500 * exp2(Double(cents) / 1200))
    #expect(found > 30, "\(found) dB at \(cents) cents")
  }

  @Test(
    "the reported latency is the same at every pitch, also after many changes",
    arguments: [Float(0), 1])
  func alignment(_ windows: Float) throws {
    for cents: Float in [-2400, -500, 0, 700, 2400] {
      let rig = try rig(cents, windows: windows)
      let latency = Int((rig.unit.latency * 48_000).rounded())
      let output = try rig.renderMono(burst(at: 20_000, frames: 60_000))
      #expect(abs(middle(output) - Double(20_000 + latency)) < 700, "\(cents): \(middle(output))")
    }
    let rig = try rig(0, windows: windows)
    let latency = Int((rig.unit.latency * 48_000).rounded())
    var random = SeededGenerator(seed: 9)
    let input = TestSignal.noise(seed: 8, frameCount: 600_000)
    _ = try rig.render([input], slices: [256]) { frame in
      try rig.unit.setParameter(1, frame < 560_000 ? random.nextSample() * 1200 : 0)
    }
    let silence = TestSignal.silence(frameCount: 40_000)
    let output = try rig.render([silence + burst(at: 20_000, frames: 60_000)])[0]
    let place = middle(Array(output.dropFirst(40_000)))
    #expect(abs(place - Double(20_000 + latency)) < 1500, "\(place) of \(20_000 + latency)")
  }

  @Test("a jump of the pitch is inaudible beside a tone", arguments: [-2400, -1200, 300, 1200])
  func jump(_ cents: Float) throws {
    let rig = try rig(0)
    let latency = Int((rig.unit.latency * 48_000).rounded())
    let tone = TestSignal.sine(frequency: 1000, frameCount: 80_000)
    let output = try rig.render([tone], slices: [480]) { frame in
      if frame == 38_400 { try rig.unit.setParameter(1, cents) }
    }[0]
    let start = 38_400 + latency - 16_384
    let click = levelAbove(10_000, Array(output[start..<(start + 32_768)]))
    #expect(click < -60, "\(click) dB at \(cents) cents")
  }

  @Test(
    "short windows have less than half the latency",
    arguments: [8000.0, 16_000, 44_100, 48_000, 96_000, 192_000])
  func latency(_ rate: Double) throws {
    let short = try rig(0, windows: 1, sampleRate: rate).unit.latency
    #expect(short < 0.5 * (try rig(0, sampleRate: rate).unit.latency), "\(short) s")
    if rate > 44_000 { #expect(short < 0.1, "\(short) s") }
  }

  @Test(
    "noise and tones keep their level at every rate",
    arguments: [
      (8000.0, Float(-2400)), (8000, 500), (48_000, -1200), (48_000, 0), (48_000, 700),
      (192_000, -2400),
    ])
  func levels(_ sampleRate: Double, _ cents: Float) throws {
    for windows: Float in [0, 1] {
      let frames = Int(3 * sampleRate)
      let tone = TestSignal.sine(frequency: 2000, frameCount: frames)
      let noise = TestSignal.noise(seed: 21, amplitude: 0.4, frameCount: frames)
      for (input, loses) in [(noise, cents > 0), (tone, false)] {
        let rig = try rig(cents, windows: windows, sampleRate: sampleRate)
        let output = try rig.renderMono(input)
        let sound = Array(output[(2 * frames / 3)...])
        let change = decibels(rootMeanSquare(sound) / rootMeanSquare(input))
        // A higher pitch loses the part that comes above half the sample rate.
        let kept = loses ? 10 * log10(exp2(-Double(cents) / 1200)) : 0
        #expect(abs(change - kept) < 0.5, "\(change) dB, windows \(windows)")
      }
    }
  }

  /// The level of a vowel at a frequency: resonances at 700 and 1800 Hz.
  private func height(_ place: Double) -> Double {
    1 / (1 + pow((place - 700) / 100, 2)) + 0.5 / (1 + pow((place - 1800) / 150, 2)) + 0.002
  }

  /// The vowel, of harmonics of a frequency.
  private func vowel(_ frequency: Double, _ frames: Int) -> [Float] {
    (0..<frames).map { frame in
      var sum = 0.0
      for number in 1...60 where frequency * Double(number) < 8000 {
        let place = frequency * Double(number)
        sum +=
          height(place) * sin(2 * .pi * place * Double(frame) / 48_000 + Double(number * number))
      }
      return Float(0.05 * sum)
    }
  }

  /// The middle of the powers of the harmonics in a range.
  private func centre(
    _ range: ClosedRange<Double>, _ fundamental: Double, power: (Double) -> Double
  ) -> Double {
    var (sum, moment) = (0.0, 0.0)
    for number in 1...60 where range.contains(fundamental * Double(number)) {
      let place = fundamental * Double(number)
      sum += power(place)
      moment += power(place) * place
    }
    return moment / sum
  }

  @Test(
    "kept formants stay in their places and shifted ones go with the pitch, at the level of the input",
    arguments: [(-400, Float(0)), (400, 0), (-400, 1), (700, 1)])
  func formants(_ cents: Int, _ windows: Float) throws {
    let input = vowel(120, 96_000)
    let fundamental = 120 * exp2(Double(cents) / 1200)
    var found: [Double] = []
    for kept: Float in [0, 1] {
      let rig = try UnitRig(
        "tmpt", [1: Float(cents), 64_100: kept, 64_101: windows], channels: 1)
      let output = try rig.renderMono(input)
      let sound = Array(output[60_000..<84_000])
      #expect(abs(decibels(rootMeanSquare(sound) / rootMeanSquare(input))) < 1)
      for range in [400.0...1100, 1300...2400] {
        let (place, wanted) = (
          centre(range, fundamental) { frequency in
            var (re, im) = (0.0, 0.0)
            for (frame, sample) in sound.enumerated() {
              let angle = 2 * Double.pi * frequency * Double(frame) / 48_000
              let window = 1 - cos(2 * .pi * Double(frame) / Double(sound.count))
              re += window * Double(sample) * cos(angle)
              im += window * Double(sample) * sin(angle)
            }
            return re * re + im * im
          }, centre(range, fundamental) { pow(height($0), 2) }
        )
        found.append(abs(place / wanted - 1))
      }
    }
    #expect(found[2] < 0.05 && found[3] < 0.05, "\(found)")
    #expect(found[0] > 0.1 && found[1] > 0.05, "\(found)")
  }

  @Test("kept formants leave sound at its pitch alone, later by the latency")
  func keptAtRest() throws {
    let rig = try UnitRig("tmpt", [1: 0, 64_100: 1], channels: 2)
    let latency = Int((rig.unit.latency * 48_000).rounded())
    let output = try rig.render([
      burst(at: 20_000, frames: 60_000), TestSignal.silence(frameCount: 60_000),
    ])
    #expect(abs(middle(output[0]) - Double(20_000 + latency)) < 700, "\(middle(output[0]))")
    #expect(peak(output[1]) < 1e-6)
  }

  @Test("a blend of 0 is the input, delayed bit for bit")
  func blend() throws {
    let rig = try rig(700, blend: 0)
    let latency = Int((rig.unit.latency * 48_000).rounded())
    let input = TestSignal.noise(seed: 7, frameCount: 30_000)
    let output = try rig.renderMono(input)
    #expect(Array(output.dropFirst(latency)) == Array(input.prefix(30_000 - latency)))
    #expect(output.prefix(latency).allSatisfy { $0 == 0 })
  }

  @Test("the same samples whatever the slices, and after a reset", arguments: [Float(0), 1])
  func sameness(_ windows: Float) throws {
    let input = [TestSignal.noise(seed: 13, amplitude: 0.9, frameCount: 24_000)]
    func render(_ rig: UnitRig, _ slices: [Int]) throws -> [[Float]] {
      try rig.unit.setParameter(1, -300)
      return try rig.render(input, slices: slices) { frame in
        if frame == 9600 { try rig.unit.setParameter(1, 800) }
      }
    }
    let first = try rig(-300, windows: windows)
    let whole = try render(first, [960])
    let cut = try render(rig(-300, windows: windows), [32, 64])
    #expect(cut == whole)
    try first.reset()
    let again = try render(first, [96])
    #expect(again == whole)
  }
}
