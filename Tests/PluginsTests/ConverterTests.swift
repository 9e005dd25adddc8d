// The converter and the generic output: rates, latency, pulls, channels, qualities.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing

private let converter = "aufc:conv:appl"

@Suite("Converter")
struct ConverterTests {
  /// Makes the ideal sine of the converter, `latency` seconds late.
  private func ideal(_ frequency: Double, _ rate: Double, _ latency: Double, _ count: Int)
    -> [Float]
  {
    (0..<count).map {
      Float(0.5 * sin(2 * .pi * frequency * (Double($0) / rate - latency)))
    }
  }

  private func rig(
    _ inputRate: Double, _ outputRate: Double, frequency: Double, frames: Int,
    prepare: ((AudioUnit) throws -> Void)? = nil
  ) throws -> MultiBusRig {
    let rig = try MultiBusRig(
      converter, inputs: [1], outputs: [1], sampleRate: outputRate, inputRate: inputRate,
      maximumFrames: 1024, prepare: prepare)
    rig.feeds[0].channels = [
      TestSignal.sine(
        frequency: frequency, sampleRate: inputRate,
        frameCount: Int(Double(frames) * inputRate / outputRate) + 4000)
    ]
    return rig
  }

  @Test("equal rates pass bit for bit and at once")
  func identity() throws {
    let rig = try MultiBusRig(converter, inputs: [2], outputs: [2])
    rig.feeds[0].channels = (1...2).map {
      TestSignal.noise(seed: $0, amplitude: 0.9, frameCount: 3000)
    }
    #expect(try rig.render(3000, slices: [7, 512]) == rig.feeds[0].channels)
    #expect(rig.unit.latency == 0 && rig.unit.tailTime == 0)
  }

  static let rates: [(Double, Double)] = [
    (44_100, 48_000), (48_000, 44_100), (96_000, 48_000), (48_000, 96_000), (8000, 48_000),
    (192_000, 44_100), (44_100, 11_025), (44_100, 44_101), (44_100.5, 48_000), (22_050, 192_000),
  ]

  @Test("a sine comes out as itself, late by just the latency", arguments: rates)
  func sines(_ inputRate: Double, _ outputRate: Double) throws {
    let half = min(inputRate, outputRate) / 2
    for part in [0.05, 0.9] {
      let frequency = half * part
      let frames = 3000
      let rig = try rig(inputRate, outputRate, frequency: frequency, frames: frames)
      let latency = rig.unit.latency
      let start = Int(2 * latency * outputRate) + 32
      let output = Array(try rig.render(start + frames, slices: [1000, 333])[0].dropFirst(start))
      let wanted = Array(
        ideal(frequency, outputRate, latency, start + frames).dropFirst(start))
      let snr = signalToNoise(output, reference: wanted)
      #expect(snr > 118, "\(snr) dB at \(frequency) Hz")
      let lag = latency * outputRate
      #expect(abs(lag - lag.rounded()) < 1e-9, "a whole number of frames")
    }
  }

  @Test(
    "frequencies above the lower rate's limit are removed",
    arguments: [(96_000.0, 44_100.0), (48_000, 8000)])
  func aliases(_ inputRate: Double, _ outputRate: Double) throws {
    for frequency in [outputRate * 0.505, outputRate * 0.7, inputRate * 0.45] {
      let rig = try rig(inputRate, outputRate, frequency: frequency, frames: 3000)
      let output = try rig.render(3000)[0].dropFirst(1000)
      #expect(decibels(peak(output)) < -125, "\(frequency) Hz")
    }
  }

  @Test(
    "the output does not depend on the slices",
    arguments: [(44_100.0, 48_000.0), (96_000, 22_050)])
  func slices(_ inputRate: Double, _ outputRate: Double) throws {
    func render(_ slices: [Int]) throws -> [[Float]] {
      let rig = try MultiBusRig(
        converter, inputs: [2], outputs: [2], sampleRate: outputRate, inputRate: inputRate,
        maximumFrames: 1024)
      rig.feeds[0].channels = (1...2).map { TestSignal.noise(seed: $0, frameCount: 20_000) }
      return try rig.render(2000, slices: slices)
    }
    let whole = try render([1000])
    #expect(try render([1, 7]) == whole)
    #expect(try render([64]) == whole)
    #expect(try render([1024, 3, 500]) == whole)
  }

