// The loop of a job: renders the input slice by slice, with latency and tail.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import PlugInGuard
import RealtimeSupport
import ResultSettings
import UnitChains

/// Renders a file slice by slice.
///
/// Frame n of the result belongs to frame n of the input: the chain's latency is cut off at the start, and as
/// much silence is rendered after the end. Some units report their latency only while they run: the first
/// second is then held back until it has settled. A latency reported later is remembered, and the file can be
/// rendered again with it.
///
/// The last slice of the input may be shorter, unless a unit needs slices of full size.
struct JobRendering {
  private let reader: any SoundInput
  private let chain: UnitChain
  private let output: any RenderedSink
  private let settings: JobSettings
  private let input: PlanarBuffer
  private let range: InputRange
  private var hasBegun = false
  private var gate: TailGate
  private var hasEnded = false
  /// Frames of silence that were fed in behind the input.
  private var silenceCount = 0
  private var meter = LevelMeter()
  private let gauge: LoudnessGauge?
  /// What the input is multiplied with before the chain.
  private let inputFactor: Float
  private var latencyHasChanged = false
  /// Whether the latency changed after a part of the result was written.
  private(set) var hasLearnedLatency = false
  /// Slices held back until the latency is known.
  private var early: EarlySlices?

  /// Frames read.
  package private(set) var inputFrameCount = 0
  /// The latency of the chain in frames.
  package private(set) var latency = 0
  /// Notes about latency and tail.
  package private(set) var notes: [String] = []

  package init(
    reader: any SoundInput, chain: UnitChain, range: InputRange, output: any RenderedSink,
    settings: JobSettings, inputFactor: Float
  ) {
    self.inputFactor = inputFactor
    self.reader = reader
    self.chain = chain
    self.range = range
    self.output = output
    self.settings = settings
    input = PlanarBuffer(
      channelCount: max(reader.format.channelCount, chain.channelCount),
      frameCapacity: settings.framesPerSlice)
    gate = TailGate(channelCount: chain.channelCount)
    if settings.latency == .compensate, chain.reportsLatencyLate {
      early = EarlySlices(channelCount: chain.channelCount)
    }
    // The parts of a song are heard in its mix already.
    gauge =
      settings.measuresInput && settings.song?.stems.isEmpty != false
      ? LoudnessGauge(
        sampleRate: reader.format.sampleRate, channelCount: reader.format.channelCount,
        channelMap: reader.metadata.channelMap, isDualMono: settings.isDualMono,
        measuresTruePeak: settings.measuresLoudness) : nil
  }

  /// Levels of the input.
  package var before: Levels { meter.levels }

  /// Loudness of the input once it is read; nil when it is not measured.
  package var loudnessBefore: LoudnessFigures? { gauge?.finish() }

  /// Frames passed beyond the input's length.
  package var tailFrameCount: Int { max(gate.emitted - inputFrameCount, 0) }

  /// Frames of the input according to its header, or those that are likely; nil if unknown.
  var promisedFrameCount: Int? { range.count ?? reader.likelyFrameCount }

  /// The sample rate of the input.
  package var sampleRate: Double { reader.format.sampleRate }

  /// Renders one slice; false when the result is complete.
  package mutating func step() throws(AuricleError) -> Bool {
    Heartbeat.enter(.read, unit: Heartbeat.noUnit)
    let count = try readSlice()
    if inputFrameCount == 0 { return false }
    let made = try unsafe chain.render(input: UnsafePointer(input.rows), frameCount: count)
    try followLatency()
    Heartbeat.enter(.write, unit: Heartbeat.noUnit)
    if early != nil {
      unsafe early?.keep(made, count)
      if !hasEnded, Double(early?.frameCount ?? 0) < reader.format.sampleRate { return true }
      try releaseEarly()
    } else {
      try unsafe pass(made, count, bounds: hasEnded ? bounds : nil)
    }
    guard let end = gate.end else { return true }
    if let note = note(of: end) { notes.append(note) }
    return false
  }

  /// The note about a tail that was cut because it was too long.
  private func note(of end: TailGate.End) -> String? {
    let bounds = bounds
    let seconds = Int((Double(bounds.last - bounds.certain) / reader.format.sampleRate).rounded())
    let place = "\(seconds) s after the end of the input"
    switch end {
    case .maximum: return "still sounding \(place): cut there; --tail SECONDS keeps more"
    case .pause:
      return "cut \(place), in a pause that may not be the end: --tail SECONDS keeps more"
    case .length, .silence: return nil
    }
  }

  private mutating func pass(
    _ rows: ChannelRows, _ count: Int, bounds: TailGate.Bounds?
  ) throws(AuricleError) {
    let output = output
    try unsafe gate.pass(rows, frameCount: count, bounds: bounds) {
      channels, count throws(AuricleError) in try unsafe output.write(channels, count)
    }
  }

