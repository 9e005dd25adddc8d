// Sequences in manual rendering: events at the frames of the engine's timeline, where no clock runs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A sequence that plays by the frames that an engine renders offline.
final class SequenceTimeline: @unchecked Sendable {
  /// The events of a track for a node, by beats; notes are two of them.
  private struct Part {
    let track: MusicTrack
    let unit: AVAudioUnit
    let events: [(beat: Double, bytes: [UInt8])]
    let length: Double
    let offset: Double
    let loopDuration: Double
    /// The number of passes, the first included.
    let passes: Int
  }
  private let sequence: MusicSequence
  private let parts: [Part]
  /// Notes that sound, to be ended at a stop.
  private var sounding: [(unit: AVAudioUnit, channel: UInt8, note: UInt8)] = []
  /// Seconds of the sequence so far, at its own tempo.
  private var seconds: Double
  var rate: Double

  /// A sequence from a place on, with the node of each track.
  init(
    _ sequence: MusicSequence, _ tracks: [(MusicTrack, AVAudioUnit)], beat: Double, rate: Double
  ) {
    self.sequence = sequence
    self.rate = rate
    parts = tracks.map(SequenceTimeline.part)
    seconds = 0
    self.beat = beat
  }

  /// The place.
  var beat: Double {
    get { beat(atSecond: seconds) }
    set {
      var found = 0.0
      MusicSequenceGetSecondsForBeats(sequence, newValue, &found)
      seconds = found
    }
  }
  private func beat(atSecond second: Double) -> Double {
    var beat = 0.0
    MusicSequenceGetBeatsForSeconds(sequence, second, &beat)
    return beat
  }

  // MARK: Events

  private static func value<Value: BitwiseCopyable>(
    _ track: MusicTrack, _ property: Int, _ empty: Value
  ) -> Value {
    var (value, size) = (empty, UInt32(MemoryLayout<Value>.size))
    MusicTrackGetProperty(track, UInt32(property), &value, &size)
    return value
  }
  private static func part(_ track: MusicTrack, _ unit: AVAudioUnit) -> Part {
    let length = value(track, Int(kSequenceTrackProperty_TrackLength), 0.0)
    let loop = value(
      track, Int(kSequenceTrackProperty_LoopInfo),
      MusicTrackLoopInfo(loopDuration: 0, numberOfLoops: 1))
    let loops = loop.loopDuration > 0
    return Part(
      track: track, unit: unit, events: events(of: track, before: length), length: length,
      offset: value(track, Int(kSequenceTrackProperty_OffsetTime), 0.0),
      loopDuration: loops ? loop.loopDuration : 0,
      passes: !loops ? 1 : loop.numberOfLoops == 0 ? .max : Int(loop.numberOfLoops))
  }
  /// The messages of a track, sorted by beats; ends of notes before beginnings.
  private static func events(of track: MusicTrack, before end: Double) -> [(
    beat: Double, bytes: [UInt8]
  )] {
    var events: [(beat: Double, bytes: [UInt8])] = []
    var iterator: MusicEventIterator?
    guard NewMusicEventIterator(track, &iterator) == noErr, let iterator else { return [] }
    defer { DisposeMusicEventIterator(iterator) }
    var hasEvent: DarwinBoolean = false
    while MusicEventIteratorHasCurrentEvent(iterator, &hasEvent) == noErr, hasEvent.boolValue {
      var (beat, type, size): (Double, MusicEventType, UInt32) = (0, 0, 0)
      var data: UnsafeRawPointer?
      MusicEventIteratorGetEventInfo(iterator, &beat, &type, &data, &size)
      if let data, beat < end { events += messages(type, data, Int(size), beat) }
      MusicEventIteratorNextEvent(iterator)
    }
    return events.enumerated().sorted {
      let (first, second) = ($0.element, $1.element)
      return (first.beat, isBeginning(first.bytes) ? 1 : 0, $0.offset)
        < (second.beat, isBeginning(second.bytes) ? 1 : 0, $1.offset)
    }.map(\.element)
  }
  private static func isBeginning(_ bytes: [UInt8]) -> Bool {
    bytes[0] & 0xF0 == 0x90 && bytes.count > 2 && bytes[2] > 0
  }
  private static func messages(
    _ type: MusicEventType, _ data: UnsafeRawPointer, _ size: Int, _ beat: Double
  ) -> [(beat: Double, bytes: [UInt8])] {
    switch Int(type) {
    case Int(kMusicEventType_MIDINoteMessage):
      let note = data.loadUnaligned(as: MIDINoteMessage.self)
      return [
        (beat, [0x90 | note.channel, note.note, note.velocity]),
        (beat + Double(note.duration), [0x80 | note.channel, note.note, note.releaseVelocity]),
      ]
    case Int(kMusicEventType_MIDIChannelMessage):
      let message = data.loadUnaligned(as: MIDIChannelMessage.self)
      let hasOne = message.status & 0xE0 == 0xC0
      return [(beat, [message.status, message.data1] + (hasOne ? [] : [message.data2]))]
    case Int(kMusicEventType_MIDIRawData):
      let count = Int(data.loadUnaligned(as: UInt32.self))
      guard count > 0, count + 4 <= size else { return [] }
      return [(beat, Array(UnsafeRawBufferPointer(start: data + 4, count: count)))]
    default: return []
    }
  }

