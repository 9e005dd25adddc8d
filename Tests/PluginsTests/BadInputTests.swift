// Samples that are no numbers at an input, and input that is all but silent, of every unit that ships.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing

/// The sound on all inputs of a unit.
private final class OneFeed {
  var samples: [Float] = []
  var isSilent = false
}

private let oneCallback: AURenderCallback = { refCon, flags, timeStamp, _, frameCount, list in
  guard let refCon = unsafe refCon, let timeStamp = unsafe timeStamp, let list = unsafe list else {
    return kAudio_ParamError
  }
  let feed = unsafe Unmanaged<OneFeed>.fromOpaque(refCon).takeUnretainedValue()
  if feed.isSilent { unsafe flags?.pointee |= kAudioUnitRenderAction_OutputIsSilence }
  let start = unsafe Int(timeStamp.pointee.mSampleTime)
  for index in 0..<(unsafe list.bufferCount) {
    guard let data = unsafe list.samples(index) else { return kAudio_ParamError }
    for frame in 0..<Int(frameCount) {
      let place = start + frame
      unsafe data[frame] = feed.samples.indices.contains(place) ? feed.samples[place] : 0
    }
  }
  return 0
}

/// A unit of any kind as it comes, with one sound on all of its inputs: an effect, a mixer, a panner, a converter, or an
/// offline unit in its passes.
private final class AnyUnitRig {
  static let slice = 1024
  let unit: AudioUnit
  let feed = OneFeed()
  private let isOffline: Bool
  private let buffers: AudioBuffers
  private var position = 0

  init(_ name: String, frames: Int) throws {
    unit = try Shipped.open(name: name)
    isOffline = name.hasPrefix("auol")
    // Nothing that comes from another thread is late then.
    try? unit.setProperty(kAudioUnitProperty_OfflineRender, UInt32(1))
    try unit.setMaximumFramesPerSlice(Self.slice)
    if isOffline { try unit.setProperty(kAudioUnitOfflineProperty_InputSize, UInt64(frames)) }
    for bus in 0..<unit.busCount(scope: kAudioUnitScope_Input) {
      unsafe try unit.setInputCallback(
        element: UInt32(bus), oneCallback, refCon: Unmanaged.passUnretained(feed).toOpaque())
    }
    let settings = ShippedUnit.all.first { Shipped.triple($0.subtype) == name }?.parameters ?? [:]
    for (id, value) in settings { try unit.setParameter(id, value) }
    let output = try unit.streamFormat(scope: kAudioUnitScope_Output)
    buffers = AudioBuffers(channelCount: output.channelCount, frameCapacity: Self.slice)
    try unit.initialize()
  }

  /// Renders a slice, and returns the flags.
  @discardableResult
  func render(_ pass: AudioUnitRenderActionFlags = 0) throws -> AudioUnitRenderActionFlags {
    buffers.setFrameCount(Self.slice)
    var flags = pass
    var time = AudioTimeStamp(sampleTime: Double(position))
    let status = unsafe unit.render(
      flags: &flags, timeStamp: &time, frameCount: UInt32(Self.slice), buffers: buffers.list)
    guard status == 0 else { throw AuricleError(.software, status: status, "render failed") }
    position += Self.slice
    return flags
  }

  /// Renders all of a sound, after a first pass over it where the unit is offline; returns the first channel.
  func render(all samples: [Float]) throws -> [Float] {
    feed.samples = samples
    let slices = samples.count / Self.slice
    if isOffline {
      for _ in 0..<slices { try render(kAudioOfflineUnitRenderAction_Preflight) }
    }
    position = 0
    var output: [Float] = []
    for _ in 0..<slices {
      try render(isOffline ? kAudioOfflineUnitRenderAction_Render : 0)
      unsafe output.append(
        contentsOf: UnsafeBufferPointer(start: buffers.channel(0), count: Self.slice))
    }
    return output
  }

