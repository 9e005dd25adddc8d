// Good presets with branches, side chains, automation, random values and deliverables.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import ChainPresets
import ResultSettings
import TestSupport
import Testing

@Suite struct PresetGraphReadingTests {
  static let example = """
    auricle: 1
    name: Net
    units:
      - unit: aufx:hpas:appl
        name: Rumble
        parameters:
          cutoff frequency: {random: [40 Hz, 160 Hz, log]}
          resonance: {choose: [-3 dB, 0 dB, 3]}
      - name: Sum
        parallel:
          - name: Dry
          - name: Crushed
            gain: -6 dB
            pan: -25 %
            units:
              - unit: aufx:dcmp:appl
                name: Squeeze
                sidechain: Rumble
                automation:
                  threshold: [[0 s, -20 dB], [0:01.5, -30 dB, linear], {at: 2 s, value: -10, curve: stepped}]
                  overall gain: [[480 frames, 0 dB]]
              - parallel: [{}, {pan: 1}]
                bypass: true
      - unit: x:y:z
        output: 1
        sidechain:
          - {from: input, gain: 3 dB}
          - {file: music/bed.wav, bus: Key 2, loop: true}
          - {from: Squeeze, bus: 3, output: Meter}
    input: {loudness: -18 LUFS}
    output: {channels: stereo, dual mono: true, loudness: -16 LUFS, true peak: -1, dither: triangular, fade in: 20 ms}
    render:
      - {name: master, container: wav, encoding: float32, loudness: none, dither: none}
      - {name: web, container: mp3, sample rate: 44.1 kHz, channels: 1, peak: -3 dB, fade out: 1 s}

    """

