// The contents of a MIDI file, as numbers and names for people and programs.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes

/// All about one MIDI file.
///
/// Context: control.
package struct MIDIFileReport: Encodable, Sendable {
  /// One track.
  package struct Track: Encodable, Sendable {
    /// Its number, from 1.
    package var number: Int
    /// Its name, if it has one.
    package var name: String?
    /// All its events.
    package var events: Int
    /// Notes that begin.
    package var notes: Int
    /// The channels of its messages, 1 to 16.
    package var channels: [Int]
    /// The programs it changes to, 0 to 127.
    package var programs: [Int]
    /// Its end, in seconds.
    package var seconds: Double
  }

  /// A tempo from a time on.
  package struct Tempo: Encodable, Sendable {
    /// Its time, in seconds.
    package var seconds: Double
    /// Beats a minute.
    package var beatsPerMinute: Double
  }

  /// A text at a time: a meter, a key, a marker.
  package struct Place: Encodable, Sendable {
    /// Its time, in seconds.
    package var seconds: Double
    /// `6/8`, `E flat major`, the marker's text.
    package var text: String
  }

  /// The file as it was named.
  package var path: String
  /// 0, 1 or 2.
  package var format: Int
  /// Ticks a beat; nil for time code.
  package var ticksPerBeat: Int?
  /// Frames a second of time code (29 means 29.97); nil for beats.
  package var framesPerSecond: Int?
  /// Ticks a frame of time code; nil for beats.
  package var ticksPerFrame: Int?
  /// End of the last track, in seconds.
  package var seconds: Double
  /// Time of the last message, in seconds.
  package var lastMessageSeconds: Double
  /// The tracks.
  package var tracks: [Track] = []
  /// The tempos of all tracks; empty for time code. In a file of format 2 those of each track.
  package var tempos: [Tempo] = []
  /// The meters.
  package var meters: [Place] = []
  /// The keys.
  package var keys: [Place] = []
  /// The markers.
  package var markers: [Place] = []
  /// The number of lyrics.
  package var lyrics = 0
  /// The problems of the file that were forgiven.
  package var problems: [String]

  /// Reads a file.
  ///
  /// - Throws: The errors of `MIDIFile.init(path:)`.
  package init(path: String) throws(AuricleError) {
    self.init(try MIDIFile(path: path), path: path)
  }

  /// Makes the report of a file that was read.
  package init(_ file: MIDIFile, path: String) {
    self.path = path
    format = file.format.rawValue
    problems = file.problems
    (seconds, lastMessageSeconds) = (0, 0)
    var hasTempo = true
    switch file.division {
    case .ticksPerBeat(let ticks): ticksPerBeat = ticks
    case .timeCode(let frames, let ticks):
      (framesPerSecond, ticksPerFrame) = (frames, ticks)
      hasTempo = false
    }
    let shared = file.tempoMap()
    if hasTempo, file.format != .separate { add(shared) }
    for (index, track) in file.tracks.enumerated() {
      let map = file.format == .separate ? file.tempoMap(ofTrack: index) : shared
      if hasTempo, file.format == .separate { add(map) }
      add(track, number: index + 1, map)
    }
    meters.sort { $0.seconds < $1.seconds }
    keys.sort { $0.seconds < $1.seconds }
    markers.sort { $0.seconds < $1.seconds }
  }

  private mutating func add(_ map: MIDITempoMap) {
    tempos += map.segments.map {
      Tempo(seconds: map.seconds(atTick: $0.tick), beatsPerMinute: $0.beatsPerMinute)
    }
  }

  private mutating func add(_ track: MIDIFileTrack, number: Int, _ map: MIDITempoMap) {
    var notes = 0
    var (channels, programs) = (Set<Int>(), Set<Int>())
    for event in track.events {
      switch event.message {
      case .channel(let status, let first, let second):
        channels.insert(Int(status & 15) + 1)
        if status & 0xF0 == 0x90, second > 0 { notes += 1 }
        if status & 0xF0 == 0xC0 { programs.insert(Int(first)) }
      case .meta(let type, let bytes):
        add(MIDIMetaType(rawValue: type), bytes, at: map.seconds(atTick: event.tick))
      case .systemExclusive, .raw: break
      }
    }
    let end = map.seconds(atTick: track.length)
    seconds = max(seconds, end)
    if track.lastMessageTick > 0 {
      lastMessageSeconds = max(lastMessageSeconds, map.seconds(atTick: track.lastMessageTick))
    }
    tracks.append(
      Track(
        number: number, name: track.name, events: track.events.count, notes: notes,
        channels: channels.sorted(), programs: programs.sorted(), seconds: end))
  }

  private mutating func add(_ type: MIDIMetaType, _ bytes: [UInt8], at seconds: Double) {
    switch type {
    case .lyric: lyrics += 1
    case .marker: markers.append(Place(seconds: seconds, text: MIDIText.decoded(bytes)))
    case .meter:
      guard bytes.count >= 2, bytes[1] < 32 else { return }
      meters.append(Place(seconds: seconds, text: "\(bytes[0])/\(1 << Int(bytes[1]))"))
    case .key:
      guard let text = MIDIKey.name(bytes) else { return }
      keys.append(Place(seconds: seconds, text: text))
    default: return
    }
  }
}
