// The slices of a bank: messages between pieces of sound, volume, tuning, reverb.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

extension BankPlayer {
  /// Renders a slice. Context: render.
  @_noLocks mutating func process(_ slice: RenderSlice, _ settings: BankParameters) {
    voiceLimit = Int(settings.voices)
    setTuning(settings.tuning)
    setReverb(settings.reverb)
    process(slice, volume: settings.volume)
  }

  /// Renders a slice with a volume in decibels. Context: render.
  @_noLocks mutating func process(_ slice: RenderSlice, volume: Ramp) {
    let count = slice.frameCount
    var frame = 0
    for index in 0..<slice.midiEventCount {
      let event = slice.midiEvent(index)
      let next = min(max(event.frame, frame), count)
      render(slice, from: frame, to: next)
      receive(event)
      frame = next
    }
    render(slice, from: frame, to: count)
    guard !volume.isConstant || volume.target != 0 else { return }
    let steady = RealtimeMath.gain(decibels: Double(volume.target))
    for channel in 0..<slice.channelCount {
      let samples = unsafe slice.channel(channel)
      for index in 0..<count {
        let gain =
          volume.isConstant ? steady : RealtimeMath.gain(decibels: Double(volume[index]))
        unsafe samples[index] *= Float(gain)
      }
    }
  }

  @_noLocks private mutating func render(_ slice: RenderSlice, from start: Int, to end: Int) {
    guard end > start else { return }
    let first = unsafe slice.channel(0) + start
    guard slice.channelCount == 1 else {
      unsafe render(first, slice.channel(1) + start, end - start)
      return
    }
    unsafe render(first, spare, end - start)
    for index in 0..<(end - start) { unsafe first[index] = (first[index] + spare[index]) / 2 }
  }

  /// Renders frames of both channels.
  @_noLocks private mutating func render(
    _ first: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    guard unsafe synth != nil else {
      unsafe SampleCopy.clear(first, count: count)
      unsafe SampleCopy.clear(second, count: count)
      return
    }
    var done = 0
    while done < count {
      if place >= blockLength { makeBlock() }
      let run = min(count - done, blockLength - place)
      unsafe SampleCopy.copy(from: block + place, to: first + done, count: run)
      unsafe SampleCopy.copy(from: block + blockLength + place, to: second + done, count: run)
      place += run
      done += run
    }
  }

  @_noLocks private mutating func makeBlock() {
    place = 0
    guard let library, let synth = unsafe synth else { return }
    if hasFadingVoices { fade() }
    let first = unsafe isPlain ? block : left.input
    let second = unsafe isPlain ? block + blockLength : right.input
    for piece in 0..<Int32(step) {
      // Door out of checked code: FluidSynth renders a block; all its memory exists since it was made.
      unsafe _ = _unsafePerformance {
        unsafe library.write(synth, 64, first, 64 * piece, 1, second, 64 * piece, 1)
      }
    }
    if !isPlain {
      unsafe left.makeBlock(block)
      unsafe right.makeBlock(block + blockLength)
    }
    scaleBlock()
  }

  /// Applies the master volume and balance, which move within a block.
  @_noLocks private mutating func scaleBlock() {
    let (before, wanted) = (gains, master.gains)
    guard before.left != 1 || before.right != 1 || wanted.left != 1 || wanted.right != 1 else {
      return
    }
    gains = wanted
    let length = Float(blockLength)
    for index in 0..<blockLength {
      let part = Float(index + 1) / length
      unsafe block[index] *= before.left + (wanted.left - before.left) * part
      unsafe block[blockLength + index] *= before.right + (wanted.right - before.right) * part
    }
  }

  /// Lets a note that breaks silence begin a block: the rest of the present one is inaudible.
  @_noLocks mutating func alignToNote() {
    guard place < blockLength, let library, let synth = unsafe synth else { return }
    // Door out of checked code: FluidSynth counts its voices.
    let voices = unsafe _unsafePerformance { unsafe library.activeVoices(synth) }
    guard voices == 0 else { return }
    // Below −100 dBFS: the reverb never is quite silent.
    for index in 0..<(2 * blockLength) where unsafe block[index].magnitude > 1e-5 { return }
    place = blockLength
  }

  /// Tunes all channels. Context: render.
  @_noLocks mutating func setTuning(_ cents: Float) {
    guard cents != tuning else { return }
    tuning = cents
    for channel in 0..<Int32(16) { tune(channel) }
  }

  /// Tunes a channel as the parameter and messages say, and places it.
  @_noLocks func tune(_ channel: Int32) {
    guard let library, let synth = unsafe synth else { return }
    let (fineTune, cents): (Int32, Float) = (52, cents(channel))
    let (panGenerator, side): (Int32, Float) = (17, pan * 500)
    // Door out of checked code: FluidSynth tunes a channel, and places it between left and right.
    unsafe _ = _unsafePerformance {
      unsafe _ = library.generator(synth, channel, fineTune, cents)
      return unsafe library.generator(synth, channel, panGenerator, side)
    }
  }

  /// Cents of a channel: those of the parameter, of all, of its part, of its registered parameter; rounded, as FluidSynth
  /// plays the whole cent below.
  @_noLocks private func cents(_ channel: Int32) -> Float {
    let part = unsafe channels[Int(channel)]
    let semitones = part.isDrum && !isSingle ? 0 : master.coarse + part.keyShift
    let fine = tuning + master.fine + part.partCents + part.parameters.fineCents
    return RealtimeMath.floor(fine + 100 * semitones + 0.5)
  }

  /// Places all channels, −1 left to 1 right. Context: render.
  @_noLocks mutating func setPan(_ place: Float) {
    guard place != pan else { return }
    pan = place
    for channel in 0..<Int32(16) { tune(channel) }
  }

  @_noLocks private mutating func setReverb(_ decibels: Float) {
    guard decibels != reverbDecibels else { return }
    reverbDecibels = decibels
    guard let library, let synth = unsafe synth else { return }
    // At 0 dB FluidSynth's default; its level goes from 0 to 1.
    let level = decibels <= -120 ? 0 : min(0.2 * RealtimeMath.gain(decibels: Double(decibels)), 1)
    // Door out of checked code: FluidSynth sets the level of its reverb, with its usual room, damping and width.
    unsafe _ = _unsafePerformance { unsafe library.reverb(synth, 0.2, 0, 0.5, level) }
  }
}
