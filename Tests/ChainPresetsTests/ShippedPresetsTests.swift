// The built-in presets: each fits the built-in units, sounds, and acts as its description says.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import ChainPresets
import Foundation
import NativeUnits
import TestSupport
import Testing
import UnitChains

@Suite struct ShippedPresetsTests {
  static let library = PresetLibrary(folders: [Places.inPackage("presets")])
  static let all = library.entries().map(\.name)
  /// The presets for sound files.
  static let names = all.filter { (try? library.preset($0).instruments.isEmpty) ?? true }
  private func chain(_ name: String) throws -> ResolvedChain {
    try ResolvedChain(Self.library.preset(name), in: PresetPlayer.registry.get())
  }

  private func render(
    _ name: String, _ signal: [Float], extraFrames: Int = 0
  ) throws -> [Float] {
    try PresetPlayer.render(chain(name), signal, extraFrames: extraFrames)
  }

  /// Measures the gain of a steady sine, in dB.
  private func gain(_ name: String, at frequency: Double, amplitude: Float) throws -> Double {
    let signal = TestSignal.sine(
      frequency: frequency, amplitude: Double(amplitude), sampleRate: 44100, frameCount: 44100)
    let output = try render(name, signal)
    let (before, after) = (Array(signal[22050...]), Array(output[22050...]))
    return decibels(rootMeanSquare(after) / rootMeanSquare(before))
  }

  @Test func thereAreEnough() {
    #expect(Self.names.count >= 8)
    #expect(Self.names.contains("podcast-voice"))
  }

  @Test(arguments: names)
  func eachFitsTheUnitsThatShip(name: String) throws {
    let chain = try chain(name)
    #expect(chain.stages.allSatisfy { $0.component.origin == .builtIn })
    let preset = chain.preset
    #expect(!preset.description.isEmpty && !preset.tags.isEmpty)
    #expect(!preset.author.isEmpty && preset.license == "Apache-2.0")
    #expect(preset.version != nil)
    #expect(preset.units.allSatisfy { $0.unit.value.split(separator: ":").count == 3 })
    let again = try ChainPreset(text: preset.canonicalJSON)
    #expect(again.canonicalJSON == preset.canonicalJSON)
    #expect(chain.renderedText(heading: name).hasPrefix("\(preset.name)  (\(name))\n"))
  }

  @Test(arguments: names)
  func newPresetsHaveMatchedFilters(name: String) throws {
    let preset = try Self.library.preset(name)
    // Presets of the first version sound as they did before there was a choice.
    guard let version = preset.version, version > 1 else { return }
    let filters = ["aufx:hpas:appl", "aufx:lpas:appl", "aufx:pmeq:appl"]
    for entry in preset.units where filters.contains(entry.unit.value) {
      let design = entry.parameters.first { $0.name.value == "design" }
      #expect(design?.value.value == "matched", "\(entry.label ?? entry.unit.value)")
    }
  }

  @Test(arguments: names)
  func eachSounds(name: String) throws {
    let signal = TestSignal.noise(seed: 7, amplitude: 0.25, frameCount: 22050)
    let output = try render(name, signal)
    #expect(output.allSatisfy { $0.isFinite })
    let level = decibels(rootMeanSquare(output))
    let before = decibels(rootMeanSquare(signal))
    // Restoration rightly removes noise; squeezed chains are set for a loudness that is not reached here.
    #expect(level > before - 40 && level < before + 15, "\(before) dB became \(level) dB")
    let last = try chain(name).stages.last?.component
    if last?.name.contains("Limiter") ?? false {
      #expect(peak(output) <= 1)
    }
  }

  @Test func theSafetyLimiterKeepsBelowItsCeiling() throws {
    let loud = TestSignal.noise(seed: 3, amplitude: 3.5, frameCount: 44100)
    let output = try render("brickwall-safety-limiter", loud)
    #expect(Double(peak(output)) <= amplitude(decibels: -3) * 1.0001)
    // Sound below the ceiling comes out 3 dB lower.
    #expect(abs(try gain("brickwall-safety-limiter", at: 1000, amplitude: 0.25) + 3) < 0.05)
  }

  @Test func deRumbleRemovesRumbleAndLeavesTheVoice() throws {
    // Butterworth of the fourth order at 85 Hz: 3 dB there, 24 dB an octave below.
    #expect(abs(try gain("voice-de-rumble", at: 85, amplitude: 0.25) + 3.01) < 0.1)
    #expect(abs(try gain("voice-de-rumble", at: 42.5, amplitude: 0.25) + 24.1) < 0.5)
    #expect(abs(try gain("voice-de-rumble", at: 1000, amplitude: 0.25)) < 0.05)
  }

  @Test func theTelephoneHasItsBand() throws {
    let middle = try gain("telephone", at: 1500, amplitude: 0.02)
    #expect(try gain("telephone", at: 80, amplitude: 0.02) < middle - 30)
    #expect(try gain("telephone", at: 9000, amplitude: 0.02) < middle - 25)
  }

  @Test func theGateTurnsDownWhatIsSoft() throws {
    #expect(abs(try gain("voice-gate", at: 1000, amplitude: 0.25)) < 0.1)
    // 12 dB below the threshold at a ratio of 3: 24 dB down.
    let soft = Float(amplitude(decibels: -60))
    #expect(try gain("voice-gate", at: 1000, amplitude: soft) < -15)
  }

