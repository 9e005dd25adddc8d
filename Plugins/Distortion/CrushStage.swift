// The stages at the rate of the unit: a decaying delay, and the decimation with its rounding.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// A delay that repeats, each repeat by the same part lower than the one before.
///
/// Context: made and freed on a control thread, otherwise render.
struct EchoStage: ~Copyable {
  private var lines: ChannelDelayLines
  private var tap: TapFade
  private var feedback: ParameterGlide
  private var mix: ParameterGlide

  /// Allocates for half a second. Context: control.
  init(sampleRate: Double, channelCount: Int) {
    lines = ChannelDelayLines(
      channelCount: channelCount, maximumDelay: Int(0.5 * sampleRate) + ControlClock.interval + 2)
    tap = TapFade(frames: Int(0.03 * sampleRate))
    feedback = ParameterGlide(sampleRate: sampleRate)
    mix = feedback
  }

  /// Forgets the past.
  @_noLocks mutating func reset() {
    lines.reset()
    tap.reset()
    feedback.reset()
    mix.reset()
  }

  /// Begins an interval.
  @_noLocks mutating func advance(frames: Int, decay: Float, mix percent: Float) {
    tap.setDelay(frames)
    feedback.advance(toward: 1 / (1 + decay))
    mix.advance(toward: percent * 0.01)
  }

  /// The longest run, for which the delay is long enough.
  @_noLocks private func run(of count: Int) -> Int {
    let shortest = tap.isFading ? min(tap.current, tap.next) : tap.current
    let longest = tap.isFading ? max(tap.current, tap.next) : tap.current
    let first = lines.contiguous(min(count, shortest), delay: shortest)
    return lines.contiguous(first, delay: longest)
  }

  /// Mixes the repeats into a run of all channels, in place, in parts that are no longer than the delay.
  @_noLocks mutating func process(
    _ slice: borrowing RenderSlice, _ frame: Int, _ count: Int, phase: Int
  ) {
    var done = 0
    while done < count {
      let part = run(of: count - done)
      for channel in 0..<slice.channelCount {
        let audio = unsafe slice.channel(channel) + (frame + done)
        unsafe process(audio, channel: channel, part, phase: phase + done)
      }
      lines.advance(part)
      done += part
    }
  }

  @_noLocks private func process(
    _ audio: UnsafeMutablePointer<Float>, channel: Int, _ count: Int, phase: Int
  ) {
    let line = unsafe lines.writePointer(channel)
    let old = unsafe lines.readPointer(channel, delay: tap.current)
    let new = unsafe lines.readPointer(channel, delay: tap.next)
    for index in 0..<count {
      var echo = unsafe old[index]
      if tap.isFading { unsafe echo += (new[index] - echo) * tap.weight(after: phase + index) }
      let input = unsafe audio[index]
      unsafe line[index] = input + echo * feedback.value(at: phase + index)
      unsafe audio[index] = input + (echo - input) * mix.value(at: phase + index)
    }
  }

  /// Ends an interval.
  @_noLocks mutating func endInterval() { tap.advance(ControlClock.interval) }
}

/// Holds samples for a while and rounds them: a converter of few bits and a low rate.
struct CrushStage: Sendable {
  private var hold: ParameterGlide
  private var step: ParameterGlide
  private var mix: ParameterGlide
  /// Position of the next frame in the hold, from 0 to 1.
  private var phase: Float = 1

  /// A stage at rest. Context: control.
  init(sampleRate: Double) {
    hold = ParameterGlide(sampleRate: sampleRate)
    step = hold
    mix = hold
  }

  /// Forgets the past. Context: render.
  @_noLocks mutating func reset() {
    hold.reset()
    step.reset()
    mix.reset()
    phase = 1
  }

  /// Begins an interval: decimation, rounding and mix in percent. Context: render.
  @_noLocks mutating func advance(decimation: Float, rounding: Float, mix percent: Float) {
    hold.advance(toward: 1 / (1 - 0.0099 * decimation))
    step.advance(toward: rounding == 0 ? 0 : RealtimeMath.exp2(0.16 * (rounding - 100)))
    mix.advance(toward: percent * 0.01)
  }

  /// Marks the frames of a run that sample anew: 1 or 0 each. Context: render.
  @_noLocks mutating func accepts(
    _ count: Int, phase frame: Int, _ accepts: UnsafeMutablePointer<Float>
  ) {
    for index in 0..<count {
      unsafe accepts[index] = phase >= 1 ? 1 : 0
      if phase >= 1 { phase -= 1 }
      phase += 1 / max(hold.value(at: frame + index), 1)
    }
  }

  /// Works on a run of a channel in place; `held` is its last sample. Context: render.
  @_noLocks func process(
    _ audio: UnsafeMutablePointer<Float>, _ count: Int, phase frame: Int,
    _ accepts: UnsafePointer<Float>, held: inout Float
  ) {
    for index in 0..<count {
      let input = unsafe audio[index]
      if unsafe accepts[index] != 0 { held = input }
      let size = step.value(at: frame + index)
      // Beyond 2²³ there is nothing to round.
      let count = size > 0 ? held / size : 0
      let rounded =
        size > 0 && count.magnitude < 8_388_608
        ? Float(Int32(count + (count < 0 ? -0.5 : 0.5))) * size : held
      unsafe audio[index] = input + (rounded - input) * mix.value(at: frame + index)
    }
  }
}
