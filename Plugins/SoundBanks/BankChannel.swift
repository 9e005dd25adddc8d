// The state of a MIDI channel that FluidSynth does not keep: its registered parameters, tuning, kind.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport

/// The registered parameters of a channel, and its pitch wheel. Context: render.
struct ChannelParameters: BitwiseCopyable {
  /// The registered parameter that data entry sets; 0x3FFF: none.
  private var number = 0x3FFF
  private var fineData = 8192
  /// The wheel, 0 to 16,383.
  var bend = 8192
  /// The range of the wheel: semitones, and hundredths of one.
  var bendSemitones = 2
  var bendCents = 0

  @_noLocks init() {}

  /// The numbers of the parameters that are kept here.
  static var bendRange: Int { @_noLocks get { 0 } }
  static var fineTuning: Int { @_noLocks get { 1 } }
  static var coarseTuning: Int { @_noLocks get { 2 } }

  /// Semitones of the whole wheel.
  var bendRange: Float { @_noLocks get { Float(bendSemitones) + Float(bendCents) / 100 } }
  /// The fine tuning of the channel, in cents.
  var fineCents: Float { @_noLocks get { Float(fineData - 8192) * 100 / 8192 } }
  /// The coarse tuning of the channel, in semitones.
  private(set) var coarse = 0

  /// Sets a controller; the parameter whose value changes, or nil.
  @_noLocks mutating func control(_ controller: Int, _ value: Int) -> Int? {
    switch controller {
    case 98, 99: number = 0x3FFF
    case 100: number = number & 0x3F80 | value
    case 101: number = number & 0x7F | value << 7
    case 6: return enter(value, isCoarse: true)
    case 38: return enter(value, isCoarse: false)
    case 121: reset()
    default: break
    }
    return nil
  }

  /// Forgets the parameter that was chosen, the wheel and the tuning; the range stays.
  @_noLocks private mutating func reset() {
    (number, fineData, coarse, bend) = (0x3FFF, 8192, 0, 8192)
  }

  @_noLocks private mutating func enter(_ value: Int, isCoarse: Bool) -> Int? {
    switch number {
    case Self.bendRange:
      if isCoarse { bendSemitones = value } else { bendCents = value }
    case Self.fineTuning:
      fineData = isCoarse ? fineData & 0x7F | value << 7 : fineData & 0x3F80 | value
    case Self.coarseTuning where isCoarse: coarse = value - 64
    default: return nil
    }
    return number
  }
}

/// A channel of a player of banks. Context: render.
struct BankChannel: BitwiseCopyable {
  var parameters = ChannelParameters()
  /// Whether it plays drums.
  var isDrum = false
  /// Whether a bank of drums was chosen for it.
  var hasDrumBank = false
  /// Whether its bank was chosen as General MIDI 2 does.
  var hasGM2Bank = false
  /// Cents and semitones of its part.
  var partCents: Float = 0
  var keyShift: Float = 0

  @_noLocks init() {}

  /// A channel of a number, from 0.
  @_noLocks init(number: Int) { isDrum = number == 9 }

  /// Semitones of which FluidSynth's wheel reaches the range: it reaches 127 of 128 parts of its number. Its standard of
  /// two stays, so that songs without ranges sound as its own program plays them.
  private var reach: Float {
    @_noLocks get {
      let range = parameters.bendRange
      return range == 2 ? range : range * 128 / 127
    }
  }
  /// The range of FluidSynth's wheel: whole semitones, 72 at most.
  var synthBendRange: Int32 {
    @_noLocks get { Int32(min(RealtimeMath.ceil(reach), 72)) }
  }
  /// The part of FluidSynth's range that the wheel has, up to 1.
  var bendScale: Float {
    @_noLocks get { synthBendRange > 0 ? min(reach / Float(synthBendRange), 1) : 1 }
  }
}
