// Bars: changes of meter within and between them, and invalid meters.
// SPDX-License-Identifier: Apache-2.0

import MIDIFiles
import Testing

@Suite struct MeterMapTests {
  @Test("Bars begin where their meter says, and anew at a change")
  func bars() {
    let map = MIDIMeterMap(
      ticksPerBeat: 100,
      meters: [(1000, [6, 3, 24, 8]), (0, [3, 2, 24, 8]), (1700, [0, 2]), (1800, [5])])
    #expect(map.segments.map(\.tick) == [0, 1000])
    for (tick, start, count, note) in [
      (0.0, 0.0, 3, 4), (299.5, 0, 3, 4), (300, 300, 3, 4), (999, 900, 3, 4),
      (1000, 1000, 6, 8), (1299, 1000, 6, 8), (1300, 1300, 6, 8),
    ] {
      let bar = map.bar(atTick: tick)
      #expect(bar.meter.count == count && bar.meter.note == note, "tick \(tick)")
      #expect(bar.start == start, "tick \(tick)")
    }
    let plain = MIDIMeterMap(ticksPerBeat: 0).bar(atTick: 9)
    #expect(plain.start == 8 && plain.meter.count == 4 && plain.meter.note == 4)
  }

  @Test("A file of time code has no bars; one of patterns has those of the track")
  func files() {
    let meter = MIDIFileMessage.meta(MIDIMetaType.meter.rawValue, [7, 3, 24, 8])
    let tracks = [
      MIDIFileTrack(length: 10), MIDIFileTrack(events: [MIDIFileEvent(tick: 0, meter)]),
    ]
    var file = MIDIFile(format: .separate, tracks: tracks)
    #expect(file.meterMap(ofTrack: 0)?.segments[0].count == 4)
    #expect(file.meterMap(ofTrack: 1)?.segments[0].count == 7)
    #expect(file.meterMap()?.segments[0].note == 8)
    file.division = .timeCode(framesPerSecond: 25, ticksPerFrame: 40)
    #expect(file.meterMap() == nil)
  }
}
