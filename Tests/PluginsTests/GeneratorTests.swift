// The generators, the meter and the offline units, against their documentation.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing

/// Opens a unit without input, and returns its output.
private func generate(
  _ subtype: String, _ values: [UInt32: Float], frames: Int, channels: Int = 1,
  slices: [Int] = [512], rate: Double = 48_000
) throws -> [[Float]] {
  let unit = try Shipped.open(name: "augn:\(subtype):Auri")
  try unit.setStreamFormat(
    AudioStreamFormat(sampleRate: rate, channelCount: channels), scope: kAudioUnitScope_Output)
  for (id, value) in values { try unit.setParameter(id, value) }
  try unit.initialize()
  return try renderInSlices(unit, frames: frames, channels: channels, slices: slices)
}

@Suite("Generators") struct GeneratorTests {
  @Test("the same samples whatever the slices", arguments: ["tone", "nois", "swep", "impl"])
  func slices(_ subtype: String) throws {
    let whole = try generate(subtype, [:], frames: 5000, channels: 2)
    for slices in [[1], [7, 64], [1000]] {
      #expect(try generate(subtype, [:], frames: 5000, channels: 2, slices: slices) == whole)
    }
  }

  @Test("a tone is the sine of its frequency and level; other waves have few aliases")
  func tone() throws {
    let sine = try generate("tone", [0: 997, 1: -6], frames: 48_000)[0]
    let gain = pow(10, -0.3)
    for frame in stride(from: 0, to: 48_000, by: 97) {
      let wanted = gain * sin(2 * .pi * 997 * Double(frame) / 48_000)
      #expect(abs(Double(sine[frame]) - wanted) < 1e-6)
    }
    let bin = 683
    for wave: Float in [1, 2, 3] {
      let hertz = Float(Double(bin) * 48_000 / 32_768)
      let samples = try generate("tone", [0: hertz, 1: 0, 2: wave], frames: 33_768)[0]
      let spectrum = powerSpectrum(Array(samples.suffix(32_768)))
      let most = spectrum.max() ?? 0
      // There is nothing but harmonics.
      let rest = (3..<16_384).filter { min($0 % bin, bin - $0 % bin) > 2 }.map { spectrum[$0] }
      #expect(10 * log10((rest.max() ?? 0) / most) < -80, "wave \(wave)")
      #expect(peak(samples) <= 1.0001 && peak(samples) > 0.8, "wave \(wave)")
    }
  }

  @Test("noise has its level and its slope, on each channel another")
  func noise() throws {
    for (color, slope) in [(Float(0), 0.0), (1, -3.01), (2, -6.02)] {
      let noise = try generate("nois", [0: -20, 1: color], frames: 300_000, channels: 2)
      #expect(abs(decibels(rootMeanSquare(noise[0])) + 20) < (color == 0 ? 0.1 : 1.5))
      let product = zip(noise[0], noise[1]).reduce(0) { $0 + $1.0 * $1.1 } / 300_000
      #expect(abs(product) < 0.1 * 0.01)
      var power = [Double](repeating: 0, count: 2049)
      for part in 0..<70 {
        for (bin, value) in powerSpectrum(Array(noise[0][(part * 4096)..<(part * 4096 + 4096)]))
          .enumerated()
        { power[bin] += value }
      }
      func level(_ hertz: Double) -> Double {
        let bin = hertz / 48_000 * 4096
        let range = Int(bin * 0.8)...Int(bin * 1.25)
        return 10 * log10(power[range].reduce(0, +) / Double(range.count))
      }
      #expect(abs((level(8000) - level(500)) / 4 - slope) < 0.25, "color \(color)")
    }
    let one = try generate("nois", [2: 7], frames: 1000)
    #expect(try generate("nois", [2: 7], frames: 1000) == one)
    #expect(try generate("nois", [2: 8], frames: 1000) != one)
  }

  @Test("a sweep is at each frequency when it should be, then silent; impulses come in time")
  func sweepAndImpulse() throws {
    let sweep = try generate("swep", [0: 100, 1: 10_000, 2: 1, 3: 0], frames: 60_000)[0]
    let ratio = log(100.0)
    for frame in stride(from: 0, to: 48_000, by: 101) {
      let turns = 100 / ratio * (exp(ratio * Double(frame) / 48_000) - 1)
      #expect(abs(Double(sweep[frame]) - sin(2 * .pi * turns)) < 1e-5)
    }
    #expect(sweep[48_000...].allSatisfy { $0 == 0 })
    let impulses = try generate("impl", [0: 0.01, 1: 0, 2: 2], frames: 1441)[0]
    #expect(impulses.indices.filter { impulses[$0] != 0 } == [0, 480, 960, 1440])
    #expect(impulses[0] == 1 && impulses[480] == -1 && impulses[960] == 1)
    let single = try generate("impl", [0: 0], frames: 100_000)[0]
    #expect(single.filter { $0 != 0 }.count == 1)
  }
}

