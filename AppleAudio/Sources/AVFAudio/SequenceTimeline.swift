// Sequences that play by the frames of an engine: events at the frames of its cycles.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A sequence that plays by the frames that an engine renders.
///
/// Nothing in `advance` allocates or waits. A change makes another timeline, which adopts the place of the old one.
final class SequenceTimeline: @unchecked Sendable {
  /// A message of a track. One of more than three bytes lies in memory of the timeline.
  private struct Event: BitwiseCopyable {
    let beat: Double
    let bytes: UnsafeMutableBufferPointer<UInt8>
    var isBeginning: Bool { bytes[0] & 0xF0 == 0x90 && bytes.count > 2 && bytes[2] > 0 }
  }
  /// The events of a track for a node, by beats; notes are two of them.
  private struct Part: BitwiseCopyable {
    let unit: AudioUnit
    let events: UnsafeMutableBufferPointer<Event>
    let isAudible: Bool
    let length: Double
    let offset: Double
    let loopDuration: Double
    /// The number of passes, the first included.
    let passes: Int
  }
  /// An event of a cycle.
  private struct Due: BitwiseCopyable {
    let frame: Int
    let unit: AudioUnit
    let event: Event
  }
  private struct Note: BitwiseCopyable {
    let unit: AudioUnit
    let channel: UInt8
    let key: UInt8
  }
  /// A stretch of one tempo.
  private struct Tempo: BitwiseCopyable {
    let beat: Double
    let second: Double
    let secondsPerBeat: Double
  }
  private static let dueLimit = 4096
  private static let noteLimit = 4096

  private let nodes: [AVAudioUnit]
  private let parts: UnsafeMutableBufferPointer<Part>
  private let tempos: UnsafeMutableBufferPointer<Tempo>
  private let due = UnsafeMutablePointer<Due>.allocate(capacity: dueLimit)
  private var dueCount = 0
  /// Notes that sound, to be ended at a stop.
  private let notes = UnsafeMutablePointer<Note>.allocate(capacity: noteLimit)
  private var noteCount = 0
  /// Seconds of the sequence, at its own tempo, where the present rate began, and the frames since.
  private var base = 0.0
  private var frame = 0
  private var sampleRate = 44_100.0
  /// The host's time at the start of the last cycle, and the seconds then; 0 before the first.
  private var anchor: (hostTime: UInt64, seconds: Double) = (0, 0)
  var rate: Double { willSet { move(to: seconds) } }

  /// A sequence from a place on, with the node of each track.
  init(
    _ sequence: MusicSequence, _ tracks: [(MusicTrack, AVAudioUnit)], beat: Double, rate: Double
  ) {
    self.rate = rate
    nodes = tracks.map(\.1)
    let isSoloed = tracks.contains { isOn($0.0, Int(kSequenceTrackProperty_SoloStatus)) }
    parts = copied(
      tracks.map { track, node in
        let isSilent =
          isOn(track, Int(kSequenceTrackProperty_MuteStatus))
          || isSoloed && !isOn(track, Int(kSequenceTrackProperty_SoloStatus))
        return SequenceTimeline.part(track, node.audioUnit, isAudible: !isSilent)
      })
    tempos = copied(SequenceTimeline.tempos(of: sequence))
    base = second(ofBeat: beat)
  }
  deinit {
    for part in parts {
      for event in part.events { event.bytes.deallocate() }
      part.events.deallocate()
    }
    parts.deallocate()
    tempos.deallocate()
    due.deallocate()
    notes.deallocate()
  }
  /// Goes on where another timeline is, with the notes that sound there. Context: under the lock of the cycle.
  func adopt(_ other: SequenceTimeline) {
    (base, frame, sampleRate) = (other.base, other.frame, other.sampleRate)
    (anchor, noteCount) = (other.anchor, other.noteCount)
    notes.update(from: other.notes, count: noteCount)
  }

  // MARK: Times

