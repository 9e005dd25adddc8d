// A playing bank: a separate synth, whose blocks of 64 frames are cut into slices.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// Plays a bank on sixteen channels in stereo; without one it is silent.
///
/// FluidSynth renders blocks of 64 frames, and its events act from its next block on. The blocks are cut here, not by
/// the host's slices, so the sound does not depend on those. While nothing sounds, a note begins a new block and starts
/// at its very frame. While something does, it waits for the next block, 63 frames of the synth at most.
///
/// Made, freed and restarted on a control thread; all else render.
@safe struct BankPlayer: ~Copyable {
  /// Frames of FluidSynth's blocks.
  static var blockFrames: Int { @_noLocks get { 64 } }

  private let bank: SoundBank?
  private let hasReverb: Bool
  private let synthRate: Double
  let library: FluidLibrary?
  /// Output frames for a frame of the synth: 1, 2, 4 or 8.
  let factor: Int
  /// Frames of the synth for an output frame: 1 from 8 kHz on, up to 8 below.
  let step: Int
  private var settings: FluidLibrary.Thing?
  private(set) var synth: FluidLibrary.Thing?
  var left: RateChanger
  var right: RateChanger
  /// Both channels of a block at the rate of the output.
  let block: UnsafeMutablePointer<Float>
  let blockLength: Int
  /// The next frame of the present block; its length: none is left.
  var place: Int
  /// The sixteen channels, of which one that plays alone uses the first.
  let channels: UnsafeMutablePointer<BankChannel>
  /// For each channel, cents + 64 of the twelve keys of an octave.
  let scales: UnsafeMutablePointer<UInt8>
  /// Room for a message that is passed on with other bytes.
  let message: UnsafeMutablePointer<UInt8>
  static var messageRoom: Int { @_noLocks get { 1024 } }
  var mode = SystemMode.plain
  var master = MasterControls()
  /// The gains of the last block.
  var gains: (left: Float, right: Float) = (1, 1)
  /// The synth's settings: cents, and decibels of the reverb.
  var tuning: Float = 0
  var reverbDecibels: Float = 0
  var pan: Float = 0
  /// The preset that is played on all channels as on one; nil for sixteen channels.
  private let only: (bank: Int, program: Int)?
  var isSingle: Bool { @_noLocks get { only != nil } }
  /// Whether program changes are left out, as they ask for a loaded program.
  let ignoresPrograms: Bool
  /// The most voices that sound at once, from 1 to `mostVoices`.
  var voiceLimit = BankPlayer.mostVoices
  /// Whether replaced notes are still fading.
  var hasFadingVoices = false
  /// Room for a list of all voices.
  let voices: UnsafeMutablePointer<FluidLibrary.Thing?>
  /// The second channel where the output has one.
  let spare: UnsafeMutablePointer<Float>

  /// Makes a synth with a bank.
  ///
  /// - Throws: A sentence for rates that it cannot do, and where there is no memory.
  init(
    _ bank: SoundBank?, _ format: (sampleRate: Double, maximumFrames: Int), hasReverb: Bool,
    ignoresPrograms: Bool, only: (bank: Int, program: Int)? = nil
  ) throws(UnitRefusal) {
    let rate = format.sampleRate
    guard rate >= 1000, rate <= 768_000 else {
      throw UnitRefusal(
        status: kAudioUnitErr_FormatNotSupported,
        reason: "sound banks are played at 1,000 to 768,000 Hz, not at \(Int(rate.rounded())) Hz")
    }
    // FluidSynth's own rates are 8 to 96 kHz.
    let factor = rate <= 96_000 ? 1 : rate <= 192_000 ? 2 : rate <= 384_000 ? 4 : 8
    let step = Int(max(1, (8000 / rate).rounded(.up)))
    let synthRate = rate / Double(factor) * Double(step)
    var made: Synth?
    if let bank {
      unsafe made = try Self.makeSynth(bank, sampleRate: synthRate, hasReverb, only)
    }
    self.factor = factor
    self.step = step
    self.synthRate = synthRate
    self.only = only
    self.bank = bank
    self.hasReverb = hasReverb
    self.ignoresPrograms = ignoresPrograms
    library = unsafe made?.library
    unsafe settings = unsafe made?.settings
    unsafe synth = unsafe made?.synth
    blockLength = 64 * factor
    place = blockLength
    left = RateChanger(factor: factor, step: step)
    right = RateChanger(factor: factor, step: step)
    unsafe block = .allocate(capacity: 2 * blockLength)
    unsafe block.initialize(repeating: 0, count: 2 * blockLength)
    unsafe voices = .allocate(capacity: Self.voiceCount)
    unsafe voices.initialize(repeating: nil, count: Self.voiceCount)
    unsafe spare = .allocate(capacity: max(format.maximumFrames, 1))
    unsafe spare.initialize(repeating: 0, count: max(format.maximumFrames, 1))
    unsafe channels = .allocate(capacity: 16)
    unsafe scales = .allocate(capacity: 16 * 12)
    unsafe message = .allocate(capacity: Self.messageRoom)
    unsafe message.initialize(repeating: 0, count: Self.messageRoom)
    for index in 0..<16 { unsafe (channels + index).initialize(to: BankChannel(number: index)) }
    unsafe scales.initialize(repeating: 64, count: 16 * 12)
  }

