// The distortion: delay, decimation, ring modulation, polynomial and soft clip, one behind the other.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox
import RealtimeSupport

/// Five stages in a row, each with its own mix, and a mix with the dry sound.
///
/// Ring modulation, polynomial and soft clip run at eight times the rate (four from 60 kHz on, two from 130 kHz on).
/// Their products above half the rate thus do not fold back below it. Their filters are the latency.
@safe struct Distortion: EffectUnit, ~Copyable {
  static let component = Component(
    "Auricle: Distortion", subtype: "dist", manufacturer: "appl",
    summary: "Delay, decimation, ring modulation, polynomial and soft clip, without aliases.",
    tags: ["Effects", "Distortion"])

  struct Parameters: ParameterSet {
    @Parameter(
      kDistortionParam_Delay, "delay", 0.1...500, default: 0.1, unit: .milliseconds,
      curve: .logarithmic, options: .glides)
    var delay: Float
    @Parameter(
      kDistortionParam_Decay, "decay", 0.1...50, default: 1, unit: .rate, curve: .logarithmic,
      options: .glides)
    var decay: Float
    @Parameter(
      kDistortionParam_DelayMix, "delay mix", 0...100, default: 50, unit: .percent,
      options: .glides)
    var delayMix: Float
    @Parameter(
      kDistortionParam_Decimation, "decimation", 0...100, default: 0, unit: .percent,
      options: .glides)
    var decimation: Float
    @Parameter(
      kDistortionParam_Rounding, "rounding", 0...100, default: 0, unit: .percent,
      options: .glides)
    var rounding: Float
    @Parameter(
      kDistortionParam_DecimationMix, "decimation mix", 0...100, default: 50, unit: .percent,
      options: .glides)
    var decimationMix: Float
    @Parameter(
      kDistortionParam_LinearTerm, "linear term", 0...1, default: 1, unit: .linearGain,
      options: .glides)
    var linearTerm: Float
    @Parameter(
      kDistortionParam_SquaredTerm, "squared term", 0...20, default: 0, unit: .linearGain,
      options: .glides)
    var squaredTerm: Float
    @Parameter(
      kDistortionParam_CubicTerm, "cubic term", 0...20, default: 0, unit: .linearGain,
      options: .glides)
    var cubicTerm: Float
    @Parameter(
      kDistortionParam_PolynomialMix, "polynomial mix", 0...100, default: 50, unit: .percent,
      options: .glides)
    var polynomialMix: Float
    @Parameter(
      kDistortionParam_RingModFreq1, "ring modulation frequency 1", 0.5...8000, default: 100,
      unit: .hertz, curve: .logarithmic, options: .glides)
    var ringFrequency1: Float
    @Parameter(
      kDistortionParam_RingModFreq2, "ring modulation frequency 2", 0.5...8000, default: 100,
      unit: .hertz, curve: .logarithmic, options: .glides)
    var ringFrequency2: Float
    @Parameter(
      kDistortionParam_RingModBalance, "ring modulation balance", 0...100, default: 50,
      unit: .percent, options: .glides)
    var ringBalance: Float
    @Parameter(
      kDistortionParam_RingModMix, "ring modulation mix", 0...100, default: 0, unit: .percent,
      options: .glides)
    var ringMix: Float
    @Parameter(
      kDistortionParam_SoftClipGain, "soft clip gain", -80...20, default: -6, unit: .decibels,
      options: .glides)
    var clipGain: Float
    @Parameter(
      kDistortionParam_FinalMix, "final mix", 0...100, default: 50, unit: .percent,
      options: .glides)
    var finalMix: Float
  }

  static var presets: [Preset<Parameters>] { DistortionPresets.all }
  static let skipsSilence = true

  private let sampleRate: Double
  private let channelCount: Int
  private let parameters: Parameters
  private let filters: OversamplingFilters
  private var clock = ControlClock()
  private var echo: EchoStage
  private var crush: CrushStage
  private var shaper: Shaper
  private var finalMix: ParameterGlide
  private var dry: ChannelDelayLines
  private let channels: UnsafeMutablePointer<DistortionChannel>
  /// A run of one channel, and of the decimation's marks.
  private let scratch: UnsafeMutablePointer<Float>

