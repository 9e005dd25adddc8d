// The chain engine: stages, branches, side chains and automation, rendered as a graph of units.
// SPDX-License-Identifier: Apache-2.0

public import AudioGraph
public import AudioTypes
package import AudioUnits
import CAudioToolbox
import RealtimeSupport

/// A chain of audio units that processes slices of planar float audio and returns as many frames.
///
/// It is a graph: every stage is a node, the unit itself where it accepts the chain's channels, else
/// a node that holds its instances. A signal with several readers goes through a splitter, branches
/// meet in a mixer, and the graph aligns signals that meet. The chain keeps its number of channels,
/// and its output lags by `latencyFrames`. Not thread-safe: one thread at a time.
@safe public final class UnitChain {
  /// Frames per second (Hz).
  public let sampleRate: Double
  /// Channels in and out.
  public let channelCount: Int
  /// Greatest number of frames in one `render`.
  public let maximumFrames: Int
  /// One sentence for each stage whose channels or frequencies had to be adapted, and each file of a side
  /// chain.
  public internal(set) var notes: [String] = []
  /// The stages that are not bypassed, in the order of the chain.
  package internal(set) var stages: [Stage] = []
  /// The branches of the sum that is tapped; nil for none.
  package internal(set) var tap: Tap?
  /// The graph that renders.
  public let graph = AudioUnitGraph()
  /// Whether there is no stage that is not bypassed; the chain then copies.
  public internal(set) var isEmpty = true
  /// Latency of the whole chain in frames, as the units report it after the last slice.
  ///
  /// Many LV2 plug-ins know theirs only after they have run; read it again after the first slice.
  public private(set) var latencyFrames = 0
  /// Whether silence was rendered when the chain was made, so that `latencyFrames` is true of the first slice.
  public private(set) var hasSettledLatencies = false
  /// Whether a unit knows its latency only after it has run.
  public private(set) var reportsLatencyLate = false
  /// Whether a unit is harmed by slices of other lengths than the ones before.
  public private(set) var wantsWholeSlices = false

  /// A stage at work.
  package struct Stage {
    /// Its number in the preset, from 0.
    package var number: Int
    package var label: String
    package var units: [AudioUnit]
    /// The node of the graph; 0 for an offline stage, which has none.
    var node: AudioUnitGraph.Node
  }

  /// A node whose unit has parameters that change over time.
  struct Automated {
    /// The node of the graph; 0 for an offline stage, which has none.
    var node: AudioUnitGraph.Node
    var units: [AudioUnit]
    var curves: [ParameterCurve]
    /// Frames by which the sound arrives late at the node.
    var delay = 0
  }

  let input: UnsafeMutablePointer<Input>
  /// The render function of the graph's output unit.
  private var output: RenderProcedure?
  private let list: UnsafeMutablePointer<AudioBufferList>
  /// The pointers that `render` returns.
  let made: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// Where slices are put together that are rendered in parts.
  private lazy var whole = PlanarMemory(channelCount: channelCount, frameCount: maximumFrames)
  var automated: [Automated] = []
  var feeds: [SideFeed] = []
  var noises: [NoiseMixer] = []
  /// The units that other programs play, with the labels of their stages.
  private var programs: [(label: String, unit: AudioUnit)] = []
  /// The stages that work on whole sounds, in the order of the chain, and the graph they were named in.
  var offlineStages: [(index: Int, stage: OfflineStage)] = []
  let layout: ChainGraph
  /// Frames of the whole sound that is rendered; nil where that is as long as the input.
  public internal(set) var wholeFrameCount: Int?
  /// The stages that are more than one unit as it is.
  var stageNodes: [AudioUnitGraph.Node: StageNode] = [:]
  /// Whether signals of different latency may meet.
  var joinsSignals = false
  /// The nodes whose latency may change, with the stage of those of several instances.
  private var watched: [(node: GraphNode, stage: StageNode?)] = []
  /// Frames since the start.
  package private(set) var frame = 0
  /// The graph's sample time, which never goes back.
  private var graphTime = 0.0
  /// The most frames that are rendered at once.
  private var sliceLimit: Int

