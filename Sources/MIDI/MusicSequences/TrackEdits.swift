// Edits of stretches of a track: moved, cleared, cut, copied, merged.
// SPDX-License-Identifier: Apache-2.0

/// A time from which on everything is the end of a track.
package let endOfTrack = 1e9

extension SequenceTrack {
  /// Whether two times are a stretch: no negative ones, and not the wrong way round.
  package static func isStretch(_ start: Double, _ end: Double) -> Bool {
    start >= 0 && end >= start && start.isFinite && !end.isNaN
  }

  /// Moves events; false, and nothing is done, if one would be before the start.
  package func moveEvents(_ start: Double, _ end: Double, by beats: Double) -> Bool {
    let moved = range(start, end)
    guard let first = moved.first else { return true }
    guard beats.isFinite, events[first].beat + beats >= 0,
      events[moved.upperBound - 1].beat + beats < endOfTrack
    else { return false }
    shift(moved, by: beats)
    return true
  }

  /// Removes events, and closes the gap if that is wanted.
  package func clear(_ start: Double, _ end: Double, closing: Bool) {
    let gone = range(start, end)
    remove(gone)
    if closing, end < endOfTrack { shift(gone.lowerBound..<events.count, by: start - end) }
  }

  /// Copies of events, as beats from a start.
  package func copies(_ start: Double, _ end: Double) -> [(beat: Double, data: EventData)] {
    events[range(start, end)].map { ($0.beat - start, $0.data.copy()) }
  }

  /// Puts copies of a stretch of a track at a place, and opens a gap for them if that is wanted.
  package func insertCopies(
    of source: SequenceTrack, _ start: Double, _ end: Double, at place: Double, opening: Bool
  ) {
    let copies = source.copies(start, end)
    let end = end < endOfTrack ? end : max(source.length, start)
    if opening { shift(self.place(at: place)..<events.count, by: end - start) }
    insert(copies.map { ($0.beat + place, $0.data) })
  }
}