  @Test func levelsOfAVoiceComeNearerToEachOther() throws {
    for name in ["podcast-voice", "broadcast-voice"] {
      let soft = try gain(name, at: 400, amplitude: Float(amplitude(decibels: -34)))
      let loud = try gain(name, at: 400, amplitude: Float(amplitude(decibels: -10)))
      #expect(soft > loud + 5, "\(name): \(soft) dB and \(loud) dB")
      #expect(soft > 3)
    }
  }

  @Test func reverbsAndEchoesRingOn() throws {
    for (name, seconds) in [
      ("room-small", 0.1), ("hall-large", 1.0), ("slapback-echo", 0.15), ("dub-echo", 1.6),
    ] {
      let burst = TestSignal.noise(seed: 11, amplitude: 0.5, frameCount: 4410)
      let output = try render(name, burst, extraFrames: 4 * 44100)
      let start = burst.count + Int(seconds * 44100)
      // An echo is silent between its repeats, so a whole second is examined.
      let later = Array(output[start..<(start + 44100)])
      let end = Array(output[(output.count - 44100)...])
      #expect(decibels(rootMeanSquare(later)) > -75, "\(name)")
      #expect(rootMeanSquare(end) < rootMeanSquare(later), "\(name)")
    }
  }

  @Test func parallelCompressionLiftsWhatIsSoft() throws {
    let soft = try gain("parallel-compression", at: 400, amplitude: Float(amplitude(decibels: -50)))
    let loud = try gain("parallel-compression", at: 400, amplitude: Float(amplitude(decibels: -6)))
    #expect(soft > loud + 6, "\(soft) dB and \(loud) dB")
    // The branch is 12 dB louder than the original if it is not squeezed: 20 lg(1 + 3.98).
    #expect(abs(soft - (13.9 - 2)) < 1, "\(soft) dB")
  }

  @Test func theReverbYieldsToTheVoice() throws {
    let chain = try chain("ducked-reverb")
    var preset = chain.preset
    guard case .parallel(var parallel) = preset.entries[1] else {
      Issue.record("no branches")
      return
    }
    // The hall alone, with its side chain and without.
    parallel.branches[0].gainDecibels = -120
    preset.entries[1] = .parallel(parallel)
    let burst = TestSignal.noise(seed: 11, amplitude: 0.3, frameCount: 2 * 44100)
    let registry = try PresetPlayer.registry.get()
    let ducked = try PresetPlayer.render(
      ResolvedChain(preset, in: registry), burst, extraFrames: 2 * 44100)
    guard case .unit(var duck) = parallel.branches[1].entries[1] else {
      Issue.record("no compressor")
      return
    }
    duck.isBypassed = true
    parallel.branches[1].entries[1] = .unit(duck)
    preset.entries[1] = .parallel(parallel)
    let free = try PresetPlayer.render(
      ResolvedChain(preset, in: registry), burst, extraFrames: 2 * 44100)
    func level(_ signal: [Float], _ start: Double, _ end: Double) -> Double {
      decibels(rootMeanSquare(Array(signal[Int(start * 44100)..<Int(end * 44100)])))
    }
    let during = level(ducked, 1, 2) - level(free, 1, 2)
    let after = level(ducked, 3, 3.5) - level(free, 3, 3.5)
    #expect(during < -12, "\(during) dB while there is sound")
    #expect(after > -1.5, "\(after) dB a second later")
  }

  @Test func theRadioOpens() throws {
    for (frequency, closed) in [(60.0, -25.0), (9000, -15)] {
      let signal = TestSignal.sine(
        frequency: frequency, amplitude: 0.25, sampleRate: 44100, frameCount: 6 * 44100)
      let output = try render("radio-to-room", signal)
      func gain(_ start: Double) -> Double {
        let range = Int(start * 44100)..<Int((start + 0.4) * 44100)
        return decibels(
          rootMeanSquare(Array(output[range])) / rootMeanSquare(Array(signal[range])))
      }
      #expect(gain(1.5) < closed, "\(frequency) Hz: \(gain(1.5)) dB")
      #expect(gain(1.5) < gain(3) - 3 && gain(3) < gain(4.6), "\(frequency) Hz")
      #expect(gain(5.2) > -1, "\(frequency) Hz: \(gain(5.2)) dB")
    }
  }

  /// Presets whose compressor or gate has a threshold get every file at the loudness that it is set for.
  @Test(arguments: names)
  func thresholdsComeWithAnInputLoudness(name: String) throws {
    let chain = try chain(name)
    let hasThreshold = chain.stages.contains { stage in
      ["dcmp", "mcmp"].contains(stage.component.triple.split(separator: ":")[1])
        && stage.parameters.contains {
          $0.parameter.name.contains("threshold") && $0.value < 0
        }
    }
    #expect(!hasThreshold || chain.preset.inputLoudness != nil)
  }

  @Test func presetsThatPlaceOrWidenMakeStereo() throws {
    for name in ["stereo-widen", "binaural-place"] {
      #expect(try Self.library.preset(name).output.channelCount == 2, "\(name)")
    }
  }

  @Test func everyFileIsInTheGuide() throws {
    let guide = try String(
      contentsOfFile: Places.inPackage("docs/guides/chain-presets.md"), encoding: .utf8)
    for name in Self.all { #expect(guide.contains("| `\(name)` |"), "\(name)") }
  }
}
