// Random edits of a graph that renders.
// SPDX-License-Identifier: Apache-2.0

public import AudioGraph
public import AudioTypes
import AudioUnits
import CAudioToolbox
import Glibc
import TestSupport

/// Edits a graph of sources, effects, splitters and mixers at random.
///
/// Every mixer outputs the mean of its inputs: nothing is louder than one source (0.1), or steeper than
/// a sine of 50 Hz. A larger step of the output is a click.
@safe public final class GraphEditor {
  /// The graph; its output node is there from the start.
  public let graph = AudioUnitGraph()
  /// The number of edits made.
  public private(set) var edits = 0
  /// The number of edits that the graph refused, as it should.
  public private(set) var refused = 0
  /// The largest step from sample to sample that no click makes.
  public static let largestStep: Float = 0.004

  /// The edits, in order, for a report of a click.
  public let journal = EditJournal()
  /// The longest sleep (microseconds) before an edit and before an update; 0 for none. Slices then
  /// begin at other places of the edits.
  public var longestPause = 0

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

  /// Removes everything but the output node.
  public func clear() throws(AuricleError) {
    for member in members { try graph.removeNode(member.node) }
    members = []
    try graph.update()
  }

  /// Makes one edit, and updates the graph now and then.
  public func edit() throws(AuricleError) {
    edits += 1
    pause()
    switch random(12) {
    case 0, 1: try add()
    case 2: try remove()
    case 3, 4, 5, 6, 7: try attempt { () throws(AuricleError) in try self.connect() }
    case 8: try attempt { () throws(AuricleError) in try self.disconnect() }
    case 9: try attempt { () throws(AuricleError) in try self.setCallback() }
    case 10: try update(waits: false)
    default: try update(waits: true)
    }
    if random(3) == 0 { try update(waits: random(2) == 0) }
  }

  private func update(waits: Bool) throws(AuricleError) {
    pause()
    let isInForce = try graph.update(waits: waits)
    journal.note("update\(waits ? "" : " without waiting")\(isInForce ? "" : ": not yet in force")")
  }

  /// Rests for a random time: a pace and no wait, so that edits come at all places of a slice.
  private func pause() {
    if longestPause > 0 { usleep(UInt32(random(longestPause + 1))) }
  }

  private func attempt(_ body: () throws(AuricleError) -> Void) throws(AuricleError) {
    do throws(AuricleError) {
      try body()
    } catch {
      guard error.status == kAUGraphErr_InvalidConnection else { throw error }
      refused += 1
      journal.note("refused")
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
    journal.note("add node \(node): \(type) \(kind)")
    members.append(Member(node: node, inputs: inputs, outputs: outputs))
  }

  private func remove() throws(AuricleError) {
    guard !members.isEmpty else { return }
    let node = members.remove(at: random(members.count)).node
    journal.note("remove node \(node)")
    try graph.removeNode(node)
  }

  private func connect() throws(AuricleError) {
    guard !members.isEmpty else { return }
    let source = members[random(members.count)]
    var target = members[random(members.count)]
    // The end is worth more than any other node: without it all else is silent.
    if random(3) == 0 { target = Member(node: end, inputs: 1, outputs: 0) }
    guard source.outputs > 0, target.inputs > 0 else { return }
    let input = UInt32(random(target.inputs))
    if random(2) == 0 {
      journal.note("disconnect node \(target.node) bus \(input)")
      try? graph.disconnectInput(target.node, input: input)
    }
    let output = UInt32(random(source.outputs))
    journal.note(
      "connect node \(source.node) bus \(output) => node \(target.node) bus \(input)")
    try graph.connect(source.node, output: output, to: target.node, input: input)
  }

  private func disconnect() throws(AuricleError) {
    let target = members.isEmpty ? nil : members[random(members.count)]
    guard let target, target.inputs > 0, random(4) != 0 else {
      journal.note("disconnect node \(end) bus 0")
      return try graph.disconnectInput(end)
    }
    let input = UInt32(random(target.inputs))
    journal.note("disconnect node \(target.node) bus \(input)")
    try graph.disconnectInput(target.node, input: input)
  }

  private func setCallback() throws(AuricleError) {
    guard !members.isEmpty else { return }
    let target = members[random(members.count)]
    guard target.inputs > 0 else { return }
    let input = UInt32(random(target.inputs))
    let isConstant = random(2) == 0
    journal.note(
      "callback (\(isConstant ? "constant" : "sine")) => node \(target.node) bus \(input)")
    try unsafe graph.setInputCallback(
      target.node, input: input,
      AURenderCallbackStruct(
        inputProc: isConstant ? constantCallback : sineCallback, inputProcRefCon: nil))
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

/// Fills with the same number always: several inputs may share it.
private let constantCallback: AURenderCallback = { _, _, _, _, frames, list in
  guard let samples = unsafe list?.samples(0) else { return kAudio_ParamError }
  for frame in 0..<Int(frames) { unsafe samples[frame] = 0.08 }
  return 0
}

/// Fills with a slow sine of the sample time: a late sample differs from one in time.
private let sineCallback: AURenderCallback = { _, _, stamp, _, frames, list in
  guard let samples = unsafe list?.samples(0), let stamp = unsafe stamp else {
    return kAudio_ParamError
  }
  for frame in 0..<Int(frames) {
    let turns = unsafe (stamp.pointee.mSampleTime + Double(frame)) * 25 / 48_000
    unsafe samples[frame] = 0.08 * Float(sin(2 * Double.pi * (turns - turns.rounded(.down))))
  }
  return 0
}