  /// The place.
  var beat: Double {
    get { beat(atSecond: seconds) }
    set {
      move(to: second(ofBeat: newValue))
      anchor.hostTime = 0
    }
  }
  private var seconds: Double { second(ofFrame: frame) }
  private func second(ofFrame frame: Int) -> Double { base + Double(frame) * rate / sampleRate }
  private func move(to second: Double) { (base, frame) = (second, 0) }
  /// The beat half a frame before a frame: events that are nearest to the frame lie behind it.
  private func beat(beforeFrame frame: Int) -> Double {
    beat(atSecond: second(ofFrame: frame) - 0.5 * rate / sampleRate)
  }
  /// The host's time of a beat.
  func hostTime(ofBeat beat: Double) -> UInt64 {
    let (hostTime, start) =
      anchor.hostTime == 0 ? (mach_absolute_time(), seconds) : (anchor.hostTime, anchor.seconds)
    let later = (second(ofBeat: beat) - start) / rate
    let ticks = AVAudioTime.hostTime(forSeconds: abs(later))
    return later < 0 ? hostTime - Swift.min(ticks, hostTime) : hostTime + ticks
  }
  /// The beat of a time of the host.
  func beat(ofHostTime time: UInt64) -> Double {
    let (hostTime, start) =
      anchor.hostTime == 0 ? (mach_absolute_time(), seconds) : (anchor.hostTime, anchor.seconds)
    let later =
      time < hostTime
      ? -AVAudioTime.seconds(forHostTime: hostTime - time)
      : AVAudioTime.seconds(forHostTime: time - hostTime)
    return beat(atSecond: start + later * rate)
  }
  private func beat(atSecond second: Double) -> Double {
    var found = tempos[0]
    for tempo in tempos where tempo.second <= second { found = tempo }
    return found.beat + (second - found.second) / found.secondsPerBeat
  }
  private func second(ofBeat beat: Double) -> Double {
    var found = tempos[0]
    for tempo in tempos where tempo.beat <= beat { found = tempo }
    return found.second + (beat - found.beat) * found.secondsPerBeat
  }
  private static func tempos(of sequence: MusicSequence) -> [Tempo] {
    var track: MusicTrack?
    MusicSequenceGetTempoTrack(sequence, &track)
    var beats: Set<Double> = [0]
    if let track {
      visit(track) { beat, type, _, _ in
        if Int(type) == Int(kMusicEventType_ExtendedTempo) { beats.insert(beat) }
      }
    }
    func second(_ beat: Double) -> Double {
      var second = 0.0
      MusicSequenceGetSecondsForBeats(sequence, beat, &second)
      return second
    }
    let sorted = beats.sorted()
    return sorted.indices.map { index in
      let (beat, next) = (
        sorted[index], index + 1 < sorted.count ? sorted[index + 1] : sorted[index] + 1
      )
      let start = second(beat)
      return Tempo(
        beat: beat, second: start, secondsPerBeat: (second(next) - start) / (next - beat))
    }
  }

  // MARK: Events

  private static func part(_ track: MusicTrack, _ unit: AudioUnit, isAudible: Bool) -> Part {
    let length = value(track, Int(kSequenceTrackProperty_TrackLength), 0.0)
    let loop = value(
      track, Int(kSequenceTrackProperty_LoopInfo),
      MusicTrackLoopInfo(loopDuration: 0, numberOfLoops: 1))
    let loops = loop.loopDuration > 0
    return Part(
      unit: unit, events: copied(events(of: track, before: length)), isAudible: isAudible,
      length: length, offset: value(track, Int(kSequenceTrackProperty_OffsetTime), 0.0),
      loopDuration: loops ? loop.loopDuration : 0,
      passes: !loops ? 1 : loop.numberOfLoops == 0 ? .max : Int(loop.numberOfLoops))
  }
  private static func visit(
    _ track: MusicTrack, _ body: (Double, MusicEventType, UnsafeRawPointer, Int) -> Void
  ) {
    var iterator: MusicEventIterator?
    guard NewMusicEventIterator(track, &iterator) == noErr, let iterator else { return }
    defer { DisposeMusicEventIterator(iterator) }
    var hasEvent: DarwinBoolean = false
    while MusicEventIteratorHasCurrentEvent(iterator, &hasEvent) == noErr, hasEvent.boolValue {
      var (beat, type, size): (Double, MusicEventType, UInt32) = (0, 0, 0)
      var data: UnsafeRawPointer?
      MusicEventIteratorGetEventInfo(iterator, &beat, &type, &data, &size)
      if let data { body(beat, type, data, Int(size)) }
      MusicEventIteratorNextEvent(iterator)
    }
  }
  /// The messages of a track, sorted by beats; ends of notes before beginnings.
  private static func events(of track: MusicTrack, before end: Double) -> [Event] {
    var events: [Event] = []
    visit(track) { beat, type, data, size in
      if beat < end { events += messages(type, data, size, beat) }
    }
    return events.enumerated().sorted {
      let (first, second) = ($0.element, $1.element)
      return (first.beat, first.isBeginning ? 1 : 0, $0.offset)
        < (second.beat, second.isBeginning ? 1 : 0, $1.offset)
    }.map(\.element)
  }
  private static func messages(
    _ type: MusicEventType, _ data: UnsafeRawPointer, _ size: Int, _ beat: Double
  ) -> [Event] {
    func event(_ beat: Double, _ bytes: [UInt8]) -> Event {
      Event(beat: beat, bytes: copied(bytes))
    }
    switch Int(type) {
    case Int(kMusicEventType_MIDINoteMessage):
      let note = data.loadUnaligned(as: MIDINoteMessage.self)
      return [
        event(beat, [0x90 | note.channel, note.note, note.velocity]),
        event(
          beat + Double(note.duration), [0x80 | note.channel, note.note, note.releaseVelocity]),
      ]
    case Int(kMusicEventType_MIDIChannelMessage):
      let message = data.loadUnaligned(as: MIDIChannelMessage.self)
      let hasOne = message.status & 0xE0 == 0xC0
      return [event(beat, [message.status, message.data1] + (hasOne ? [] : [message.data2]))]
    case Int(kMusicEventType_MIDIRawData):
      let count = Int(data.loadUnaligned(as: UInt32.self))
      guard count > 0, count + 4 <= size else { return [] }
      return [event(beat, Array(UnsafeRawBufferPointer(start: data + 4, count: count)))]
    default: return []
    }
  }

