// System messages in MIDI files, which may hold none: nothing is lost by them; and tracks that are cut short.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import MIDIFiles
import Testing

@Suite("System messages and damage in MIDI files") struct SystemMessageTests {
  private let events: [MIDIFileEvent] = [
    MIDIFileEvent(tick: 0, .channel(status: 0x90, 60, 100)),
    MIDIFileEvent(tick: 20, .channel(status: 0x90, 60, 0)),
  ]

  @Test(
    "A stray message of the clock loses nothing, at any place",
    arguments: [
      // With a separate time, before a time, behind a time, among data, before data of a running status.
      [0, 0xF8, 0, 0x90, 60, 100, 20, 60, 0], [0, 0x90, 60, 100, 0, 0xFE, 20, 60, 0],
      [0, 0xF8, 0x90, 60, 100, 20, 60, 0], [0, 0x90, 60, 100, 20, 0xFA, 0x90, 60, 0],
      [0, 0x90, 60, 0xF8, 100, 20, 60, 0], [0, 0x90, 0xF8, 60, 0xFC, 100, 20, 60, 0],
      [0, 0xF6, 0, 0x90, 60, 100, 20, 60, 0], [0, 0xF2, 1, 2, 0, 0x90, 60, 100, 20, 60, 0],
      [0, 0xF1, 5, 0, 0x90, 60, 100, 20, 60, 0], [0, 0x90, 60, 100, 20, 0x90, 60, 0, 0, 0xF8],
    ] as [[UInt8]])
  func stray(bytes: [UInt8]) throws {
    let file = try MIDIFile(smf(format: 0, [bytes + trackEnd]), name: "a.mid")
    #expect(file.tracks[0].events == events, "\(file.tracks[0].events)")
    #expect(file.damage.isEmpty && file.problems.count == 1, "\(file.problems)")
    #expect(file.problems[0].contains("system messages"))
  }

  @Test("Clocks within a SysEx are removed, counted or not")
  func exclusive() throws {
    for bytes: [UInt8] in [
      [0, 0xF0, 5, 0x7E, 0xF8, 9, 1, 0xF7], [0, 0xF0, 4, 0x7E, 0xF8, 9, 1, 0xF7],
    ] {
      let file = try MIDIFile(smf(format: 0, [bytes + trackEnd]), name: "a.mid")
      #expect(
        file.tracks[0].events == [MIDIFileEvent(tick: 0, .systemExclusive([0x7E, 9, 1, 0xF7]))])
      #expect(file.damage.isEmpty)
    }
  }

  @Test("A track that cannot be read to its end is damage; other faults are none")
  func damage() throws {
    let note: [UInt8] = [0, 0x90, 60, 100, 20, 0x80, 60, 0]
    let whole = smf(format: 0, [note + trackEnd])
    for cut in [1, 4, 5, 6, 9] {
      let file = try MIDIFile(Array(whole.dropLast(cut)), name: "cut \(cut)")
      #expect(file.damage.count == 1, "\(cut): \(file.problems)")
      #expect(Set(file.damage).isSubset(of: file.problems))
    }
    let header = smf(format: 0, count: 1, [])
    for bytes in [whole, header + chunk(note + trackEnd, length: 100), smf(format: 0, [note])] {
      #expect(try MIDIFile(bytes, name: "whole").damage.isEmpty)
    }
    let data = try MIDIFile(smf(format: 0, [[0, 60, 100] + trackEnd]), name: "data")
    #expect(data.damage.first?.contains("data without a status") == true)
  }

  @Test("Chunks behind the MIDI file in a RIFF file are no part of it")
  func riff() throws {
    let file = smf(format: 0, [[0, 0x90, 60, 100] + trackEnd])
    func little(_ count: Int) -> [UInt8] { [0, 8, 16, 24].map { UInt8(count >> $0 & 255) } }
    let text = Array("INFOINAM".utf8) + little(5) + Array("Song\0\0".utf8)
    let list = Array("LIST".utf8) + little(text.count) + text
    let data = Array("data".utf8) + little(file.count) + file
    for body in [data + list, list + data, data] {
      let bytes = Array("RIFF".utf8) + little(body.count + 4) + Array("RMID".utf8) + body
      let read = try MIDIFile(bytes, name: "a.rmi")
      #expect(read.problems.isEmpty && read.tracks[0].events.count == 1, "\(read.problems)")
    }
  }
}
