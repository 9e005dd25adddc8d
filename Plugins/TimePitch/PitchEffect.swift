// The pitch effect: higher or lower at the same length, mixed with the input.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox
import RealtimeSupport

/// Shifts the pitch of a stream. Each chunk is stretched by the pitch and read as much faster, a constant number of
/// frames later: the latency is the same at every pitch, and sound and pitch of a time stay together.
@safe struct PitchEffect: EffectUnit, ~Copyable {
  static let component = Component(
    "Auricle: Pitch", subtype: "tmpt", manufacturer: "appl",
    summary: "Shifts the pitch and keeps the length.", tags: ["Effects", "Pitch"])

  struct Parameters: ParameterSet {
    @Parameter(kTimePitchParam_Pitch, "pitch", -2400...2400, default: 0, unit: .cents)
    var pitch: Float
    @Parameter(
      kTimePitchParam_EffectBlend, "effect blend", 0...100, default: 100, unit: .percent,
      options: .glides)
    var blend: Float
  }

  private let channelCount: Int
  private let sampleRate: Double
  private let parameters: Parameters
  private var stretcher: Stretcher
  private var clock = ControlClock()
  private var blend: ParameterGlide
  /// Chunks from the input to the output.
  private let delayChunks: Int
  private let windowReach: Int
  /// Chunks that the library holds back; more than these are in the half of its window.
  private let heldChunks: Int
  /// Stretched frames that the chunks before those should have become.
  private var wanted = 0.0
  /// Pitches at the ends of the last chunks, as ratios; within a chunk they move in a straight line.
  private let steps: UnsafeMutablePointer<Double>
  /// The pitch at the start of the chunk that is played.
  private var playedStep = 1.0
  /// The input of the last `latencyFrames` frames, channel by channel.
  private let dry: UnsafeMutablePointer<Float>
  private var dryPlace = 0
  private var chunkIndex = 0
  private var filled = 0
  private var heldPitch = 0.0
  private var isFresh = true

  /// Allocates, and finds out how late the lowest pitch comes. Context: control.
  init(_ setup: UnitSetup<Self>) throws(UnitRefusal) {
    let lag = Stretcher.lag(sampleRate: setup.sampleRate, options: StretchOptions(), ratio: 0.25)
    stretcher = try Stretcher(
      sampleRate: setup.sampleRate, channelCount: setup.channelCount, options: StretchOptions(),
      quality: RateQuality(
        complexity: kAudioUnitSampleRateConverterComplexity_Normal,
        renderQuality: setup.format.renderQuality), greatestStep: 4,
      ahead: 4 * (lag + 4096))
    channelCount = setup.channelCount
    sampleRate = setup.sampleRate
    parameters = setup.parameters
    windowReach = stretcher.windowReach
    delayChunks = (lag + 4 * stretcher.filterReach) / Stretcher.chunk + 8
    let inside = Stretcher.lag(sampleRate: sampleRate, options: StretchOptions(), ratio: 1)
    heldChunks = max(0, inside - windowReach) / Stretcher.chunk
    blend = ParameterGlide(sampleRate: sampleRate)
    unsafe steps = .allocate(capacity: delayChunks)
    unsafe steps.initialize(repeating: 1, count: delayChunks)
    let frames = delayChunks * Stretcher.chunk * max(channelCount, 1)
    unsafe dry = .allocate(capacity: frames)
    unsafe dry.initialize(repeating: 0, count: frames)
  }

  deinit {
    unsafe steps.deallocate()
    unsafe dry.deallocate()
  }

  /// Begins anew with a fresh stretcher. Context: control.
  mutating func reset() {
    stretcher.restart(StretchOptions())
    clock.reset()
    blend.reset()
    chunkIndex = 0
    wanted = 0
    filled = 0
    dryPlace = 0
    isFresh = true
    unsafe dry.update(repeating: 0, count: latencyFrames * max(channelCount, 1))
  }

  var latencyFrames: Int { delayChunks * Stretcher.chunk }

