// The lengths of songs: ends of tracks, the longest song, and refusals with both figures.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import MIDIFiles
import ResultSettings
import SongPlaying
import Testing

@Suite struct SongLengthTests {
  private static let rate = 48_000.0

  /// A song with a note of half a second; times in beats of half a second.
  private func song(
    before: Int = 0, notes: Int = 1, apart: Int = 0, rest: Int
  ) -> MIDIFile {
    var events: [MIDIFileEvent] = []
    for note in 0..<notes {
      let tick = (before + note * apart) * 480
      events.append(MIDIFileEvent(tick: tick, .channel(status: 0x90, 60, 100)))
      events.append(MIDIFileEvent(tick: tick + 480, .channel(status: 0x80, 60, 0)))
    }
    let last = events.last?.tick ?? 0
    return MIDIFile(
      format: .single, tracks: [MIDIFileTrack(events: events, length: last + rest * 480)])
  }

  private func events(
    _ file: MIDIFile, longest: Double? = nil
  ) throws(AuricleError) -> SongEvents {
    try SongEvents(
      file, track: nil, sampleRate: Self.rate, limits: SongLimits(longest), name: "a.mid")
  }

  @Test(arguments: [0, 1, 119, 120])
  func aRestOfAMinuteCounts(rest: Int) throws {
    let events = try events(song(rest: rest))
    #expect(events.end == Int((0.5 + Double(rest) * 0.5) * Self.rate))
    #expect(events.notes.isEmpty)
  }

  /// Three hours, and a track of nothing but its end.
  @Test func aLongerRestIsCutWithANote() throws {
    let events = try events(song(rest: 21_600))
    #expect(events.end == Int(60.5 * Self.rate))
    #expect(
      events.notes == [
        "the end of the track is 3:00:00 after the last message: 1:00 of silence are kept"
      ])
    let empty = try self.events(song(notes: 0, rest: 21_600))
    #expect(empty.end == Int(60 * Self.rate) && empty.notes.count == 1)
  }

  /// An event of 25 s that a damaged time puts 3 hours later.
  @Test func aSongOutOfProportionIsRefused() throws {
    let error = #expect(throws: AuricleError.self) {
      _ = try events(song(before: 21_600, rest: 0))
    }
    #expect(error?.category == .badData)
    #expect(error?.message.contains("3:00:01 long") == true, "\(error?.message ?? "")")
    #expect(
      error?.message.contains("span 0:01") == true || error?.message.contains("span 0:00") == true)
    #expect(error?.message.contains("--longest") == true)
    #expect(try events(song(before: 21_600, rest: 0), longest: 20_000).end > 0)
    // Ten minutes are no damage, and a long song is none.
    #expect(try events(song(before: 1190, rest: 0)).notes.isEmpty)
    #expect(try events(song(notes: 100, apart: 240, rest: 0)).notes.isEmpty)
  }

  @Test func theLongestSongIsSixHoursUnlessAnotherIsChosen() throws {
    let long = song(notes: 2, apart: 2 * 21_700, rest: 0)
    let error = #expect(throws: AuricleError.self) { _ = try events(long) }
    #expect(error?.message.contains("more than 6:00:00 are refused") == true)
    #expect(try events(long, longest: 22_000).end > 0)
    #expect(throws: AuricleError.self) { _ = try events(song(rest: 0), longest: 0.25) }
  }

  @Test func limitsAreTenMinutesTwentySpansAndSixHours() {
    let limits = SongLimits()
    #expect(limits.longest(span: 0) == 600 && limits.longest(span: 30) == 600)
    #expect(limits.longest(span: 60) == 1200 && limits.longest(span: 1e6) == 21_600)
    #expect(SongLimits(90).longest(span: 1e6) == 90)
    #expect(SongLimits.text(59.6) == "1:00" && SongLimits.text(3661) == "1:01:01")
    #expect(SongLimits.text(.infinity) == "more than thirty years")
  }
}
