// Pulling an input at one speed and playing it at one pitch, which have nothing to do with each other.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox
import RealtimeSupport

/// Plays an input; a new rate or pitch is reached in 20 ms.
///
/// Made and freed on a control thread, all else render.
@safe struct TimePitchPlayer: ~Copyable {
  private let channelCount: Int
  private let inputRate: Double
  /// Input frames in an output frame at the rate 1.
  private let unit: Double
  private var stretcher: Stretcher
  private var clock = ControlClock()
  private var rate: ParameterGlide
  private var pitch: ParameterGlide
  private var lastPitch: Float = 0
  private var pitchScale = 1.0
  private var inputTime = 0.0
  private var isFresh = true

  /// Allocates for a format. Context: control.
  init(_ format: RenderFormat, _ options: StretchOptions) throws(UnitRefusal) {
    let channelCount = min(format.channelCount, format.inputChannelCount)
    let inputRate = format.inputSampleRates.first ?? format.sampleRate
    let unit = inputRate / format.sampleRate
    stretcher = try Stretcher(
      sampleRate: inputRate, channelCount: channelCount, options: options,
      quality: RateQuality(
        complexity: kAudioUnitSampleRateConverterComplexity_Normal,
        renderQuality: format.renderQuality), greatestStep: 4 * unit,
      ahead: 192 * Stretcher.chunk)
    self.channelCount = channelCount
    self.inputRate = inputRate
    self.unit = unit
    rate = ParameterGlide(sampleRate: format.sampleRate)
    pitch = rate
  }

  /// Begins anew. Context: control.
  mutating func restart(_ options: StretchOptions) {
    stretcher.restart(options)
    begin()
  }

  @_noLocks private mutating func begin() {
    clock.reset()
    rate.reset()
    pitch.reset()
    isFresh = true
  }

  /// Seconds for which sound is left behind the input's end. Context: control.
  func tailSeconds(rate: Float, cents: Float) -> Double {
    let frames = Double(2 * stretcher.windowReach + 2 * stretcher.filterReach + 2048)
    return frames / inputRate
      * (RealtimeMath.exp2(-Double(cents) / 1200) + 1 / Double(max(rate, 1e-3)))
  }

  /// Returns to the start of a whole input, between two passes over it. Context: render.
  @_noLocks mutating func rewind() {
    guard !isFresh else { return }
    stretcher.rewind()
    begin()
  }

  /// Renders one slice.
  ///
  /// - Parameters:
  ///   - rate: The speed, 1 for that of the input.
  ///   - cents: The pitch, in hundredths of a semitone; nil for that of the input.
  ///   - start: Input time of the first frame, if it is the first slice; nil for the slice's own.
  ///   - end: Input time from which there is silence instead of a source.
  @_noLocks mutating func render(
    _ slice: borrowing RenderSlice, rate newRate: ParameterHandle, cents newCents: ParameterHandle?,
    from start: Double? = nil, to end: Double = .infinity
  ) {
    if isFresh {
      isFresh = false
      let own = slice.sampleTime * unit
      let begin = max(-9e15, min(9e15, start ?? own))
      inputTime = Double(Int64(begin))
    }
    if newRate.isScheduled(in: slice) { rate.jump(to: newRate.value) }
    if let newCents, newCents.isScheduled(in: slice) { pitch.jump(to: newCents.value) }
    var frame = 0
    while frame < slice.frameCount {
      if clock.isAtGridPoint {
        rate.advance(toward: newRate.value)
        pitch.advance(toward: newCents?.value ?? 0)
      }
      let run = clock.run(of: slice.frameCount - frame, isMoving: true)
      for index in 0..<run {
        let place = clock.phase + index
        setPitch(pitch.value(at: place))
        let step = pitchScale * unit
        while stretcher.lacks(step) {
          let status = fetch(slice, end)
          guard status == 0 else { return slice.fail(status) }
          let speed = Double(max(rate.value(at: place), 1e-3))
          stretcher.feed(
            ratio: max(1.0 / 128, min(128, pitchScale / speed)), pitch: pitchScale)
        }
        let reach = stretcher.aim(step)
        for channel in 0..<channelCount {
          unsafe slice.channel(channel)[frame + index] = stretcher.sample(channel, reach: reach)
        }
        stretcher.advance(step)
      }
      clock.advance(run)
      frame += run
    }
    for channel in channelCount..<slice.channelCount {
      unsafe SampleCopy.clear(slice.channel(channel), count: slice.frameCount)
    }
  }

  @_noLocks private mutating func setPitch(_ cents: Float) {
    guard cents != lastPitch else { return }
    lastPitch = cents
    pitchScale = max(0.25, min(4, RealtimeMath.exp2(Double(cents) / 1200)))
  }

  /// Pulls one chunk, in as many parts as a pull may have frames, with silence behind the end.
  @_noLocks private mutating func fetch(
    _ slice: borrowing RenderSlice, _ end: Double
  ) -> OSStatus {
    var done = 0
    while done < Stretcher.chunk {
      var count = min(Stretcher.chunk - done, slice.maximumFrameCount)
      if inputTime >= end {
        for channel in 0..<channelCount {
          unsafe SampleCopy.clear(stretcher.inputPointer(channel) + done, count: count)
        }
      } else {
        count = Int(min(Double(count), end - inputTime))
        let status = slice.pullInput(bus: 0, sampleTime: inputTime, frameCount: count)
        guard status == 0 else { return status }
        for channel in 0..<channelCount {
          let source = slice.pulled(channel, count: count)
          let target = unsafe stretcher.inputPointer(channel) + done
          for frame in source.indices { unsafe target[frame] = source[frame] }
        }
      }
      inputTime += Double(count)
      done += count
    }
    return 0
  }
}
