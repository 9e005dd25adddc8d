// Properties common to every built-in unit: slices, reset, automation, channels, silence.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import TestSupport
import Testing

@Suite("Every unit that ships")
struct EveryUnitTests {
  @Test("the same samples whatever the slices", arguments: ShippedUnit.all)
  func slices(_ unit: ShippedUnit) throws {
    let input = [
      TestSignal.noise(seed: 11, amplitude: 0.9, frameCount: 9000),
      TestSignal.noise(seed: 12, amplitude: 0.3, frameCount: 9000),
    ]
    let whole = try UnitRig(unit.subtype, unit.parameters).render(input, slices: [4096])
    for slices in [[1], [7], [64], [1000], [3, 500, 31, 32, 33]] {
      let cut = try UnitRig(unit.subtype, unit.parameters).render(input, slices: slices)
      #expect(cut == whole, "slices of \(slices)")
    }
  }

  @Test("parameter changes sound the same whatever the slices", arguments: ShippedUnit.all)
  func slicesWithChanges(_ unit: ShippedUnit) throws {
    let input = [TestSignal.noise(seed: 13, amplitude: 0.9, frameCount: 12_000)]
    func render(_ slices: [Int]) throws -> [[Float]] {
      let rig = try UnitRig(unit.subtype)
      return try rig.render(input, slices: slices) { frame in
        if frame == 4200 {
          for (id, value) in unit.parameters { try rig.unit.setParameter(id, value) }
        }
      }
    }
    let whole = try render([2100, 1950, 150])
    #expect(try render([7, 143]) == whole)
    #expect(try render([100, 20]) == whole)
  }

  @Test("a reset unit is like a fresh one", arguments: ShippedUnit.all)
  func reset(_ unit: ShippedUnit) throws {
    let input = [TestSignal.noise(seed: 14, amplitude: 0.9, frameCount: 6000)]
    let fresh = try UnitRig(unit.subtype, unit.parameters).render(input)
    let used = try UnitRig(unit.subtype, unit.parameters)
    _ = try used.render([TestSignal.noise(seed: 15, amplitude: 2, frameCount: 5000)], slices: [77])
    try used.reset()
    #expect(try used.render(input) == fresh)
  }

  @Test("wild automation and loud input stay finite", arguments: ShippedUnit.all)
  func automation(_ unit: ShippedUnit) throws {
    for (seed, rate) in [(UInt64(21), 8000.0), (22, 44_100), (23, 192_000)] {
      var random = SeededGenerator(seed: seed)
      let rig = try UnitRig(unit.subtype, channels: 2, sampleRate: rate)
      let parameters = try rig.unit.parameters().filter(\.isWritable)
      let input = [TestSignal.noise(seed: seed, amplitude: 100, frameCount: 60_000)]
      let output = try rig.render(input, slices: [1, 64, 300, 17]) { _ in
        for parameter in parameters where random.next() & 3 != 0 {
          let part: Float
          switch random.next() & 7 {
          case 0: part = 0
          case 1: part = 1
          default: part = (random.nextSample() + 1) / 2
          }
          try rig.unit.setParameter(
            parameter.id, parameter.minimum + part * (parameter.maximum - parameter.minimum))
        }
      }
      let isFinite = output.allSatisfy { $0.allSatisfy(\.isFinite) }
      #expect(isFinite, "seed \(seed), \(rate) Hz")
      // Resonance of 40 dB and gains of 40 dB on +40 dBFS: more would be a filter that ran away.
      #expect(peak(output[0]) < 1e9, "seed \(seed), \(rate) Hz")
    }
  }

  @Test("all corners of the parameters are finite", arguments: ShippedUnit.all)
  func corners(_ unit: ShippedUnit) throws {
    let parameters = try Shipped.open(unit.subtype).parameters().filter(\.isWritable)
    var random = SeededGenerator(seed: 31)
    for round in 0..<24 {
      var values: [AudioUnitParameterID: Float] = [:]
      for parameter in parameters {
        let high = round == 0 ? false : round == 1 ? true : random.next() & 1 == 0
        values[parameter.id] = high ? parameter.maximum : parameter.minimum
      }
      let rig = try UnitRig(unit.subtype, values, sampleRate: round & 4 == 0 ? 44_100 : 96_000)
      let output = try rig.render([TestSignal.noise(seed: 32, amplitude: 100, frameCount: 8000)])
      #expect(output.allSatisfy { $0.allSatisfy(\.isFinite) }, "\(values)")
    }
  }

  @Test("mono, six and sixty-four channels", arguments: ShippedUnit.all)
  func channels(_ unit: ShippedUnit) throws {
    let one = TestSignal.noise(seed: 41, amplitude: 0.5, frameCount: 5000)
    let mono = try UnitRig(unit.subtype, unit.parameters, channels: 1).renderMono(one)
    #expect(mono.contains { $0 != 0 })
    for count in [2, 6, 64] {
      let rig = try UnitRig(unit.subtype, unit.parameters, channels: count)
      let output = try rig.render([one])
      #expect(output.count == count)
      #expect(output.allSatisfy { $0.allSatisfy(\.isFinite) })
      // The same signal on all channels meets the same processing, except in a reverb.
      if unit.subtype != "mrev" && unit.subtype != "rvb2" {
        #expect(output.allSatisfy { $0 == mono }, "\(count) channels")
      }
    }
  }

