// A chain as a graph of units: branches, side chains, automation, over a stream of planar audio.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
import AudioUnits
import CAudioToolbox
import RealtimeSupport

/// A net of stages, built as a graph of audio units and rendered slice by slice.
///
/// Every stage is a node: the unit itself where it takes the chain's channels, else a node that holds
/// its instances. Where a signal has several readers there is a splitter, where branches meet a
/// mixer; the graph aligns what meets. Not thread-safe: one thread at a time.
@safe public final class GraphChain: RenderChain {
  /// Frames per second (Hz).
  public let sampleRate: Double
  /// Channels in and out.
  public let channelCount: Int
  /// Greatest number of frames in one `render`.
  public let maximumFrames: Int
  /// One sentence for each stage whose channels had to be adapted, and each file of a side chain.
  public internal(set) var notes: [String] = []
  /// The graph that renders.
  public let graph = AudioUnitGraph()
  /// Whether no stage is heard; the chain then copies.
  public internal(set) var isEmpty = true
  /// Latency of the whole chain in frames, as the units tell it after the last slice.
  public private(set) var latencyFrames = 0
  /// Whether a unit tells its latency only while it runs.
  public private(set) var tellsLatencyLate = false
  /// Whether a unit is harmed by slices of other lengths than the ones before.
  public private(set) var wantsWholeSlices = false

  /// A node whose unit has parameters that change over time.
  struct Automated {
    var node: AudioUnitGraph.Node
    var units: [AudioUnit]
    var curves: [ParameterCurve]
    /// Frames by which the sound arrives late at the node.
    var delay = 0
  }

  let input: UnsafeMutablePointer<Input>
  /// What is asked for the result.
  private var output: RenderProcedure?
  private let list: UnsafeMutablePointer<AudioBufferList>
  /// The pointers that are given out.
  private let made: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// Where slices are put together that are rendered in parts.
  private lazy var whole = PlanarMemory(channelCount: channelCount, frameCount: maximumFrames)
  var automated: [Automated] = []
  var feeds: [SideFeed] = []
  /// The nodes of stages with several instances, whose failures are kept there.
  var wrapped: [AudioUnitGraph.Node: UnitChain] = [:]
  /// Whether signals meet that may come late by different times.
  var hasJoints = false
  /// The nodes whose latency may change, with what is in those of several instances.
  private var watched: [(node: GraphNode, inner: UnitChain?)] = []
  /// Frames since the start.
  private(set) var frame = 0
  /// The time that the graph is told, which never goes back.
  private var graphTime = 0.0
  /// The most frames that are rendered at once.
  private var sliceLimit: Int

