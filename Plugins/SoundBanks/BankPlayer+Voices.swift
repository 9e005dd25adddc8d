// The limit of voices: replaced notes are faded out, before FluidSynth ends them abruptly.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK

/// The fade of a FluidSynth voice.
private enum Fade {
  /// FluidSynth's numbers of generators: the time of a voice's decay after its release (cents of a second), and its
  /// attenuation (centibels).
  static var release: Int32 { @_noLocks get { 38 } }
  static var attenuation: Int32 { @_noLocks get { 48 } }
  /// The time that marks a voice of a replaced note. FluidSynth reads it as its shortest, −7200 (16 ms); no bank has
  /// it.
  static var mark: Float { @_noLocks get { -7200.5 } }
  /// A voice's loss with each block, and the level at which it has ended.
  static var step: Float { @_noLocks get { 75 } }
  static var silence: Float { @_noLocks get { 1440 } }
}

extension BankPlayer {
  /// The most voices that may be audible at once.
  static var mostVoices: Int { @_noLocks get { 256 } }
  /// The most voices of FluidSynth: the surplus is for replaced notes.
  static var voiceCount: Int { @_noLocks get { 384 } }

  /// Replaces notes while more voices sound than may: the oldest released one, else the oldest. The newest note stays.
  /// Context: render, behind a note-on.
  @_noLocks mutating func makeRoom() {
    guard let library, let synth = unsafe synth else { return }
    // Door out of checked code: FluidSynth counts its voices.
    let count = unsafe _unsafePerformance { unsafe library.activeVoices(synth) }
    guard count > voiceLimit else { return }
    listVoices()
    while let note = surplus() {
      hasFadingVoices = true
      for index in 0..<Self.voiceCount {
        guard let voice = unsafe voices[index] else { break }
        // Door out of checked code: FluidSynth marks the voices of a note.
        unsafe _unsafePerformance {
          guard unsafe library.voiceNote(voice) == note else { return }
          unsafe library.setVoiceGenerator(voice, Fade.release, Fade.mark)
          unsafe library.updateVoice(voice, Fade.release)
        }
      }
    }
  }

  /// Makes FluidSynth list the voices that play.
  @_noLocks private func listVoices() {
    guard let library, let synth = unsafe synth else { return }
    let (voices, count) = unsafe (voices, Int32(Self.voiceCount))
    // Door out of checked code: FluidSynth lists its voices.
    unsafe _unsafePerformance { unsafe library.listVoices(synth, voices, count, -1) }
  }

  /// Returns the next note to replace; nil where the voices of the others are not too many.
  @_noLocks private func surplus() -> UInt32? {
    guard let library else { return nil }
    var (delivered, newest) = (0, UInt32(0))
    var best = UInt64.max
    for index in 0..<Self.voiceCount {
      guard let voice = unsafe voices[index] else { break }
      // Door out of checked code: FluidSynth reports on a voice.
      let (mark, note, isHeld) = unsafe _unsafePerformance {
        unsafe (
          library.voiceGenerator(voice, Fade.release), library.voiceNote(voice),
          library.voiceIsHeld(voice) != 0
        )
      }
      guard mark != Fade.mark else { continue }
      delivered += 1
      newest = max(newest, note)
      best = min(best, UInt64(note) + (isHeld ? 1 << 32 : 0))
    }
    let chosen = UInt32(truncatingIfNeeded: best)
    return delivered > voiceLimit && chosen != newest ? chosen : nil
  }

  /// Fades the voices of replaced notes; a fully faded note ends, unless a pedal holds it, silent. Context: render,
  /// before a block.
  @_noLocks mutating func fade() {
    guard let library, let synth = unsafe synth else { return }
    listVoices()
    hasFadingVoices = false
    for index in 0..<Self.voiceCount {
      guard let voice = unsafe voices[index] else { break }
      // Door out of checked code: FluidSynth makes a voice softer, or lets its note go.
      let isFading = unsafe _unsafePerformance {
        let softness = unsafe library.voiceGenerator(voice, Fade.attenuation)
        guard unsafe library.voiceGenerator(voice, Fade.release) == Fade.mark,
          softness < Fade.silence
        else { return false }
        unsafe library.setVoiceGenerator(voice, Fade.attenuation, softness + Fade.step)
        unsafe library.updateVoice(voice, Fade.attenuation)
        if softness + Fade.step >= Fade.silence {
          unsafe _ = library.endNote(synth, library.voiceNote(voice))
        }
        return true
      }
      if isFading { hasFadingVoices = true }
    }
  }
}