  @Test func everyKeyIsRead() throws {
    let preset = try ChainPreset(text: Self.example)
    #expect(
      preset.units.map(\.unit.value)
        == ["aufx:hpas:appl", "aufx:dcmp:appl", "x:y:z"])
    #expect(preset.hasRandomValues)
    let first = preset.units[0]
    guard case .range(let low, let high, true)? = first.parameters[0].random else {
      Issue.record("\(first.parameters)")
      return
    }
    #expect(low.value == "40 Hz" && high.value == "160 Hz")
    #expect(low.position == SourcePosition(line: 7, column: 35))
    #expect(first.parameters[1].random?.text == "one of -3 dB, 0 dB, 3")
    guard case .parallel(let parallel) = preset.entries[1] else {
      Issue.record("\(preset.entries)")
      return
    }
    #expect(parallel.label?.value == "Sum" && !parallel.isBypassed)
    try #require(parallel.branches.count == 2)
    #expect(parallel.branches[0] == BranchEntry(label: Located("Dry")))
    let crushed = parallel.branches[1]
    #expect(crushed.gainDecibels == -6 && crushed.pan == -0.25 && crushed.entries.count == 2)
    let squeeze = preset.units[1]
    #expect(squeeze.sideChains == [SideChainEntry(Located(.stage("Rumble")))])
    let points = squeeze.automation[0].points
    #expect(points.map(\.time.value) == [.seconds(0), .seconds(1.5), .seconds(2)])
    #expect(points.map(\.value.value) == ["-20 dB", "-30 dB", "-10"])
    #expect(points.map { $0.curve?.value } == [nil, .linear, .step])
    #expect(squeeze.automation[1].points[0].time.value == .frames(480))
    let last = preset.units[2]
    #expect(last.output?.value == "1")
    #expect(
      last.sideChains == [
        SideChainEntry(Located(.input), gainDecibels: 3),
        SideChainEntry(Located(.file("music/bed.wav")), bus: Located("Key 2"), loops: true),
        SideChainEntry(Located(.stage("Squeeze")), bus: Located("3"), output: Located("Meter")),
      ])
  }

  @Test func deliverablesStartFromTheOutput() throws {
    let preset = try ChainPreset(text: Self.example)
    #expect(preset.inputLoudness == -18)
    #expect(preset.output.channelCount == 2 && preset.output.loudness == -16)
    #expect(preset.output.isDualMono)
    #expect(preset.output.truePeak == -1 && preset.output.dither == .triangular)
    #expect(preset.output.fadeIn == 0.02)
    let files = preset.deliverables
    #expect(files.map { $0.name?.value } == ["master", "web"])
    let (master, web) = (files[0].settings, files[1].settings)
    #expect(master.container?.value == "wav" && master.encoding?.value == "float32")
    #expect(
      master.loudness == nil && master.truePeak == -1 && master.dither == DitherKind.none
    )
    #expect(master.channelCount == 2 && master.sampleRate == nil)
    // The deliverable's own peak replaces the loudness set for all files.
    #expect(web.loudness == nil && web.channelCount == 1 && web.sampleRate == 44100)
    #expect(web.peak == -3 && web.fadeOut == 1 && web.fadeIn == 0.02)
    let single = try ChainPreset(text: "auricle: 1\nname: x\nunits: [{unit: u}]\n")
    #expect(single.deliverables == [Deliverable(name: nil, settings: OutputSettings())])
  }

  @Test func theCanonicalFormReadsBackTheSame() throws {
    let preset = try ChainPreset(text: Self.example)
    for text in [preset.canonicalJSON, preset.indentedJSON] {
      let again = try ChainPreset(text: text)
      #expect(again.canonicalJSON == preset.canonicalJSON)
      #expect(again.render == preset.render && again.output == preset.output)
    }
    #expect(preset.canonicalJSON.contains(#""gain":"-6 dB""#))
  }

  @Test func aPresetIsShownWithItsBranches() throws {
    let text = try ChainPreset(text: Self.example).renderedText()
    for line in [
      "Sum: parallel, 2 branches", "- Dry, dry", "- Crushed, -6 dB, pan -0.25",
      "  2  Squeeze: aufx:dcmp:appl", "       sidechain  Rumble",
      "       threshold over time  0 s -20 dB, 1.5 s -30 dB (linear), 2 s -10 (step)",
      "  parallel, 2 branches  (bypassed)", "3  x:y:z",
      "     sidechain  music/bed.wav, looped into bus Key 2",
      "     output bus  1", "     cutoff frequency  random 40 Hz to 160 Hz, log",
    ] {
      #expect(text.split(separator: "\n").contains { $0 == line }, "\(line)\n\(text)")
    }
  }

  @Test func whatIsNearlyTooDeepIsRead() throws {
    let open = String(repeating: "{parallel: [{units: [", count: ParallelEntry.maximumDepth)
    let close = String(repeating: "]}]}", count: ParallelEntry.maximumDepth)
    let unit = "{unit: u, automation: {gain: [[0 s, 1, step]]}}"
    let preset = try ChainPreset(text: "auricle: 1\nname: x\nunits: [\(open)\(unit)\(close)]\n")
    #expect(preset.units.count == 1)
    #expect(try ChainPreset(text: preset.canonicalJSON) == preset)
  }

  /// Chains of thousands of side chains that go round and round are reported in bounded time.
  @Test func circlesOfManyStagesAreBounded() throws {
    var text = "auricle: 1\nname: x\nunits:\n"
    for index in 0..<3000 {
      text += "  - {unit: u, name: s\(index), sidechain: s\((index + 1) % 3000)}\n"
    }
    let error = try #require(throws: PresetErrors.self) { try ChainPreset(text: text) }
    #expect(error.diagnostics.count <= 100)
    #expect(error.diagnostics.allSatisfy { $0.message.count < 400 && $0.position != nil })
  }

  @Test(arguments: 0..<6 as Range<UInt64>)
  func mutationsNeitherCrashNorHang(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let words = [
      "parallel", "sidechain", "automation", "random", "[", "]", "{", "}", ", ", ": ", "- ", "\n",
      "Squeeze", "Sum", "input", "0 s", "-1", "1e300", "log", "render", "name", "units", "file",
    ].map { Array($0.utf8) }
    let original = Array(Self.example.utf8)
    for round in 0..<200 {
      var bytes = original
      for _ in 0...Int(random.next() % 5) {
        let place = Int(random.next() % UInt64(max(1, bytes.count)))
        if random.next() % 2 == 0 {
          let word = words[Int(random.next() % UInt64(words.count))]
          bytes.insert(contentsOf: word, at: min(place, bytes.count))
        } else {
          let end = min(bytes.count, place + Int(random.next() % 30))
          bytes.removeSubrange(min(place, end)..<end)
        }
      }
      expectStableOrReported(bytes, "seed \(seed), round \(round)")
    }
  }
}
