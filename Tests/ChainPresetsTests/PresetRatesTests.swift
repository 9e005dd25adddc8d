// Presets at every sample rate: frequencies that the rate does not allow are bypassed or moved, with a note.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import ChainPresets
import TestSupport
import Testing
import UnitChains

@Suite struct PresetRatesTests {
  private static let rates = [8000.0, 11_025, 16_000, 22_050, 48_000, 96_000, 192_000]

  /// Renders a signal on all channels, and returns the first one and the notes.
  private func render(
    _ resolved: ResolvedChain, _ signal: [Float], rate: Double, channelCount: Int
  ) throws -> (output: [Float], notes: [String]) {
    let slice = 1024
    let chain = try UnitChain(
      resolved.chainGraph(sampleRate: rate, length: signal.count), sampleRate: rate,
      channelCount: channelCount, maximumFrames: slice)
    let buffers = AudioBuffers(channelCount: channelCount, frameCapacity: slice)
    let channels = unsafe (0..<channelCount).map { unsafe buffers.channel($0) }
    var output: [Float] = []
    var frame = 0
    while frame < signal.count {
      for channel in 0..<channelCount {
        let samples = unsafe buffers.channel(channel)
        for index in 0..<slice {
          let place = frame + index
          unsafe samples[index] = place < signal.count ? signal[place] : 0
        }
      }
      try unsafe chain.render(input: channels, output: channels, frameCount: slice)
      let samples = unsafe buffers.channel(0)
      for index in 0..<slice { unsafe output.append(samples[index]) }
      frame += slice
    }
    return (output, chain.notes)
  }

  @Test(arguments: ShippedPresetsTests.names)
  func everyPresetRunsAtEveryRate(name: String) throws {
    let preset = try ShippedPresetsTests.library.preset(name)
    let resolved = try ResolvedChain(preset, in: PresetPlayer.registry.get())
    let signal = TestSignal.noise(seed: 5, amplitude: 0.25, frameCount: 3072)
    for rate in Self.rates {
      for channelCount in [1, 2] {
        let drawn = resolved.variant(1, seed: 1, key: "a.wav", sampleRate: rate)
        let (output, notes) = try render(drawn, signal, rate: rate, channelCount: channelCount)
        #expect(
          output.allSatisfy { $0.isFinite && abs($0) < 8 }, "\(rate) Hz, \(channelCount) channels")
        #expect(Set(notes).count == notes.count, "\(rate) Hz: \(notes)")
      }
    }
  }

  @Test func lowPassesAndShelvesAboveTheRateAreBypassed() throws {
    let signal = TestSignal.noise(seed: 5, amplitude: 0.25, frameCount: 4096)
    for unit in [
      "aufx:lpas:appl\n    parameters: {cutoff frequency: 9 kHz}",
      "aufx:hshf:appl\n    parameters: {cutoff frequency: 12 kHz, gain: -20 dB}",
      "aufx:nbeq:appl\n    parameters: {bypass 1: false, type 1: low-pass, frequency 1: 9 kHz}",
      "aufx:lpas:appl\n    automation: {cutoff frequency: [[0 s, 5 kHz], [1 s, 9 kHz]]}",
    ] {
      let chain = try PresetPlayer.chain("  - name: Top\n    unit: \(unit)")
      let (output, notes) = try render(chain, signal, rate: 8000, channelCount: 1)
      #expect(output == signal, "\(unit)")
      #expect(notes.count == 1 && notes[0].hasPrefix("Top: "), "\(notes)")
      #expect(notes.first?.contains("at 8000 Hz") == true)
      #expect(notes.first?.hasSuffix("is bypassed") == true, "\(notes)")
      #expect(try render(chain, signal, rate: 48_000, channelCount: 1).notes.isEmpty)
    }
  }

  @Test func otherFiltersMoveToTheHighestFrequency() throws {
    let signal = TestSignal.noise(seed: 5, amplitude: 0.25, frameCount: 2048)
    for (unit, name) in [
      ("aufx:hpas:appl\n    parameters: {", "cutoff frequency: "),
      ("aufx:pmeq:appl\n    parameters: {gain: 9 dB, ", "center frequency: "),
      ("aufx:mcmp:appl\n    parameters: {", "crossover 3: "),
      ("aufx:nbeq:appl\n    parameters: {bypass 2: false, gain 2: 9 dB, ", "frequency 2: "),
    ] {
      let above = try PresetPlayer.chain("  - name: Moved\n    unit: \(unit)\(name)9 kHz}")
      let highest = try PresetPlayer.chain("  - name: Moved\n    unit: \(unit)\(name)4 kHz}")
      let moved = try render(above, signal, rate: 8000, channelCount: 1)
      let fitting = try render(highest, signal, rate: 8000, channelCount: 1)
      #expect(moved.output == fitting.output, "\(unit)")
      #expect(moved.notes.count == 1 && fitting.notes.isEmpty, "\(moved.notes)")
      #expect(moved.notes.first?.hasSuffix("it is 4000 Hz instead") == true, "\(moved.notes)")
    }
  }

  @Test func theHighShelfReachesDownAtLowRatesAlone() throws {
    let chain = try PresetPlayer.chain(
      "  - unit: aufx:hshf:appl\n    parameters: {cutoff frequency: 2.5 kHz, gain: -20 dB}")
    let signal = TestSignal.noise(seed: 5, amplitude: 0.25, frameCount: 2048)
    let (output, notes) = try render(chain, signal, rate: 8000, channelCount: 1)
    #expect(output != signal && notes.isEmpty, "\(notes)")
    #expect(throws: AuricleError.self) {
      try render(chain, signal, rate: 48_000, channelCount: 1)
    }
  }

  @Test func anOpenEndOfARampIsMoved() throws {
    let chain = try PresetPlayer.chain(
      "  - unit: aufx:lpas:appl\n    automation: {cutoff frequency: [[0 s, 1 kHz], [1 s, 9 kHz]]}")
    let signal = TestSignal.noise(seed: 5, amplitude: 0.25, frameCount: 2048)
    let (output, notes) = try render(chain, signal, rate: 8000, channelCount: 1)
    #expect(output != signal && notes.count == 1)
    #expect(notes.first?.hasSuffix("it is 4000 Hz instead") == true, "\(notes)")
  }

  @Test func drawsAreWithinTheRateAndTheSameWhereTheRangeFits() throws {
    let chain = try PresetPlayer.chain(
      """
        - unit: aufx:lpas:appl
          parameters:
            cutoff frequency: {random: [2 kHz, 18 kHz, log]}
            resonance: {random: [-3 dB, 6 dB]}
        - unit: aufx:pmeq:appl
          parameters: {center frequency: {choose: [1 kHz, 3 kHz, 12 kHz]}}
      """)
    for index in 1...50 {
      let any = chain.variant(index, seed: 3, key: "a").drawnValues.map(\.value)
      let same = chain.variant(index, seed: 3, key: "a", sampleRate: 48_000).drawnValues
      #expect(same.map(\.value) == any)
      let slow = chain.variant(index, seed: 3, key: "a", sampleRate: 8000).drawnValues
      #expect(slow.count == 3)
      #expect(slow[0].value >= 2000 && slow[0].value <= 4000)
      #expect(slow[1].value == any[1])
      #expect([1000, 3000].contains(slow[2].value))
    }
    let values = (1...50).map {
      chain.variant($0, seed: 3, key: "a", sampleRate: 8000).drawnValues[0].value
    }
    #expect(Set(values).count > 40)
  }
}