  // MARK: Playing

  /// Sends the events of the next frames, and goes on by them. Context: a cycle of manual rendering.
  func advance(_ frames: Int, _ sampleRate: Double) {
    let end = seconds + Double(frames) / sampleRate * rate
    let window = (beat(atSecond: seconds), beat(atSecond: end))
    let isSoloed = parts.contains { isOn($0.track, Int(kSequenceTrackProperty_SoloStatus)) }
    var due: [(frame: Int, order: Int, unit: AVAudioUnit, bytes: [UInt8])] = []
    for part in parts {
      let isSilent =
        isOn(part.track, Int(kSequenceTrackProperty_MuteStatus))
        || isSoloed && !isOn(part.track, Int(kSequenceTrackProperty_SoloStatus))
      visit(part, window) { beat, bytes in
        guard !isSilent || !SequenceTimeline.isBeginning(bytes) else { return }
        var second = 0.0
        MusicSequenceGetSecondsForBeats(sequence, beat, &second)
        let frame = Int(((second - seconds) / rate * sampleRate).rounded())
        due.append((Swift.min(Swift.max(frame, 0), frames - 1), due.count, part.unit, bytes))
      }
    }
    due.sort { ($0.frame, $0.order) < ($1.frame, $1.order) }
    for event in due { send(event.bytes, event.unit, UInt32(event.frame)) }
    seconds = end
  }
  private func isOn(_ track: MusicTrack, _ property: Int) -> Bool {
    SequenceTimeline.value(track, property, UInt8(0)) != 0
  }
  /// Calls with the events of a range of beats, in all passes of the loop.
  private func visit(
    _ part: Part, _ window: (from: Double, to: Double), _ body: (Double, [UInt8]) -> Void
  ) {
    func visit(_ shift: Double, from first: Double) {
      var low = 0
      var high = part.events.count
      while low < high {
        let middle = (low + high) / 2
        if part.events[middle].beat + shift < window.from {
          low = middle + 1
        } else {
          high = middle
        }
      }
      while low < part.events.count, part.events[low].beat + shift < window.to {
        if part.events[low].beat >= first {
          body(part.events[low].beat + shift, part.events[low].bytes)
        }
        low += 1
      }
    }
    visit(part.offset, from: 0)
    guard part.loopDuration > 0, part.passes > 1, let last = part.events.last else { return }
    let start = part.length - part.loopDuration
    let earliest = ((window.from - part.offset - last.beat) / part.loopDuration).rounded(.down)
    let latest = ((window.to - part.offset - start) / part.loopDuration).rounded(.down)
    guard latest >= 1 else { return }
    for pass in Swift.max(1, Int(earliest))...Swift.max(1, Int(latest)) where pass < part.passes {
      visit(part.offset + Double(pass) * part.loopDuration, from: start)
    }
  }
  private func send(_ bytes: [UInt8], _ unit: AVAudioUnit, _ frame: UInt32) {
    guard bytes[0] < 0xF0 else {
      MusicDeviceSysEx(unit.audioUnit, bytes, UInt32(bytes.count))
      return
    }
    let (kind, channel) = (bytes[0] & 0xF0, bytes[0] & 0x0F)
    if kind == 0x80 || kind == 0x90 {
      sounding.removeAll { $0.unit === unit && $0.channel == channel && $0.note == bytes[1] }
      if SequenceTimeline.isBeginning(bytes) { sounding.append((unit, channel, bytes[1])) }
    }
    MusicDeviceMIDIEvent(
      unit.audioUnit, UInt32(bytes[0]), UInt32(bytes[1]), bytes.count > 2 ? UInt32(bytes[2]) : 0,
      frame)
  }
  /// Ends the notes that sound.
  func silence() {
    for note in sounding {
      MusicDeviceMIDIEvent(
        note.unit.audioUnit, UInt32(0x80 | note.channel), UInt32(note.note), 0, 0)
    }
    sounding = []
  }
}