  // MARK: Playing

  /// Sends the events of the next frames, and goes on by them. Render thread.
  func advance(_ frames: Int, _ sampleRate: Double, hostTime: UInt64) {
    if sampleRate != self.sampleRate {
      move(to: seconds)
      self.sampleRate = sampleRate
    }
    anchor = (hostTime, seconds)
    let window = (from: beat(beforeFrame: frame), to: beat(beforeFrame: frame + frames))
    dueCount = 0
    for part in parts {
      note(part, window, shift: part.offset, from: 0, frames)
      guard part.loopDuration > 0, part.passes > 1, let last = part.events.last else { continue }
      let start = part.length - part.loopDuration
      let earliest = ((window.from - part.offset - last.beat) / part.loopDuration).rounded(.down)
      let latest = ((window.to - part.offset - start) / part.loopDuration).rounded(.down)
      guard latest >= 1 else { continue }
      var pass = Swift.max(1, Int(earliest))
      while pass <= Int(latest), pass < part.passes {
        let shift = part.offset + Double(pass) * part.loopDuration
        note(part, window, shift: shift, from: start, frames)
        pass += 1
      }
    }
    for index in 0..<dueCount { send(due[index]) }
    frame += frames
  }
  /// Notes the events of a pass that are in a range of beats, by their frames.
  private func note(
    _ part: Part, _ window: (from: Double, to: Double), shift: Double, from first: Double,
    _ frames: Int
  ) {
    var (low, high) = (0, part.events.count)
    while low < high {
      let middle = (low + high) / 2
      if part.events[middle].beat + shift < window.from { low = middle + 1 } else { high = middle }
    }
    while low < part.events.count, part.events[low].beat + shift < window.to {
      let event = part.events[low]
      low += 1
      guard event.beat >= first, part.isAudible || !event.isBeginning else { continue }
      let exact = (second(ofBeat: event.beat + shift) - seconds) / rate * sampleRate
      let place = Swift.min(Swift.max(Int(exact.rounded()), 0), frames - 1)
      let new = Due(frame: place, unit: part.unit, event: event)
      guard dueCount < SequenceTimeline.dueLimit else {
        send(new)
        continue
      }
      var index = dueCount
      while index > 0, due[index - 1].frame > place {
        due[index] = due[index - 1]
        index -= 1
      }
      due[index] = new
      dueCount += 1
    }
  }
  private func send(_ due: Due) {
    let (bytes, unit) = (due.event.bytes, due.unit)
    guard bytes[0] < 0xF0, bytes.count <= 3, let start = bytes.baseAddress else {
      if let start = bytes.baseAddress { MusicDeviceSysEx(unit, start, UInt32(bytes.count)) }
      return
    }
    let (kind, channel) = (start[0] & 0xF0, start[0] & 0x0F)
    if kind == 0x80 || kind == 0x90 {
      forget(unit, channel, start[1])
      if due.event.isBeginning, noteCount < SequenceTimeline.noteLimit {
        notes[noteCount] = Note(unit: unit, channel: channel, key: start[1])
        noteCount += 1
      }
    }
    MusicDeviceMIDIEvent(
      unit, UInt32(start[0]), bytes.count > 1 ? UInt32(start[1]) : 0,
      bytes.count > 2 ? UInt32(start[2]) : 0, UInt32(due.frame))
  }
  private func forget(_ unit: AudioUnit, _ channel: UInt8, _ key: UInt8) {
    var kept = 0
    for index in 0..<noteCount {
      let note = notes[index]
      if note.unit == unit, note.channel == channel, note.key == key { continue }
      notes[kept] = note
      kept += 1
    }
    noteCount = kept
  }
  /// Ends the notes that sound.
  func silence() {
    for index in 0..<noteCount {
      let note = notes[index]
      MusicDeviceMIDIEvent(note.unit, UInt32(0x80 | note.channel), UInt32(note.key), 0, 0)
    }
    noteCount = 0
  }
}

private func copied<Element: BitwiseCopyable>(_ elements: [Element])
  -> UnsafeMutableBufferPointer<Element>
{
  let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
  _ = memory.initialize(from: elements)
  return memory
}
private func value<Value: BitwiseCopyable>(
  _ track: MusicTrack, _ property: Int, _ empty: Value
) -> Value {
  var (value, size) = (empty, UInt32(MemoryLayout<Value>.size))
  MusicTrackGetProperty(track, UInt32(property), &value, &size)
  return value
}
private func isOn(_ track: MusicTrack, _ property: Int) -> Bool {
  value(track, property, UInt8(0)) != 0
}
