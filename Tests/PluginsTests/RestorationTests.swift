// Noise reduction, de-esser, leveller and hum filter against signals whose answer is known.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing

@Suite("Restoration") struct RestorationTests {
  private func level(_ samples: some Collection<Float>) -> Double {
    decibels(rootMeanSquare(Array(samples)))
  }

  /// A voice: harmonics of 140 Hz that fall by 12 dB an octave, in syllables with pauses.
  private func voice(_ seconds: Int, rate: Double = 48_000) -> [Float] {
    (0..<Int(Double(seconds) * rate)).map { frame in
      let time = Double(frame) / rate
      guard time.truncatingRemainder(dividingBy: 1) < 0.5 else { return 0 }
      var sum = 0.0
      for number in 1...20 {
        sum += sin(2 * .pi * 140 * Double(number) * time) / Double(number * number)
      }
      return Float(0.15 * sum)
    }
  }

  /// A filter of the units that ship.
  private func through(_ subtype: String, _ values: [UInt32: Float], _ input: [Float]) throws
    -> [Float]
  {
    try UnitRig(subtype, values, channels: 1).renderMono(input)
  }

  @Test(
    "steady noise sinks by the setting, and a voice over it stays", arguments: [-60.0, -50, -40])
  func noise(_ decibels: Double) throws {
    let voice = voice(8)
    let scale = Float(amplitude(decibels: decibels) * 3.0.squareRoot())
    let noise = TestSignal.noise(seed: 5, amplitude: scale, frameCount: voice.count)
    let input = zip(voice, noise).map { $0 + $1 }
    let rig = try UnitRig("nred", [0: 20], channels: 1)
    let latency = Int((rig.unit.latency * 48_000).rounded())
    #expect(latency == 2048)
    let output = Array(
      try rig.renderMono(input + [Float](repeating: 0, count: latency)).dropFirst(latency))
    for second in 4..<7 {
      let start = 48_000 * second
      let pause = (start + 31_200)..<(start + 45_600)
      #expect(level(output[pause]) < level(input[pause]) - 14, "second \(second)")
      let sound = (start + 4800)..<(start + 19_200)
      #expect(abs(level(output[sound]) - level(voice[sound])) < 0.3, "second \(second)")
      let error = sound.map { output[$0] - voice[$0] }
      #expect(level(error) < decibels - 2, "second \(second)")
    }
  }

  @Test("a learnt profile holds, and hum with its harmonics is noise, too")
  func learnt() throws {
    let hum = (0..<(48_000 * 6)).map { frame -> Float in
      let turn = 2 * Double.pi * 50.2 * Double(frame) / 48_000
      return Float((1...10).reduce(0.0) { $0 + 0.01 * sin(Double($1) * turn) / Double($1) })
    }
    for profile: Float in [0, 1] {
      let output = try through("nred", [0: 30, 2: profile, 3: 1], hum)
      #expect(level(output[144_000...]) < level(hum[144_000...]) - 20, "profile \(profile)")
    }
    // A profile that was learnt from silence removes nothing.
    let quiet = [Float](repeating: 1e-6, count: 96_000) + hum
    let kept = try through("nred", [0: 30, 2: 1, 3: 1], quiet)
    #expect(abs(level(kept[192_000...]) - level(hum[96_000...])) < 0.5)
  }

  @Test(
    "a learnt profile is saved with the unit, restored at any rate, and outlives a reset",
    arguments: [48_000.0, 44_100, 96_000])
  func savedProfile(_ rate: Double) throws {
    let noise = TestSignal.noise(seed: 9, amplitude: 0.01, frameCount: 96_000)
    let teacher = try UnitRig("nred", [0: 30, 2: 1, 3: 0, 4: 1], channels: 1)
    _ = try teacher.renderMono(noise)
    try teacher.unit.setParameter(4, 0)
    let state = unsafe try teacher.unit.property(
      kAudioUnitProperty_ClassInfo, as: CFDictionaryRef?.self)
    defer { unsafe CFRelease(UnsafeRawPointer(state)) }
    try teacher.reset()
    let again = try teacher.renderMono(noise)
    #expect(level(again.suffix(48_000)) < level(noise) - 20, "after a reset")
    let pupil = try Shipped.open("nred")
    unsafe try pupil.setProperty(kAudioUnitProperty_ClassInfo, state)
    let rig = try UnitRig(pupil, channels: 1, sampleRate: rate)
    // Nothing is learnt here: the noise of the pupil's rate has the density of the teacher's.
    let scale = Float(0.01 * (rate / 48_000).squareRoot())
    let other = TestSignal.noise(seed: 10, amplitude: scale, frameCount: Int(2 * rate))
    for _ in 0..<2 {
      let output = try rig.renderMono(other)
      #expect(level(output.suffix(Int(rate))) < level(other) - 20, "\(rate) Hz")
      try rig.reset()
    }
    let without = try UnitRig("nred", [0: 30, 2: 1, 3: 0], channels: 1)
    #expect(abs(level(try without.renderMono(noise).suffix(48_000)) - level(noise)) < 0.5)
  }

