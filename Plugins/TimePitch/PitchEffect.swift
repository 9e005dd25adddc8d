// The pitch effect: higher or lower at the same length, mixed with the input.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox
import RealtimeSupport

/// Shifts the pitch of a stream, a constant number of frames later: sound and pitch of a time stay together.
///
/// Each chunk is stretched by the pitch and read as much faster. With long windows a lower pitch is shortened and then
/// read slower, which costs least. With short windows it is read slower first: the library never holds back more than
/// at the pitch of the input. Where formants are kept, the result gets the envelope of the input of its time.
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
    @Parameter(
      PitchParameter.formants, "formants", default: .shifted, options: .notWhileRendering)
    var formants: Formants
    @Parameter(PitchParameter.windows, "windows", default: .long, options: .notWhileRendering)
    var windows: Windows
  }

  private let channelCount: Int
  private let sampleRate: Double
  private let parameters: Parameters
  private let options: StretchOptions
  /// Whether lower pitches are read slower before the library, and not behind it.
  private let isSlowFirst: Bool
  /// The input, read slower where the pitch is lower.
  private var slow: SpeedReader
  private var stretcher: Stretcher
  private var formants: FormantKeeper?
  /// Frames by which the keeper of formants is late; 0 where there is none.
  private let formantFrames: Int
  private var clock = ControlClock()
  private var blend: ParameterGlide
  /// Chunks from the input to the output.
  private let delayChunks: Int
  private let windowReach: Int
  /// Blocks that the library holds back; more than these are in the half of its window.
  private let heldBlocks: Int
  /// Stretched frames that the blocks before those should have become.
  private var wanted = 0.0
  /// Pitches at the ends of the last chunks, as ratios; within a chunk they move in a straight line.
  private let scales: UnsafeMutablePointer<Double>
  /// Pitches of the last blocks of the library, as ratios.
  private let blocks: UnsafeMutablePointer<Double>
  private var blockIndex = 0
  /// Frames of the block that is filled, and the sum of their pitches.
  private var blockFrames = 0
  private var blockPitch = 0.0
  /// The place of the slow reader in the last chunk; below zero it is in the one before. The pitches are those at the
  /// ends of the two chunks before the last.
  private var slowPlace = 0.0
  private var lastScale = 1.0
  private var olderScale = 1.0
  /// The pitch at the start of the chunk that is played.
  private var playedScale = 1.0
  /// The input of the last `latencyFrames` frames, channel by channel.
  private let dry: UnsafeMutablePointer<Float>
  private var dryPlace = 0
  private var chunkIndex = 0
  private var filled = 0
  private var heldPitch = 0.0
  private var isFresh = true

  /// Allocates, and finds out how much the library holds back. Context: control.
  init(_ setup: UnitSetup<Self>) throws(UnitRefusal) {
    let isShort = setup.parameters.windows == .short
    let options = StretchOptions(overlap: isShort ? 4 : 8)
    let isSlowFirst = isShort
    let inside = Stretcher.lag(sampleRate: setup.sampleRate, options: options, ratio: 1)
    let most =
      isSlowFirst
      ? inside : Stretcher.lag(sampleRate: setup.sampleRate, options: options, ratio: 0.25)
    let quality = RateQuality(
      complexity: kAudioUnitSampleRateConverterComplexity_Normal,
      renderQuality: setup.format.renderQuality)
    // The first field: Swift 6.3 miscompiles an initializer that throws after another was set.
    stretcher = try Stretcher(
      sampleRate: setup.sampleRate, channelCount: setup.channelCount, options: options,
      quality: quality, greatestStep: 4, ahead: 4 * (most + 4096))
    slow = SpeedReader(
      quality, channelCount: setup.channelCount, greatestStep: 1, maximumPush: Stretcher.chunk)
    formants =
      setup.parameters.formants == .kept
      ? FormantKeeper(sampleRate: setup.sampleRate, channelCount: setup.channelCount) : nil
    formantFrames = formants?.size ?? 0
    self.options = options
    self.isSlowFirst = isSlowFirst
    channelCount = setup.channelCount
    sampleRate = setup.sampleRate
    parameters = setup.parameters
    windowReach = stretcher.windowReach
    let (filters, more) = isSlowFirst ? (2, 6) : (4, 8)
    delayChunks = (most + filters * stretcher.filterReach) / Stretcher.chunk + more
    heldBlocks = max(0, inside - windowReach) / Stretcher.chunk
    blend = ParameterGlide(sampleRate: sampleRate)
    unsafe scales = .allocate(capacity: delayChunks)
    unsafe scales.initialize(repeating: 1, count: delayChunks)
    unsafe blocks = .allocate(capacity: heldBlocks + 1)
    unsafe blocks.initialize(repeating: 1, count: heldBlocks + 1)
    let frames = (delayChunks * Stretcher.chunk + formantFrames) * max(channelCount, 1)
    unsafe dry = .allocate(capacity: frames)
    unsafe dry.initialize(repeating: 0, count: frames)
  }

  deinit {
    unsafe scales.deallocate()
    unsafe blocks.deallocate()
    unsafe dry.deallocate()
  }

  /// Begins anew with a fresh stretcher. Context: control.
  mutating func reset() {
    stretcher.restart(options)
    slow.reset()
    formants?.reset()
    clock.reset()
    blend.reset()
    chunkIndex = 0
    blockIndex = 0
    (blockFrames, blockPitch) = (0, 0)
    (slowPlace, lastScale, olderScale) = (0, 1, 1)
    wanted = 0
    filled = 0
    dryPlace = 0
    isFresh = true
    unsafe dry.update(repeating: 0, count: latencyFrames * max(channelCount, 1))
  }

  var latencyFrames: Int { @_noLocks get { delayChunks * Stretcher.chunk + formantFrames } }

  var tailSeconds: Double { Double(8 * windowReach + formantFrames) / sampleRate }

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
    let length = latencyFrames
    for channel in 0..<channelCount {
      let audio = unsafe slice.channel(channel) + frame
      unsafe SampleCopy.copy(
        from: audio, to: slow.pushPointer(channel) + filled, count: run)
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
    let end = unsafe hasSound ? scales[chunkIndex % delayChunks] : 1
    let slope = hasSound ? (end - playedScale) / Double(Stretcher.chunk) : 0
    for index in 0..<run {
      // A jump of the speed would bend the wave, and click.
      let scale = slope == 0 ? end : playedScale + slope * (Double(filled + index) + 0.5)
      let step = isSlowFirst ? max(scale, 1) : scale
      let wet = blend.value(at: clock.phase + index)
      let isReady = hasSound && !stretcher.lacks(step)
      let reach = isReady ? stretcher.aim(step) : 0
      for channel in 0..<channelCount {
        let audio = unsafe slice.channel(channel) + frame + index
        var shifted = isReady ? stretcher.sample(channel, reach: reach) : 0
        if formantFrames > 0 {
          shifted =
            formants?.pass(channel, dry: unsafe dry[past(channel, index, run)], shifted: shifted)
            ?? 0
        }
        unsafe audio.pointee = wet == 1 ? shifted : audio.pointee + wet * (shifted - audio.pointee)
      }
      if hasSound { stretcher.advance(step) }
      if formantFrames > 0 { formants?.advance(ratio: scale) }
    }
  }

  /// The place of the input that the shifted sound of a frame was made of.
  ///
  /// - Parameters:
  ///   - index: The frame of a run.
  ///   - run: Frames that were put in the line since the first frame of the run.
  @_noLocks private func past(_ channel: Int, _ index: Int, _ run: Int) -> Int {
    let length = latencyFrames
    return channel * length + (dryPlace + length - run + index + formantFrames) % length
  }

  /// Shifts a full chunk by the pitch, which moves to a new one in 40 ms.
  @_noLocks private mutating func finishChunk() {
    let target = Double(parameters.pitch)
    let most = 2400 * Double(Stretcher.chunk) / (0.04 * sampleRate)
    heldPitch =
      isFresh ? target : heldPitch + max(-most, min(most, target - heldPitch))
    let scale = max(0.25, min(4, RealtimeMath.exp2(heldPitch / 1200)))
    let place = chunkIndex % delayChunks
    if isFresh {
      unsafe scales.update(repeating: scale, count: delayChunks)
      unsafe blocks.update(repeating: scale, count: heldBlocks + 1)
      (playedScale, lastScale, olderScale) = (scale, scale, scale)
    } else if chunkIndex >= delayChunks {
      playedScale = unsafe scales[place]
    }
    isFresh = false
    unsafe scales[place] = scale
    chunkIndex += 1
    filled = 0
    slow.push(Stretcher.chunk, isSilent: false)
    fillBlocks(toward: scale)
    (olderScale, lastScale) = (lastScale, scale)
    slow.makeRoom(Stretcher.chunk)
  }

  /// Reads what has come in at the speed of the pitch where that is lower, and stretches it block by block.
  @_noLocks private mutating func fillBlocks(toward scale: Double) {
    let length = Double(Stretcher.chunk)
    while true {
      // The reader is behind by half its filter: what it lacks of a chunk, it reads with the next one.
      let slope = slowPlace < 0 ? lastScale - olderScale : scale - lastScale
      let pitch = slope == 0 ? lastScale : lastScale + slope * slowPlace / length
      let step = isSlowFirst ? min(pitch, 1) : 1
      guard slow.missing(1, step: step) == 0 else { break }
      let reach = slow.aim(step, isQuiet: false)
      for channel in 0..<channelCount {
        unsafe stretcher.inputPointer(channel)[blockFrames] = slow.sample(channel, reach: reach)
      }
      slow.advance(step)
      slowPlace += step
      blockPitch += pitch
      blockFrames += 1
      if blockFrames == Stretcher.chunk { finishBlock() }
    }
    slowPlace -= length
  }

  /// Stretches a full block.
  @_noLocks private mutating func finishBlock() {
    unsafe blocks[blockIndex % (heldBlocks + 1)] = blockPitch / Double(Stretcher.chunk)
    // A ratio counts for the block that leaves the library, not for that which enters.
    let pitch = unsafe blocks[(blockIndex + 1) % (heldBlocks + 1)]
    if blockIndex >= heldBlocks { wanted += pitch * Double(Stretcher.chunk) }
    (blockFrames, blockPitch) = (0, 0)
    blockIndex += 1
    stretcher.feed(ratio: pitch * correction(pitch))
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