  @Test("channels in another order come out in that order, bit for bit", arguments: ShippedUnit.all)
  func channelOrder(_ unit: ShippedUnit) throws {
    // The sides of a reverb have different reflections of the same room.
    guard unit.subtype != "mrev" && unit.subtype != "rvb2" else { return }
    let input = (0..<4).map {
      TestSignal.noise(seed: UInt64(61 + $0), amplitude: 0.8 / Float($0 + 1), frameCount: 6000)
    }
    let order = [2, 0, 3, 1]
    let plain = try UnitRig(unit.subtype, unit.parameters, channels: 4).render(input)
    let turned = try UnitRig(unit.subtype, unit.parameters, channels: 4).render(
      order.map { input[$0] })
    for (place, channel) in order.enumerated() {
      #expect(turned[place] == plain[channel], "channel \(channel)")
    }
  }

  @Test("a change of any parameter makes no click", arguments: ShippedUnit.all)
  func clicks(_ unit: ShippedUnit) throws {
    // The walls of this one move by more than ten times, and its levels with them.
    guard unit.subtype != "rvb2" else { return }
    let tone = TestSignal.sine(frequency: 150, amplitude: 0.25, frameCount: 30_000)
    // Holding and rounding samples makes steps, on purpose.
    let stepped = kDistortionParam_Decimation...kDistortionParam_DecimationMix
    for parameter in try Shipped.open(unit.subtype).parameters() where parameter.isWritable {
      if unit.subtype == "dist", stepped.contains(parameter.id) { continue }
      for extreme in [parameter.minimum, parameter.maximum]
      where extreme != parameter.defaultValue {
        // Decibels move by 6 at once, all others go to their ends.
        let isLevel = parameter.unit == kAudioUnitParameterUnit_Decibels
        let most: Float = isLevel ? 6 : .infinity
        let value =
          parameter.defaultValue + max(-most, min(most, extreme - parameter.defaultValue))
        let rig = try UnitRig(unit.subtype, channels: 1)
        let output = try rig.render([tone], slices: [100]) { frame in
          if frame == 12_000 { try rig.unit.setParameter(parameter.id, value) }
        }[0]
        // The sound before the change and the sound that is settled after it have bends of their own.
        let before = largestBend(Array(output[6000..<12_000]), from: 2)
        let after = largestBend(Array(output[24_000..<30_000]), from: 2)
        let during = largestBend(Array(output[11_990..<24_000]), from: 2)
        // A tone whose level moves bends more.
        let bound = 2 * max(before, after) + 0.004 + 0.03 * peak(output)
        #expect(during < bound, "\(parameter.name) to \(value): \(during), not \(bound)")
      }
    }
  }

  @Test("state is saved and restored, and another unit's is refused", arguments: ShippedUnit.all)
  func state(_ unit: ShippedUnit) throws {
    let first = try UnitRig(unit.subtype, unit.parameters).unit
    let state = unsafe try first.property(
      kAudioUnitProperty_ClassInfo, as: CFDictionaryRef?.self)
    defer { unsafe CFRelease(UnsafeRawPointer(state)) }
    let second = try Shipped.open(unit.subtype)
    unsafe try second.setProperty(kAudioUnitProperty_ClassInfo, state)
    for (id, value) in unit.parameters { #expect(try second.parameter(id) == value) }
    let other = try Shipped.open(unit.subtype == "lpas" ? "hpas" : "lpas")
    #expect(throws: AuricleError.self) {
      unsafe try other.setProperty(kAudioUnitProperty_ClassInfo, state)
    }
  }

  @Test("silence comes out as exact silence once the tail is over", arguments: ShippedUnit.all)
  func silence(_ unit: ShippedUnit) throws {
    let rig = try UnitRig(unit.subtype, unit.parameters)
    let quiet = try rig.render([TestSignal.silence(frameCount: 5000)])
    #expect(quiet.allSatisfy { $0.allSatisfy { $0 == 0 } }, "from the start")
    _ = try rig.render([TestSignal.noise(seed: 51, amplitude: 0.5, frameCount: 3000)])
    let tail = try #require(rig.unit.tailTime)
    let latency = rig.unit.latency
    let frames = Int((tail + latency) * rig.sampleRate) + 1
    let ringing = try rig.render([TestSignal.silence(frameCount: frames)])
    _ = ringing
    let after = try rig.render([TestSignal.silence(frameCount: 4000)])
    #expect(decibels(peak(after[0])) < -85, "after the tail of \(tail) s")
    let later = try rig.render([TestSignal.silence(frameCount: 3 * frames + 96_000)])
    #expect(later[0].suffix(2000).allSatisfy { $0 == 0 }, "in the end")
  }
}
