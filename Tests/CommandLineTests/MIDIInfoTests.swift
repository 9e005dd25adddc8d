// `auricle midi info`: its output about a MIDI file, for people and for programs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct MIDIInfoTests {
  /// A file of one track: name, 100 beats a minute, 6/8, C minor, a marker, two beats of a note on channel 10.
  private static let song: [UInt8] =
    Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 96] + Array("MTrk".utf8) + [0, 0, 0, 53]
    + [0, 0xFF, 3, 4] + Array("Drum".utf8) + [0, 0xFF, 0x51, 3, 0x09, 0x27, 0xC0]
    + [0, 0xFF, 0x58, 4, 6, 3, 36, 8, 0, 0xFF, 0x59, 2, 0xFD, 1]
    + [0, 0xFF, 6, 4] + Array("Here".utf8) + [0, 0xC9, 25, 0, 0x99, 60, 100]
    + [0x81, 0x40, 0x89, 60, 0, 0, 0xFF, 0x2F, 0]

  @Test("Text and JSON have tracks, tempo, meter, key and markers")
  func info() throws {
    let folder = try TemporaryFolder()
    try Data(Self.song).write(to: URL(fileURLWithPath: folder("song.mid")))
    let text = try runAuricle(["midi", "info", "song.mid"], in: folder.path)
    #expect(text.exitCode == 0 && text.standardError.isEmpty, "\(text.summary)")
    for words in ["96 ticks a beat", "100 beats a minute", "6/8", "C minor", "Here", "Drum", "1.2"]
    {
      #expect(text.standardOutput.contains(words), "\(words) in \(text.standardOutput)")
    }
    #expect(!text.standardOutput.contains("problem"), "\(text.standardOutput)")
    struct Report: Decodable {
      struct Track: Decodable {
        let notes: Int
        let channels: [Int]
        let programs: [Int]
      }
      let format: Int
      let seconds: Double
      let tracks: [Track]
    }
    let json = try runAuricle(["midi", "info", "--format", "json", "song.mid"], in: folder.path)
    let report = try #require(
      JSONDecoder().decode([Report].self, from: Data(json.standardOutput.utf8)).first)
    #expect(report.format == 0 && report.seconds == 1.2 && report.tracks.count == 1)
    #expect(report.tracks[0].notes == 1 && report.tracks[0].channels == [10])
    #expect(report.tracks[0].programs == [25])
  }

  @Test("Another file than MIDI's is one sentence and an exit code")
  func failures() throws {
    let folder = try TemporaryFolder()
    try folder.write("words", to: "words.mid")
    let words = try runAuricle(["midi", "info", "words.mid"], in: folder.path)
    #expect(words.exitCode == 65)
    #expect(
      words.standardError
        == "auricle: words.mid: it is no MIDI file: it begins with 77 6F 72 64, not with MThd\n")
    #expect(try runAuricle(["midi", "info", "none.mid"], in: folder.path).exitCode == 66)
  }
}
