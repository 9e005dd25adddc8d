// The gains of one strip of the mixer: volume, switch and pan, gliding.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// The mapping of an input's channels to the output's.
enum Panning: Int, BitwiseCopyable {
  /// A mono input between the first two channels, with equal power: −3 dB each in the middle.
  case mono
  /// The balance of two channels: 0 dB each in the middle.
  case stereo
  /// None: channel by channel, or all channels into one.
  case none
}

/// The gains of one input, or of the output. Context: render.
struct StripGains: BitwiseCopyable {
  /// Gain into the first channel of the output.
  private(set) var left: ParameterGlide
  /// Gain into the second channel of the output.
  private(set) var right: ParameterGlide
  private var lastVolume: Float = -1
  private var lastEnable: Float = -1
  private var lastPan: Float = -2
  private var leftTarget: Float = 0
  private var rightTarget: Float = 0
  private let panning: Int
  private let scale: Float

  /// Makes gains at rest; `scale` is multiplied in.
  init(sampleRate: Double, panning: Panning, scale: Float = 1) {
    left = ParameterGlide(sampleRate: sampleRate)
    right = ParameterGlide(sampleRate: sampleRate)
    self.panning = panning.rawValue
    self.scale = scale
  }

  /// Whether the gains are constant and these values would leave them unchanged.
  @_noLocks func isSettled(_ volume: Float, _ enable: Float, _ pan: Float) -> Bool {
    left.isSettled && right.isSettled && volume == lastVolume && enable == lastEnable
      && pan == lastPan
  }

  /// Whether nothing is audible and, switched off, nothing will be.
  @_noLocks func isOff(_ enable: Float) -> Bool {
    enable < 0.5 && left.isSettled && right.isSettled && left.value == 0 && right.value == 0
  }

  /// Begins the next interval of the control grid.
  @_noLocks mutating func advance(_ volume: Float, _ enable: Float, _ pan: Float) {
    if volume != lastVolume || enable != lastEnable || pan != lastPan {
      setTargets(volume, enable, pan)
    }
    left.advance(toward: leftTarget)
    right.advance(toward: rightTarget)
  }

  /// Sets values that are scheduled for this frame, without a glide.
  @_noLocks mutating func jump(_ volume: Float, _ enable: Float, _ pan: Float) {
    setTargets(volume, enable, pan)
    left.jump(to: leftTarget)
    right.jump(to: rightTarget)
  }

  /// The factors of the volume into the first two channels, once the volume alone moves.
  ///
  /// Puts the gains where a ramp of the volume ends.
  @_noLocks mutating func follow(
    _ end: Float, _ enable: Float, _ pan: Float
  ) -> (left: Float, right: Float) {
    setTargets(1, enable, pan)
    let factors = (left: leftTarget, right: rightTarget)
    jump(end, enable, pan)
    return factors
  }

  /// Jumps to the next values.
  @_noLocks mutating func reset() {
    left.reset()
    right.reset()
  }

  /// Sets the values to glide to.
  @_noLocks private mutating func setTargets(_ volume: Float, _ enable: Float, _ pan: Float) {
    lastVolume = volume
    lastEnable = enable
    lastPan = pan
    let volume = lastEnable >= 0.5 ? lastVolume * scale : 0
    leftTarget = volume
    rightTarget = volume
    let quarter = Double.pi / 4
    if panning == Panning.mono.rawValue {
      // The middle is exactly alike on both sides.
      let angle = (Double(lastPan) + 1) * quarter
      leftTarget *= lastPan >= 1 ? 0 : Float(RealtimeMath.cos(angle))
      rightTarget *= lastPan <= -1 ? 0 : Float(RealtimeMath.cos(2 * quarter - angle))
    } else if panning == Panning.stereo.rawValue {
      let part = Float(RealtimeMath.cos(2 * quarter * Double(abs(lastPan))))
      if lastPan > 0 { leftTarget *= lastPan >= 1 ? 0 : part }
      if lastPan < 0 { rightTarget *= lastPan <= -1 ? 0 : part }
    }
  }
}
