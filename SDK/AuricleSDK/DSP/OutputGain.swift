// A gain in decibels at the end of a unit, which glides.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport

/// A gain that glides in 20 ms; at 0 dB the samples are untouched, bit for bit.
///
/// The last step of a unit with an output level:
///
/// ```swift
/// gain.process(
///   slice, decibels: parameters.gain, isScheduled: parameters.$gain.isScheduled(in: slice))
/// ```
///
/// The samples do not depend on where slices end. Context: render.
public struct OutputGain: Sendable {
  private var clock = ControlClock()
  private var glide: ParameterGlide
  private var lastDecibels: Float = .nan
  private var target: Float = 1

  /// Makes a gain that jumps to its first target. Context: control.
  ///
  /// - Parameter sampleRate: Hz.
  public init(sampleRate: Double) { glide = ParameterGlide(sampleRate: sampleRate) }

  /// Jumps to the next value, as the unit's `reset()` needs it. Context: control or render.
  @_noLocks public mutating func reset() {
    clock.reset()
    glide.reset()
  }

  /// Applies the gain to all channels of output bus 0 of a slice in place.
  ///
  /// - Parameters:
  ///   - slice: The slice.
  ///   - decibels: The wanted gain; 0 leaves the samples as they are.
  ///   - isScheduled: Whether it holds from the first frame, instead of after a glide.
  @_noLocks public mutating func process(
    _ slice: borrowing RenderSlice, decibels: Float, isScheduled: Bool = false
  ) {
    if decibels != lastDecibels {
      lastDecibels = decibels
      target = decibels == 0 ? 1 : Float(RealtimeMath.gain(decibels: Double(decibels)))
    }
    if isScheduled { glide.jump(to: target) }
    var frame = 0
    while frame < slice.frameCount {
      if clock.isAtGridPoint { glide.advance(toward: target) }
      let isMoving = !glide.isSettled || glide.value != target
      let run = clock.run(of: slice.frameCount - frame, isMoving: isMoving)
      if isMoving {
        for channel in 0..<slice.channelCount {
          let audio = unsafe slice.channel(channel) + frame
          for index in 0..<run { unsafe audio[index] *= glide.value(at: clock.phase + index) }
        }
      } else if glide.value != 1 {
        for channel in 0..<slice.channelCount {
          unsafe SampleRun.scale(slice.channel(channel) + frame, gain: glide.value, run)
        }
      }
      clock.advance(run)
      frame += run
    }
  }
}
