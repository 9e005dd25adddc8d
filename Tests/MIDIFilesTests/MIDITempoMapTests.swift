// When ticks are: against whole numbers worked out apart, over an hour and more, and with absurd questions.
// SPDX-License-Identifier: Apache-2.0

import MIDIFiles
import TestSupport
import Testing

@Suite struct MIDITempoMapTests {
  @Test("Beats of 120 a minute are half a second, in any division", arguments: [1, 96, 480, 32767])
  func plain(ticks: Int) {
    let map = MIDITempoMap(.ticksPerBeat(ticks))
    for beat in [0, 1, 7, 7200, 1_000_003] {
      #expect(map.frame(atTick: beat * ticks, sampleRate: 44100) == beat * 22050)
      #expect(map.seconds(atTick: beat * ticks) == Double(beat) / 2)
      #expect(map.tick(atSeconds: Double(beat) / 2) == Double(beat * ticks))
    }
  }

  @Test("7,000 random tempos over more than an hour: each frame is the nearest to the true time")
  func hour() {
    var random = SeededGenerator(seed: 7)
    let division = 960
    var tempos: [(tick: Int, microsecondsPerBeat: Int)] = []
    var tick = 0
    for _ in 0..<7000 {
      tempos.append((tick, Int.random(in: 200_000...2_000_003, using: &random)))
      tick += Int.random(in: 1...1920, using: &random)
    }
    let map = MIDITempoMap(.ticksPerBeat(division), tempos: tempos)
    var time = 0
    for (index, tempo) in tempos.enumerated() {
      // Units of a microsecond / 960; 44,100 / (960 * 1,000,000) = 147 / 3,200,000.
      #expect(
        map.frame(atTick: tempo.tick, sampleRate: 44100) == (time * 147 + 1_600_000) / 3_200_000)
      let next = index + 1 < tempos.count ? tempos[index + 1].tick : tick
      time += (next - tempo.tick) * tempo.microsecondsPerBeat
    }
    #expect(time / 960_000_000 > 3600)
    let back = map.tick(atSeconds: map.seconds(atTick: tick - 5))
    #expect(abs(back - Double(tick - 5)) < 1e-6)
  }

  @Test("Time code: 25 frames of 40 ticks are milliseconds; 29 frames are 29.97")
  func timeCode() {
    let map = MIDITempoMap(
      .timeCode(framesPerSecond: 25, ticksPerFrame: 40), tempos: [(0, 1_000_000)])
    #expect(map.frame(atTick: 3_600_000, sampleRate: 48000) == 3600 * 48000)
    let drop = MIDITempoMap(.timeCode(framesPerSecond: 29, ticksPerFrame: 100))
    #expect(drop.frame(atTick: 3_000_000, sampleRate: 48000) == 1001 * 48000)
    #expect(drop.seconds(atTick: 3_000_000) == 1001)
  }

  @Test("A tempo of zero changes nothing, the last of a tick counts, and any track may hold one")
  func tempos() throws {
    func tempo(_ bytes: [UInt8]) -> [UInt8] { [0, 0xFF, 0x51, 3] + bytes }
    let second = tempo([0x0F, 0x42, 0x40])
    let file = try MIDIFile(
      smf([trackEnd, tempo([1, 1, 1]) + second + tempo([0, 0, 0]) + trackEnd]), name: "tempo")
    #expect(file.tempoMap(ofTrack: 0).seconds(atTick: 480) == 1)
    #expect(file.problems.count == 1)
    var apart = file
    apart.format = .separate
    #expect(apart.tempoMap(ofTrack: 0).seconds(atTick: 480) == 0.5)
    #expect(apart.tempoMap(ofTrack: 1).seconds(atTick: 480) == 1)
  }

  @Test("Absurd rates, ticks and tracks produce numbers, and no trap")
  func absurd() throws {
    let file = try MIDIFile(smf(format: 2, [trackEnd]), name: "absurd")
    for index in [-1, 1, Int.max, Int.min] {
      #expect(file.tempoMap(ofTrack: index) == file.tempoMap())
    }
    let map = MIDITempoMap(
      .ticksPerBeat(0), tempos: [(Int.max, Int.max), (-5, -5), (Int.min, 7), (3, Int.max)])
    let rates = [
      0, -1, .nan, .infinity, -.infinity, 1e308, 1e-300, 0.1, 1e9, Double.greatestFiniteMagnitude,
    ]
    for tick in [Int.min, -1, 0, 1, 4, 1 << 40, Int.max] {
      for rate in rates { #expect(map.frame(atTick: tick, sampleRate: rate) >= 0) }
      #expect(map.seconds(atTick: tick) >= 0)
    }
    for seconds in rates { #expect(map.tick(atSeconds: seconds) >= 0) }
  }
}