  @Test("input is pulled in order, in pieces the source can bear, and no more than is needed")
  func pulls() throws {
    for (inputRate, outputRate) in [(192_000.0, 8000.0), (44_100, 48_000), (8000, 96_000)] {
      let rig = try rig(inputRate, outputRate, frequency: 100, frames: 4000)
      var frames = 0
      for count in [512, 1, 1, 1000, 64, 1024] {
        _ = try rig.slice(count)
        frames += count
        let pulls = rig.feeds[0].pulls
        let total = pulls.reduce(0) { $0 + $1.frames }
        #expect(total <= Int((Double(frames) * inputRate / outputRate).rounded(.up)))
        #expect(
          Double(total) > Double(frames - 1) * inputRate / outputRate - 1 - inputRate / outputRate)
      }
      let pulls = rig.feeds[0].pulls
      #expect(pulls.allSatisfy { $0.frames <= 1024 && $0.frames > 0 })
      #expect(zip(pulls, pulls.dropFirst()).allSatisfy { $0.time + Double($0.frames) == $1.time })
      #expect(pulls.first?.time == 0)
    }
  }

  @Test("complexity and render quality choose the filter")
  func quality() throws {
    var last = (snr: 0.0, latency: -1.0)
    let kinds: [(UInt32, UInt32, Double)] = [
      (kAudioUnitSampleRateConverterComplexity_Linear, 127, 25),
      (kAudioUnitSampleRateConverterComplexity_Normal, kRenderQuality_Min, 65),
      (kAudioUnitSampleRateConverterComplexity_Normal, kRenderQuality_Low, 80),
      (kAudioUnitSampleRateConverterComplexity_Normal, kRenderQuality_Medium, 95),
      (kAudioUnitSampleRateConverterComplexity_Normal, kRenderQuality_High, 110),
      (kAudioUnitSampleRateConverterComplexity_Normal, kRenderQuality_Max, 118),
      (kAudioUnitSampleRateConverterComplexity_Mastering, kRenderQuality_Min, 118),
    ]
    for (complexity, quality, least) in kinds {
      let rig = try rig(44_100, 48_000, frequency: 3000, frames: 4000) { unit in
        try unit.setProperty(kAudioUnitProperty_SampleRateConverterComplexity, complexity)
        try unit.setProperty(kAudioUnitProperty_RenderQuality, quality)
      }
      let latency = rig.unit.latency
      let output = Array(try rig.render(3000)[0].dropFirst(1000))
      let wanted = Array(ideal(3000, 48_000, latency, 3000).dropFirst(1000))
      let snr = signalToNoise(output, reference: wanted)
      #expect(snr > least, "\(complexity) \(quality): \(snr) dB")
      #expect(latency > last.latency)
      last = (snr, latency)
      let other =
        complexity == kAudioUnitSampleRateConverterComplexity_Linear
        ? kAudioUnitSampleRateConverterComplexity_Mastering
        : kAudioUnitSampleRateConverterComplexity_Linear
      #expect(throws: AuricleError.self) {
        try rig.unit.setProperty(kAudioUnitProperty_SampleRateConverterComplexity, other)
      }
    }
    let unit = try Shipped.open(name: converter)
    #expect(throws: AuricleError.self) {
      try unit.setProperty(kAudioUnitProperty_SampleRateConverterComplexity, UInt32(1))
    }
    #expect(
      try unit.property(kAudioUnitProperty_SampleRateConverterComplexity, as: UInt32.self)
        == kAudioUnitSampleRateConverterComplexity_Normal)
  }

  @Test("a constant stays a constant at every phase")
  func constant() throws {
    for (inputRate, outputRate) in [(44_100.0, 48_000.0), (44_100, 44_101)] {
      let rig = try rig(inputRate, outputRate, frequency: 0, frames: 2000)
      rig.feeds[0].channels = [[Float](repeating: 0.25, count: 8000)]
      let output = try rig.render(2000)[0].dropFirst(1000)
      #expect(output.allSatisfy { abs($0 - 0.25) < 1e-7 })
    }
  }

  @Test("channels: mono to two, many to mono, else the common ones; a map of the host goes first")
  func channels() throws {
    func render(
      _ inputs: Int, _ outputs: Int, map: [Int32] = [], inputRate: Double = 48_000
    ) throws -> [[Float]] {
      let rig = try MultiBusRig(
        converter, inputs: [inputs], outputs: [outputs], inputRate: inputRate
      ) { unit in
        if map.isEmpty { return }
        try unit.setProperty(
          kAudioOutputUnitProperty_ChannelMap, scope: kAudioUnitScope_Output, (map[0], map[1]))
        let back = try unit.propertyArray(
          kAudioOutputUnitProperty_ChannelMap, scope: kAudioUnitScope_Output, of: Int32.self)
        #expect(back == map)
      }
      rig.feeds[0].channels = (0..<inputs).map {
        [Float](repeating: Float($0 + 1) / 8, count: 9000)
      }
      return try rig.render(2000).map { Array($0.suffix(10)) }
    }
    func levels(_ channels: [[Float]]) -> [Float] {
      channels.map { ($0[3] * 8000).rounded() / 1000 }
    }
    for rate in [48_000.0, 44_100] {
      #expect(levels(try render(1, 2, inputRate: rate)) == [1, 1])
      #expect(levels(try render(1, 4, inputRate: rate)) == [1, 1, 0, 0])
      #expect(levels(try render(2, 1, inputRate: rate)) == [1.5])
      #expect(levels(try render(2, 5, inputRate: rate)) == [1, 2, 0, 0, 0])
      #expect(levels(try render(6, 2, inputRate: rate)) == [1, 2])
      #expect(levels(try render(2, 2, map: [1, 0], inputRate: rate)) == [2, 1])
      #expect(levels(try render(6, 2, map: [5, -1], inputRate: rate)) == [6, 0])
    }
  }

  @Test("the error of a source comes back unchanged, and the stream can go on")
  func upstreamError() throws {
    let rig = try rig(44_100, 48_000, frequency: 1000, frames: 4000)
    _ = try rig.slice(512)
    rig.feeds[0].status = -4242
    #expect(throws: AuricleError.self) { try rig.slice(512) }
    #expect(try rig.unit.property(kAudioUnitProperty_LastRenderError, as: OSStatus.self) == -4242)
    rig.feeds[0].status = 0
    _ = try rig.slice(512)
  }

  @Test("silence is reported once the filter has rung out, and a reset starts again")
  func silence() throws {
    let rig = try rig(44_100, 48_000, frequency: 1000, frames: 4000)
    let first = try rig.render(1024)
    rig.feeds[0].isSilent = true
    rig.feeds[0].channels = []
    _ = try rig.render(1024)
    _ = try rig.slice(64)
    #expect(rig.flags & kAudioUnitRenderAction_OutputIsSilence != 0)
    try rig.unit.reset()
    rig.feeds[0].isSilent = false
    let later = try MultiBusRig(
      converter, inputs: [1], outputs: [1], inputRate: 44_100, maximumFrames: 1024)
    later.feeds[0].channels = [
      TestSignal.sine(frequency: 1000, sampleRate: 44_100, frameCount: 9000)
    ]
    #expect(try later.render(1024) == first)
  }

  @Test("the generic output pulls its input in another rate, and starts and stops")
  func genericOutput() throws {
    let rig = try MultiBusRig(
      "auou:genr:appl", inputs: [2], outputs: [1], sampleRate: 32_000, inputRate: 48_000)
    let sine = TestSignal.sine(frequency: 1000, frameCount: 9000)
    rig.feeds[0].channels = [sine, sine]
    let output = try rig.render(3000)[0]
    let wanted = ideal(1000, 32_000, rig.unit.latency, 3000)
    #expect(signalToNoise(Array(output[1000...]), reference: Array(wanted[1000...])) > 118)
    func isRunning() throws -> UInt32 {
      try rig.unit.property(kAudioOutputUnitProperty_IsRunning, as: UInt32.self)
    }
    #expect(rig.unit.implements(kAudioOutputUnitStartSelect))
    #expect(rig.unit.implements(kAudioOutputUnitStopSelect))
    #expect(try !Shipped.open(name: converter).implements(kAudioOutputUnitStartSelect))
    #expect(try isRunning() == 0)
  }
}
