// The messages of a MIDI file in the order of time, each at its frame.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
package import MIDIFiles
package import ResultSettings

/// Messages by frames.
package struct SongEvents {
  /// A message at a frame.
  struct Entry {
    var frame: Int
    var message: MIDIFileMessage
    /// Its track, from 1; nil for an event without a track.
    var track: Int?
  }

  /// In the order of time; at one frame in the order of tracks.
  private(set) var entries: [Entry] = []
  /// The frame of the end: the last end of a track, at most `longestRest` behind the last message.
  package private(set) var end = 0
  /// Notes on the length, for a report.
  package private(set) var notes: [String] = []
  /// Its tempos and meters; nil where there is no song.
  private(set) var timeline: SongTimeline?

  /// No messages.
  package init() {}

  /// The rest behind the last message that the end of a track may ask for, in seconds.
  private static let longestRest = 60.0

  /// Reads the messages of all tracks, or of one.
  ///
  /// - Parameter limits: The longest song that is rendered.
  /// - Throws: `.badData` for a set of patterns without a track or a song that is too long, `.usage` for a track
  ///   that is not there.
  package init(
    _ file: MIDIFile, track: Int?, sampleRate: Double, limits: SongLimits = SongLimits(),
    name: String
  ) throws(AuricleError) {
    if file.format == .separate, track == nil, file.tracks.count > 1 {
      throw AuricleError(
        .badData,
        "\(name) holds \(file.tracks.count) separate patterns (format 2): choose one with --track")
    }
    if let track, !file.tracks.indices.contains(track - 1) {
      throw AuricleError(
        .usage,
        file.tracks.count == 1
          ? "\(name) has one track: leave --track \(track) out"
          : "\(name) has tracks 1 to \(file.tracks.count): choose one with --track, not \(track)")
    }
    let map = file.tempoMap(ofTrack: track.map { $0 - 1 })
    timeline = SongTimeline(file, ofTrack: track.map { $0 - 1 }, sampleRate: sampleRate)
    var found: [(entry: Entry, order: Int)] = []
    for (index, part) in file.tracks.enumerated() where track == nil || track == index + 1 {
      for event in part.events {
        if case .meta = event.message { continue }
        let frame = map.frame(atTick: event.tick, sampleRate: sampleRate)
        found.append((Entry(frame: frame, message: event.message, track: index + 1), found.count))
      }
      end = max(end, map.frame(atTick: part.length, sampleRate: sampleRate))
    }
    found.sort { ($0.entry.frame, $0.order) < ($1.entry.frame, $1.order) }
    entries = found.map(\.entry)
    let (first, last) = (entries.first?.frame ?? 0, entries.last?.frame ?? 0)
    let rest = max(0, Double(end - last) / sampleRate)
    if rest > Self.longestRest {
      end = last + Int(Self.longestRest * sampleRate)
      notes.append(
        "the end of the track is \(SongLimits.text(rest)) after the last message: "
          + "\(SongLimits.text(Self.longestRest)) of silence are kept")
    }
    end = max(end, last)
    try limits.check(
      seconds: Double(end) / sampleRate, span: Double(last - first) / sampleRate, name)
    endNotes()
  }

  /// Ends sounding pedals and then all notes at the end.
  private mutating func endNotes() {
    for channel in UInt8(0)..<16 {
      for controller in [UInt8(64), 66, 123] {
        entries.append(
          Entry(frame: end, message: .channel(status: 0xB0 | channel, controller, 0)))
      }
    }
  }
}
