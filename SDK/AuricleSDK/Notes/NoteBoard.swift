// The notes of the voices: keys, pedal, note numbers, and expression of single notes.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport

/// The action of a voice at a frame.
@usableFromInline enum VoiceAction: UInt8 {
  case none, start, release
}

/// One voice's part. Context: render.
struct NoteSlot: BitwiseCopyable {
  var note = Note()
  /// Whether the voice sounds.
  var isActive = false
  /// Whether its key is down, or its host has not stopped it.
  var isKeyDown = false
  /// Whether it has to be started, and then released.
  var isToStart = false
  var isToRelease = false
  /// The pressure of its key alone.
  var keyPressure: Float = 0
  /// Grows from note to note.
  var age: UInt64 = 0
  /// Whether its note has sounded.
  var hasSounded = false
  /// Frames until it is silent, after another note replaced its own; 0 for a note that plays.
  var fadeFrames = 0

  @_noLocks init() {}
}

/// The state of a MIDI channel. Context: render.
struct NoteChannel: BitwiseCopyable {
  /// The wheel, −1 to 1.
  var wheel: Float = 0
  /// Semitones of the whole wheel.
  var bendRange: Float = 2
  var pressure: Float = 0
  var timbre: Float = 0.5
  var pedalIsDown = false
  /// The registered parameter that data entry sets; 0x3FFF: none.
  var parameter = 0x3FFF

  @_noLocks init() {}
}

/// The notes of an instrument. Copies share the memory; the code that made it frees it. Context: render.
@safe @usableFromInline struct NoteBoard {
  /// The numbers of channels above channel 0, and below channel 15, that have a note each (MPE).
  struct Zones: BitwiseCopyable {
    var lower = 0
    var upper = 0
    var age: UInt64 = 0

    @_noLocks init() {}
  }

  let slots: UnsafeMutablePointer<NoteSlot>
  let channels: UnsafeMutablePointer<NoteChannel>
  let zones: UnsafeMutablePointer<Zones>
  /// Notes that play at once.
  @usableFromInline let limit: Int
  /// Voices: twice the number of notes; replaced notes fade out in the other half.
  @usableFromInline let count: Int

  /// Allocates for so many notes at once. Context: control.
  @usableFromInline init(limit: Int) {
    self.limit = limit
    count = 2 * limit
    unsafe slots = .allocate(capacity: count)
    unsafe slots.initialize(repeating: NoteSlot(), count: count)
    unsafe channels = .allocate(capacity: 16)
    unsafe channels.initialize(repeating: NoteChannel(), count: 16)
    unsafe zones = .allocate(capacity: 1)
    unsafe zones.initialize(to: Zones())
  }

  /// Frees. Context: control.
  @usableFromInline func deallocate() {
    unsafe slots.deallocate()
    unsafe channels.deallocate()
    unsafe zones.deallocate()
  }

  /// Forgets all notes, and the states of the channels.
  @_noLocks @usableFromInline func reset() {
    for index in 0..<count { unsafe slots[index] = NoteSlot() }
    for index in 0..<16 { unsafe channels[index] = NoteChannel() }
    unsafe zones.pointee = Zones()
  }

  /// Returns whether a voice sounds.
  @_noLocks @usableFromInline func isActive(_ voice: Int) -> Bool { unsafe slots[voice].isActive }

  /// Returns whether a voice plays a note that was not replaced.
  @_noLocks @usableFromInline func isPlaying(_ voice: Int) -> Bool {
    unsafe slots[voice].isActive && slots[voice].fadeFrames == 0
  }

  /// Returns the number of frames until a voice with a replaced note is silent; 0 for others.
  @_noLocks @usableFromInline func fadeFrames(_ voice: Int) -> Int {
    unsafe slots[voice].fadeFrames
  }

  /// Records that a voice sounded for so many frames.
  @_noLocks @usableFromInline func pass(_ voice: Int, frames: Int) {
    unsafe slots[voice].hasSounded = true
    guard unsafe slots[voice].fadeFrames > 0 else { return }
    unsafe slots[voice].fadeFrames = max(0, slots[voice].fadeFrames - frames)
    if unsafe slots[voice].fadeFrames == 0 { free(voice) }
  }

  /// Returns the note of a voice as it is now.
  @_noLocks @usableFromInline func note(_ voice: Int) -> Note { unsafe slots[voice].note }

  /// Marks a voice as silent.
  @_noLocks @usableFromInline func free(_ voice: Int) { unsafe slots[voice].isActive = false }

  /// Returns the action of a voice, once.
  @_noLocks @usableFromInline func nextAction(_ voice: Int) -> VoiceAction {
    if unsafe slots[voice].isToStart {
      unsafe slots[voice].isToStart = false
      return .start
    }
    if unsafe slots[voice].isToRelease {
      unsafe slots[voice].isToRelease = false
      return .release
    }
    return .none
  }