  /// Renders until the output is silence by its flag: the number of slices; nil where it never is.
  func slicesUntilSilence() throws -> Int? {
    let seconds = min((unit.tailTime ?? 0) + 4, 60)
    for slice in 0..<Int(seconds * 48_000 / Double(Self.slice)) {
      let flags = try render(isOffline ? kAudioOfflineUnitRenderAction_Render : 0)
      if flags & kAudioUnitRenderAction_OutputIsSilence != 0 { return slice }
    }
    return nil
  }
}

@Suite("Bad input and near silence") struct BadInputTests {
  private static let frames = 140 * AnyUnitRig.slice
  private static let noise = TestSignal.noise(seed: 71, amplitude: 0.3, frameCount: frames)

  /// All units that ship and have an input, effects, mixers, panners, converters and offline units.
  private static let all: [String] = {
    guard let registry = try? Shipped.registry.get() else { return [] }
    return registry.components.map(\.triple).filter { name in
      ["aufx", "aumf", "aumx", "aupn", "aufc", "auol"].contains(String(name.prefix(4)))
    }.sorted()
  }()

  @Test("every kind of unit is tried") func kinds() {
    for kind in ["aufx", "aumx", "aupn", "aufc", "auol"] {
      #expect(Self.all.filter { $0.hasPrefix(kind) }.count >= 2, "\(kind)")
    }
    for unit in ShippedUnit.all { #expect(Self.all.contains(Shipped.triple(unit.subtype))) }
  }

  /// The noise with single samples that are no numbers at half a second.
  private static func spoilt(_ value: Float) -> [Float] {
    var samples = noise
    for frame in [24_000, 24_001, 24_700] { samples[frame] = value }
    return samples
  }

  @Test("NaN and infinity at an input are gone within a second", arguments: all)
  func recovers(_ name: String) throws {
    let clean = try AnyUnitRig(name, frames: Self.frames).render(all: Self.noise)
    for value in [Float.nan, .infinity, -.infinity] {
      let rig = try AnyUnitRig(name, frames: Self.frames)
      let found = try rig.render(all: Self.spoilt(value))
      // A reversed sound has the bad samples in its second half.
      let isTurned = name == "auol:revs:Auri"
      let rest = isTurned ? found[..<60_000] : found[72_000...]
      #expect(rest.allSatisfy { $0.isFinite }, "\(value)")
      // A delay by samples copies them as they are.
      if name != "aufx:sdly:appl" { #expect(found.allSatisfy { $0.isFinite }, "\(value)") }
      // As loud as without, one sample more or less.
      let place = isTurned ? 0..<48_000 : 96_000..<clean.count
      let (before, after) = (
        rootMeanSquare(Array(clean[place])), rootMeanSquare(Array(found[place]))
      )
      #expect(abs(before - after) <= 0.02 * before + 1e-9, "\(value)")
      if name == "aufx:metr:Auri" {
        for id: UInt32 in 0..<5 { #expect(try rig.unit.parameter(id) > -40) }
      }
    }
  }

  @Test("noise of -180 dBFS rests a unit as soon as silence does", arguments: all)
  func rests(_ name: String) throws {
    // These do the same for any input, and pass it on bit for bit, however quiet.
    let passing = ["sdly", "splt", "mspl", "merg"]
    guard !passing.contains(String(name.split(separator: ":")[1])), !name.hasPrefix("aupn")
    else { return }
    let noise = (0..<Self.frames).map { Float(($0 * 7919) % 2001 - 1000) * 1e-12 }
    func slices(_ isSilent: Bool) throws -> Int? {
      let rig = try AnyUnitRig(name, frames: Self.frames)
      _ = try rig.render(all: Array(Self.noise.prefix(4096)))
      rig.feed.samples = isSilent ? [] : Array(repeating: noise, count: 20).flatMap(\.self)
      rig.feed.isSilent = isSilent
      return try rig.slicesUntilSilence()
    }
    let (silent, quiet) = (try slices(true), try slices(false))
    #expect(quiet == silent, "\(quiet.map(String.init) ?? "never")")
  }
}
