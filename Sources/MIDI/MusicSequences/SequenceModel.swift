// A sequence: its tempo track and its other tracks, and the meaning of a beat.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox
import MIDIFiles

/// A sequence of music.
///
/// @unchecked Sendable because its users hold the lock of all sequences.
@safe package final class SequenceModel: @unchecked Sendable {
  /// Holds tempos, and the meta events that concern all tracks.
  // Made with the sequence itself, which it knows.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  package private(set) var tempoTrack: SequenceTrack!
  /// The tracks, without the tempo track.
  package private(set) var tracks: [SequenceTrack] = []
  /// The unit of a beat.
  package private(set) var type = kMusicSequenceType_Beats
  /// Ticks a beat of the file that was loaded.
  package var resolution: Int16 = 480
  private var knownMap: BeatMap?
  /// The tempo event that the type brought.
  private var typeTempo: UInt64?

  /// A sequence of no tracks, at 120 beats a minute.
  package init() { tempoTrack = SequenceTrack(in: self, isTempoTrack: true) }

  // MARK: Tracks

  /// Adds a track.
  package func newTrack() -> SequenceTrack {
    let track = SequenceTrack(in: self)
    tracks.append(track)
    return track
  }

  /// Removes a track; false if it is not one of them.
  package func remove(_ track: SequenceTrack) -> Bool {
    guard let index = index(of: track) else { return false }
    tracks.remove(at: index)
    track.leave()
    return true
  }

  /// The place of a track; nil if it is not one of them.
  package func index(of track: SequenceTrack) -> Int? { tracks.firstIndex { $0 === track } }

  /// The latest end of a track.
  package var length: Double { tracks.reduce(0) { max($0, $1.length) } }

  // MARK: Time

  func eventsChanged(of track: SequenceTrack) { if track.isTempoTrack { knownMap = nil } }

  /// The times of its beats.
  package var map: BeatMap {
    if let knownMap { return knownMap }
    let tempos = tempoTrack.events.compactMap { event in
      event.data.tempo.map { (beat: event.beat, beatsPerMinute: $0) }
    }
    let made = BeatMap(tempos)
    knownMap = made
    return made
  }

  /// Its bars.
  package var meters: MeterMap {
    MeterMap(
      tempoTrack.events.compactMap { event in
        guard let meta = event.data.meta, meta.type == MIDIMetaType.meter.rawValue else {
          return nil
        }
        return (event.beat, meta.bytes)
      })
  }

  /// Changes the unit of a beat; false for an unknown type, and where tempos prevent it.
  package func setType(_ new: MusicSequenceType) -> Bool {
    let tempo: Double?
    switch new {
    case kMusicSequenceType_Beats: tempo = nil
    case kMusicSequenceType_Seconds: tempo = 60
    case kMusicSequenceType_Samples: tempo = 60 * 44_100
    default: return false
    }
    guard new != type else { return true }
    let own = tempoTrack.events.filter { $0.data.tempo != nil && $0.id != typeTempo }
    guard new == kMusicSequenceType_Beats || own.isEmpty else { return false }
    if let place = tempoTrack.events.firstIndex(where: { $0.id == typeTempo }) {
      tempoTrack.remove(place..<place + 1)
    }
    typeTempo = nil
    if let tempo {
      let place = tempoTrack.insert(EventData(beatsPerMinute: tempo), at: 0)
      typeTempo = tempoTrack.events[place].id
    }
    type = new
    return true
  }

  /// Reverses everything: the beginning of a track becomes its end, notes keep their lengths, tempos their
  /// stretches.
  package func reverse() {
    let length = self.length
    for track in tracks { track.remap { length - $0.end } }
    let segments = map.segments
    let tempos = segments.enumerated().compactMap {
      index, segment -> (beat: Double, data: EventData)? in
      guard segment.beat < length || index == 0 else { return nil }
      let end = index + 1 < segments.count ? min(segments[index + 1].beat, length) : length
      return (max(0, length - end), EventData(beatsPerMinute: 60 / segment.secondsPerBeat))
    }
    let hadTempo = tempoTrack.events.contains { $0.data.tempo != nil }
    while let place = tempoTrack.events.lastIndex(where: { $0.data.tempo != nil }) {
      tempoTrack.remove(place..<place + 1)
    }
    tempoTrack.remap { length - min($0.beat, length) }
    if hadTempo { tempoTrack.insert(tempos) }
  }
}