  @Test(
    "sibilants sink by 4 to 8 dB and vowels by less than 0.5 dB at any level",
    arguments: [-36.0, -26, -17])
  func sibilants(_ decibels: Double) throws {
    let scale = Float(amplitude(decibels: decibels))
    let vowel = voice(1).prefix(24_000).map { $0 * scale * 8 }
    var hiss = TestSignal.noise(seed: 9, amplitude: 1, frameCount: 24_000)
    for _ in 0..<3 { hiss = try through("hpas", [0: 5500, 1: -3], hiss) }
    let gain = scale * 0.6 / Float(rootMeanSquare(hiss))
    let input = vowel + hiss.map { $0 * gain } + vowel
    let output = try through("dees", [:], input)
    let sibilant = 26_400..<46_000
    let change = level(output[sibilant]) - level(input[sibilant])
    #expect(change < -4 && change > -8)
    for part in [2400..<24_000, 52_000..<72_000] {
      #expect(abs(level(output[part]) - level(input[part])) < 0.5)
    }
    #expect(Array(output.prefix(24_000)) == Array(input.prefix(24_000)))
  }

  @Test("passages of 12 dB apart come within 2 dB, pauses are not raised")
  func leveller() throws {
    func passage(_ decibels: Double, _ seconds: Int) -> [Float] {
      TestSignal.sine(
        frequency: 997, amplitude: amplitude(decibels: decibels), frameCount: 48_000 * seconds)
    }
    let input = passage(-17, 10) + passage(-29, 10) + passage(-70, 5) + passage(-29, 3)
    let output = try through("levl", [0: -23], input)
    func at(_ second: Int) -> Double { level(output[(48_000 * second)..<(48_000 * (second + 1))]) }
    #expect(abs(at(9) - at(18)) < 2)
    // The gain of the passage before it.
    #expect(abs(at(24) - (at(18) - 41)) < 1)
    // The mean of a loud passage still fades out of the loudness at second 18.
    #expect(abs(at(27) - at(18)) < 1)
    // A gain has its bounds.
    let bounded = try through("levl", [0: 0, 1: 6], passage(-40, 20))
    #expect(abs(level(bounded[(48_000 * 18)...]) - (-40 - 3.01 + 6)) < 0.1)
  }

  @Test(
    "hum and nine harmonics sink by 30 dB wherever it is within 0.5 Hz",
    arguments: [-0.5, -0.2, 0, 0.3, 0.5])
  func hum(_ offset: Double) throws {
    let hum = (0..<(48_000 * 12)).map { frame -> Float in
      let turn = 2 * Double.pi * (50 + offset) * Double(frame) / 48_000
      return Float((1...10).reduce(0.0) { $0 + 0.02 * sin(Double($1) * turn + Double($1 * $1)) })
    }
    let rig = try UnitRig("humf", channels: 1)
    let output = try rig.renderMono(hum)
    #expect(abs(Double(try rig.unit.parameter(1000)) - 50 - offset) < 0.02)
    #expect(level(output[(48_000 * 9)...]) < level(hum[(48_000 * 9)...]) - 30)
    // The sound between the harmonics stays.
    let tone = TestSignal.sine(frequency: 275, amplitude: 0.3, frameCount: 96_000)
    let kept = try through("humf", [:], tone)
    #expect(abs(level(kept[48_000...]) - level(tone[48_000...])) < 0.1)
  }
}
