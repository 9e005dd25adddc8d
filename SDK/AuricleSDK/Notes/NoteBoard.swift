// Which note each voice plays: keys, pedal, note numbers, and expression of single notes.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport

/// What a voice has to do at a frame.
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

  @_noLocks init() {}
}

/// What a MIDI channel says. Context: render.
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

/// The notes of an instrument. Copies share the memory; whoever made it frees it. Context: render.
@safe @usableFromInline struct NoteBoard {
  /// How many channels above channel 0, and below channel 15, have a note each (MPE).
  struct Zones: BitwiseCopyable {
    var lower = 0
    var upper = 0
    var age: UInt64 = 0

    @_noLocks init() {}
  }

  let slots: UnsafeMutablePointer<NoteSlot>
  let channels: UnsafeMutablePointer<NoteChannel>
  let zones: UnsafeMutablePointer<Zones>
  @usableFromInline let count: Int

  /// Allocates for so many voices. Context: control.
  @usableFromInline init(voices: Int) {
    count = voices
    unsafe slots = .allocate(capacity: voices)
    unsafe slots.initialize(repeating: NoteSlot(), count: voices)
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

  /// Forgets all notes, and what the channels say.
  @_noLocks @usableFromInline func reset() {
    for index in 0..<count { unsafe slots[index] = NoteSlot() }
    for index in 0..<16 { unsafe channels[index] = NoteChannel() }
    unsafe zones.pointee = Zones()
  }

  /// Whether a voice sounds.
  @_noLocks @usableFromInline func isActive(_ voice: Int) -> Bool { unsafe slots[voice].isActive }

  /// The note of a voice as it is now.
  @_noLocks @usableFromInline func note(_ voice: Int) -> Note { unsafe slots[voice].note }

  /// Says that a voice has fallen silent.
  @_noLocks @usableFromInline func free(_ voice: Int) { unsafe slots[voice].isActive = false }

  /// What a voice has to do, once.
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

  /// Takes a message of the slice.
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

  /// Gives a note to a voice: a free one, else the oldest that was let go, else the oldest.
  @_noLocks private func begin(_ note: Note) {
    guard count > 0 else { return }
    var chosen = 0
    var best = UInt64.max
    for index in 0..<count {
      let slot = unsafe slots[index]
      let rank: UInt64
      if !slot.isActive {
        rank = 0
      } else {
        rank = slot.age + (slot.note.isHeld ? 1 << 62 : 1)
      }
      if rank < best {
        best = rank
        chosen = index
      }
    }
    unsafe zones.pointee.age += 1
    var slot = NoteSlot()
    slot.note = note
    slot.note.isHeld = true
    slot.isActive = true
    slot.isKeyDown = true
    slot.isToStart = true
    slot.age = unsafe zones.pointee.age
    unsafe slots[chosen] = slot
    express(chosen)
  }

  /// Lets go the oldest note of a key that came as MIDI.
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

  /// Lets a key go; its note sounds on while the pedal is down.
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
