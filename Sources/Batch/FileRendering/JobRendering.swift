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
/// second is then held back until it has settled. A first latency reported later is remembered, and the file can
/// be rendered again with it. A latency that changes after that is compensated from the slice of the change on.
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
  private var hasRendered = false
  private var gate: TailGate
  private var hasEnded = false
  /// Frames of silence that were fed in behind the input.
  private var silenceCount = 0
  private var meter = LevelMeter()
  private let gauge: LoudnessGauge?
  /// The factor of the input before the chain.
  private let inputFactor: Float
  /// Whether the latency is that of the units, not the 0 of units that have not reported one.
  private var latencyIsKnown: Bool
  /// Whether the file can be rendered again with a latency that is reported late.
  private let mayBeginAgain: Bool
  /// Changes of a known latency: how many, and the first.
  private var changes: (count: Int, first: (before: Int, after: Int, frame: Int))?
  /// The first latency of the units, reported after a part of the result was written, and the input's frames by then.
  private(set) var learnedLatency: (latency: Int, frame: Int)?
  /// Slices held back until the latency is known.
  private var early: EarlySlices?

  /// Frames read.
  package private(set) var inputFrameCount = 0
  /// The latency of the chain in frames.
  package private(set) var latency = 0
  /// The note about the tail.
  private var tailNotes: [String] = []

  package init(
    reader: any SoundInput, chain: UnitChain, range: InputRange, output: any RenderedSink,
    settings: JobSettings, inputFactor: Float, mayBeginAgain: Bool = false
  ) {
    self.inputFactor = inputFactor
    self.mayBeginAgain = mayBeginAgain && settings.latency == .compensate
    latencyIsKnown = !chain.reportsLatencyLate || chain.hasSettledLatencies
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
    // The parts of a song are in its mix already.
    gauge =
      settings.measuresInput && settings.song?.stems.isEmpty != false
      ? LoudnessGauge(
        sampleRate: reader.format.sampleRate, channelCount: reader.format.channelCount,
        channelMap: reader.metadata.channelMap, isDualMono: settings.isDualMono,
        measuresTruePeak: settings.measuresLoudness) : nil
  }

  /// Notes about latency and tail.
  package var notes: [String] { [changeNote].compactMap(\.self) + tailNotes }

  /// Whether the file has to be rendered again with a latency that was reported late.
  var hasLearnedLatency: Bool { learnedLatency != nil }

  /// The note of a file that is rendered again: whether the units were as late before they reported it is not known.
  var learnedNote: String? {
    guard let (latency, frame) = learnedLatency else { return nil }
    let seconds = plainNumber((Double(frame) / sampleRate * 10).rounded() / 10)
    return
      "a delay of \(latency) frames was reported only after \(seconds) s: the whole file is aligned with it"
  }

  /// The note about a latency that changed.
  private var changeNote: String? {
    guard let (count, first) = changes else { return nil }
    let seconds = plainNumber((Double(first.frame) / sampleRate * 1000).rounded() / 1000)
    var text =
      "the delay changed from \(first.before) to \(first.after) frames on the way, at \(seconds) s"
    if count > 1 { text += ", and \(count - 1) more time\(count == 2 ? "" : "s")" }
    return settings.latency == .compensate
      ? text + ": the sound after each change is aligned again" : text
  }

  /// Levels of the input.
  package var before: Levels { meter.levels }

  /// Loudness of the input once it is read; nil when it is not measured.
  package var loudnessBefore: LoudnessFigures? { gauge?.finish() }

  /// Frames passed beyond the input's length.
  package var tailFrameCount: Int {
    max(gate.emitted - max(inputFrameCount, chain.wholeFrameCount ?? 0), 0)
  }

  /// Frames of the input according to its header, or the likely number; nil if unknown.
  var promisedFrameCount: Int? { range.count ?? reader.likelyFrameCount }

  /// The sample rate of the input.
  package var sampleRate: Double { reader.format.sampleRate }

  /// Renders one slice; false when the result is complete.
  package mutating func step() throws(AuricleError) -> Bool {
    Heartbeat.enter(.read, unit: Heartbeat.noUnit)
    let count = try readSlice()
    if inputFrameCount == 0 { return false }
    let made = try unsafe chain.render(input: UnsafePointer(input.rows), frameCount: count)
    let shift = try followLatency()
    Heartbeat.enter(.write, unit: Heartbeat.noUnit)
    if early != nil {
      unsafe early?.keep(made, count, shift: shift)
      if !hasEnded, Double(early?.frameCount ?? 0) < reader.format.sampleRate { return true }
      try releaseEarly()
    } else {
      try realign(by: shift)
      try unsafe pass(made, count, bounds: knownBounds)
    }
    guard let end = gate.end else { return true }
    if let note = note(of: end) { tailNotes.append(note) }
    // A result may be shorter than its input.
    while !hasEnded { _ = try readSlice() }
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
      let buffer = slice.buffer
      try realign(by: slice.shift)
      try unsafe pass(
        buffer.cursor, buffer.frameCapacity, bounds: isLast || !hasEnded ? knownBounds : nil)
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
  ///
  /// - Returns: Frames by which the slice just rendered is later than the one before it.
  private mutating func followLatency() throws(AuricleError) -> Int {
    let now = chain.latencyFrames
    let isFirst = !hasRendered
    hasRendered = true
    guard now != latency else { return 0 }
    let rate = reader.format.sampleRate
    guard now >= 0, Double(now) <= 60 * rate else {
      throw AuricleError(
        .software,
        "the chain reports a delay of \(Double(now) / rate) s, which is impossible: leave the unit out"
      )
    }
    let before = latency
    if isFirst || !latencyIsKnown, gate.emitted == 0 {
      latencyIsKnown = latencyIsKnown || now > 0
      latency = now
      if settings.latency == .compensate { gate.setDelay(now) } else { output.setDelay(now) }
      return 0
    }
    if !latencyIsKnown, mayBeginAgain {
      learnedLatency = learnedLatency ?? (now, inputFrameCount)
      return 0
    }
    latency = now
    changes = ((changes?.count ?? 0) + 1, changes?.first ?? (before, now, inputFrameCount))
    return settings.latency == .compensate ? now - before : 0
  }

  /// Aligns the next frames with those passed: leaves out frames of a longer latency, which repeat the end, and puts
  /// silence where a shorter one skips.
  private mutating func realign(by shift: Int) throws(AuricleError) {
    var silence = gate.shift(by: shift)
    while silence > 0 {
      let count = min(silence, settings.framesPerSlice)
      let buffer = PlanarBuffer(channelCount: chain.channelCount, frameCapacity: count)
      try unsafe pass(buffer.cursor, count, bounds: knownBounds)
      silence -= count
    }
  }

  /// The bounds of the result's end as far as they are known: a whole sound has its length from the beginning.
  private var knownBounds: TailGate.Bounds? {
    let isWhole = chain.wholeFrameCount != nil && settings.tail != .keepLength
    return hasEnded || isWhole ? bounds : nil
  }

  /// The bounds of the result's end, once the input's length is known.
  private var bounds: TailGate.Bounds {
    TailGate.Bounds(of: chain, settings, inputFrameCount: inputFrameCount, latency: latency)
  }
}
