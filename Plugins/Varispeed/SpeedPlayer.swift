// The common part of both varispeed units: their two parameters, and pulling the input at their speed.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox
import RealtimeSupport

/// The speed as a ratio and in cents: two views of one value.
struct VarispeedParameters: ParameterSet {
  @Parameter(
    kVarispeedParam_PlaybackRate, "playback rate", 0.25...4, default: 1, unit: .rate,
    curve: .logarithmic)
  var rate: Float
  @Parameter(
    kVarispeedParam_PlaybackCents, "playback cents", -2400...2400, default: 0, unit: .cents)
  var cents: Float
}

/// Reads an input at the speed of the parameters, which glides to a new one in 20 ms.
///
/// Made and freed on a control thread, all else render.
@safe struct SpeedPlayer: ~Copyable {
  private let channelCount: Int
  private let parameters: VarispeedParameters
  /// Input frames in an output frame at the rate 1.
  private let unit: Double
  private var reader: SpeedReader
  private var clock = ControlClock()
  private var glide: ParameterGlide
  private var rate: Float
  private var cents: Float
  private var inputTime = 0.0
  private var isFresh = true

  /// Allocates for a format. Context: control.
  init(_ format: RenderFormat, _ parameters: VarispeedParameters) {
    channelCount = min(format.channelCount, format.inputChannelCount)
    self.parameters = parameters
    unit = (format.inputSampleRates.first ?? format.sampleRate) / format.sampleRate
    reader = SpeedReader(
      RateQuality(
        complexity: kAudioUnitSampleRateConverterComplexity_Normal,
        renderQuality: format.renderQuality),
      channelCount: channelCount, greatestStep: 4 * unit, maximumPush: format.maximumFrames)
    glide = ParameterGlide(sampleRate: format.sampleRate)
    rate = parameters.rate
    cents = parameters.cents
  }

  /// Half the filter, in input frames, as it sounds on behind the input's end. Context: control.
  var tailFrames: Int { reader.reach }

  @_noLocks mutating func reset() {
    reader.reset()
    clock.reset()
    glide.reset()
    isFresh = true
  }

  /// The rate that counts: that of the parameter which changed last. The other one follows.
  @_noLocks private mutating func follow() -> Float {
    let (newRate, newCents) = (parameters.rate, parameters.cents)
    if newRate != rate || newCents != cents {
      let fits = RealtimeMath.log2(newRate) * 1200 - newCents
      if fits > 0.01 || fits < -0.01 {
        if newRate != rate {
          parameters.cents = RealtimeMath.log2(newRate) * 1200
        } else {
          parameters.rate = RealtimeMath.exp2(newCents / 1200)
        }
      }
      rate = parameters.rate
      cents = parameters.cents
    }
    return rate
  }

  /// Renders one slice.
  ///
  /// - Parameters:
  ///   - start: Input time of the first frame, if it is the first slice.
  ///   - end: Input time from which there is silence instead of a source.
  @_noLocks mutating func render(_ slice: borrowing RenderSlice, from start: Double, to end: Double)
  {
    if isFresh {
      isFresh = false
      inputTime = start
    }
    if parameters.$rate.isScheduled(in: slice) { glide.jump(to: follow()) }
    if parameters.$cents.isScheduled(in: slice) { glide.jump(to: follow()) }
    var frame = 0
    var isSilent = true
    while frame < slice.frameCount {
      if clock.isAtGridPoint { glide.advance(toward: follow()) }
      let run = clock.run(of: slice.frameCount - frame, isMoving: true)
      for index in 0..<run {
        let step = unit * Double(glide.value(at: clock.phase + index))
        let left = slice.frameCount - frame - index
        while reader.missing(1, step: step) > 0 {
          let status = fetch(slice, reader.missing(left, step: step), end)
          guard status == 0 else { return slice.fail(status) }
        }
        let isQuiet = reader.isSilent(step)
        if !isQuiet { isSilent = false }
        let reach = reader.aim(step, isQuiet: isQuiet)
        for channel in 0..<channelCount {
          unsafe slice.channel(channel)[frame + index] =
            isQuiet ? 0 : reader.sample(channel, reach: reach)
        }
        reader.advance(step)
      }
      clock.advance(run)
      frame += run
    }
    if isSilent { slice.markOutputSilent() }
  }

  /// Pulls so many input frames, or as many as there may be at once.
  @_noLocks private mutating func fetch(
    _ slice: borrowing RenderSlice, _ wanted: Int, _ end: Double
  ) -> OSStatus {
    var count = min(wanted, slice.maximumFrameCount)
    reader.makeRoom(count)
    if inputTime >= end {
      for channel in 0..<channelCount {
        unsafe SampleCopy.clear(reader.pushPointer(channel), count: count)
      }
      reader.push(count, isSilent: true)
      return 0
    }
    if inputTime + Double(count) > end { count = Int(end - inputTime) }
    let status = slice.pullInput(bus: 0, sampleTime: inputTime, frameCount: count)
    guard status == 0 else { return status }
    for channel in 0..<channelCount {
      let source = slice.pulled(channel, count: count)
      let target = unsafe reader.pushPointer(channel)
      for frame in source.indices { unsafe target[frame] = source[frame] }
    }
    reader.push(count, isSilent: slice.inputIsSilent(bus: 0))
    inputTime += Double(count)
    return 0
  }
}
