// Tracks into MIDI files: notes as their two ends, and an info dictionary.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import CAudioToolbox
package import MIDIFiles

extension SequenceModel {
  /// The sequence as a file of format 1: the tempo track first. User, parameter and preset events are of no file.
  ///
  /// - Parameter resolution: Ticks a beat, or frames and ticks; 0 for the usual one.
  /// - Throws: `badData` for events that no file can hold: samples, times too far apart.
  package func midiFile(resolution wanted: Int16) throws(AuricleError) -> MIDIFile {
    let division: MIDIFile.Division
    let ticks: Double
    switch type {
    case kMusicSequenceType_Beats:
      let count = wanted == 0 ? Int(resolution > 0 ? resolution : 480) : Int(wanted)
      division = .ticksPerBeat(count)
      ticks = Double(count)
    case kMusicSequenceType_Seconds:
      let bits = wanted == 0 ? UInt16(bitPattern: -25 * 256 + 40) : UInt16(bitPattern: wanted)
      let (frames, count) = (256 - Int(bits >> 8), Int(bits & 0xFF))
      division = .timeCode(framesPerSecond: frames, ticksPerFrame: count)
      ticks = (frames == 29 ? 30_000 / 1001 : Double(frames)) * Double(count)
    default:
      throw AuricleError(
        .badData, status: kAudioToolboxErr_InvalidSequenceType,
        "a sequence in samples cannot be a MIDI file")
    }
    guard ticks > 0 else {
      throw AuricleError(.badData, "cannot write a MIDI file: \(wanted) is no resolution")
    }
    let isSeconds = type == kMusicSequenceType_Seconds
    var made = [SavedTrack(tempoTrack, ticks: ticks, isSeconds: isSeconds).track]
    made += tracks.map { SavedTrack($0, ticks: ticks, isSeconds: isSeconds).track }
    return MIDIFile(format: .together, division: division, tracks: made)
  }

  /// The texts of a MIDI file, by the keys of info dictionaries.
  package var info: [String: String] {
    func text(_ type: MIDIMetaType, _ track: SequenceTrack) -> [UInt8]? {
      for event in track.events {
        if let meta = event.data.meta, meta.type == type.rawValue { return meta.bytes }
      }
      return nil
    }
    func first(_ type: MIDIMetaType) -> [UInt8]? {
      ([tempoTrack] + tracks).lazy.compactMap { text(type, $0) }.first
    }
    var info: [String: String] = [:]
    let name = text(.trackName, tempoTrack) ?? tracks.first.flatMap { text(.trackName, $0) }
    if let name { info[kAFInfoDictionary_Title] = MIDIText.decoded(name) }
    if let bytes = first(.copyright) {
      info[kAFInfoDictionary_Copyright] = MIDIText.decoded(bytes)
    }
    if let bytes = text(.meter, tempoTrack), bytes.count >= 2, bytes[1] < 16 {
      info[kAFInfoDictionary_TimeSignature] = "\(bytes[0])/\(1 << Int(bytes[1]))"
    }
    if let bytes = first(.key), let text = MIDIKey.name(bytes) {
      info[kAFInfoDictionary_KeySignature] = text
    }
    if type == kMusicSequenceType_Beats {
      info[kAFInfoDictionary_Tempo] = Self.number(60 / map.segments[0].secondsPerBeat)
    }
    let seconds = map.seconds(atBeat: length)
    if seconds > 0 { info[kAFInfoDictionary_ApproximateDurationInSeconds] = Self.number(seconds) }
    return info
  }

  /// A number to three places, without trailing zeros.
  private static func number(_ value: Double) -> String {
    let rounded = (value * 1000).rounded() / 1000
    return rounded == rounded.rounded() && abs(rounded) < 1e15
      ? String(Int(rounded)) : String(rounded)
  }
}

/// A track on its way into a file.
private struct SavedTrack {
  private struct Place {
    let tick: Int
    /// Ends of notes come before starts at the same tick.
    let rank: Int
    let message: MIDIFileMessage
  }

  private var places: [Place] = []
  private let ticks: Double
  private let length: Double

  init(_ track: SequenceTrack, ticks: Double, isSeconds: Bool) {
    self.ticks = ticks
    length = track.isTempoTrack ? 0 : track.length
    for event in track.events {
      if track.isTempoTrack {
        if isSeconds, event.data.tempo != nil { continue }
        if event.data.meta == nil, event.data.tempo == nil { continue }
      }
      add(event)
    }
  }

  private func tick(_ beat: Double) -> Int {
    Int(clamping: Int64(min(max(0, (beat * ticks).rounded()), 9e15)))
  }

  private mutating func add(_ event: MusicEvent) {
    let data = event.data
    func byte(_ offset: Int) -> UInt8 { data.load(offset, as: UInt8.self) }
    switch data.type {
    case kMusicEventType_MIDINoteMessage:
      note(event, channel: byte(0), note: byte(1), velocity: byte(2), release: byte(3))
    case kMusicEventType_ExtendedNote:
      func nearest(_ offset: Int, _ least: Float) -> UInt8 {
        UInt8(min(max(data.load(offset, as: Float.self).rounded(), least), 127))
      }
      note(
        event, channel: UInt8(data.load(4, as: UInt32.self) & 15), note: nearest(16, 0),
        velocity: nearest(20, 1), release: 0)
    case kMusicEventType_MIDIChannelMessage:
      let isShort = MIDIFileMessage.dataCount(byte(0)) == 1
      put(event.beat, .channel(status: byte(0), byte(1), isShort ? 0 : byte(2)))
    case kMusicEventType_MIDIRawData:
      let bytes = data.bytes(from: 4)
      put(
        event.beat,
        bytes.first == 0xF0 ? .systemExclusive(Array(bytes.dropFirst())) : .raw(bytes))
    case kMusicEventType_Meta:
      guard let meta = data.meta, meta.type != MIDIMetaType.endOfTrack.rawValue else { return }
      put(event.beat, .meta(meta.type, meta.bytes))
    case kMusicEventType_ExtendedTempo:
      let length = Int(min(max((60e6 / (data.tempo ?? 120)).rounded(), 1), 0xFF_FFFF))
      put(
        event.beat,
        .meta(
          MIDIMetaType.tempo.rawValue,
          [UInt8(length >> 16), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)]))
    default: break
    }
  }

  private mutating func put(_ beat: Double, _ message: MIDIFileMessage) {
    places.append(Place(tick: tick(beat), rank: 1, message: message))
  }

  private mutating func note(
    _ event: MusicEvent, channel: UInt8, note: UInt8, velocity: UInt8, release: UInt8
  ) {
    // A note of velocity 0 would be an end.
    let (start, end) = (tick(event.beat), tick(event.end))
    put(event.beat, .channel(status: 0x90 | channel, note, max(velocity, 1)))
    places.append(
      Place(
        tick: end, rank: end > start ? 0 : 1,
        message: .channel(status: 0x80 | channel, note, release)))
  }

  var track: MIDIFileTrack {
    let sorted = places.enumerated().sorted {
      ($0.element.tick, $0.element.rank, $0.offset) < ($1.element.tick, $1.element.rank, $1.offset)
    }
    return MIDIFileTrack(
      events: sorted.map { MIDIFileEvent(tick: $0.element.tick, $0.element.message) },
      length: tick(length))
  }
}