  /// Opens, configures and initialises every unit that is not bypassed and reaches the output.
  ///
  /// - Parameters:
  ///   - layout: Stages and their feeds.
  ///   - sampleRate: Frames per second (Hz).
  ///   - channelCount: Channels in and out, at least 1.
  ///   - maximumFrames: Greatest number of frames in one `render`.
  ///   - openFile: Opens the files of side chains; without it they are refused.
  /// - Throws: The first unit's failure, with the stage's label in its message.
  ///
  /// Context: control.
  public init(
    _ layout: ChainGraph, sampleRate: Double, channelCount: Int, maximumFrames: Int,
    openFile: SideFileOpener? = nil
  ) throws(AuricleError) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.maximumFrames = maximumFrames
    self.layout = layout
    notes = layout.notes
    sliceLimit = maximumFrames
    let pointers = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(
      capacity: channelCount)
    let nothing = UnsafeMutablePointer<Float>.allocate(capacity: 1)
    unsafe pointers.initialize(repeating: nothing, count: channelCount)
    unsafe nothing.deallocate()
    unsafe input = .allocate(capacity: 1)
    unsafe input.initialize(to: Input(channels: pointers, channelCount: channelCount))
    let size = AudioBufferList.byteSize(bufferCount: channelCount)
    unsafe list = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      .bindMemory(to: AudioBufferList.self, capacity: 1)
    unsafe list.pointee.mNumberBuffers = UInt32(channelCount)
    unsafe made = .allocate(capacity: channelCount)
    graph.checksFiniteness = true
    var builder = UnitChainBuilder(self, layout, openFile)
    try builder.build()
    output = graph.outputUnit?.renderProcedure
    programs = stages.flatMap { stage in
      stage.units.filter { $0.isProgramConnected == true }.map { (stage.label, $0) }
    }
    // The output has no latency that could change.
    watched = graph.participants.filter { !$0.isOutput }.map { ($0, stageNodes[$0.number]) }
    if automated.contains(where: { $0.units.contains { !$0.acceptsScheduledChanges } }) {
      sliceLimit = min(64, maximumFrames)
    }
    readLatencies(always: true)
    reportsLatencyLate = !graph.areLatenciesKnown
    wantsWholeSlices =
      watched.contains { $0.node.unit?.wantsWholeSlices == true }
      || stageNodes.values.contains { $0.units.contains(where: \.wantsWholeSlices) }
    try settleLatencies()
  }

  /// A chain of stages in a row; see the other initialiser.
  ///
  /// Context: control.
  public convenience init(
    stages: [ChainStage], sampleRate: Double, channelCount: Int, maximumFrames: Int
  ) throws(AuricleError) {
    try self.init(
      ChainGraph(stages: stages), sampleRate: sampleRate, channelCount: channelCount,
      maximumFrames: maximumFrames)
  }

  deinit {
    // Units first: they may still point at memory that is freed here.
    graph.close()
    unsafe input.pointee.channels.deallocate()
    unsafe input.deallocate()
    unsafe UnsafeMutableRawPointer(list).deallocate()
    unsafe made.deallocate()
  }

  /// Seconds the chain rings on after its input ended, or nil when a unit does not know.
  public var tailSeconds: Double? {
    guard let tail = graph.tailSeconds, tail.isFinite, tail >= 0 else { return nil }
    return tail
  }

  /// So many of the next frames as are rendered at once: fewer where parameters change over time.
  package func undividedCount(_ frameCount: Int) -> Int {
    schedulableCount(min(sliceLimit, frameCount))
  }

  /// The units of a stage by its number in the preset; none for one that is bypassed. Context: control.
  package func units(ofStage number: Int) -> [AudioUnit] {
    stages.first { $0.number == number }?.units ?? []
  }

  /// Forgets the past of every unit; curves and side files start anew.
  ///
  /// - Throws: The failure of a unit that could not be reset.
  public func reset() throws(AuricleError) {
    try graph.reset()
    for feed in feeds { try feed.rewind() }
    for entry in automated { try entry.begin() }
    frame = 0
  }

  /// Renders one slice, which stays where it was made.
  ///
  /// - Parameters:
  ///   - input: A pointer a channel, `frameCount` samples each.
  ///   - frameCount: 1 to `maximumFrames`.
  /// - Returns: A pointer a channel, `frameCount` samples each: memory of the chain, or that of `input` where
  ///   it `isEmpty`. Samples and pointers may be changed; both hold until the chain is used again.
  /// - Throws: A unit's failure or a value that is not finite, with the stage's label.
  ///
  /// Context: the one thread that drives the chain, offline.
  public func render(
    input: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(AuricleError) -> UnsafeMutablePointer<UnsafeMutablePointer<Float>> {
    guard frameCount > 0, frameCount <= maximumFrames else {
      throw AuricleError(
        .software, status: kAudioUnitErr_TooManyFramesToProcess,
        "a chain made for slices of \(maximumFrames) frames was asked for \(frameCount)")
    }
    for channel in 0..<channelCount {
      let bad = unsafe SampleScan.firstNonFinite(input[channel], count: frameCount)
      if bad >= 0 {
        throw ChainFailureText.notFinite(nil, frame: frame + bad, channel: channel)
      }
    }
    var count = undividedCount(frameCount)
    try unsafe renderPart(input, from: 0, count: count)
    guard count < frameCount else { return unsafe made }
    var done = 0
    while true {
      for channel in 0..<channelCount {
        unsafe SampleCopy.copy(from: made[channel], to: whole.rows[channel] + done, count: count)
      }
      done += count
      guard done < frameCount else { break }
      count = undividedCount(frameCount - done)
      try unsafe renderPart(input, from: done, count: count)
    }
    for channel in 0..<channelCount { unsafe made[channel] = whole.rows[channel] }
    return unsafe made
  }

  /// Renders one slice into memory of the caller's; see the other `render`.
  ///
  /// - Parameter output: A pointer a channel, overwritten; may be the same memory as `input`.
  public func render(
    input: UnsafePointer<UnsafeMutablePointer<Float>>,
    output: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(AuricleError) {
    let made = try unsafe render(input: input, frameCount: frameCount)
    for channel in 0..<channelCount {
      unsafe SampleCopy.copy(from: made[channel], to: output[channel], count: frameCount)
    }
  }

  /// Renders frames of a slice at once; `made` then points at them.
  private func renderPart(
    _ input: UnsafePointer<UnsafeMutablePointer<Float>>, from start: Int, count: Int
  ) throws(AuricleError) {
    for feed in feeds { try feed.fill(count) }
    if !automated.isEmpty { try schedule(count) }
    guard output != nil else {
      throw AuricleError(.software, "the graph of the chain has no output")
    }
    let status = unsafe pull(input, from: start, count: count)
    guard status == 0 else { throw failure(status) }
    // Such a unit renders silence, which is no result.
    if let lost = programs.first(where: { $0.unit.isProgramConnected == false }) {
      throw ChainFailureText.programEnded(lost.label, frame: frame)
    }
    readLatencies()
  }

  /// Has the graph render frames of a slice; where it returns 0, `made` points at them.
  ///
  /// Context: render.
  @_noLocks func pull(
    _ input: UnsafePointer<UnsafeMutablePointer<Float>>, from start: Int, count: Int
  ) -> OSStatus {
    let buffers = unsafe list.buffers
    for channel in 0..<channelCount {
      unsafe self.input.pointee.channels[channel] = unsafe input[channel] + start
      unsafe buffers[channel] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(count * 4), mData: nil)
    }
    guard let output else { return kAudioUnitErr_NoConnection }
    var stamp = AudioTimeStamp(sampleTime: graphTime)
    var flags: AudioUnitRenderActionFlags = 0
    let status = unsafe output.render(
      &flags, &stamp, outputElement: 0, frameCount: UInt32(count), buffers: list)
    graphTime += Double(count)
    guard status == 0 else { return status }
    for channel in 0..<channelCount {
      guard let samples = unsafe buffers[channel].mData else { return kAudioUnitErr_NoConnection }
      unsafe made[channel] = unsafe samples.assumingMemoryBound(to: Float.self)
    }
    frame += count
    return 0
  }

  /// Reads the latencies that may have changed, and realigns the graph if one did.
  private func readLatencies(always: Bool = false) {
    var isChanged = always
    for (node, stage) in watched {
      let mayDiffer =
        stage.map { !node.isLatencyKnown || $0.mayHaveNewLatency } ?? node.mayHaveNewLatency
      if always || mayDiffer, node.readLatency() { isChanged = true }
    }
    guard isChanged else { return }
    graph.realign(appliesChanges: !always)
    latencyFrames = graph.latencyFrames
    if !automated.isEmpty {
      let delays = graph.arrivalFrames(at: automated.map(\.node))
      for index in automated.indices { automated[index].delay = delays[index] }
    }
  }

  /// Renders a quarter of a second of silence where a unit knows its latency only after it has run.
  ///
  /// Branches that meet and curves that follow the sound depend on it from the first frame on.
  private func settleLatencies() throws(AuricleError) {
    guard joinsSignals || !automated.isEmpty, reportsLatencyLate else { return }
    // Units that want slices of one length get the one they will have.
    let count = wantsWholeSlices ? maximumFrames : min(1024, maximumFrames)
    let fade = graph.fadeSeconds
    graph.fadeSeconds = 0
    defer { graph.fadeSeconds = fade }
    let silence = PlanarMemory(channelCount: channelCount, frameCount: count)
    for _ in 0..<max(8, Int(min(sampleRate, 1e6) / 4) / count) {
      silence.clear()
      try unsafe renderPart(silence.rows, from: 0, count: count)
    }
    try reset()
    hasSettledLatencies = true
  }
}
