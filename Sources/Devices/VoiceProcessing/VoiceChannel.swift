// One channel of a voice: its echo canceller, the cleaning of the rest, and its two blocks.
// SPDX-License-Identifier: Apache-2.0

/// One channel. Context: the device's thread but for init and deinit.
@safe final class VoiceChannel {
  private let library: SpeexDSP
  private let blockFrames: Int
  private let echo: OpaquePointer
  private let cleaner: OpaquePointer
  private let recorded: UnsafeMutablePointer<Int16>
  private let cleaned: UnsafeMutablePointer<Int16>
  /// The last block as it came.
  private let raw: UnsafeMutablePointer<Float>

  /// Makes the states; nil without memory. Context: control.
  init?(_ library: SpeexDSP, blockFrames: Int, sampleRate: Double, echoFrames: Int) {
    guard let echo = unsafe library.makeEcho(Int32(blockFrames), Int32(echoFrames)) else {
      return nil
    }
    var rate = Int32(sampleRate)
    guard let cleaner = unsafe library.makeCleaner(Int32(blockFrames), rate) else {
      unsafe library.freeEcho(echo)
      return nil
    }
    unsafe _ = library.controlEcho(echo, SpeexDSP.echoRate, &rate)
    self.library = library
    self.blockFrames = blockFrames
    unsafe self.echo = unsafe echo
    unsafe self.cleaner = unsafe cleaner
    unsafe recorded = .allocate(capacity: 2 * blockFrames)
    unsafe recorded.initialize(repeating: 0, count: 2 * blockFrames)
    unsafe cleaned = unsafe recorded + blockFrames
    unsafe raw = .allocate(capacity: blockFrames)
    unsafe raw.initialize(repeating: 0, count: blockFrames)
    set(.suppressesNoise, 1)
    set(.levels, 0)
    set(.noiseSuppression, -15)
    set(.echoSuppression, -40)
    set(.echoSuppressionWhileTalking, -15)
    set(.greatestGain, 20)
    unsafe _ = library.controlCleaner(
      cleaner, SpeexDSP.Setting.echoState.rawValue, UnsafeMutableRawPointer(echo))
  }

  deinit {
    unsafe library.freeCleaner(cleaner)
    unsafe library.freeEcho(echo)
    unsafe recorded.deallocate()
    unsafe raw.deallocate()
  }

  private func set(_ setting: SpeexDSP.Setting, _ value: Int32) {
    var value = value
    unsafe _ = library.controlCleaner(cleaner, setting.rawValue, &value)
  }

  /// Keeps the level of the voice, or not.
  func setLevelling(_ isOn: Bool) { set(.levels, isOn ? 1 : 0) }

  /// A sample of 16 bits, clipped.
  static func word(_ sample: Float) -> Int16 {
    // A comparison with NaN is false.
    guard sample > -1 else { return sample <= -1 ? -32_767 : 0 }
    return sample < 1 ? Int16((sample * 32_767).rounded()) : 32_767
  }

  /// Puts a sample in; the one of a block before.
  func exchange(_ sample: Float, at position: Int, _ settings: VoiceProcessor.Settings) -> Float {
    let before = unsafe raw[position]
    unsafe raw[position] = sample
    unsafe recorded[position] = Self.word(sample)
    if settings.isMuted { return 0 }
    return unsafe settings.isBypassed ? before : Float(cleaned[position]) / 32_767
  }

  /// Cleans the block that is full.
  func run(_ reference: UnsafePointer<Int16>) {
    unsafe library.cancel(echo, recorded, reference, cleaned)
    unsafe _ = library.clean(cleaner, cleaned)
  }
}
