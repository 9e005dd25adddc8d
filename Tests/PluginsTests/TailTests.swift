// Tails are over when units say so, after any input; a resting unit brings nothing old back.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing

/// A unit and settings that let it ring for long.
struct RingingUnit: Sendable, CustomTestStringConvertible {
  let subtype: String
  let parameters: [AudioUnitParameterID: Float]
  /// Seconds until it has gathered all it can.
  let seconds: Double
  var testDescription: String { "\(subtype) \(parameters)" }

  static let all: [RingingUnit] = [
    .init(subtype: "dely", parameters: [0: 100, 1: 0.2, 2: 80, 3: 15_000], seconds: 5),
    .init(subtype: "dely", parameters: [0: 100, 1: 0.01, 2: 99, 3: 22_050], seconds: 6),
    .init(subtype: "dely", parameters: [0: 100, 1: 0.02, 2: -95, 3: 200], seconds: 4),
    .init(subtype: "dely", parameters: [0: 50, 1: 0.001, 2: 98, 3: 50], seconds: 4),
    .init(subtype: "dely", parameters: [0: 100, 1: 1, 2: 0, 3: 10], seconds: 3),
    .init(subtype: "mrev", parameters: [:], seconds: 4),
    .init(subtype: "mrev", parameters: [0: 100, 1: 0, 2: 0.02, 9: 1], seconds: 2),
    .init(subtype: "mrev", parameters: [3: 3, 10: 1, 8: 1, 7: 1, 5: 0.1], seconds: 5),
    .init(subtype: "lpas", parameters: [0: 60, 1: 30], seconds: 3),
    .init(subtype: "pmeq", parameters: [0: 40, 1: 20, 2: 20], seconds: 3),
  ]
}

@Suite("Tails")
struct TailTests {
  /// Makes a unit's input: noise, a constant, a low tone.
  private static func inputs(_ count: Int) -> [[Float]] {
    [
      TestSignal.noise(seed: 4711, amplitude: 0.9, frameCount: count),
      [Float](repeating: 1, count: count),
      (0..<count).map { Float(sin(2 * Double.pi * 100 * Double($0) / 48_000)) },
    ]
  }

  @Test("nothing louder than -90 dB is left after the tail", arguments: RingingUnit.all)
  func isOver(_ ringing: RingingUnit) throws {
    for input in Self.inputs(Int(ringing.seconds * 48_000)) {
      let rig = try UnitRig(ringing.subtype, ringing.parameters)
      let before = peak(try rig.render([input], slices: [4096])[0])
      let tail = try #require(rig.unit.tailTime)
      // Zeros that are not said to be silence: the unit goes on.
      let silence = [Float](repeating: 0, count: Int(tail * 48_000) + 24_000)
      let after = try rig.render([silence], slices: [4096])[0]
      let residue = peak(Array(after.suffix(24_000)))
      #expect(residue <= before * 3.2e-5, "\(residue / before) of the peak after \(tail) s")
    }
  }

  @Test(
    "sound from a time with a dry mix does not come back after a rest",
    arguments: ["dely", "mrev"])
  func staysAway(_ subtype: String) throws {
    let rig = try UnitRig(
      subtype, subtype == "dely" ? [0: 0, 1: 0.5, 2: 90] : [0: 0, 3: 4], maximumFrames: 4096)
    let noise = TestSignal.noise(seed: 5, amplitude: 0.9, frameCount: 48_000)
    _ = try rig.render([noise], slices: [4096])
    let unit = rig.unit
    unsafe try unit.setInputCallback(
      { _, flags, _, _, count, list in
        guard let list = unsafe list else { return kAudio_ParamError }
        for channel in 0..<(unsafe list.bufferCount) {
          guard let data = unsafe list.samples(channel) else { return kAudio_ParamError }
          for frame in 0..<Int(count) { unsafe data[frame] = 0 }
        }
        unsafe flags?.pointee |= kAudioUnitRenderAction_OutputIsSilence
        return 0
      }, refCon: nil)
    let buffers = AudioBuffers(channelCount: 2, frameCapacity: 4096)
    var position = 48_000
    var hasRested = false
    func render() throws -> Float {
      buffers.setFrameCount(4096)
      var flags: AudioUnitRenderActionFlags = 0
      var time = AudioTimeStamp(sampleTime: Double(position))
      position += 4096
      let status = unsafe unit.render(
        flags: &flags, timeStamp: &time, frameCount: 4096, buffers: buffers.list)
      #expect(status == 0)
      if flags & kAudioUnitRenderAction_OutputIsSilence != 0 { hasRested = true }
      return (0..<4096).map { unsafe abs(buffers.channel(0)[$0]) }.max() ?? 0
    }
    // With a dry mix, the reported tail is none; the signal circulating inside needs its time.
    while !hasRested, position < 200 * 48_000 { _ = try render() }
    #expect(hasRested)
    try unit.setParameter(0, 100)
    if subtype == "dely" { try unit.setParameter(1, 2) }
    unsafe try unit.setInputCallback(
      { _, _, _, _, count, list in
        guard let list = unsafe list else { return kAudio_ParamError }
        for channel in 0..<(unsafe list.bufferCount) {
          guard let data = unsafe list.samples(channel) else { return kAudio_ParamError }
          for frame in 0..<Int(count) { unsafe data[frame] = 0 }
        }
        return 0
      }, refCon: nil)
    var loudest: Float = 0
    for _ in 0..<40 { loudest = max(loudest, try render()) }
    #expect(loudest < 1e-4, "\(loudest)")
  }
}
