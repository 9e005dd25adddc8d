// A standard MIDI file as it is on the disk: a format, a division of time, tracks of events.
// SPDX-License-Identifier: Apache-2.0

/// A standard MIDI file: format 0, 1 or 2, plain or in a RIFF file (`.rmi`).
///
/// A value: read with `init(path:)` or `init(_:name:)`, changed at will, written with `encoded()`.
/// A file that was read and is written again reads as the same tracks.
///
/// Context: control.
package struct MIDIFile: Sendable, Equatable {
  /// The relation of the tracks.
  package enum Format: Int, Sendable {
    /// One track holds everything.
    case single = 0
    /// All tracks play together.
    case together = 1
    /// Each track is a separate piece, with its own tempo.
    case separate = 2
  }

  /// The meaning of a tick.
  package enum Division: Sendable, Equatable {
    /// So many ticks a beat (a quarter note), 1 to 32,767; the tempo sets the length of a beat.
    case ticksPerBeat(Int)
    /// So many frames a second (24, 25, 30, or 29 for 29.97), so many ticks a frame, 1 to 255; no tempo.
    case timeCode(framesPerSecond: Int, ticksPerFrame: Int)
  }

  /// The relation of the tracks.
  package var format: Format
  /// The meaning of a tick.
  package var division: Division
  /// The tracks, in the file's order.
  package var tracks: [MIDIFileTrack]
  /// The problems of the file that was read, a sentence each without a full stop; empty for a sound
  /// one.
  ///
  /// At most 16: further ones are the same again.
  package var problems: [String] = []
  /// The problems by which events are lost: tracks that end before their end.
  package var damage: [String] = []

  /// Makes a file of tracks.
  package init(
    format: Format = .together, division: Division = .ticksPerBeat(480),
    tracks: [MIDIFileTrack] = []
  ) {
    self.format = format
    self.division = division
    self.tracks = tracks
  }

  /// The ends of the tracks: the tick of the latest.
  package var length: Int { tracks.reduce(0) { max($0, $1.length) } }

  /// The tick of the last channel message or SysEx of all tracks: where sound ends when a file ends much later.
  package var lastMessageTick: Int { tracks.reduce(0) { max($0, $1.lastMessageTick) } }
}

/// A track: events in the order of their ticks, and where it ends.
package struct MIDIFileTrack: Sendable, Equatable {
  /// The events by tick, which never falls; those of one tick in the order of the file. End-of-track is not one of them.
  package var events: [MIDIFileEvent]
  /// The tick of its end, not before the last event.
  package var length: Int

  /// Makes a track of events, which ends with the last of them or later.
  package init(events: [MIDIFileEvent] = [], length: Int = 0) {
    self.events = events
    self.length = max(length, events.last?.tick ?? 0)
  }

  /// The tick of its last channel message or SysEx; 0 without one.
  package var lastMessageTick: Int {
    events.last {
      if case .meta = $0.message { false } else { true }
    }?.tick ?? 0
  }

  /// Its name (the first meta event 3), nil without one.
  package var name: String? { firstText(.trackName) }

  /// The text of the first meta event of a type; nil without one.
  package func firstText(_ type: MIDIMetaType) -> String? {
    for event in events {
      if case .meta(type.rawValue, let bytes) = event.message { return MIDIText.decoded(bytes) }
    }
    return nil
  }
}

/// One event of a track.
package struct MIDIFileEvent: Sendable, Equatable {
  /// Ticks from the start of the track, 0 or more.
  package var tick: Int
  /// The message of the event.
  package var message: MIDIFileMessage

  /// An event at a tick.
  package init(tick: Int, _ message: MIDIFileMessage) {
    self.tick = tick
    self.message = message
  }
}

/// The message of an event.
package enum MIDIFileMessage: Sendable, Equatable {
  /// A channel message: status 0x80 to 0xEF with the channel, and two bytes of data (the second is 0 where
  /// the message has one).
  case channel(status: UInt8, UInt8, UInt8)
  /// A SysEx message or its first part: the bytes behind 0xF0; a whole one ends with 0xF7.
  case systemExclusive([UInt8])
  /// Bytes to be sent as they are: those behind 0xF7 in a file, as a next part of a SysEx.
  case raw([UInt8])
  /// A meta event (tempo, name, meter …), which is never sent.
  case meta(UInt8, [UInt8])

  /// The bytes to send to an instrument; empty for a meta event.
  package var bytes: [UInt8] {
    switch self {
    case .channel(let status, let first, let second):
      Self.dataCount(status) == 1 ? [status, first] : [status, first, second]
    case .systemExclusive(let bytes): [0xF0] + bytes
    case .raw(let bytes): bytes
    case .meta: []
    }
  }

  /// Bytes of data behind the status of a channel message.
  package static func dataCount(_ status: UInt8) -> Int {
    status & 0xE0 == 0xC0 ? 1 : 2
  }
}
