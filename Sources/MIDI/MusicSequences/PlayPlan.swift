// The playing plan of a player: the events of all tracks in plain memory, which does not change while it plays.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// The destination of a track's events, as a player knows it.
package struct PlayDestination: Sendable, Equatable, BitwiseCopyable {
  /// The track, by its handle.
  package var track: UInt
  /// The address of a unit; 0 for none.
  package var unit: UInt
  /// A MIDI endpoint; 0 for none.
  package var endpoint: MIDIEndpointRef
  /// Frames of the unit in a frame of the output.
  package var frameRatio: Double

  /// A destination.
  package init(track: UInt, unit: UInt, endpoint: MIDIEndpointRef, frameRatio: Double) {
    self.track = track
    self.unit = unit
    self.endpoint = endpoint
    self.frameRatio = frameRatio
  }
}

/// An event as it is played. Its data belong to the plan.
@safe struct PlayedEvent: BitwiseCopyable {
  let beat: Double
  let type: MusicEventType
  let duration: Double
  let data: UnsafeRawPointer
}

/// A track as it is played: its events, and how far they were.
@safe struct PlayedTrack: BitwiseCopyable {
  let events: UnsafeMutablePointer<PlayedEvent>
  let count: Int
  let destination: PlayDestination
  let isAudible: Bool
  let automates: Bool
  let offset: Double
  let length: Double
  /// Beats that are played again; 0 for no loop.
  let period: Double
  /// The number of passes; 0 for ever.
  let passes: Int
  let firstOfLoop: Int
  /// The next event, in a pass through the loop.
  var place = 0
  var pass = 0

  /// Goes to the first event at a beat of the sequence or after it. Context: any.
  mutating func seek(_ beat: Double) {
    var inner = beat - offset
    pass = 0
    if period > 0, inner >= length {
      let wanted = ((inner - (length - period)) / period).rounded(.down)
      pass = Int(min(wanted, passes == 0 ? 1e15 : Double(passes)))
      inner -= Double(pass) * period
    }
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if unsafe events[middle].beat < inner { low = middle + 1 } else { high = middle }
    }
    place = low
  }

  /// The beat of the next event; infinite behind the last. Context: any.
  mutating func nextBeat() -> Double {
    while true {
      let goesOn = period > 0 && (passes == 0 || pass < passes)
      if place < count {
        let beat = unsafe events[place].beat
        if !goesOn || beat < length { return offset + beat + Double(pass) * period }
      }
      guard goesOn, firstOfLoop < count, unsafe events[firstOfLoop].beat < length else {
        return .infinity
      }
      pass += 1
      place = firstOfLoop
    }
  }
}

/// The tracks and tempos that a player plays.
///
/// @unchecked Sendable because it does not change, but for the places of its tracks, which are its one player's.
@safe package final class PlayPlan: @unchecked Sendable {
  /// A track to be played.
  package struct Track: Sendable {
    /// The events of the track.
    package var events: [MusicEvent]
    /// Their destination.
    package var destination: PlayDestination
    /// Whether they sound.
    package var isAudible: Bool
    /// Whether parameters are curves.
    package var automates: Bool
    /// Beats by which all is later.
    package var offset: Double
    /// The length of the track.
    package var length: Double
    /// The last beats that are played again.
    package var loop: MusicTrackLoopInfo

    /// A track of a sequence.
    package init(_ track: SequenceTrack, to destination: PlayDestination, isAudible: Bool) {
      events = track.events
      self.destination = destination
      self.isAudible = isAudible
      automates = track.automates != 0
      offset = track.offset
      length = track.length
      loop = track.loop
    }
  }

  /// Events before a place that still count there: a track, and one of its events.
  struct Chased {
    let track: Int
    let event: PlayedEvent
  }

  let tracks: UnsafeMutableBufferPointer<PlayedTrack>
  let segments: UnsafeMutableBufferPointer<BeatMap.Segment>
  private let kept: [Track]

  /// Makes a plan of tracks and tempos.
  package init(_ supplied: [Track], map: BeatMap) {
    kept = supplied
    unsafe segments = .allocate(capacity: map.segments.count)
    unsafe _ = segments.initialize(from: map.segments)
    unsafe tracks = .allocate(capacity: supplied.count)
    for (index, track) in supplied.enumerated() {
      let played = track.events.filter {
        $0.data.type != kMusicEventType_Meta && $0.data.type != kMusicEventType_ExtendedTempo
      }
      let events = UnsafeMutablePointer<PlayedEvent>.allocate(capacity: max(1, played.count))
      for (place, event) in played.enumerated() {
        unsafe (events + place).initialize(
          to: PlayedEvent(
            beat: event.beat, type: event.data.type, duration: event.data.duration,
            data: UnsafeRawPointer(event.data.pointer)))
      }
      let period = min(track.loop.loopDuration, track.length)
      let start = track.length - period
      unsafe tracks.initializeElement(
        at: index,
        to: PlayedTrack(
          events: events, count: played.count, destination: track.destination,
          isAudible: track.isAudible, automates: track.automates, offset: track.offset,
          length: track.length, period: period, passes: Int(track.loop.numberOfLoops),
          firstOfLoop: played.firstIndex { $0.beat >= start } ?? played.count))
    }
  }

  deinit {
    for index in unsafe tracks.indices { unsafe tracks[index].events.deallocate() }
    unsafe tracks.deallocate()
    unsafe segments.deallocate()
  }

  /// Events to send when playing begins at a beat: the last values of controllers, programs, bends,
  /// pressures and parameters, the last preset, and user events.
  func chased(before beat: Double) -> [Chased] {
    var found: [Chased] = []
    for index in unsafe tracks.indices where unsafe tracks[index].isAudible {
      let track = unsafe tracks[index]
      var last: [[UInt32]: Int] = [:]
      var isWanted = [Bool](repeating: false, count: track.count)
      for place in 0..<track.count {
        let event = unsafe track.events[place]
        guard event.beat + track.offset < beat else { break }
        guard let key = Self.key(event) else { continue }
        if key.isEmpty {
          isWanted[place] = true
        } else {
          if let old = last[key] { isWanted[old] = false }
          last[key] = place
          isWanted[place] = true
        }
      }
      for place in 0..<track.count where isWanted[place] {
        unsafe found.append(Chased(track: index, event: track.events[place]))
      }
    }
    return found
  }

  /// The key of a state that an event sets; empty for one that always counts; nil for one that is
  /// over.
  private static func key(_ event: PlayedEvent) -> [UInt32]? {
    func word(_ offset: Int) -> UInt32 {
      unsafe event.data.load(fromByteOffset: offset, as: UInt32.self)
    }
    switch event.type {
    case kMusicEventType_User: return []
    case kMusicEventType_Parameter: return [event.type, word(0), word(4), word(8)]
    case kMusicEventType_AUPreset: return [event.type, word(0), word(4)]
    case kMusicEventType_MIDIChannelMessage:
      let (status, first) = (word(0) & 0xFF, word(0) >> 8 & 0xFF)
      switch status & 0xF0 {
      case 0xB0: return [event.type, status, first]
      case 0xC0, 0xD0, 0xE0: return [event.type, status]
      default: return nil
      }
    default: return nil
    }
  }
}
