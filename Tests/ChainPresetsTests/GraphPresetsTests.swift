// Branches, side chains and automation of real units: nulls and measured levels.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import ChainPresets
import TestSupport
import Testing
import UnitChains

@Suite struct GraphPresetsTests {
  private let noise = TestSignal.noise(seed: 17, amplitude: 0.5, frameCount: 30_000)

  private func difference(_ one: [Float], _ other: [Float]) -> Double {
    decibels(rootMeanSquare(zip(one, other).map { $0 - $1 }))
  }

  @Test func aDryBranchNullsAgainstALimiterInTime() throws {
    let limiter = "{unit: aufx:lmtr:appl, parameters: {pre-gain: 6 dB, attack time: 8 ms}}"
    let alone = try PresetPlayer.render(PresetPlayer.chain("  - \(limiter)"), noise)
    let both = try PresetPlayer.render(
      PresetPlayer.chain("  - parallel: [{}, {units: [\(limiter)]}]"), noise)
    let sum = zip(noise, alone).map { $0 + $1 }
    #expect(difference(both, sum) < -100, "\(difference(both, sum)) dB")
    // Out of time by one frame they would not null at all.
    #expect(difference(Array(both.dropFirst()), sum) > -40)
  }

  @Test func twoDryBranchesAtMinus6AreTheInput() throws {
    let output = try PresetPlayer.render(
      PresetPlayer.chain("  - parallel: [{gain: -6.0206 dB}, {gain: -6.0206 dB}]"), noise)
    #expect(difference(output, noise) < -120, "\(difference(output, noise)) dB")
  }

  @Test func nestedBranchesAreAlignedToo() throws {
    let limiter = "{unit: aufx:lmtr:appl, parameters: {pre-gain: 3 dB, attack time: 5 ms}}"
    let nested = try PresetPlayer.render(
      PresetPlayer.chain(
        "  - parallel: [{}, {gain: -6 dB, units: [{parallel: [{}, {units: [\(limiter), \(limiter)]}]}]}]"
      ), noise)
    let twice = try PresetPlayer.render(
      PresetPlayer.chain("  - \(limiter)\n  - \(limiter)"), noise)
    let gain = Float(amplitude(decibels: -6))
    let sum = noise.indices.map { noise[$0] + gain * (noise[$0] + twice[$0]) }
    #expect(difference(nested, sum) < -100, "\(difference(nested, sum)) dB")
  }

  @Test func joinedChainsAreBranchesEachWithItsOwnInput() throws {
    let limiter = "{unit: aufx:lmtr:appl, name: L, parameters: {pre-gain: 6 dB, attack time: 8 ms}}"
    let filter = "{unit: aufx:lpas:appl, name: L, parameters: {cutoff frequency: 900 Hz}}"
    func keyed(_ source: String) -> String { "{unit: aufx:dcmp:appl, sidechain: \(source)}" }
    func chain(_ units: String) throws -> ResolvedChain { try PresetPlayer.chain("  - \(units)") }
    // 'input' is the sound in front of the part, and a name is of one part alone.
    let joined = ResolvedChain(
      rows: try [[chain(limiter), chain(keyed("input"))], [chain(filter)]],
      behind: try chain(limiter), isTapped: false)
    let whole = try PresetPlayer.chain(
      "  - parallel: [{units: [\(limiter), \(keyed("L"))]}, {units: [\(filter.replacing("name: L", with: "name: F"))]}]\n"
        + "  - \(limiter.replacing("name: L", with: "name: M"))")
    #expect(joined.stages.count == 4)
    #expect(try PresetPlayer.render(joined, noise) == PresetPlayer.render(whole, noise))
  }

  /// A file of a second of noise, then silence.
  private final class Voice: SideFile {
    private var place = 0
    func read(
      into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
    ) throws(AuricleError) -> Int {
      let count = min(frameCount, 44_100 - place)
      for frame in 0..<count {
        let value: Float = (place + frame) % 2 == 0 ? 0.25 : -0.25
        for channel in 0..<2 { unsafe channels[channel][frame] = value }
      }
      place += count
      return count
    }
    func rewind() throws(AuricleError) { place = 0 }
  }

  @Test func musicYieldsToTheVoiceOfAnotherFile() throws {
    let chain = try PresetPlayer.chain(
      "  - {unit: aufx:dcmp:appl, sidechain: {file: /dev/null}, parameters: {threshold: -30 dB, "
        + "headroom: 6 dB, attack time: 5 ms, release time: 100 ms}}")
    let music = TestSignal.sine(
      frequency: 500, amplitude: 0.01, sampleRate: 44_100, frameCount: 3 * 44_100)
    let output = try PresetPlayer.render(chain, music) { (_, _, _) throws(AuricleError) in
      (Voice(), nil)
    }
    func gain(_ start: Int) -> Double {
      decibels(
        rootMeanSquare(Array(output[start..<(start + 10_000)]))
          / rootMeanSquare(Array(music[start..<(start + 10_000)])))
    }
    // The music itself is below the threshold: all of it is the voice's doing.
    #expect(gain(30_000) < -8, "\(gain(30_000)) dB")
    #expect(abs(gain(110_000)) < 0.1, "\(gain(110_000)) dB")
  }

  @Test func automationDoesNotDependOnTheSliceSize() throws {
    let chain = try PresetPlayer.chain(
      "  - {unit: aufx:lmtr:appl}\n  - {unit: aufx:lpas:appl, automation: {cutoff frequency: "
        + "[[0.1 s, 200 Hz], [0.5 s, 8 kHz, exponential], [22000 frames, 1 kHz]]}}"
        .replacing("22000 frames", with: "550 ms"))
    let small = try PresetPlayer.render(chain, noise, slice: 64)
    let large = try PresetPlayer.render(chain, noise, slice: 1024)
    #expect(difference(small, large) < -100, "\(difference(small, large)) dB")
  }
}