  deinit {
    if let library, let synth = unsafe synth {
      unsafe library.deleteSynth(synth)
      unsafe library.deleteSettings(settings)
    }
    unsafe block.deallocate()
    unsafe voices.deallocate()
    unsafe spare.deallocate()
    unsafe channels.deallocate()
    unsafe scales.deallocate()
    unsafe message.deallocate()
  }

  /// Whether the synth has the rate of the output.
  var isPlain: Bool { @_noLocks get { factor == 1 && step == 1 } }

  /// Frames by which the sound is late.
  var latencyFrames: Int { isPlain ? 0 : factor * RateChanger.reach / 2 }

  private typealias Synth = (
    library: FluidLibrary, settings: FluidLibrary.Thing, synth: FluidLibrary.Thing
  )

  private static func makeSynth(
    _ bank: SoundBank, sampleRate: Double, _ hasReverb: Bool,
    _ only: (bank: Int, program: Int)?
  ) throws(UnitRefusal) -> Synth {
    let library = try FluidLibrary.shared.get()
    guard
      let made = unsafe library.makeSynth(
        sampleRate: sampleRate, voices: Int32(voiceCount), hasReverb: hasReverb,
        hasChorus: only == nil)
    else {
      throw UnitRefusal(
        status: OSStatus(kAudio_MemFullError), reason: "there is no memory for a synth")
    }
    guard unsafe library.loadBank(made.synth, bank.file, 1) >= 0 else {
      unsafe library.deleteSynth(made.synth)
      unsafe library.deleteSettings(made.settings)
      throw UnitRefusal(
        status: kAudioUnitErr_InvalidFile,
        reason: "the sound bank \(bank.path) was changed and cannot be read any more")
    }
    if let only {
      // One instrument has the processor for interpolation of the 7th order.
      unsafe _ = library.interpolation(made.synth, -1, 7)
      unsafe _ = library.channelType(made.synth, 0, only.bank == 128 ? 1 : 0)
      unsafe _ = library.controller(made.synth, 0, 0, Int32(clamping: only.bank % 128))
      unsafe _ = library.program(made.synth, 0, Int32(clamping: only.program))
    }
    return unsafe (library, made.settings, made.synth)
  }

  /// Clears the settings of messages. Context: any.
  @_noLocks mutating func forgetMessages() {
    master = MasterControls()
    for index in 0..<16 { unsafe channels[index] = BankChannel(number: index) }
    for index in 0..<(16 * 12) { unsafe scales[index] = 64 }
  }

  /// Begins anew with a fresh synth: one that FluidSynth resets does not sound like it. Context: control.
  mutating func restart() {
    if let library, let synth = unsafe synth {
      unsafe library.deleteSynth(synth)
      unsafe library.deleteSettings(settings)
      let made = unsafe bank.flatMap {
        unsafe try? Self.makeSynth($0, sampleRate: synthRate, hasReverb, only)
      }
      unsafe settings = unsafe made?.settings
      unsafe self.synth = unsafe made?.synth
    }
    place = blockLength
    forgetMessages()
    mode = .plain
    gains = (1, 1)
    hasFadingVoices = false
    (tuning, reverbDecibels, pan) = (0, 0, 0)
    left.reset()
    right.reset()
  }
}