  init(_ setup: UnitSetup<Self>) {
    sampleRate = setup.sampleRate
    channelCount = setup.channelCount
    parameters = setup.parameters
    filters = OversamplingFilters(sampleRate: sampleRate)
    echo = EchoStage(sampleRate: sampleRate, channelCount: channelCount)
    crush = CrushStage(sampleRate: sampleRate)
    shaper = Shaper(sampleRate: sampleRate, factor: filters.factor)
    finalMix = ParameterGlide(sampleRate: sampleRate)
    dry = ChannelDelayLines(
      channelCount: channelCount, maximumDelay: filters.latency + ControlClock.interval)
    unsafe channels = .allocate(capacity: max(channelCount, 1))
    for channel in 0..<channelCount {
      unsafe (channels + channel).initialize(
        to: DistortionChannel(filters, sampleRate: sampleRate))
    }
    unsafe scratch = .allocate(capacity: 2 * ControlClock.interval)
    unsafe scratch.initialize(repeating: 0, count: 2 * ControlClock.interval)
  }

  deinit {
    unsafe channels.deinitialize(count: channelCount)
    unsafe channels.deallocate()
    unsafe scratch.deallocate()
  }

  @_noLocks mutating func reset() {
    clock.reset()
    echo.reset()
    crush.reset()
    shaper.reset()
    finalMix.reset()
    dry.reset()
    for channel in 0..<channelCount { unsafe channels[channel].reset() }
  }

  /// Latency of the filters. Context: control.
  var latencyFrames: Int { filters.latency }

  /// Until the repeats have fallen by 90 dB.
  var tailSeconds: Double { restSeconds }

  var restSeconds: Double {
    @_noLocks get {
      let loss = 20 * RealtimeMath.log10(1 + Double(max(parameters.decay, 0.1)))
      let repeats = parameters.delayMix > 0 ? 1 + 90 / loss : 0
      return 0.45 + repeats * Double(parameters.delay) * 0.001
    }
  }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    var frame = 0
    while frame < slice.frameCount {
      if clock.isAtGridPoint { advance() }
      var run = clock.run(of: slice.frameCount - frame, isMoving: true)
      run = dry.contiguous(run, delay: filters.latency)
      process(slice, frame, run)
      clock.advance(run)
      if clock.isAtGridPoint { echo.endInterval() }
      frame += run
    }
  }

  @_noLocks private mutating func advance() {
    echo.advance(
      frames: Int(Double(parameters.delay) * 0.001 * sampleRate), decay: parameters.decay,
      mix: parameters.delayMix)
    crush.advance(
      decimation: parameters.decimation, rounding: parameters.rounding,
      mix: parameters.decimationMix)
    shaper.advance(parameters)
    finalMix.advance(toward: parameters.finalMix * 0.01)
  }

  @_noLocks private mutating func process(
    _ slice: borrowing RenderSlice, _ frame: Int, _ count: Int
  ) {
    let phase = clock.phase
    let accepts = unsafe scratch + ControlClock.interval
    unsafe crush.accepts(count, phase: phase, accepts)
    shaper.prepare(count)
    for channel in 0..<channelCount {
      unsafe SampleRun.copy(
        slice.channel(channel) + frame, to: dry.writePointer(channel), count)
    }
    echo.process(slice, frame, count, phase: phase)
    for channel in 0..<channelCount {
      let audio = unsafe slice.channel(channel) + frame
      unsafe SampleRun.copy(audio, to: scratch, count)
      unsafe crush.process(scratch, count, phase: phase, accepts, held: &channels[channel].held)
      let rows = unsafe channels[channel].oversampler.rise(scratch, count, filters)
      unsafe shaper.process(rows, count, phase: phase)
      unsafe channels[channel].oversampler.fall(scratch, count, filters)
      unsafe channels[channel].removeSteady(scratch, count)
      let before = unsafe dry.readPointer(channel, delay: filters.latency)
      for index in 0..<count {
        let mix = finalMix.value(at: phase + index)
        let input = unsafe before[index]
        unsafe audio[index] = input + (scratch[index] - input) * mix
      }
    }
    dry.advance(count)
  }
}

/// Makes one distortion; the factory function of the component. Context: control.
@c(AuricleDistortionFactory)
public func distortionFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(Distortion.self, request) { unsafe render(Distortion.self, $0, $1) }
}
