// The limit of voices: those that are too many are faded out before FluidSynth ends them, which it does at once.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK

extension BankPlayer {
  /// The most voices that are heard at once.
  private static var limit: Int { @_noLocks get { 256 } }
  /// The most that FluidSynth has: as many are left over for those that fell silent.
  static var voiceCount: Int { @_noLocks get { 320 } }
  /// FluidSynth's number of how much softer a voice is, in tenths of a decibel, and the most that it takes.
  private static var attenuation: Int32 { @_noLocks get { 48 } }
  private static var silence: Float { @_noLocks get { 1440 } }

  /// Fades voices out of which there are too many, within the next block: the oldest that were let go, else the oldest.
  /// Context: render.
  @_noLocks mutating func makeRoom() {
    guard let library, let synth = unsafe synth else { return }
    let (voices, count) = unsafe (voices, Int32(Self.voiceCount))
    // Door out of checked code: FluidSynth counts its voices, and lists them.
    let areTooMany = unsafe _unsafePerformance {
      guard unsafe library.activeVoices(synth) > Self.limit else { return false }
      unsafe library.listVoices(synth, voices, count, -1)
      return true
    }
    guard areTooMany else { return }
    while let voice = unsafe surplus() {
      // Door out of checked code: FluidSynth makes a voice softer.
      unsafe _unsafePerformance {
        unsafe library.setVoiceGenerator(voice, Self.attenuation, Self.silence)
        unsafe library.updateVoice(voice, Self.attenuation)
      }
    }
  }

  /// The voice that gives way next; nil where those that are heard are not too many.
  @_noLocks private func surplus() -> FluidLibrary.Thing? {
    guard let library else { return nil }
    var heard = 0
    var best = UInt64.max
    var chosen: FluidLibrary.Thing?
    for index in 0..<Self.voiceCount {
      guard let voice = unsafe voices[index] else { break }
      // Door out of checked code: FluidSynth tells of a voice.
      let (softness, number, isHeld) = unsafe _unsafePerformance {
        unsafe (
          library.voiceGenerator(voice, Self.attenuation), library.voiceNumber(voice),
          library.voiceIsHeld(voice) != 0
        )
      }
      guard softness < Self.silence else { continue }
      heard += 1
      let rank = UInt64(number) + (isHeld ? 1 << 32 : 0)
      if rank < best { unsafe (best, chosen) = (rank, voice) }
    }
    return heard > Self.limit ? unsafe chosen : nil
  }
}
