// Varispeed: pitch and length against the analytic tone, aliases, moving speeds, two views of one value.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing

private let varispeed = "aufc:vari:appl"

@Suite("Varispeed")
struct VarispeedTests {
  private func rig(
    _ rate: Float, _ input: [[Float]], inputRate: Double = 48_000, maximumFrames: Int = 1024
  ) throws -> MultiBusRig {
    let rig = try MultiBusRig(
      varispeed, inputs: [input.count], outputs: [input.count], inputRate: inputRate,
      maximumFrames: maximumFrames
    ) { try $0.setParameter(kVarispeedParam_PlaybackRate, rate) }
    rig.feeds[0].channels = input
    return rig
  }

  @Test("rate 1 passes bit for bit and at once")
  func identity() throws {
    let input = (1...2).map { TestSignal.noise(seed: $0, amplitude: 0.9, frameCount: 3000) }
    let rig = try rig(1, input)
    #expect(try rig.render(3000, slices: [7, 512]) == input)
    #expect(rig.feeds[0].pulls.reduce(0) { $0 + $1.frames } == 3000)
    #expect(rig.unit.latency == 0)
  }

  @Test("a tone is the analytic one at another speed", arguments: [0.25, 0.5, 0.93, 1.25, 2, 3.7])
  func tones(_ rate: Float) throws {
    for frequency in [200.0, 5000 / Double(max(rate, 1))] {
      let frames = 4000, skip = 1200
      let input = TestSignal.sine(
        frequency: frequency, frameCount: Int(Double(frames) * Double(rate)) + 4000)
      let output = try rig(rate, [input]).render(frames, slices: [1000, 333])[0]
      let wanted = (0..<frames).map {
        Float(0.5 * sin(2 * .pi * frequency * Double(rate) * Double($0) / 48_000))
      }
      let snr = signalToNoise(
        Array(output.dropFirst(skip)), reference: Array(wanted.dropFirst(skip)))
      #expect(snr > 118, "\(snr) dB at \(frequency) Hz, rate \(rate)")
    }
  }

  @Test(
    "frequencies that a faster speed moves beyond half the rate are removed; the pass band is flat")
  func aliases() throws {
    for rate: Float in [1.5, 2, 4] {
      for part in [1.02, 1.3] where 24_000 / Double(rate) * part < 24_000 {
        let input = TestSignal.sine(
          frequency: 24_000 / Double(rate) * part, amplitude: 1, frameCount: 20_000)
        let output = try rig(rate, [input]).render(3000)[0].dropFirst(1200)
        #expect(decibels(peak(output)) < -120, "\(rate) \(part)")
      }
      for part in [0.1, 0.5, 0.9] {
        let frequency = 24_000 / Double(rate) * part
        let input = TestSignal.sine(frequency: frequency, amplitude: 1, frameCount: 20_000)
        let output = Array(try rig(rate, [input]).render(3400)[0].dropFirst(1200))
        let level = decibels(rootMeanSquare(Array(output.prefix(1920)))) + 3.0103
        #expect(abs(level) < 0.01, "\(level) dB at \(rate) \(part)")
      }
    }
  }

  @Test("the same samples whatever the slices, also while the speed moves and over two rates")
  func slices() throws {
    let input = (3...4).map { TestSignal.noise(seed: $0, frameCount: 30_000) }
    func render(_ slices: [Int]) throws -> [[Float]] {
      let rig = try rig(0.8, input, inputRate: 44_100)
      return try rig.render(3200, slices: slices) { frame in
        if frame == 800 { try rig.unit.setParameter(kVarispeedParam_PlaybackRate, 2.5) }
        if frame == 2400 { try rig.unit.setParameter(kVarispeedParam_PlaybackCents, -1200) }
      }
    }
    let whole = try render([800])
    #expect(try render([1, 7]) == whole)
    #expect(try render([32, 128]) == whole)
  }

  @Test("a change of speed does not click")
  func changes() throws {
    let rig = try rig(1, [TestSignal.sine(frequency: 300, amplitude: 0.5, frameCount: 90_000)])
    let output = try rig.render(24_000, slices: [480]) { frame in
      let rates: [Float] = [1, 2, 0.5, 4, 0.25, 1]
      try rig.unit.setParameter(kVarispeedParam_PlaybackRate, rates[frame / 4000])
    }[0]
    // A tone of 1200 Hz is the fastest there is: its greatest step is 0.08.
    let steps = zip(output, output.dropFirst()).map { abs($1 - $0) }
    #expect((steps.max() ?? 1) < 0.5 * 2 * .pi * 1210 / 48_000)
    let bends = zip(steps, steps.dropFirst()).map { abs($1 - $0) }
    #expect((bends.max() ?? 1) < 0.0155)
  }

