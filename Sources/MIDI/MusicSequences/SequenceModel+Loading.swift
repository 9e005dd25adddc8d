// MIDI files into tracks: notes from their two ends, tempos into the tempo track.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
package import MIDIFiles

extension SequenceModel {
  /// Adds the tracks of a file.
  ///
  /// - Parameters:
  ///   - file: The file that was read.
  ///   - splitsChannels: Whether there shall be a track for each channel, and a last one for the rest.
  package func load(_ file: MIDIFile, splitsChannels: Bool) {
    var clock = FileClock(file.division)
    if clock.isSeconds {
      let isFresh = tracks.isEmpty && tempoTrack.events.isEmpty
      if !isFresh || !setType(kMusicSequenceType_Seconds) { clock.map = map }
    }
    resolution = clock.resolution
    var loaded: [LoadedTrack] = []
    for (index, track) in file.tracks.enumerated() {
      var one = LoadedTrack(track, clock)
      let isFirst = index == 0
      // The first of several tracks holds the common events, unless it plays something.
      if isFirst, file.format == .together, !one.plays {
        let all = (one.events + ruling(of: one, clock)).sorted { $0.place < $1.place }
        tempoTrack.insert(all.map { ($0.beat, $0.data) })
        continue
      }
      if file.format != .separate || isFirst {
        tempoTrack.insert(ruling(of: one, clock).map { ($0.beat, $0.data) })
      }
      one.ruling = []
      loaded.append(one)
    }
    let made = splitsChannels ? LoadedTrack.byChannel(loaded) : loaded
    for one in made {
      let track = newTrack()
      track.insert(one.events.map { ($0.beat, $0.data) })
      if one.length > track.length + 1e-9 { track.wantedLength = one.length }
    }
  }

  /// Events that rule all tracks; there are no tempos where a tick is a part of a second.
  private func ruling(of track: LoadedTrack, _ clock: FileClock) -> [LoadedTrack.Event] {
    track.ruling.filter { !clock.isSeconds || $0.data.tempo == nil }
  }
}

/// Ticks of a file as beats.
struct FileClock {
  let isSeconds: Bool
  /// The resolution for the tempo track.
  let resolution: Int16
  /// Turns seconds into beats, where a beat is not a second.
  var map: BeatMap?
  private let ticks: Double

  init(_ division: MIDIFile.Division) {
    switch division {
    case .ticksPerBeat(let count):
      isSeconds = false
      ticks = Double(count)
      resolution = Int16(clamping: count)
    case .timeCode(let frames, let count):
      isSeconds = true
      ticks = (frames == 29 ? 30_000 / 1001 : Double(frames)) * Double(count)
      resolution = Int16(truncatingIfNeeded: -frames * 256 + count)
    }
  }

  func beat(_ tick: Int) -> Double {
    let value = Double(tick) / ticks
    return map?.beat(atSeconds: value) ?? value
  }

  /// Beats between two ticks, exact where they can be.
  func duration(_ start: Int, _ end: Int) -> Float {
    map == nil ? Float(Double(end - start) / ticks) : Float(beat(end) - beat(start))
  }
}

/// The events of one track of a file.
struct LoadedTrack {
  struct Event {
    let beat: Double
    let data: EventData
    /// The channel; nil for an event without one.
    let channel: UInt8?
    /// The position among all events of its track.
    let place: Int
  }

  private(set) var events: [Event] = []
  /// Events of the tempo track: tempos, meters, the start of time code.
  var ruling: [Event] = []
  private(set) var length = 0.0
  /// Whether anything of it is sent.
  var plays: Bool {
    events.contains { $0.data.meta == nil }
  }

  init() {}

  init(_ track: MIDIFileTrack, _ clock: FileClock) {
    length = clock.beat(track.length)
    let ends = Self.noteEnds(track)
    for (index, event) in track.events.enumerated() {
      let beat = clock.beat(event.tick)
      func made(_ data: EventData, _ channel: UInt8? = nil) -> Event {
        Event(beat: beat, data: data, channel: channel, place: index)
      }
      func add(_ data: EventData, _ channel: UInt8? = nil) { events.append(made(data, channel)) }
      switch event.message {
      case .channel(let status, let first, let second):
        let channel = status & 15
        switch ends[index] {
        case .begins(let end, let release):
          add(
            EventData(
              channel: channel, note: first, velocity: second, release: release,
              duration: clock.duration(event.tick, end)), channel)
        case .ends: break
        case nil: add(EventData(status: status, first, second), channel)
        }
      case .systemExclusive(let bytes): add(EventData(raw: [0xF0] + bytes))
      case .raw(let bytes): if !bytes.isEmpty { add(EventData(raw: bytes)) }
      case .meta(MIDIMetaType.tempo.rawValue, let bytes):
        let length = bytes.reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count == 3, length > 0 else { continue }
        ruling.append(made(EventData(beatsPerMinute: 60e6 / Double(length))))
      case .meta(let type, let bytes):
        let data = EventData(meta: type, bytes)
        if type == MIDIMetaType.meter.rawValue || type == MIDIMetaType.timeCodeOffset.rawValue {
          ruling.append(made(data))
        } else {
          add(data)
        }
      }
    }
  }

  /// The part of an event in a note.
  private enum Part {
    case begins(end: Int, release: UInt8)
    case ends
  }

  /// Finds the two ends of each note: the first that began ends first. A note without an end lasts
  /// as long as the track.
  private static func noteEnds(_ track: MIDIFileTrack) -> [Int: Part] {
    var parts: [Int: Part] = [:]
    var open: [UInt16: [Int]] = [:]
    for (index, event) in track.events.enumerated() {
      guard case .channel(let status, let note, let velocity) = event.message,
        status & 0xE0 == 0x80
      else { continue }
      let key = UInt16(status & 15) << 8 | UInt16(note)
      if status & 0xF0 == 0x90, velocity > 0 {
        open[key, default: []].append(index)
        parts[index] = .begins(end: track.length, release: 0)
      } else if let began = open[key]?.first {
        open[key]?.removeFirst()
        parts[began] = .begins(end: event.tick, release: status & 0xF0 == 0x80 ? velocity : 0)
        parts[index] = .ends
      }
    }
    return parts
  }

  /// One track for each channel, and a last one for events without a channel.
  static func byChannel(_ tracks: [LoadedTrack]) -> [LoadedTrack] {
    var made: [UInt8: LoadedTrack] = [:]
    let length = tracks.reduce(0) { max($0, $1.length) }
    for event in tracks.flatMap(\.events) {
      made[event.channel ?? 16, default: LoadedTrack()].events.append(event)
    }
    return made.sorted { $0.key < $1.key }.map {
      var track = $0.value
      track.length = length
      return track
    }
  }
}