  /// Opens, configures and initialises every unit that is heard.
  ///
  /// - Parameters:
  ///   - net: What hears what.
  ///   - sampleRate: Frames per second (Hz).
  ///   - channelCount: Channels in and out, at least 1.
  ///   - maximumFrames: Greatest number of frames in one `render`.
  ///   - openFile: Opens the files of side chains; without it they are refused.
  /// - Throws: The first unit's failure, with the stage's label in its message.
  ///
  /// Context: control.
  public init(
    net: ChainNet, sampleRate: Double, channelCount: Int, maximumFrames: Int,
    openFile: SideFileOpener? = nil
  ) throws(AuricleError) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.maximumFrames = maximumFrames
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
    var builder = GraphChainBuilder(self, net, openFile)
    try builder.build()
    output = graph.headNode?.unit?.renderProcedure
    // The output has no latency that could change.
    watched = graph.participants.filter { !$0.isOutput }.map { ($0, wrapped[$0.number]) }
    if automated.contains(where: { $0.units.contains { !$0.takesScheduledChanges } }) {
      sliceLimit = min(64, maximumFrames)
    }
    readLatencies(always: true)
    tellsLatencyLate = !graph.areLatenciesKnown
    wantsWholeSlices =
      watched.contains { $0.node.unit?.wantsWholeSlices == true }
      || wrapped.values.contains { $0.units.joined().contains { $0.wantsWholeSlices } }
    try settleLatencies()
  }

  deinit {
    // Units first: they may still point at what is freed here.
    graph.close()
    unsafe input.pointee.channels.deallocate()
    unsafe input.deallocate()
    unsafe UnsafeMutableRawPointer(list).deallocate()
    unsafe made.deallocate()
  }

  /// Seconds the chain rings on after its input ended, or nil when a unit cannot tell.
  public var tailSeconds: Double? {
    guard let tail = graph.tailSeconds, tail.isFinite, tail >= 0 else { return nil }
    return tail
  }

  /// Forgets the past of every unit; curves and side files start anew.
  ///
  /// - Throws: The failure of a unit that could not be reset.
  public func reset() throws(AuricleError) {
    try graph.reset()
    for feed in feeds { try feed.rewind() }
    for entry in automated {
      for curve in entry.curves {
        guard let first = curve.points.first else { continue }
        for unit in entry.units {
          try unit.setParameter(
            curve.parameter, first.value, scope: curve.scope, element: curve.element)
        }
      }
    }
    frame = 0
  }

  /// Renders one slice, which stays where it was made; see `RenderChain`.
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
    var count = schedulableCount(min(sliceLimit, frameCount))
    try unsafe renderPart(input, from: 0, count: count)
    guard count < frameCount else { return unsafe made }
    var done = 0
    while true {
      for channel in 0..<channelCount {
        unsafe SampleCopy.copy(from: made[channel], to: whole.rows[channel] + done, count: count)
      }
      done += count
      guard done < frameCount else { break }
      count = schedulableCount(min(sliceLimit, frameCount - done))
      try unsafe renderPart(input, from: done, count: count)
    }
    for channel in 0..<channelCount { unsafe made[channel] = whole.rows[channel] }
    return unsafe made
  }

  /// Renders frames of a slice at once; `made` then points at them.
  private func renderPart(
    _ input: UnsafePointer<UnsafeMutablePointer<Float>>, from start: Int, count: Int
  ) throws(AuricleError) {
    for feed in feeds { try feed.fill(count) }
    if !automated.isEmpty { try schedule(count) }
    let buffers = unsafe graphBuffers(list)
    for channel in 0..<channelCount {
      unsafe self.input.pointee.channels[channel] = unsafe input[channel] + start
      unsafe buffers[channel] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(count * 4), mData: nil)
    }
    guard let output else {
      throw AuricleError(.software, "the graph of the chain has no output")
    }
    var stamp = AudioTimeStamp(sampleTime: graphTime)
    var flags: AudioUnitRenderActionFlags = 0
    let status = unsafe output.render(
      &flags, &stamp, outputElement: 0, frameCount: UInt32(count), buffers: list)
    graphTime += Double(count)
    guard status == 0 else { throw failure(status) }
    for channel in 0..<channelCount {
      guard let samples = unsafe buffers[channel].mData else {
        throw AuricleError(.software, "the graph of the chain gave no samples")
      }
      unsafe made[channel] = unsafe samples.assumingMemoryBound(to: Float.self)
    }
    frame += count
    readLatencies()
  }

  /// Asks the units for their latencies, and has the graph align anew what changed.
  private func readLatencies(always: Bool = false) {
    var isChanged = always
    for (node, inner) in watched {
      let mayDiffer =
        inner.map { !node.isLatencyKnown || $0.mayHaveNewLatency } ?? node.mayHaveNewLatency
      if always || mayDiffer, node.readLatency() { isChanged = true }
    }
    guard isChanged else { return }
    graph.reading {
      if !always { try? graph.applyChanges() }
      graph.reclaim()
    }
    latencyFrames = graph.latencyFrames
    if !automated.isEmpty {
      let delays = graph.arrivalFrames(at: automated.map(\.node))
      for index in automated.indices { automated[index].delay = delays[index] }
    }
  }

  /// Renders a quarter of a second of silence where a unit tells its latency late and something depends on
  /// it from the first frame on: branches that meet, curves that wait for the sound.
  private func settleLatencies() throws(AuricleError) {
    guard hasJoints || !automated.isEmpty, tellsLatencyLate else { return }
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
  }
}
