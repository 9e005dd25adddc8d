// The work of a player in a slice of time: the events with their frames, and the notes that end.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// The progress of a player. One thread at a time uses it; nothing in `advance` allocates or waits.
@safe package struct PlayerCore {
  private static let noteLimit = 4096
  private static let rampLimit = 256

  private var plan: Unmanaged<PlayPlan>?
  private var tracks = unsafe UnsafeMutableBufferPointer<PlayedTrack>(start: nil, count: 0)
  private var segments = unsafe UnsafeBufferPointer<BeatMap.Segment>(start: nil, count: 0)
  private var chased = unsafe UnsafeMutableBufferPointer<PlayPlan.Chased>(start: nil, count: 0)
  private let notes = UnsafeMutablePointer<SoundingNote>.allocate(capacity: noteLimit)
  private var noteCount = 0
  private let ramps = UnsafeMutablePointer<PlayedRamp>.allocate(capacity: rampLimit)
  private var rampCount = 0
  /// The number of the next frame.
  package var frame = 0.0
  private var anchorFrame = 0.0
  private var anchorSeconds = 0.0
  /// Before it all events were played.
  private var playedBeat = 0.0
  private var rate = 1.0
  /// Frames a second.
  package private(set) var sampleRate = 44_100.0

  /// Makes a player at the start, with nothing to play.
  package init() {}

  /// Frees its memory. Context: control, once.
  package mutating func free() {
    unsafe plan?.release()
    unsafe chased.deallocate()
    unsafe notes.deallocate()
    unsafe ramps.deallocate()
  }

  // MARK: Times

  /// Seconds of the sequence at the next frame.
  package var seconds: Double { seconds(at: frame) }

  private func seconds(at frame: Double) -> Double {
    anchorSeconds + (frame - anchorFrame) * rate / sampleRate
  }

  /// The beat at the next frame.
  package var beat: Double {
    unsafe segments.count > 0 ? BeatMap.beat(atSeconds: seconds, in: segments) : playedBeat
  }

  /// The frame that is nearest to a beat.
  private func frame(of beat: Double) -> Double {
    let seconds = unsafe BeatMap.seconds(atBeat: beat, in: segments)
    return anchorFrame + ((seconds - anchorSeconds) * sampleRate / rate).rounded()
  }

  private mutating func anchor(atBeat beat: Double) {
    anchorFrame = frame
    anchorSeconds = unsafe segments.count > 0 ? BeatMap.seconds(atBeat: beat, in: segments) : 0
  }

  /// Follows the clock of another player, at another rate of frames. Context: any.
  package mutating func follow(_ other: PlayerCore, sampleRate: Double) {
    if sampleRate != self.sampleRate { rampCount = 0 }
    (rate, self.sampleRate) = (other.rate, sampleRate)
    anchorFrame = other.anchorFrame * (sampleRate / other.sampleRate)
    anchorSeconds = other.anchorSeconds
  }

  /// Moves the number of the next frame, where all goes on as it was. Context: any.
  package mutating func shift(by distance: Double) {
    frame += distance
    anchorFrame += distance
    for index in 0..<rampCount { unsafe ramps[index].start += distance }
  }

  /// Leaves out the events before a frame, which is the next. Context: any.
  package mutating func leap(to frame: Double) {
    self.frame = frame
    rampCount = 0
    playedBeat = beat
    for index in unsafe tracks.indices { unsafe tracks[index].seek(playedBeat) }
  }

  // MARK: Changes, while it is not playing

  /// Adopts another plan, at the present beat or at another. Notes of tracks that do not sound any
  /// more end.
  package mutating func adopt(_ new: PlayPlan, at wanted: Double?) {
    let here = beat
    let old = unsafe plan
    unsafe plan = Unmanaged.passRetained(new)
    unsafe tracks = new.tracks
    unsafe segments = UnsafeBufferPointer(new.segments)
    unsafe old?.release()
    unsafe chased.deallocate()
    unsafe chased = UnsafeMutableBufferPointer(start: nil, count: 0)
    if let wanted {
      let found = new.chased(before: wanted)
      unsafe chased = .allocate(capacity: found.count)
      unsafe _ = chased.initialize(from: found)
    }
    go(to: wanted ?? here, seeking: wanted ?? playedBeat)
    for index in 0..<noteCount {
      let track = unsafe notes[index].destination.track
      let isAudible = unsafe tracks.contains { $0.destination.track == track && $0.isAudible }
      if !isAudible || wanted != nil { unsafe notes[index].end = -.infinity }
    }
    rebuildHeap()
  }

  /// Goes to another beat.
  package mutating func go(to beat: Double) {
    go(to: beat, seeking: beat)
    for index in 0..<noteCount { unsafe notes[index].end = -.infinity }
  }

  private mutating func go(to beat: Double, seeking: Double) {
    anchor(atBeat: beat)
    playedBeat = seeking
    rampCount = 0
    for index in unsafe tracks.indices { unsafe tracks[index].seek(seeking) }
  }

  /// Plays faster or slower from here on, or at another rate of frames.
  package mutating func set(rate: Double, sampleRate: Double) {
    let here = beat
    self.rate = rate
    self.sampleRate = sampleRate
    anchor(atBeat: here)
  }

  // MARK: Playing

  /// Plays the next frames. With `isLate` they are over already, and all happens at once.
  package mutating func advance<Sink: PlaySink>(_ count: Int, _ sink: Sink, isLate: Bool = false) {
    guard unsafe segments.count > 0 else { return }
    let start = beat
    let end = frame + Double(count)
    let slice = unsafe (
      start: start, end: BeatMap.beat(atSeconds: seconds(at: end), in: segments)
    )
    chase(sink, slice)
    while true {
      var next = Double.infinity
      var track = -1
      for index in unsafe tracks.indices {
        let beat = unsafe tracks[index].nextBeat()
        if beat < next { (next, track) = (beat, index) }
      }
      // Notes that end at a beat end before others begin there.
      let isEnd = unsafe noteCount > 0 && notes[0].end <= next
      if isEnd { next = unsafe notes[0].end }
      guard next < .infinity else { break }
      let place = frame(of: next)
      guard place < end else { break }
      let offset = isLate ? 0 : Int(max(0, place - frame))
      if isEnd { endNote(sink, offset, slice) } else { play(track, next, sink, offset, slice) }
    }
    if !isLate { moveParameters(count, sink) }
    frame = end
    playedBeat = unsafe BeatMap.beat(atSeconds: seconds(at: frame - 0.5), in: segments)
  }

  private mutating func chase<Sink: PlaySink>(_ sink: Sink, _ slice: (start: Double, end: Double)) {
    for index in unsafe chased.indices {
      let one = unsafe chased[index]
      _ = unsafe sink.perform(
        PlayAction(
          destination: tracks[one.track].destination, offset: 0, type: one.event.type,
          data: one.event.data, ending: nil, beat: one.event.beat, slice: slice))
    }
    unsafe chased = UnsafeMutableBufferPointer(rebasing: chased.prefix(0))
  }

  private mutating func play<Sink: PlaySink>(
    _ index: Int, _ beat: Double, _ sink: Sink, _ offset: Int, _ slice: (start: Double, end: Double)
  ) {
    let track = unsafe tracks[index]
    let event = unsafe track.events[track.place]
    unsafe tracks[index].place += 1
    guard track.isAudible else { return }
    if track.automates, event.type != kMusicEventType_Parameter { return }
    let id = unsafe sink.perform(
      PlayAction(
        destination: track.destination, offset: offset, type: event.type, data: event.data,
        ending: nil, beat: beat, slice: slice))
    func byte(_ offset: Int) -> UInt8 {
      unsafe event.data.load(fromByteOffset: offset, as: UInt8.self)
    }
    func word(_ offset: Int) -> UInt32 {
      unsafe event.data.load(fromByteOffset: offset, as: UInt32.self)
    }
    switch event.type {
    case kMusicEventType_MIDINoteMessage:
      keep(
        SoundingNote(
          destination: track.destination, end: beat + event.duration, group: UInt32(byte(0)),
          note: byte(1), release: byte(3), id: 0, isExtended: false), sink, slice)
    case kMusicEventType_ExtendedNote:
      let pitch = unsafe event.data.load(fromByteOffset: 16, as: Float.self)
      keep(
        SoundingNote(
          destination: track.destination, end: beat + event.duration, group: word(4),
          note: UInt8(min(max(pitch.rounded(), 0), 127)), release: 0, id: id, isExtended: true),
        sink, slice)
    case kMusicEventType_Parameter where track.automates:
      startRamp(track, event, beat, (word(0), word(4), word(8)))
    default: break
    }
  }

  // MARK: Curves

  private mutating func startRamp(
    _ track: PlayedTrack, _ event: PlayedEvent, _ beat: Double,
    _ parameter: (id: UInt32, scope: UInt32, element: UInt32)
  ) {
    func isSame(_ other: PlayedEvent) -> Bool {
      guard other.type == kMusicEventType_Parameter else { return false }
      return unsafe other.data.load(as: UInt32.self) == parameter.id
        && other.data.load(fromByteOffset: 4, as: UInt32.self) == parameter.scope
        && other.data.load(fromByteOffset: 8, as: UInt32.self) == parameter.element
    }
    var kept = 0
    for index in 0..<rampCount {
      let ramp = unsafe ramps[index]
      let isReplaced =
        ramp.destination == track.destination && ramp.parameter == parameter
      if !isReplaced {
        unsafe ramps[kept] = ramp
        kept += 1
      }
    }
    rampCount = kept
    var next = track.place + 1
    while next < track.count, unsafe !isSame(track.events[next]) { next += 1 }
    guard next < track.count, rampCount < Self.rampLimit else { return }
    let target = unsafe track.events[next]
    let (from, to) = (frame(of: beat), frame(of: beat + target.beat - event.beat))
    unsafe ramps[rampCount] = PlayedRamp(
      destination: track.destination, parameter: parameter, start: from, frames: to - from,
      values: (
        event.data.load(fromByteOffset: 12, as: Float.self),
        target.data.load(fromByteOffset: 12, as: Float.self)
      ))
    rampCount += 1
  }

  private mutating func moveParameters<Sink: PlaySink>(_ count: Int, _ sink: Sink) {
    var kept = 0
    for index in 0..<rampCount {
      var ramp = unsafe ramps[index]
      guard ramp.start + ramp.frames > frame else { continue }
      unsafe ramps[kept] = ramp
      kept += 1
      ramp.start -= frame
      sink.move(ramp, sliceFrames: count)
    }
    rampCount = kept
  }

  // MARK: Notes

  /// Ends all notes at once.
  package mutating func silence<Sink: PlaySink>(_ sink: Sink) {
    while noteCount > 0 { endNote(sink, 0, (playedBeat, playedBeat)) }
    rampCount = 0
  }

  private mutating func endNote<Sink: PlaySink>(
    _ sink: Sink, _ offset: Int, _ slice: (start: Double, end: Double)
  ) {
    let note = unsafe notes[0]
    noteCount -= 1
    unsafe notes[0] = notes[noteCount]
    settle(0)
    _ = unsafe sink.perform(
      PlayAction(
        destination: note.destination, offset: offset, type: kMusicEventType_NULL, data: nil,
        ending: note, beat: note.end, slice: slice))
  }

  private mutating func keep<Sink: PlaySink>(
    _ note: SoundingNote, _ sink: Sink, _ slice: (start: Double, end: Double)
  ) {
    // With too many the one that would end next ends now.
    if noteCount == Self.noteLimit { endNote(sink, 0, slice) }
    var place = noteCount
    noteCount += 1
    while place > 0 {
      let parent = (place - 1) / 2
      guard unsafe notes[parent].end > note.end else { break }
      unsafe notes[place] = notes[parent]
      place = parent
    }
    unsafe notes[place] = note
  }

  private mutating func rebuildHeap() {
    for place in stride(from: noteCount / 2, through: 0, by: -1) { settle(place) }
  }

  private mutating func settle(_ start: Int) {
    var place = start
    while true {
      var least = place
      for child in (2 * place + 1)...(2 * place + 2) where child < noteCount {
        if unsafe notes[child].end < notes[least].end { least = child }
      }
      guard least != place else { return }
      let moved = unsafe notes[place]
      unsafe notes[place] = notes[least]
      unsafe notes[least] = moved
      place = least
    }
  }
}
