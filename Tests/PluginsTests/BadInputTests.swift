// Samples that are no numbers at an input, and input that is all but silent, of every unit that ships.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing

@Suite("Bad input and near silence") struct BadInputTests {
  private static let seconds = 3
  private static let noise = TestSignal.noise(
    seed: 71, amplitude: 0.3, frameCount: 48_000 * seconds)

  /// The noise with single samples that are no numbers at half a second.
  private static func spoilt(_ value: Float) -> [Float] {
    var samples = noise
    for frame in [24_000, 24_001, 24_700] { samples[frame] = value }
    return samples
  }

  /// Units whose input the host pulls, other than effects.
  private static let further = [
    "aufx:tmpt:appl", "aumx:mcmx:appl", "aumx:smxr:appl", "aumx:3dem:appl", "aumx:3dmx:appl",
    "aupn:vbas:appl", "aupn:ambi:appl", "aupn:sphr:appl",
  ]
  private static let all = ShippedUnit.all.map { Shipped.triple($0.subtype) } + further

  private static func parameters(of name: String) -> [AudioUnitParameterID: Float] {
    ShippedUnit.all.first { Shipped.triple($0.subtype) == name }?.parameters ?? [:]
  }

  @Test("NaN and infinity at an input are gone within a second", arguments: all)
  func recovers(_ name: String) throws {
    let values = Self.parameters(of: name)
    let clean = try UnitRig(Shipped.open(name: name), values).renderMono(Self.noise)
    for value in [Float.nan, .infinity, -.infinity] {
      let rig = try UnitRig(Shipped.open(name: name), values)
      let found = try rig.renderMono(Self.spoilt(value))
      let rest = found[72_000...]
      #expect(rest.allSatisfy { $0.isFinite }, "\(value)")
      // As loud as without, one sample more or less.
      let (before, after) = (
        rootMeanSquare(Array(clean[96_000...])), rootMeanSquare(Array(found[96_000...]))
      )
      #expect(abs(before - after) <= 0.02 * before + 1e-9, "\(value)")
      if name == "aufx:metr:Auri" {
        for id: UInt32 in 0..<5 { #expect(try rig.unit.parameter(id) > -40) }
      }
    }
  }

  @Test(
    "noise of -180 dBFS is silence once the tail is over: the unit does not run",
    arguments: ShippedUnit.all)
  func rests(_ shipped: ShippedUnit) throws {
    // A plain delay in C passes its input on bit for bit, however quiet.
    guard shipped.subtype != "sdly" else { return }
    let rig = try UnitRig(shipped.subtype)
    let unit = rig.unit
    _ = try rig.render([Array(Self.noise.prefix(4096))], slices: [4096])
    // A unit whose silence is flagged rests; others work as much for silence.
    func restsAfter(_ callback: AURenderCallback) throws -> Int? {
      unsafe try unit.setInputCallback(callback, refCon: nil)
      let buffers = AudioBuffers(channelCount: 2, frameCapacity: 4096)
      let slices = Int(min((unit.tailTime ?? 0) + 4, 60) * 48_000 / 4096) + 8
      for slice in 0..<slices {
        buffers.setFrameCount(4096)
        var flags: AudioUnitRenderActionFlags = 0
        var time = AudioTimeStamp(sampleTime: Double(4096 * (slice + 1)))
        let status = unsafe unit.render(
          flags: &flags, timeStamp: &time, frameCount: 4096, buffers: buffers.list)
        #expect(status == 0)
        if flags & kAudioUnitRenderAction_OutputIsSilence != 0 { return slice }
      }
      return nil
    }
    let silent = unsafe try restsAfter { _, flags, _, _, _, _ in
      unsafe flags?.pointee |= kAudioUnitRenderAction_OutputIsSilence
      return 0
    }
    guard silent != nil else { return }
    try unit.reset()
    let quiet = unsafe try restsAfter { _, _, _, _, frames, list in
      guard let list = unsafe list else { return kAudio_ParamError }
      for channel in 0..<(unsafe list.bufferCount) {
        guard let data = unsafe list.samples(channel) else { return kAudio_ParamError }
        for frame in 0..<Int(frames) {
          unsafe data[frame] = Float((frame * 7919) % 2001 - 1000) * 1e-12
        }
      }
      return 0
    }
    #expect(quiet != nil)
  }
}