  @Test("rate and cents are two views of one value, also when they are scheduled")
  func views() throws {
    let rig = try rig(1, [TestSignal.sine(frequency: 100, frameCount: 30_000)])
    let unit = rig.unit
    try unit.setParameter(kVarispeedParam_PlaybackCents, -1200)
    #expect(try unit.parameter(kVarispeedParam_PlaybackRate) == 0.5)
    try unit.setParameter(kVarispeedParam_PlaybackRate, 2)
    #expect(try unit.parameter(kVarispeedParam_PlaybackCents) == 1200)
    _ = try rig.render(512)
    #expect(try unit.parameter(kVarispeedParam_PlaybackRate) == 2)
    try unit.setParameter(kVarispeedParam_PlaybackCents, 9999)
    #expect(try unit.parameter(kVarispeedParam_PlaybackRate) == 4)
    try unit.setParameter(kVarispeedParam_PlaybackRate, 0.1)
    #expect(try unit.parameter(kVarispeedParam_PlaybackCents) == -2400)
  }

  @Test("the source is asked for as many frames as the speed needs, in order")
  func pulls() throws {
    for rate: Float in [0.25, 0.8, 3] {
      let rig = try rig(rate, [TestSignal.silence(frameCount: 10)])
      var frames = 0
      for count in [512, 1, 1, 1000, 64, 1024] {
        _ = try rig.slice(count)
        frames += count
        let total = rig.feeds[0].pulls.reduce(0) { $0 + $1.frames }
        // And half the filter.
        let beyond = Double(total) - Double(frames) * Double(rate)
        #expect(beyond > 0 && beyond < 250 * Double(max(rate, 1)))
      }
      let pulls = rig.feeds[0].pulls
      #expect(pulls.allSatisfy { $0.frames <= 1024 && $0.frames > 0 })
      #expect(zip(pulls, pulls.dropFirst()).allSatisfy { $0.time + Double($0.frames) == $1.time })
      #expect(pulls.first?.time == 0)
    }
  }

  @Test("a whole input is as long as its speed makes it")
  func offline() throws {
    let unit = try Shipped.open(name: "auol:vari:appl")
    let frames = 9001
    try unit.setParameter(kVarispeedParam_PlaybackRate, 0.5)
    try unit.setProperty(kAudioUnitOfflineProperty_InputSize, UInt64(frames))
    #expect(try unit.property(kAudioUnitOfflineProperty_OutputSize, as: UInt64.self) == 18_002)
    let input = TestSignal.sine(frequency: 1000, frameCount: frames)
    let output = try renderOffline(unit, input, frames: 18_002)
    let wanted = TestSignal.sine(frequency: 500, frameCount: 18_002)
    let middle = 1000..<17_000
    #expect(signalToNoise(Array(output[middle]), reference: Array(wanted[middle])) > 118)
  }
}

/// Renders a whole input through an offline unit, in one pass.
func renderOffline(_ unit: AudioUnit, _ input: [Float], frames: Int) throws -> [Float] {
  let format = AudioStreamFormat(sampleRate: 48_000, channelCount: 1)
  try unit.setStreamFormat(format, scope: kAudioUnitScope_Input)
  try unit.setStreamFormat(format, scope: kAudioUnitScope_Output)
  let feed = WholeFeed(input)
  unsafe try unit.setInputCallback(wholeFeed, refCon: Unmanaged.passUnretained(feed).toOpaque())
  try unit.initialize()
  let buffers = AudioBuffers(channelCount: 1, frameCapacity: 512)
  var output: [Float] = []
  while output.count < frames {
    let count = min(500, frames - output.count)
    buffers.setFrameCount(count)
    var flags = kAudioOfflineUnitRenderAction_Render
    var time = AudioTimeStamp(sampleTime: Double(output.count))
    let status = unsafe unit.render(
      flags: &flags, timeStamp: &time, frameCount: UInt32(count), buffers: buffers.list)
    guard status == 0 else { throw AuricleError(.software, status: status, "render failed") }
    unsafe output.append(contentsOf: UnsafeBufferPointer(start: buffers.channel(0), count: count))
    if flags & kAudioOfflineUnitRenderAction_Complete != 0 { break }
  }
  withExtendedLifetime(feed) {}
  guard output.count == frames, !feed.wasExceeded else {
    throw AuricleError(.software, "asked beyond the input, or done too early: \(output.count)")
  }
  return output
}

/// The whole input of an offline unit, and whether more was asked for.
private final class WholeFeed {
  let samples: [Float]
  var wasExceeded = false
  init(_ samples: [Float]) { self.samples = samples }
}

private let wholeFeed: AURenderCallback = { refCon, _, timeStamp, _, frameCount, list in
  guard let refCon = unsafe refCon, let timeStamp = unsafe timeStamp, let list = unsafe list,
    let data = unsafe list.samples(0)
  else { return kAudio_ParamError }
  let feed = unsafe Unmanaged<WholeFeed>.fromOpaque(refCon).takeUnretainedValue()
  let start = unsafe Int(timeStamp.pointee.mSampleTime)
  for frame in 0..<Int(frameCount) {
    let place = start + frame
    if !feed.samples.indices.contains(place) { feed.wasExceeded = true }
    unsafe data[frame] = feed.samples.indices.contains(place) ? feed.samples[place] : 0
  }
  return kAudio_NoError
}
