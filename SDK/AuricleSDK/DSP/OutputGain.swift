// A gain in decibels at the end of a unit, which glides.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport

/// A gain that glides in 20 ms; at 0 dB the samples are untouched, bit for bit. Context: render.
public struct OutputGain: Sendable {
  private var clock = ControlClock()
  private var glide: ParameterGlide
  private var lastDecibels: Float = .nan
  private var target: Float = 1

  /// Makes a gain of 0 dB. Context: control.
  public init(sampleRate: Double) { glide = ParameterGlide(sampleRate: sampleRate) }

  /// Jumps to the next value.
  @_noLocks public mutating func reset() {
    clock.reset()
    glide.reset()
  }

  /// Applies the gain to a slice in place.
  ///
  /// - Parameters:
  ///   - slice: The slice.
  ///   - decibels: Where the gain goes.
  ///   - isScheduled: Whether it is there at once.
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
