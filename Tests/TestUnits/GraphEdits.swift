// Random edits of a graph that renders, and the thread that renders it.
// SPDX-License-Identifier: Apache-2.0

public import AudioGraph
public import AudioTypes
import AudioUnits
public import CAudioToolbox
import Glibc
import RealtimeSupport
public import Synchronization
import TestSupport

/// Edits a graph of sources, effects, splitters and mixers at random.
///
/// Every mixer takes the mean of its inputs, so nothing is ever louder than one source (0.1), and
/// nothing steeper than a sine of 50 Hz: a larger step of the output is a click.
@safe public final class GraphEditor {
  /// The graph; its output node is there from the start.
  public let graph = AudioUnitGraph()
  /// How many edits were made, and how many of them the graph refused.
  public private(set) var edits = 0
  /// How many edits the graph refused, as it should.
  public private(set) var refused = 0
  /// The largest step from sample to sample that no click makes.
  public static let largestStep: Float = 0.004

  /// The seed that the edits follow from.
  public var seed: UInt64 { generator.seed }

  private struct Member {
    var node: AudioUnitGraph.Node
    var inputs: Int
    var outputs: Int
  }

  private final class WeakUnit {
    weak var unit: AudioUnit?
    init(_ unit: AudioUnit) { self.unit = unit }
  }

  private var generator: SeededGenerator
  private var members: [Member] = []
  private let end: AudioUnitGraph.Node
  private var units: [WeakUnit] = []
  private let phase: UnsafeMutablePointer<Double>

  /// Makes a graph with an output node, opened and initialised.
  public init(seed: UInt64) throws(AuricleError) {
    generator = SeededGenerator(seed: seed)
    unsafe phase = .allocate(capacity: 1)
    unsafe phase.initialize(to: 0)
    end = try graph.addNode(
      description: TestUnits.codes("auou", "genr"), label: "output", makeUnit: Self.monoOutput)
    try graph.open()
    try graph.initialize()
  }

  deinit { unsafe phase.deallocate() }

  /// Units that are still open, of all that were made.
  public var openUnitCount: Int {
    units.removeAll { $0.unit == nil }
    return units.count
  }

  /// Nodes of the graph, the output node included.
  public var nodeCount: Int { members.count + 1 }

  /// Takes everything away but the output node.
  public func clear() throws(AuricleError) {
    for member in members { try graph.removeNode(member.node) }
    members = []
    try graph.update()
  }

  /// Makes one edit, and updates the graph now and then.
  public func edit() throws(AuricleError) {
    edits += 1
    switch random(12) {
    case 0, 1: try add()
    case 2: try remove()
    case 3, 4, 5, 6, 7: try attempt { () throws(AuricleError) in try self.connect() }
    case 8: try attempt { () throws(AuricleError) in try self.disconnect() }
    case 9: try attempt { () throws(AuricleError) in try self.setCallback() }
    case 10: _ = try graph.update(waits: false)
    default: _ = try graph.update(waits: true)
    }
    if random(3) == 0 { _ = try graph.update(waits: random(2) == 0) }
  }

  private func attempt(_ body: () throws(AuricleError) -> Void) throws(AuricleError) {
    do throws(AuricleError) {
      try body()
    } catch {
      guard error.status == kAUGraphErr_InvalidConnection else { throw error }
      refused += 1
    }
  }

  private func random(_ limit: Int) -> Int { Int(generator.next() % UInt64(limit)) }

  private func add() throws(AuricleError) {
    guard members.count < 24 else { return try remove() }
    let frequency = Float(10 + random(40))
    let kind = random(6)
    let (type, inputs, outputs): (String, Int, Int) =
      switch kind {
      case 0, 1: ("augn", 0, 1)
      case 2: ("aufx", 1, 1)
      case 3: ("aufx", 1, 1)
      case 4: ("aufc", 1, 2)
      default: ("aumx", 4, 1)
      }
    let node = try graph.addNode(
      description: TestUnits.codes(type, kind == 4 ? "splt" : "test"), label: "\(type) \(kind)"
    ) { () throws(AuricleError) in
      let unit: AudioUnit
      switch kind {
      case 0, 1:
        unit = try TestUnits.sine()
        try unit.setParameter(0, frequency)
        try unit.setParameter(1, 0.1)
      case 2: unit = try TestUnits.pass()
      case 3: unit = try TestUnits.lookAhead()
      case 4: unit = try TestUnits.split(2)
      default:
        unit = try TestUnits.sum(4)
        try unit.setParameter(0, 0.25)
      }
      try Self.makeMono(unit)
      self.units.append(WeakUnit(unit))
      return unit
    }
    members.append(Member(node: node, inputs: inputs, outputs: outputs))
  }

  private func remove() throws(AuricleError) {
    guard !members.isEmpty else { return }
    try graph.removeNode(members.remove(at: random(members.count)).node)
  }