  /// Applies a message of the slice.
  @_noLocks @usableFromInline func receive(_ slice: RenderSlice, _ index: Int) {
    let record = slice.midiEvent(index)
    if NumberedNote.isOne(record) {
      let numbered = NumberedNote(record)
      if numbered.isStart { start(numbered) } else { stop(numbered) }
      return
    }
    switch MIDIMessage(record) {
    case .noteOn(let channel, let key, let velocity):
      var note = Note()
      note.channel = channel
      note.key = Float(key)
      note.velocity = Float(velocity) / 127
      begin(note)
    case .noteOff(let channel, let key, let velocity):
      letGo(channel, Float(key), Float(velocity) / 127)
    case .keyPressure(let channel, let key, let pressure):
      for index in 0..<count
      where unsafe slots[index].isActive && slots[index].note.channel == channel
        && slots[index].note.key == Float(key)
      {
        unsafe slots[index].keyPressure = Float(pressure) / 127
        express(index)
      }
    case .channelPressure(let channel, let pressure):
      unsafe channels[channel].pressure = Float(pressure) / 127
      express(channel: channel)
    case .pitchBend(let channel, let value):
      unsafe channels[channel].wheel = Float(value) / (value < 0 ? 8192 : 8191)
      express(channel: channel)
    case .controlChange(let channel, let controller, let value):
      control(channel, controller, value)
    case .programChange, .other: break
    }
  }

  @_noLocks private func start(_ numbered: NumberedNote) {
    var note = Note()
    note.number = numbered.number
    note.channel = numbered.channel
    note.key = numbered.key
    note.velocity = numbered.velocity
    begin(note)
  }

  @_noLocks private func stop(_ numbered: NumberedNote) {
    for index in 0..<count
    where unsafe slots[index].isKeyDown && slots[index].note.number == numbered.number {
      letGo(index, 0.5)
    }
  }

  /// Assigns a note to a voice. With all voices in use, the oldest released note is replaced and fades out, else the
  /// oldest.
  @_noLocks private func begin(_ note: Note) {
    guard limit > 0 else { return }
    unsafe zones.pointee.age += 1
    var slot = NoteSlot()
    slot.note = note
    slot.note.isHeld = true
    slot.isActive = true
    slot.isKeyDown = true
    slot.isToStart = true
    slot.age = unsafe zones.pointee.age
    var chosen = makeRoom()
    if chosen < 0 { chosen = unused() }
    unsafe slots[chosen] = slot
    express(chosen)
  }

  /// Replaces a note if all voices are in use. Returns its voice if it has not sounded yet, else −1.
  @_noLocks private func makeRoom() -> Int {
    var chosen = 0
    var best = UInt64.max
    var playing = 0
    for index in 0..<count where isPlaying(index) {
      playing += 1
      let rank = unsafe slots[index].age + (slots[index].note.isHeld ? 1 << 62 : 0)
      if rank < best { (chosen, best) = (index, rank) }
    }
    guard playing >= limit else { return -1 }
    guard unsafe slots[chosen].hasSounded else { return chosen }
    unsafe slots[chosen].fadeFrames = VoiceFade.frameCount
    unsafe slots[chosen].isKeyDown = false
    unsafe slots[chosen].note.isHeld = false
    return -1
  }

  /// Returns a voice that is silent, else the one that is nearest to it.
  @_noLocks private func unused() -> Int {
    var chosen = 0
    var least = Int.max
    for index in 0..<count where !isPlaying(index) {
      let left = isActive(index) ? fadeFrames(index) : 0
      if left < least { (chosen, least) = (index, left) }
    }
    return chosen
  }

  /// Releases the oldest note of a key that came as MIDI.
  @_noLocks private func letGo(_ channel: Int, _ key: Float, _ velocity: Float) {
    var chosen = -1
    for index in 0..<count {
      let slot = unsafe slots[index]
      guard slot.isActive, slot.isKeyDown, slot.note.number < 0, slot.note.channel == channel,
        slot.note.key == key
      else { continue }
      if unsafe chosen < 0 || slot.age < slots[chosen].age { chosen = index }
    }
    if chosen >= 0 { letGo(chosen, velocity) }
  }

  /// Releases a key; its note sounds on while the pedal is down.
  @_noLocks private func letGo(_ index: Int, _ velocity: Float) {
    unsafe slots[index].isKeyDown = false
    unsafe slots[index].note.releaseVelocity = velocity
    if unsafe !pedalHolds(slots[index].note.channel) { release(index) }
  }

  @_noLocks func release(_ index: Int) {
    guard unsafe slots[index].isActive && slots[index].note.isHeld else { return }
    unsafe slots[index].note.isHeld = false
    unsafe slots[index].isToRelease = true
  }
}
