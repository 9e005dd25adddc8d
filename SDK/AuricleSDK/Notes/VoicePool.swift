// The voices of an instrument: notes of MIDI and of hosts are given to them, at their frames.
// SPDX-License-Identifier: Apache-2.0

/// The voices of an instrument.
///
/// It reads the MIDI of a slice and plays it: notes with the sustain pedal, pitch wheels, pressure, all
/// notes off, expression of single notes (MPE), and notes that a host starts and stops by a number.
/// Where all voices play, a new note takes the oldest one that was let go, else the oldest.
@safe public struct VoicePool<Voice: InstrumentVoice & ~Copyable>: ~Copyable {
  @usableFromInline let voices: UnsafeMutablePointer<Voice>
  @usableFromInline let board: NoteBoard

  /// Makes so many voices. Context: control.
  public init(count: Int, _ makeVoice: () -> Voice) {
    let count = max(count, 1)
    unsafe voices = .allocate(capacity: count)
    for index in 0..<count { unsafe (voices + index).initialize(to: makeVoice()) }
    board = NoteBoard(voices: count)
  }

  deinit {
    unsafe voices.deinitialize(count: board.count)
    unsafe voices.deallocate()
    board.deallocate()
  }

  /// Ends all notes at once. Context: control or render.
  @inlinable @_noLocks public mutating func reset() { board.reset() }

  /// How many voices sound.
  @inlinable public var activeCount: Int {
    @_noLocks get {
      var active = 0
      for index in 0..<board.count { active += board.isActive(index) ? 1 : 0 }
      return active
    }
  }

  /// Renders the notes of a slice into output bus 0, from silence. Context: render.
  @inlinable public mutating func render(_ slice: RenderSlice) {
    let eventCount = slice.midiEventCount
    slice.clearOutput(isSilent: eventCount == 0 && activeCount == 0)
    var event = 0
    var frame = 0
    while frame < slice.frameCount {
      while event < eventCount, slice.midiEvent(event).frame <= frame {
        board.receive(slice, event)
        event += 1
        act()
      }
      var end = slice.frameCount
      if event < eventCount { end = min(end, slice.midiEvent(event).frame) }
      renderVoices(VoiceOutput(slice, firstFrame: frame, frameCount: end - frame))
      frame = end
    }
  }

  @inlinable mutating func act() {
    for index in 0..<board.count {
      var action = board.nextAction(index)
      while action != .none {
        if action == .start {
          unsafe voices[index].start(board.note(index))
        } else {
          unsafe voices[index].release(board.note(index))
        }
        action = board.nextAction(index)
      }
    }
  }

  @inlinable mutating func renderVoices(_ output: VoiceOutput) {
    for index in 0..<board.count where board.isActive(index) {
      if unsafe !voices[index].render(board.note(index), output) { board.free(index) }
    }
  }
}
