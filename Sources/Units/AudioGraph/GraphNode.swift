// A node of a graph: its unit or its subgraph, and the feeds of its inputs.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
package import AudioUnits
import CAudioToolbox

/// The source of an input bus.
enum GraphSource {
  /// An output bus of a node of the same graph.
  case node(GraphNode, UInt32)
  /// A callback of the graph's owner.
  case callback(InputCallback)

  /// Whether two sources are the same one.
  static func isSame(_ one: GraphSource?, _ other: GraphSource?) -> Bool {
    switch (one, other) {
    case (nil, nil): true
    case (.node(let a, let busA), .node(let b, let busB)): a === b && busA == busB
    case (.callback(let a), .callback(let b)): a === b
    default: false
    }
  }

  var node: GraphNode? {
    if case .node(let node, _) = self { return node }
    return nil
  }
}

/// The source of an input bus, with its place in the order of the graph's interactions.
struct GraphFeed {
  var source: GraphSource
  var order: UInt64
  /// A unit between the two that changes the format; nil where none is needed.
  var converter: GraphNode?
}

/// One node. Context: control.
@safe package final class GraphNode {
  /// Its number in the graph.
  package let number: Int32
  let label: String
  let description: AudioComponentDescription
  let makeUnit: (() throws(AuricleError) -> AudioUnit)?
  /// The graph behind this node; nil for a node with a unit.
  let subgraph: AudioUnitGraph?
  /// Open instance; for a subgraph its output unit; of the side that records, the whole node's.
  package var unit: AudioUnit? { player?.ownUnit ?? ownUnit }
  private var ownUnit: AudioUnit?
  /// The node whose recording side this one is; nil for all others.
  private(set) weak var player: GraphNode?
  /// The side that records, where a connection begins there.
  var recorder: GraphNode?
  var isInitialized = false
  /// Sources by input bus.
  var inputs: [UInt32: GraphFeed] = [:]
  /// Nodes and input buses fed, by output bus.
  var outputs: [UInt32: (node: GraphNode, bus: UInt32)] = [:]
  /// The slots that the input buses of the unit call.
  private var slots: [UInt32: InputSlot] = [:]
  /// Whether the node came into its graph after that was initialised, when it may render already.
  var isLatecomer = false
  /// The latency that the unit reported when it was initialised.
  var latencyFrames = 0
  /// False while the unit cannot know its latency because it has not rendered yet.
  package private(set) var isLatencyKnown = true
  private var alwaysReportsLatency = false
  var processesInPlace = false
  /// Whether the unit leaves the floating-point control word to the graph during a cycle.
  private(set) var isGuarded = false
  /// The direct rendering of the unit, without a request for its input; nil where it has none.
  private(set) var direct: AuricleDirectRender?
  /// Set by the unit's own thread when it says that its latency changed.
  let latencyWatch: LatencyWatch
  private var formats: [UInt64: AudioStreamFormat] = [:]
  private let engine: GraphEngine

  init(
    number: Int32, label: String, description: AudioComponentDescription, engine: GraphEngine,
    subgraph: AudioUnitGraph?, makeUnit: (() throws(AuricleError) -> AudioUnit)?
  ) {
    self.number = number
    self.label = label
    self.description = description
    self.engine = engine
    self.subgraph = subgraph
    self.makeUnit = makeUnit
    latencyWatch = LatencyWatch()
  }

  /// The side of an output node that records, under the same number.
  init(recording player: GraphNode) {
    number = player.number
    label = player.label
    description = AudioComponentDescription()
    engine = player.engine
    subgraph = nil
    makeUnit = nil
    latencyWatch = LatencyWatch()
    self.player = player
  }

  deinit { close() }

  /// Whether the node ends a graph.
  package var isOutput: Bool {
    subgraph == nil && description.componentType == kAudioUnitType_Output
  }

  /// Makes the instance. Does nothing if there is one.
  func open() throws(AuricleError) {
    guard player == nil, unit == nil else { return }
    if let subgraph {
      try subgraph.open()
      ownUnit = subgraph.outputUnit
      return
    }
    guard let makeUnit else { return }
    do throws(AuricleError) {
      ownUnit = try makeUnit()
    } catch {
      var named = error.naming(label)
      if named.status == 0 { named.status = kAUGraphErr_InvalidAudioUnit }
      throw named
    }
    if let unit {
      latencyWatch.watch(unit)
      alwaysReportsLatency = unit.alwaysReportsLatency
      // Most units do not have the property, and check for themselves.
      let word = unsafe UInt(bitPattern: engine.state.pointee.guardWord)
      isGuarded = (try? unit.setProperty(kAuricleProperty_DenormalsAreOff, word)) != nil
      if isGuarded {
        unsafe direct = try? unit.property(
          kAuricleProperty_DirectRender, initial: AuricleDirectRender())
      }
    }
  }

  /// Closes the instance; the slots go with it, as only it calls them.
  func close() {
    recorder?.close()
    if player == nil, let unit, subgraph == nil {
      latencyWatch.unwatch(unit)
      if isGuarded { try? unit.setProperty(kAuricleProperty_DenormalsAreOff, UInt(0)) }
    }
    isGuarded = false
    alwaysReportsLatency = false
    unsafe direct = nil
    ownUnit = nil
    isInitialized = false
    formats = [:]
    slots = [:]
    if let subgraph { subgraph.close() }
  }

  /// The slot of an input bus, made and set on the unit when first requested.
  func slot(_ bus: UInt32) throws(AuricleError) -> InputSlot {
    if let slot = slots[bus] { return slot }
    let slot = InputSlot(engine: engine, element: bus)
    let reference = unsafe UnsafeMutableRawPointer(slot.state)
    if let subgraph {
      try unsafe subgraph.feedOpenInput(bus, graphInputCallback, reference)
    } else if let unit {
      try unsafe unit.setInputCallback(element: bus, graphInputCallback, refCon: reference)
      if bus == 0, let direct = unsafe direct { unsafe direct.stand?(direct.owner) }
    }
    slots[bus] = slot
    return slot
  }

  /// Whether a slot is that of an input bus.
  func has(_ slot: InputSlot?, for bus: UInt32) -> Bool { slot != nil && slots[bus] === slot }

  /// Input buses that have a slot and shall keep it.
  var slotBuses: [UInt32] { slots.keys.sorted() }

  /// Removes a slot where the unit shall pull nothing. Context: control, not rendering.
  func removeSlot(_ bus: UInt32) {
    guard slots[bus] != nil else { return }
    if let subgraph {
      subgraph.unfeedOpenInput(bus)
    } else if let unit {
      try? unsafe unit.setInputCallback(element: bus, nil, refCon: nil)
    }
    slots[bus] = nil
  }

  /// The format of a bus; remembered while the node is initialised.
  func format(_ scope: AudioUnitScope, _ bus: UInt32) throws(AuricleError) -> AudioStreamFormat {
    let key = UInt64(scope) << 32 | UInt64(bus)
    if isInitialized, let format = formats[key] { return format }
    let format: AudioStreamFormat
    if let subgraph, scope == kAudioUnitScope_Input {
      format = try subgraph.openInputFormat(bus)
    } else {
      guard let unit else {
        throw AuricleError(
          .software, status: kAUGraphErr_InvalidAudioUnit, "\(label) is not open")
      }
      format = try unit.streamFormat(scope: scope, element: bus)
    }
    if isInitialized { formats[key] = format }
    return format
  }

  /// Sets the format of a bus of a node that is not initialised.
  func setFormat(
    _ format: AudioStreamFormat, _ scope: AudioUnitScope, _ bus: UInt32
  ) throws(AuricleError) {
    if let subgraph, scope == kAudioUnitScope_Input {
      try subgraph.setOpenInputFormat(format, bus)
    } else {
      try unit?.setStreamFormat(format, scope: scope, element: bus)
    }
  }

  /// Buses of a scope; nil while the node is not open.
  func busCount(_ scope: AudioUnitScope) -> Int? {
    if let subgraph, scope == kAudioUnitScope_Input { return subgraph.openInputs.count }
    return unit?.busCount(scope: scope)
  }

  /// Whether the unit may have another latency than was read last: it reported a change, has not known it
  /// yet, or does not report changes.
  package var mayHaveNewLatency: Bool {
    latencyWatch.isSet || !isLatencyKnown || !alwaysReportsLatency || !latencyWatch.isWatching
  }

  /// Reads the latency of the unit, in frames of its output.
  ///
  /// - Returns: Whether it changed.
  @discardableResult package func readLatency() -> Bool {
    // Recorded frames are as late as they are: nothing else has to wait for them.
    guard player == nil, let unit else { return false }
    latencyWatch.clear()
    let before = latencyFrames
    if let subgraph {
      latencyFrames = subgraph.latencyFrames
      isLatencyKnown = subgraph.areLatenciesKnown
    } else {
      let rate = (try? format(kAudioUnitScope_Output, 0))?.sampleRate ?? 0
      // Bounded: a unit may report a time that no memory holds.
      let frames = unit.latency * rate
      latencyFrames = frames.isFinite ? Int(min(frames, 0x1p40).rounded()) : 0
      isLatencyKnown = unit.isLatencyKnown
    }
    return latencyFrames != before
  }

  /// The name of the node in errors: "node 3 (Maker: Unit)".
  var name: String { "node \(number) (\(label))" }
}
