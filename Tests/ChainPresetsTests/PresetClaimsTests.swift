// The words of the presets that ship, as measurements: each holds for synthetic material at three levels.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import ChainPresets
import Foundation
import TestSupport
import Testing
import UnitChains

/// A measurement that the words of a preset promise.
struct PresetClaim: Decodable, Sendable {
  /// The words.
  let text: String
  /// The material.
  let signal: String
  /// The figure.
  let measure: String
  /// The least value.
  let min: Double?
  /// The greatest value.
  let max: Double?
}

@Suite struct PresetClaimsTests {
  private static let claims = Result<[String: [PresetClaim]], any Error> {
    let path = Places.inPackage("docs/guides/shipped-presets.json")
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    return try JSONDecoder().decode([String: [PresetClaim]].self, from: data)
  }

  @Test func everyPresetHasClaims() throws {
    let claims = try Self.claims.get()
    for name in ShippedPresetsTests.names { #expect(claims[name]?.isEmpty == false, "\(name)") }
    for name in claims.keys { #expect(ShippedPresetsTests.names.contains(name), "\(name)") }
  }

  @Test(arguments: ShippedPresetsTests.names)
  func everyClaimHolds(name: String) throws {
    let claims = try Self.claims.get()[name] ?? []
    let preset = try ShippedPresetsTests.library.preset(name)
    let chain = try ResolvedChain(preset, in: PresetPlayer.registry.get())
      .variant(1, seed: 1, key: "a.wav")
    for signal in Set(claims.map(\.signal)).sorted() {
      let material = PresetMaterial.named(signal)
      try #require(!material.isEmpty, "\(signal)")
      for level in signal == "hot" ? [0.0] : [-33, -23, -14] {
        var input = level == 0 ? material : PresetMaterial.scaled(material, to: level)
        if let wanted = preset.inputLoudness { input = PresetMaterial.scaled(input, to: wanted) }
        var output = try Self.render(chain, input)
        if let wanted = preset.output.loudness {
          output = PresetMaterial.scaled(output, to: wanted)
        }
        for claim in claims where claim.signal == signal {
          let value = try #require(
            Self.figure(claim.measure, input, output), "\(claim.measure)")
          #expect(
            value >= claim.min ?? -.infinity && value <= claim.max ?? .infinity,
            "\(claim.text): \(claim.measure) of \(signal) at \(level) LUFS is \(value)")
        }
      }
    }
  }

  /// A figure of a result by its name; nil for a name that there is none of.
  private static func figure(
    _ measure: String, _ input: [[Double]], _ output: [[Double]]
  ) -> Double? {
    typealias Figures = PresetFigures
    func change(_ figure: ([[Double]]) -> Double) -> Double { figure(output) - figure(input) }
    func band(_ low: Double, _ high: Double) -> Double { change { Figures.band($0, low, high) } }
    func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
    func words(_ offset: Double, _ seconds: Double, every step: Int) -> Double {
      let starts = PresetMaterial.vowels.enumerated().filter { $0.offset % step == 0 }
      return median(
        starts.map { entry in
          let start = entry.element + offset
          return change { Figures.level($0, start..<(start + seconds)) }
        })
    }
    switch measure {
    case "loudness": return change(Figures.loudness)
    case "crest": return change { Figures.peak($0) - Figures.level($0.flatMap { $0 }) }
    case "pauses":
      return change { Figures.level($0, PresetMaterial.pause) } - change(Figures.loudness)
    case "pause level": return Figures.level(output, PresetMaterial.pause)
    case "sibilants": return words(0.21, 0.07, every: 2)
    case "vowels": return words(0.03, 0.14, every: 1)
    case "below 40 Hz": return band(8, 25)
    case "80 to 250 Hz": return band(80, 250)
    case "300 Hz to 2 kHz": return band(300, 2000)
    case "2 to 6 kHz": return band(2000, 6000)
    case "9 to 14 kHz": return band(9000, 14_000)
    case "width": return width(output)
    case "mono sum":
      return change { sound in Figures.level(zip(sound[0], sound[1]).map { $0 + $1 }) }
    case "notes":
      let levels = PresetMaterial.notes.indices.map { index in
        Figures.level(output, (Double(index) + 0.05)..<(Double(index) + 0.5))
      }
      return (levels.max() ?? 0) - (levels.min() ?? 0)
    case "hum":
      return (1...10).map { harmonic in
        let frequency = PresetMaterial.mains * Double(harmonic)
        return change { Figures.tone($0[0], frequency, from: 3) }
      }.max()
    case "peak": return Figures.peak(output)
    case "true peak": return Figures.truePeak(output)
    default: return nil
    }
  }

  /// The level of the difference of both channels under that of their sum, in dB.
  private static func width(_ sound: [[Double]]) -> Double {
    let side = zip(sound[0], sound[1]).map { $0 - $1 }
    let middle = zip(sound[0], sound[1]).map { $0 + $1 }
    return max(PresetFigures.level(side), -150) - PresetFigures.level(middle)
  }

  /// Renders stereo through a chain, and cuts the latency off in front.
  private static func render(
    _ resolved: ResolvedChain, _ input: [[Double]]
  ) throws -> [[Double]] {
    let (rate, slice, count) = (PresetMaterial.sampleRate, 1024, PresetMaterial.frameCount)
    let chain = try UnitChain(
      resolved.chainGraph(sampleRate: rate, length: count), sampleRate: rate, channelCount: 2,
      maximumFrames: slice)
    let buffers = AudioBuffers(channelCount: 2, frameCapacity: slice)
    let channels = unsafe (0..<2).map { unsafe buffers.channel($0) }
    var output = [[Double]](repeating: [], count: 2)
    var frame = 0
    while frame < count + chain.latencyFrames {
      for channel in 0..<2 {
        let samples = unsafe buffers.channel(channel)
        for index in 0..<slice {
          let place = frame + index
          unsafe samples[index] = place < count ? Float(input[channel][place]) : 0
        }
      }
      try unsafe chain.render(input: channels, output: channels, frameCount: slice)
      for channel in 0..<2 {
        let samples = unsafe buffers.channel(channel)
        for index in 0..<slice { output[channel].append(unsafe Double(samples[index])) }
      }
      frame += slice
    }
    let latency = chain.latencyFrames
    return output.map { Array($0[latency..<(latency + count)]) }
  }
}