  var tailSeconds: Double { Double(8 * windowReach) / sampleRate }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    var frame = 0
    while frame < slice.frameCount {
      if clock.isAtGridPoint { blend.advance(toward: parameters.blend / 100) }
      // A chunk is a number of intervals of the clock.
      let run = clock.run(of: slice.frameCount - frame, isMoving: true)
      consume(slice, frame, run)
      play(slice, frame, run)
      clock.advance(run)
      filled += run
      if filled == Stretcher.chunk { finishChunk() }
      frame += run
    }
  }

  /// Copies input to the chunk, and puts the dry sound in its place.
  @_noLocks private mutating func consume(_ slice: borrowing RenderSlice, _ frame: Int, _ run: Int)
  {
    let length = delayChunks * Stretcher.chunk
    for channel in 0..<channelCount {
      let audio = unsafe slice.channel(channel) + frame
      unsafe SampleCopy.copy(
        from: audio, to: stretcher.inputPointer(channel) + filled, count: run)
      // The clock's intervals divide the length, so that no run goes over its end.
      let past = unsafe dry + channel * length + dryPlace
      for index in 0..<run {
        let sample = unsafe past[index]
        unsafe past[index] = audio[index]
        unsafe audio[index] = sample
      }
    }
    dryPlace += run
    if dryPlace == length { dryPlace = 0 }
  }

  /// Mixes the shifted sound with the dry one.
  @_noLocks private mutating func play(_ slice: borrowing RenderSlice, _ frame: Int, _ run: Int) {
    let hasSound = chunkIndex >= delayChunks
    let end = unsafe hasSound ? steps[chunkIndex % delayChunks] : 1
    let slope = hasSound ? (end - playedStep) / Double(Stretcher.chunk) : 0
    for index in 0..<run {
      // A jump of the speed would bend the wave, and click.
      let step = slope == 0 ? end : playedStep + slope * (Double(filled + index) + 0.5)
      let wet = blend.value(at: clock.phase + index)
      let isReady = hasSound && !stretcher.lacks(step)
      let reach = isReady ? stretcher.aim(step) : 0
      for channel in 0..<channelCount {
        let audio = unsafe slice.channel(channel) + frame + index
        let shifted = isReady ? stretcher.sample(channel, reach: reach) : 0
        unsafe audio.pointee = wet == 1 ? shifted : audio.pointee + wet * (shifted - audio.pointee)
      }
      if hasSound { stretcher.advance(step) }
    }
  }

  /// Stretches a full chunk by the pitch, which moves to a new one in 20 ms.
  @_noLocks private mutating func finishChunk() {
    let target = Double(parameters.pitch)
    let most = 2400 * Double(Stretcher.chunk) / (0.02 * sampleRate)
    heldPitch =
      isFresh ? target : heldPitch + max(-most, min(most, target - heldPitch))
    let scale = max(0.25, min(4, RealtimeMath.exp2(heldPitch / 1200)))
    let place = chunkIndex % delayChunks
    if isFresh {
      unsafe steps.update(repeating: scale, count: delayChunks)
      playedStep = scale
    } else if chunkIndex >= delayChunks {
      playedStep = unsafe steps[place]
    }
    isFresh = false
    unsafe steps[place] = scale
    // A ratio counts for the chunk that leaves the library, not for that which enters.
    let pitch = mean(of: max(chunkIndex - heldChunks, 0))
    if chunkIndex >= heldChunks { wanted += pitch * Double(Stretcher.chunk) }
    stretcher.feed(ratio: pitch * correction(pitch))
    chunkIndex += 1
    filled = 0
  }

  /// The mean of the pitches in one of the last chunks.
  @_noLocks private func mean(of chunk: Int) -> Double {
    let before = (chunk + delayChunks - 1) % delayChunks
    return unsafe (steps[before] + steps[chunk % delayChunks]) / 2
  }

  /// Returns the factor that brings the library back to the length of the pitches: its outputs after changes differ
  /// a little, and the differences would add up.
  @_noLocks private func correction(_ scale: Double) -> Double {
    guard stretcher.made > 0 else { return 1 }
    let missing = wanted - Double(windowReach) - Double(stretcher.made)
    let band = 512 * scale + 256
    if missing > band { return 1 + min(0.1, (missing - band) / 4096) }
    if missing < -band { return 1 - min(0.1, (-band - missing) / 4096) }
    return 1
  }
}

/// Makes one pitch effect; the factory function of the component. Context: control.
@c(AuriclePitchFactory)
public func pitchFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(PitchEffect.self, request) { unsafe render(PitchEffect.self, $0, $1) }
}