@Suite("Meter and offline units") struct MeterTests {
  @Test("the meter reports loudness, peaks, correlation and spectrum, and changes nothing")
  func meter() throws {
    let unit = try Shipped.open(name: "aufx:metr:Auri")
    let rig = try UnitRig(unit)
    // The standard's own check: a sine of 997 Hz at −23 dBFS on both channels is −23 LUFS.
    let sine = TestSignal.sine(
      frequency: 997, amplitude: amplitude(decibels: -23), frameCount: 48_000 * 5)
    #expect(try rig.render([sine, sine], slices: [999])[0] == sine)
    for id: UInt32 in [0, 1, 2] { #expect(abs(try unit.parameter(id) + 23) < 0.1) }
    #expect(try abs(unit.parameter(3) + 23) < 0.05)
    #expect(try abs(unit.parameter(4) + 23) < 0.01)
    #expect(try unit.parameter(5) > 0.9999)
    let spectrum = try unit.propertyArray(kAuricleProperty_Spectrum, of: Float.self)
    #expect(spectrum.count == 2049)
    let highest = try #require(spectrum.indices.max { spectrum[$0] < spectrum[$1] })
    #expect(highest == 85 && abs(spectrum[85] + 23) < 1)
    try rig.reset()
    // A quarter of the rate between the samples: the true peak is 3 dB above them.
    let between = (0..<48_000).map { Float(0.5 * sin(.pi / 2 * Double($0) + .pi / 4)) }
    _ = try rig.render([between, between.map { -$0 }])
    #expect(abs(try unit.parameter(4) - Float(decibels(0.5)) + 3.01) < 0.02)
    #expect(abs(try unit.parameter(3) - Float(decibels(0.5))) < 0.1)
    #expect(try unit.parameter(5) < -0.9999)
  }

  @Test("bursts of 400 ms are as loud as they are, wherever they begin (EBU Tech 3341, case 13)")
  func momentary() throws {
    for shift in stride(from: 0, to: 480 * 20, by: 960) {
      let unit = try Shipped.open(name: "aufx:metr:Auri")
      let rig = try UnitRig(unit)
      let burst = TestSignal.sine(
        frequency: 1000, amplitude: amplitude(decibels: -23), frameCount: 19_200)
      let rest = [Float](repeating: 0, count: 48_000)
      let input = [Float](repeating: 0, count: 24_000 + shift) + burst + rest
      _ = try rig.render([input, input])
      #expect(abs(try unit.parameter(6) + 23) < 0.1, "\(shift) frames")
    }
  }

  @Test("channels count by their places in the layout")
  func layouts() throws {
    for (channel, difference) in [(0, 0.0), (2, 0), (3, -97), (4, 1.49), (5, 1.49)] {
      let unit = try Shipped.open(name: "aufx:metr:Auri")
      let rig = try UnitRig(unit, channels: 6)
      let sine = TestSignal.sine(
        frequency: 997, amplitude: amplitude(decibels: -20), frameCount: 48_000 * 4)
      let silence = [Float](repeating: 0, count: sine.count)
      _ = try rig.render((0..<6).map { $0 == channel ? sine : silence })
      let wanted = max(-120, -23.01 + difference)
      #expect(abs(Double(try unit.parameter(1)) - wanted) < 0.1, "channel \(channel)")
    }
  }

  @Test("silence between two loud parts does not count in the integrated loudness")
  func gate() throws {
    let unit = try Shipped.open(name: "aufx:metr:Auri")
    let rig = try UnitRig(unit)
    let loud = TestSignal.sine(
      frequency: 997, amplitude: amplitude(decibels: -20), frameCount: 48_000 * 4)
    let input = loud + [Float](repeating: 0, count: 48_000 * 8) + loud
    _ = try rig.render([input, input])
    #expect(abs(try unit.parameter(2) + 20) < 0.3)
  }

  /// Runs a whole input through an offline unit, in one pass.
  private func pass(
    _ unit: AudioUnit, _ input: [Float], _ kind: AudioUnitRenderActionFlags
  ) throws -> [Float] {
    let buffers = AudioBuffers(channelCount: 1, frameCapacity: 512)
    var output: [Float] = []
    while output.count < input.count {
      let count = min(500, input.count - output.count)
      buffers.setFrameCount(count)
      var flags = kind
      var time = AudioTimeStamp(sampleTime: Double(output.count))
      let status = unsafe unit.render(
        flags: &flags, timeStamp: &time, frameCount: UInt32(count), buffers: buffers.list)
      guard status == 0 else { throw AuricleError(.software, status: status, "render failed") }
      unsafe output.append(
        contentsOf: UnsafeBufferPointer(start: buffers.channel(0), count: count))
    }
    return output
  }

  private func open(_ subtype: String, _ input: [Float], _ values: [UInt32: Float]) throws
    -> (AudioUnit, OfflineFeed)
  {
    let unit = try Shipped.open(name: "auol:\(subtype):Auri")
    let format = AudioStreamFormat(sampleRate: 48_000, channelCount: 1)
    try unit.setStreamFormat(format, scope: kAudioUnitScope_Input)
    try unit.setStreamFormat(format, scope: kAudioUnitScope_Output)
    for (id, value) in values { try unit.setParameter(id, value) }
    try unit.setProperty(kAudioUnitOfflineProperty_InputSize, UInt64(input.count))
    let feed = OfflineFeed(input)
    unsafe try unit.setInputCallback(offlineFeed, refCon: Unmanaged.passUnretained(feed).toOpaque())
    try unit.initialize()
    return (unit, feed)
  }

  @Test("normalize brings the whole to its level", arguments: [0, 1, 2])
  func normalize(_ measure: Int) throws {
    let input = (0..<20_000).map { Float(0.1 * sin(.pi / 2 * Double($0) + .pi / 4)) }
    let (unit, feed) = try open("norm", input, [0: -6, 1: Float(measure)])
    #expect(
      try unit.property(kAudioUnitOfflineProperty_PreflightRequirements, as: UInt32.self) == 2)
    #expect(throws: (any Error).self) {
      try pass(unit, input, kAudioOfflineUnitRenderAction_Render)
    }
    _ = try pass(unit, input, kAudioOfflineUnitRenderAction_Preflight)
    let output = try pass(unit, input, kAudioOfflineUnitRenderAction_Render)
    #expect(try pass(unit, input, kAudioOfflineUnitRenderAction_Render) == output)
    // Earlier input is forgotten at a reset.
    try unit.reset()
    #expect(throws: (any Error).self) {
      try pass(unit, input, kAudioOfflineUnitRenderAction_Render)
    }
    withExtendedLifetime(feed) {}
    // The samples of this sine lie 3 dB below its peaks, where its mean power is.
    let wanted = measure == 1 ? -9.01 : -6
    #expect(abs(decibels(peak(output)) - wanted) < 0.1)
  }

  @Test("reverse turns the whole around, also after an abandoned pass")
  func reverse() throws {
    let input = TestSignal.noise(seed: 91, amplitude: 0.5, frameCount: 5321)
    let (unit, feed) = try open("revs", input, [:])
    _ = try pass(unit, Array(input.prefix(1700)), kAudioOfflineUnitRenderAction_Render)
    try unit.reset()
    let output = try pass(unit, input, kAudioOfflineUnitRenderAction_Render)
    withExtendedLifetime(feed) {}
    #expect(output == Array(input.reversed()))
  }
}

/// The whole input of an offline unit.
private final class OfflineFeed {
  let samples: [Float]
  init(_ samples: [Float]) { self.samples = samples }
}

private let offlineFeed: AURenderCallback = { refCon, _, timeStamp, _, frameCount, list in
  guard let refCon = unsafe refCon, let timeStamp = unsafe timeStamp, let list = unsafe list,
    let data = unsafe list.samples(0)
  else { return kAudio_ParamError }
  let feed = unsafe Unmanaged<OfflineFeed>.fromOpaque(refCon).takeUnretainedValue()
  let start = unsafe Int(timeStamp.pointee.mSampleTime)
  for frame in 0..<Int(frameCount) {
    let place = start + frame
    unsafe data[frame] = feed.samples.indices.contains(place) ? feed.samples[place] : 0
  }
  return kAudio_NoError
}
