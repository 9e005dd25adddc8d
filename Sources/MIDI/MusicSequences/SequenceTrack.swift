// One track: events by beat, and the track's properties.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// One event of a track.
package struct MusicEvent: Sendable {
  /// Its beat.
  package var beat: Double
  /// The event's data.
  package var data: EventData
  /// Its number, of which no other event has the same.
  package let id: UInt64

  /// Its end.
  package var end: Double { beat + data.duration }
}

/// The destination of a track's events.
package enum TrackDestination: Sendable, Equatable {
  /// To the first instrument of the graph.
  case none
  /// To a node of the graph.
  case node(AUNode)
  /// To a MIDI endpoint.
  case endpoint(MIDIEndpointRef)
  /// To a unit that a program renders, by its address.
  case unit(UInt)
}

/// A track of a sequence.
///
/// @unchecked Sendable because its users hold the lock of all sequences.
@safe package final class SequenceTrack: @unchecked Sendable {
  /// Its sequence; nil once it was removed.
  package private(set) weak var sequence: SequenceModel?
  /// Whether it is the one that holds the tempos.
  package let isTempoTrack: Bool
  /// The events by beat; those of one beat in the order in which they came.
  package private(set) var events: [MusicEvent] = []
  /// Another number after each change of an event.
  package private(set) var version: UInt64 = 0
  /// The last beats that are played again.
  package var loop = MusicTrackLoopInfo(loopDuration: 0, numberOfLoops: 0)
  /// Beats by which everything is later.
  package var offset = 0.0
  /// Whether it is silent.
  package var isMuted = false
  /// Whether only it, and others like it, sound.
  package var isSolo = false
  /// Whether its parameter events are points of a curve.
  package var automates: UInt32 = 0
  /// The length that was set; 0 if none was.
  package var wantedLength = 0.0
  /// The destination of its events.
  package var destination = TrackDestination.none
  private var nextID: UInt64 = 1
  private var knownEnd: (version: UInt64, end: Double) = (0, 0)

  init(in sequence: SequenceModel, isTempoTrack: Bool = false) {
    self.sequence = sequence
    self.isTempoTrack = isTempoTrack
  }

  /// Leaves its sequence.
  func leave() { sequence = nil }

  /// The greater of the length that was set and the end of the last event.
  package var length: Double {
    if knownEnd.version != version {
      knownEnd = (version, events.reduce(0) { max($0, $1.end) })
    }
    return max(wantedLength, knownEnd.end)
  }

  // MARK: Places

  /// The place of the first event at a beat or after it.
  package func place(at beat: Double) -> Int {
    var (low, high) = (0, events.count)
    while low < high {
      let middle = (low + high) / 2
      if events[middle].beat < beat { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The place behind the last event at a beat or before it.
  private func placeAfter(_ beat: Double) -> Int {
    guard let last = events.last, last.beat > beat else { return events.count }
    var (low, high) = (0, events.count)
    while low < high {
      let middle = (low + high) / 2
      if events[middle].beat <= beat { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The events from a beat on, and before another.
  package func range(_ start: Double, _ end: Double) -> Range<Int> {
    let first = place(at: start)
    return first..<max(first, place(at: end))
  }

  // MARK: Changes

  private func changed() {
    version += 1
    sequence?.eventsChanged(of: self)
  }

  /// Adds an event behind those of its beat, and answers its place.
  @discardableResult
  package func insert(_ data: EventData, at beat: Double) -> Int {
    let place = placeAfter(beat)
    events.insert(MusicEvent(beat: beat, data: data, id: newID()), at: place)
    changed()
    return place
  }

  /// Adds many events, in any order.
  package func insert(_ added: [(beat: Double, data: EventData)]) {
    guard !added.isEmpty else { return }
    events += added.map { MusicEvent(beat: $0.beat, data: $0.data, id: newID()) }
    sort()
    changed()
  }

  /// Removes events.
  package func remove(_ range: Range<Int>) {
    events.removeSubrange(range)
    changed()
  }

  /// Replaces the data of an event.
  package func replace(_ place: Int, with data: EventData) {
    events[place].data = data
    changed()
  }

  /// Moves an event to another time, behind those of that beat, and returns its place.
  package func move(_ place: Int, to beat: Double) -> Int {
    var event = events.remove(at: place)
    event.beat = beat
    let place = placeAfter(beat)
    events.insert(event, at: place)
    changed()
    return place
  }

  /// Moves all events of a range to later times, or earlier ones.
  package func shift(_ range: Range<Int>, by beats: Double) {
    guard !range.isEmpty, beats != 0 else { return }
    for place in range { events[place].beat += beats }
    sort()
    changed()
  }

  /// Moves every event to another time.
  package func remap(_ beat: (MusicEvent) -> Double) {
    // The first event of a beat is last in time when it runs backwards.
    events = events.reversed().map {
      var event = $0
      event.beat = max(0, beat(event))
      return event
    }
    sort()
    changed()
  }

  private func newID() -> UInt64 {
    defer { nextID += 1 }
    return nextID
  }

  /// By beat, without a change in the order of those of one beat.
  private func sort() {
    let isSorted = zip(events, events.dropFirst()).allSatisfy { $0.beat <= $1.beat }
    guard !isSorted else { return }
    events = events.enumerated().sorted {
      ($0.element.beat, $0.offset) < ($1.element.beat, $1.offset)
    }.map(\.element)
  }
}
