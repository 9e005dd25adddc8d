// A place in a track that finds its event again after edits.
// SPDX-License-Identifier: Apache-2.0

/// Walks through the events of a track.
///
/// @unchecked Sendable because its users hold the lock of all sequences.
@safe package final class TrackIterator: @unchecked Sendable {
  private weak var owner: SequenceTrack?
  private var place = 0
  private var id: UInt64?
  private var beat = 0.0
  private var version: UInt64 = 0

  /// Makes an iterator at the first event.
  package init(_ track: SequenceTrack) {
    owner = track
    position(at: 0, in: track)
  }

  /// The track, with the place found again; nil once the track is gone.
  package var track: SequenceTrack? {
    guard let owner else { return nil }
    if version != owner.version { findAgain(in: owner) }
    return owner
  }

  private func findAgain(in track: SequenceTrack) {
    guard let id else { return position(at: track.events.count, in: track) }
    if let place = track.events.firstIndex(where: { $0.id == id }) {
      return position(at: place, in: track)
    }
    position(at: track.place(at: beat), in: track)
  }

  private func position(at place: Int, in track: SequenceTrack) {
    self.place = place
    version = track.version
    id = place < track.events.count ? track.events[place].id : nil
    if place < track.events.count { beat = track.events[place].beat }
  }

  /// The present event; nil behind the last.
  package var current: MusicEvent? {
    guard let track, place < track.events.count else { return nil }
    return track.events[place]
  }

  /// Whether there is an event before this one.
  package var hasPrevious: Bool { track != nil && place > 0 }

  /// Whether there is an event after this one.
  package var hasNext: Bool { track.map { place + 1 < $0.events.count } ?? false }

  /// Goes to the first event at a beat or after it.
  package func seek(_ beat: Double) {
    guard let track else { return }
    position(at: beat >= endOfTrack ? track.events.count : track.place(at: beat), in: track)
  }

  /// Goes on; false behind the last.
  package func next() -> Bool {
    guard let track, place < track.events.count else { return false }
    position(at: place + 1, in: track)
    return true
  }

  /// Goes back; false at the first.
  package func previous() -> Bool {
    guard let track, place > 0 else { return false }
    position(at: place - 1, in: track)
    return true
  }

  /// Removes the event, and moves to the next.
  package func delete() -> Bool {
    guard let track, place < track.events.count else { return false }
    let here = place
    track.remove(here..<here + 1)
    position(at: here, in: track)
    return true
  }

  /// Moves the event to another time, and stays with it.
  package func move(to beat: Double) -> Bool {
    guard let track, place < track.events.count else { return false }
    let new = track.move(place, to: beat)
    position(at: new, in: track)
    return true
  }

  /// Replaces the data of the event.
  package func replace(with data: EventData) -> Bool {
    guard let track, place < track.events.count else { return false }
    track.replace(place, with: data)
    position(at: place, in: track)
    return true
  }
}
