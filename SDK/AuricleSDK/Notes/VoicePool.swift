// The voices of an instrument: notes of MIDI and of hosts are assigned to them, at their frames.
// SPDX-License-Identifier: Apache-2.0

/// The voices of an instrument.
///
/// It reads the MIDI of a slice and plays it: notes with the sustain pedal, pitch wheels, pressure, all notes off,
/// expression of single notes (MPE). It also plays notes that a host starts and stops by a number. With all voices
/// in use, a new note replaces the oldest released one, else the oldest, which fades out beside it.
///
/// ```swift
/// init(_ setup: UnitSetup<Self>) {
///   let parameters = setup.parameters
///   voices = VoicePool(count: 16) { Voice(parameters) }
/// }
///
/// @_noLocks mutating func reset() { voices.reset() }
///
/// @_noLocks mutating func process(_ slice: RenderSlice) { voices.render(slice) }
/// ```
///
/// Effects on the whole sound follow on `slice.samples(_:)`, after `render(_:)`.
@safe public struct VoicePool<Voice: InstrumentVoice & ~Copyable>: ~Copyable {
  @usableFromInline let voices: UnsafeMutablePointer<Voice>
  @usableFromInline let board: NoteBoard
  @usableFromInline let fade = VoiceFade()

  /// Makes voices for so many notes at once, and as many again for notes that fade out. Context: control.
  ///
  /// - Parameters:
  ///   - count: The most notes that sound at once, at least 1.
  ///   - makeVoice: Makes a voice; called twice `count` times.
  public init(count: Int, _ makeVoice: () -> Voice) {
    board = NoteBoard(limit: max(count, 1))
    unsafe voices = .allocate(capacity: board.count)
    for index in 0..<board.count { unsafe (voices + index).initialize(to: makeVoice()) }
  }

  deinit {
    unsafe voices.deinitialize(count: board.count)
    unsafe voices.deallocate()
    board.deallocate()
    fade.deallocate()
  }

  /// Ends all notes at once, without their releases. Context: control or render.
  @inlinable @_noLocks public mutating func reset() { board.reset() }

  /// Number of voices that sound, fading ones included: 0 for a unit that may mark its output silent.
  @inlinable public var activeCount: Int {
    @_noLocks get {
      var active = 0
      for index in 0..<board.count { active += board.isActive(index) ? 1 : 0 }
      return active
    }
  }

  /// Renders the notes of a slice into output bus 0, from silence; marks the output silent where nothing sounds.
  ///
  /// - Parameter slice: The slice, with its MIDI. Samples that were in its output before are lost.
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
      if board.fadeFrames(index) > 0 {
        renderFading(index, output)
      } else {
        if unsafe !voices[index].render(board.note(index), output) { board.free(index) }
        board.pass(index, frames: output.frameCount)
      }
    }
  }

  /// Renders a replaced note, piece by piece, until it is silent.
  @inlinable mutating func renderFading(_ index: Int, _ output: VoiceOutput) {
    var done = 0
    while done < output.frameCount, board.isActive(index) {
      let left = board.fadeFrames(index)
      let piece = fade.begin(output, from: done, framesLeft: left)
      let goesOn = unsafe voices[index].render(board.note(index), piece)
      fade.end(piece, framesLeft: left)
      if goesOn { board.pass(index, frames: piece.frameCount) } else { board.free(index) }
      done += piece.frameCount
    }
  }
}