  /// Passes on the slices that were held back.
  private mutating func releaseEarly() throws(AuricleError) {
    let slices = early?.slices ?? []
    early = nil
    for (index, slice) in slices.enumerated() {
      // The input can have ended only with the last of them.
      let isLast = index == slices.count - 1
      try unsafe pass(slice.cursor, slice.frameCapacity, bounds: isLast && hasEnded ? bounds : nil)
    }
  }

  /// Fills the input with the next frames, or with silence after the last.
  ///
  /// - Returns: The number of frames to render.
  private mutating func readSlice() throws(AuricleError) -> Int {
    guard !hasEnded else {
      if silenceCount >= latency { chain.endNoise() }
      silenceCount += settings.framesPerSlice
      // A chain without stages renders in place: silence in this memory may have been overwritten.
      input.clear(from: 0)
      return settings.framesPerSlice
    }
    if !hasBegun {
      hasBegun = true
      try skip()
    }
    let wanted = min(settings.framesPerSlice, (range.end ?? .max) - range.start - inputFrameCount)
    let count = wanted > 0 ? try unsafe reader.read(into: input.rows, frameCount: wanted) : 0
    inputFrameCount += count
    unsafe meter.add(
      UnsafePointer(input.rows), channelCount: reader.format.channelCount, frameCount: count)
    unsafe gauge?.add(input.rows, frameCount: count)
    if inputFactor != 1 {
      for channel in 0..<reader.format.channelCount {
        let row = unsafe input.rows[channel]
        for index in 0..<count { unsafe row[index] *= inputFactor }
      }
    }
    if count < settings.framesPerSlice {
      hasEnded = true
      input.clear(from: count)
    }
    // A mono file in a wider chain: all channels are the same.
    for channel in reader.format.channelCount..<max(input.channelCount, reader.format.channelCount)
    {
      unsafe input.rows[channel].update(from: input.rows[0], count: settings.framesPerSlice)
    }
    return count == 0 || chain.wantsWholeSlices ? settings.framesPerSlice : count
  }

  /// Reads and discards frames up to the start.
  private func skip() throws(AuricleError) {
    var left = range.start
    while left > 0 {
      Heartbeat.enter(.read, unit: Heartbeat.noUnit)
      let count = try unsafe reader.read(
        into: input.rows, frameCount: min(left, settings.framesPerSlice))
      guard count > 0 else { throw range.nothingLeft(reader.path, frames: range.start - left) }
      left -= count
    }
  }

  /// Reads the latency of the chain, which many units report only after they have run.
  private mutating func followLatency() throws(AuricleError) {
    let now = chain.latencyFrames
    guard now != latency else { return }
    let rate = reader.format.sampleRate
    guard now >= 0, Double(now) <= 60 * rate else {
      throw AuricleError(
        .software, "the chain tells a delay of \(Double(now) / rate) s, which cannot be true")
    }
    guard gate.emitted == 0 else {
      hasLearnedLatency = !latencyHasChanged && settings.latency == .compensate
      if !latencyHasChanged {
        notes.append(
          "the delay changed from \(latency) to \(now) frames on the way: what follows is not aligned"
        )
      }
      latencyHasChanged = true
      return
    }
    latency = now
    if settings.latency == .compensate { gate.setDelay(now) } else { output.setDelay(now) }
  }

  /// The bounds of the result's end, once the input's length is known.
  private var bounds: TailGate.Bounds {
    let rate = reader.format.sampleRate
    func frames(_ seconds: Double) -> Int { Int((seconds * rate).rounded()) }
    let certain = inputFrameCount + (settings.latency == .keep ? latency : 0)
    let limits = settings.tailLimits
    func fixed(_ extra: Int) -> TailGate.Bounds {
      TailGate.Bounds(
        certain: certain + extra, last: certain + extra, hold: nil, floor: 0, cutsSound: false)
    }
    switch settings.tail {
    case .none: return fixed(0)
    case .keepLength:
      return TailGate.Bounds(
        certain: inputFrameCount, last: inputFrameCount, hold: nil, floor: 0, cutsSound: false)
    case .seconds(let seconds): return fixed(frames(max(seconds, 0)))
    case .automatic:
      if let told = chain.tailSeconds, told.isFinite {
        return TailGate.Bounds(
          certain: certain, last: certain + frames(min(max(told, 0), limits.toldMaximum)),
          hold: frames(limits.toldHold), floor: limits.floor, cutsSound: told > limits.toldMaximum)
      }
      return TailGate.Bounds(
        certain: certain, last: certain + frames(limits.maximum), hold: frames(limits.hold),
        floor: limits.floor, cutsSound: true)
    }
  }
}