  private func connect() throws(AuricleError) {
    guard !members.isEmpty else { return }
    let source = members[random(members.count)]
    var target = members[random(members.count)]
    // The end is worth more than any other node: without it all else is silent.
    if random(3) == 0 { target = Member(node: end, inputs: 1, outputs: 0) }
    guard source.outputs > 0, target.inputs > 0 else { return }
    let input = UInt32(random(target.inputs))
    if random(2) == 0 { try? graph.disconnectInput(target.node, input: input) }
    try graph.connect(
      source.node, output: UInt32(random(source.outputs)), to: target.node, input: input)
  }

  private func disconnect() throws(AuricleError) {
    let target = members.isEmpty ? nil : members[random(members.count)]
    guard let target, target.inputs > 0, random(4) != 0 else {
      return try graph.disconnectInput(end)
    }
    try graph.disconnectInput(target.node, input: UInt32(random(target.inputs)))
  }

  private func setCallback() throws(AuricleError) {
    guard !members.isEmpty else { return }
    let target = members[random(members.count)]
    guard target.inputs > 0 else { return }
    try unsafe graph.setInputCallback(
      target.node, input: UInt32(random(target.inputs)),
      AURenderCallbackStruct(inputProc: constantCallback, inputProcRefCon: nil))
  }

  private static func monoOutput() throws(AuricleError) -> AudioUnit {
    let unit = try TestUnits.output()
    try makeMono(unit)
    return unit
  }

  private static func makeMono(_ unit: AudioUnit) throws(AuricleError) {
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      for bus in 0..<unit.busCount(scope: scope) {
        try unit.setStreamFormat(
          AudioStreamFormat(sampleRate: 48_000, channelCount: 1), scope: scope,
          element: UInt32(bus))
      }
    }
    try unit.setMaximumFramesPerSlice(512)
  }
}

/// Gives the same number always: several inputs may share it.
private let constantCallback: AURenderCallback = { _, _, _, _, frames, list in
  guard let samples = unsafe list?.samples(0) else { return kAudio_ParamError }
  for frame in 0..<Int(frames) { unsafe samples[frame] = 0.08 }
  return 0
}

/// Pulls the output unit of a graph on a thread of its own, and looks for clicks.
///
/// @unchecked Sendable because what the thread writes is read after it was joined, or is atomic.
@safe public final class GraphPuller: @unchecked Sendable {
  /// Slices rendered so far.
  public let slices = Atomic<Int>(0)
  /// The largest step between two samples.
  public private(set) var largestStep: Float = 0
  /// The first error; 0 for none.
  public private(set) var status: OSStatus = 0
  /// The sum of the magnitudes of all samples: 0 if nothing was ever heard.
  public private(set) var sum = 0.0

  private let isRunning = Atomic<Bool>(true)
  private let render: RenderProcedure
  private let unit: AudioUnit
  private let checksRealtime: Bool
  private let buffers = AudioBuffers(channelCount: 1, frameCapacity: 512)
  private var generator: SeededGenerator
  private var last: Float = 0
  private var time = 0.0
  private var thread = pthread_t()

  /// Prepares the pulling of an initialised graph.
  ///
  /// - Parameter checksRealtime: Whether each slice is a section that RealtimeSanitizer looks at.
  public init(_ graph: AudioUnitGraph, seed: UInt64, checksRealtime: Bool = false)
    throws(AuricleError)
  {
    guard let unit = graph.outputUnit else { throw AuricleError(.software, "no output unit") }
    self.unit = unit
    self.checksRealtime = checksRealtime
    render = unit.renderProcedure
    generator = SeededGenerator(seed: seed)
  }

  /// Renders one slice of a random length.
  public func pull() {
    let frames = Int(generator.next() % 256) + 1
    buffers.setFrameCount(frames)
    var flags: AudioUnitRenderActionFlags = 0
    var stamp = AudioTimeStamp(sampleTime: time)
    if checksRealtime { RealtimeSection.enter() }
    let result = unsafe render.render(
      &flags, &stamp, outputElement: 0, frameCount: UInt32(frames), buffers: buffers.list)
    if checksRealtime { RealtimeSection.exit() }
    time += Double(frames)
    // Before anything was ever connected, the output has no input, and says so.
    if result != 0 && result != kAudioUnitErr_NoConnection && status == 0 { status = result }
    let samples = unsafe buffers.channel(0)
    for frame in 0..<frames {
      let sample = unsafe result == 0 ? samples[frame] : 0
      largestStep = max(largestStep, abs(sample - last))
      if !sample.isFinite { largestStep = .infinity }
      last = sample
      sum += Double(abs(sample))
    }
    slices.add(1, ordering: .releasing)
  }

  /// Starts the thread.
  public func start() {
    unsafe pthread_create(
      &thread, nil,
      { reference in
        guard let reference = unsafe reference else { return nil }
        let puller = unsafe Unmanaged<GraphPuller>.fromOpaque(reference).takeUnretainedValue()
        while puller.isRunning.load(ordering: .acquiring) { puller.pull() }
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Ends the thread and waits for it.
  public func stop() {
    isRunning.store(false, ordering: .releasing)
    pthread_join(thread, nil)
  }
}
