// MIDI files read and written: the same again, common mistakes of other programs, and damage of every kind.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import MIDIFiles
import TestSupport
import Testing

@Suite struct MIDIFileTests {
  @Test("2,500 random files of formats 0, 1 and 2 read as they were written")
  func roundTrips() throws {
    for seed in 1...2500 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let file = randomFile(&random)
      let bytes = try file.encoded()
      let again = try MIDIFile(bytes, name: "seed \(seed)")
      #expect(again.tracks == file.tracks && again.problems.isEmpty, "seed \(seed)")
      #expect(again.format == file.format && again.division == file.division, "seed \(seed)")
      // The same in a RIFF file.
      let size = (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) }
      let riff = Array("RIFF".utf8) + [0, 0, 0, 0] + Array("RMIDdata".utf8) + size + bytes
      #expect(try MIDIFile(riff, name: "riff") == again, "seed \(seed)")
    }
  }

  @Test("2,500 damaged files are read or refused, and read ones can be written and read again")
  func mutations() throws {
    var refused = 0
    for seed in 1...2500 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      var bytes = try randomFile(&random).encoded()
      for _ in 0..<Int.random(in: 1...8, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0...3, using: &random) {
        case 0: bytes[place] = .random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(place...)
        case 2: bytes.insert(.random(in: 0...255, using: &random), at: place)
        default: bytes[place] = [0xFF, 0x7F, 0x80, 0][Int.random(in: 0...3, using: &random)]
        }
      }
      do {
        let file = try MIDIFile(bytes, name: "damaged.mid")
        let again = try MIDIFile(file.encoded(), name: "again")
        #expect(again.tracks == file.tracks, "seed \(seed)")
        _ = file.tempoMap().frame(atTick: file.length, sampleRate: 48000)
      } catch {
        refused += 1
        #expect(error.category == .badData && error.message.hasPrefix("damaged.mid: "))
      }
    }
    #expect(refused > 0)
  }

  @Test("Running status continues behind a meta event, which is reported")
  func runningStatus() throws {
    let file = try MIDIFile(
      smf(format: 0, [[0, 0x90, 60, 100, 10, 60, 0, 0, 0xFF, 1, 0, 5, 62, 90] + trackEnd]),
      name: "a.mid")
    #expect(
      file.tracks[0].events == [
        MIDIFileEvent(tick: 0, .channel(status: 0x90, 60, 100)),
        MIDIFileEvent(tick: 10, .channel(status: 0x90, 60, 0)),
        MIDIFileEvent(tick: 10, .meta(1, [])),
        MIDIFileEvent(tick: 15, .channel(status: 0x90, 62, 90)),
      ])
    #expect(file.problems == ["track 1 continues a running status across a SysEx or meta event"])
  }

  @Test("Lengths that lie: all tracks are read all the same")
  func lyingLengths() throws {
    let header = smf(count: 2, [])
    let note: [UInt8] = [0, 0x90, 60, 100, 20, 0x80, 60, 0]
    let sound = try MIDIFile(smf([note + trackEnd, note + trackEnd]), name: "sound")
    for length: UInt32 in [0, 3, 9, 13, 100, 0xFFFF_FFFF] {
      let bytes = header + chunk(note + trackEnd, length: length) + chunk(note + trackEnd)
      #expect(try MIDIFile(bytes, name: "first \(length)").tracks == sound.tracks, "\(length)")
      let last = header + chunk(note + trackEnd) + chunk(note + trackEnd, length: length)
      if length > 12 {
        #expect(try MIDIFile(last, name: "last \(length)").tracks == sound.tracks, "\(length)")
      }
    }
    // Without an end of the track, the chunk's end is it.
    let open = try MIDIFile(smf([note, note]), name: "open")
    #expect(open.tracks == sound.tracks && open.problems.count == 2)
  }

  @Test("A header with a count of 65,535 tracks, and a file that has them")
  func manyTracks() throws {
    let lie = try MIDIFile(smf(count: 65535, [trackEnd]), name: "lie")
    #expect(lie.tracks.count == 1)
    #expect(lie.problems == ["its header declares 65535 tracks, and 1 are present"])
    let bytes = smf([[UInt8]](repeating: trackEnd, count: 65535))
    let file = try MIDIFile(bytes, name: "many")
    #expect(file.tracks.count == 65535 && file.problems.isEmpty)
    #expect(throws: AuricleError.self) { try MIDIFile(bytes + chunk(trackEnd), name: "more") }
  }

  @Test(
    "Other files than MIDI's are refused, and the sentence says why",
    arguments: [
      ([], "it is empty"), (Array("RIFFxxxxWAVE".utf8), "but a sound file"),
      (Array("RIFFxxxxAVI ".utf8), "it begins with 52 49 46 46"),
      (Array("fLaC".utf8), "auricle process"),
      (smf(format: 3, [trackEnd]), "of format 3"), (smf([]), "without a track"),
      (smf(division: [0, 0], [trackEnd]), "0 ticks a beat"),
      (smf(division: [0xE8, 0], [trackEnd]), "24 frames a second of 0 ticks"),
      (smf(division: [0x80, 4], [trackEnd]), "128 frames a second"),
      (Array("MThd".utf8) + [0, 0, 0, 6, 0], "cut short at byte 9"),
      (Array("RIFF....RMIDdata....".utf8), "no MIDI file is in it"),
    ] as [([UInt8], String)])
  func refusals(bytes: [UInt8], text: String) {
    let error = #expect(throws: AuricleError.self) { try MIDIFile(bytes, name: "x.mid") }
    #expect(error?.category == .badData)
    #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
  }

  @Test("Events that a file cannot hold are not written")
  func unwritable() {
    let files = [
      MIDIFile(), MIDIFile(format: .single, tracks: [.init(), .init()]),
      MIDIFile(division: .ticksPerBeat(0), tracks: [.init()]),
      MIDIFile(tracks: [.init(length: 1 << 28)]),
      MIDIFile(tracks: [.init(events: [.init(tick: -1, .meta(1, []))])]),
      MIDIFile(tracks: [.init(events: [.init(tick: 0, .channel(status: 1, 0, 0))])]),
    ]
    for file in files { #expect(throws: AuricleError.self) { try file.encoded() } }
  }

  @Test("Names are text whatever their encoding, and a track without one has none")
  func names() throws {
    let latin: [UInt8] = [0, 0xFF, 3, 5, 0x4B, 0x6C, 0xE4, 0x72, 0x20]
    let wide: [UInt8] = [0, 0xFF, 3, 4] + Array("Ré\0".utf8)
    let file = try MIDIFile(smf([latin + trackEnd, wide + trackEnd, trackEnd]), name: "names")
    #expect(file.tracks.map(\.name) == ["Klär", "Ré", nil])
  }
}
