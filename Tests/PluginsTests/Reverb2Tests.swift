// The second reverb: decay times, delays, rooms, sides.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing

@Suite("Reverb 2") struct Reverb2Tests {
  private func response(
    _ values: [UInt32: Float], seconds: Double, sampleRate: Double = 48_000
  ) throws -> [[Float]] {
    try UnitRig("rvb2", values, sampleRate: sampleRate).render([
      TestSignal.impulse(frameCount: Int(seconds * sampleRate))
    ])
  }

  /// Level of a band of a part of a response, dB.
  private func level(_ samples: ArraySlice<Float>, _ hertz: Double, _ rate: Double) -> Double {
    let spectrum = powerSpectrum(Array(samples))
    let bin = hertz / rate * Double(samples.count)
    return 10 * log10(spectrum[Int(bin * 0.7)...Int(bin * 1.4)].reduce(0, +))
  }

  @Test("decays as long as it is set to, at any rate", arguments: [44_100.0, 96_000])
  func decay(_ rate: Double) throws {
    for seconds in [0.8, 3.0] {
      let values: [UInt32: Float] = [4: Float(seconds), 5: Float(seconds)]
      let output = try response(values, seconds: seconds * 0.8 + 0.5, sampleRate: rate)[0]
      let size = rate > 60_000 ? 16_384 : 8192
      for hertz in [250.0, 1000, 4000, 8000] {
        func at(_ time: Double) -> Double {
          let start = Int(time * rate)
          return level(output[start..<(start + size)], hertz, rate)
        }
        let first = 0.15, last = first + 0.5 * seconds
        let measured = 60 * (last - first) / (at(first) - at(last))
        #expect(abs(measured / seconds - 1) < 0.12, "\(measured) s at \(hertz) Hz of \(rate)")
      }
    }
  }

  @Test(
    "high frequencies may decay more slowly than low ones, and still decay",
    arguments: [8000.0, 44_100, 48_000, 96_000, 192_000])
  func bright(_ rate: Double) throws {
    for (low, high) in [(0.1, 1.0), (0.3, 20), (0.5, 2), (1, 2), (5, 20)] as [(Float, Float)] {
      let output = try response([4: low, 5: high], seconds: 3, sampleRate: rate)[0]
      let parts = (0..<3).map { part in
        rootMeanSquare(output[Int((0.2 + Double(part)) * rate)...].prefix(Int(0.5 * rate)))
      }
      #expect(parts[1] < parts[0] && parts[2] <= parts[1], "\(low) s, \(high) s: \(parts)")
      #expect(output.allSatisfy(\.isFinite) && peak(output) < 1, "\(low) s, \(high) s")
    }
  }

  @Test("a room that grows from nothing does not burst", arguments: [22_050.0, 48_000])
  func growing(_ rate: Double) throws {
    for (id, least, most) in [(4, 0.001, 5), (5, 0.001, 20), (3, 1, 0.01)]
      as [(UInt32, Float, Float)]
    {
      let rig = try UnitRig("rvb2", [4: 0.05, 5: 0.05], channels: 1, sampleRate: rate)
      let noise = TestSignal.noise(seed: 91, amplitude: 0.2, frameCount: Int(2 * rate))
      var count = 0
      let output = try rig.render([noise], slices: [1000]) { _ in
        count += 1
        if count % 8 == 0 { try rig.unit.setParameter(id, count % 16 == 0 ? least : most) }
      }[0]
      #expect(peak(output) < 4, "\(id)")
    }
  }

  @Test("short decays are not those of the input's diffusers", arguments: [44_100.0, 96_000])
  func short(_ rate: Double) throws {
    for seconds in [0.1, 0.3] {
      let values: [UInt32: Float] = [
        2: 0.001, 3: Float(0.1 * seconds), 4: Float(seconds), 5: Float(seconds),
      ]
      let sides = try response(values, seconds: 3 * seconds, sampleRate: rate)
      var energy = sides[0].map { pow(Double($0), 2) }
      for (frame, sample) in sides[1].enumerated() { energy[frame] += pow(Double(sample), 2) }
      let all = energy.reduce(0.0) { $0 + $1 }
      var left = all
      var places: [Int] = []
      for (frame, part) in energy.enumerated() {
        left -= part
        // Down by 5 and by 35 dB.
        if places.count < 2, left < all * (places.isEmpty ? 0.316_227_8 : 0.000_316_227_8) {
          places.append(frame)
        }
      }
      let measured = 2 * Double(places[1] - places[0]) / rate
      #expect(abs(measured / seconds - 1) < 0.15, "\(measured) s, not \(seconds)")
    }
  }

  @Test("high frequencies have a separate decay time")
  func brightness() throws {
    let output = try response([4: 2, 5: 0.5], seconds: 1.5)[0]
    func fall(_ hertz: Double) -> Double {
      level(output[4800..<12_992], hertz, 48_000) - level(output[43_200..<51_392], hertz, 48_000)
    }
    #expect(fall(12_000) > 1.7 * fall(300))
  }

  @Test("delays, random number, mix and gain have their effect; sides differ")
  func parameters() throws {
    let slow = try response([2: 0.2, 3: 0.5], seconds: 1)
    #expect((slow[0].firstIndex { abs($0) > 1e-3 } ?? 0) > 7000)
    let one = try response([6: 1], seconds: 0.5), other = try response([6: 2], seconds: 0.5)
    #expect(one != other)
    let product = zip(one[0], one[1]).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
    let power = rootMeanSquare(one[0]) * rootMeanSquare(one[1]) * Double(one[0].count)
    #expect(abs(product / power) < 0.2)
    let input = TestSignal.noise(seed: 61, amplitude: 0.3, frameCount: 9000)
    #expect(try UnitRig("rvb2", [0: 0], channels: 1).renderMono(input) == input)
    let louder = try response([1: 6], seconds: 0.5)
    let plain = try response([1: 0], seconds: 0.5)
    let rise = decibels(rootMeanSquare(louder[0])) - decibels(rootMeanSquare(plain[0]))
    #expect(abs(rise - 6) < 0.01)
  }

  @Test("rooms are presets and a property")
  func rooms() throws {
    let unit = try Shipped.open("rvb2")
    #expect(unit.factoryPresets.count == 13)
    for number: UInt32 in [0, 5, 12] {
      try unit.setProperty(kAudioUnitProperty_ReverbRoomType, number)
      #expect(try unit.property(kAudioUnitProperty_ReverbRoomType, as: UInt32.self) == number)
    }
    #expect(try unit.parameter(4) == 3.7)
    #expect(throws: AuricleError.self) {
      try unit.setProperty(kAudioUnitProperty_ReverbRoomType, UInt32(13))
    }
  }
}
