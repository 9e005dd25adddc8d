// From a chain graph to a graph of units: nodes, connections, and the internal units between them.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph
import AudioTypes
import AudioUnits
import CAudioToolbox
import RealtimeSupport

/// Builds the graph of a chain. Context: control.
struct UnitChainBuilder {
  /// The origin of a signal: the chain's input, or an output bus of a node that becomes a unit.
  struct Origin: Hashable {
    /// The node of the chain graph; `input` for the chain's input.
    var index: Int
    var output: Int

    static let input = Origin(index: -1, output: 0)
  }

  /// A node's output that is free to be connected.
  struct Outlet {
    var node: AudioUnitGraph.Node
    var bus: UInt32
  }

  let chain: UnitChain
  let layout: ChainGraph
  let openFile: SideFileOpener?
  /// First instances of stages that are not in the graph yet, and the stages of offline units.
  var opened: [Int: AudioUnit] = [:]
  private var offline: Set<Int> = []
  /// The origin of each chain-graph node's signal.
  var origins: [Origin] = []
  /// The number of readers of each signal.
  var readers: [Origin: Int] = [:]
  /// The outlets of each signal that are still free; the chain's input has none when it has one
  /// reader, which gets the callback itself.
  private var outlets: [Origin: [Outlet]] = [:]
  /// Connections wait until all nodes are there: a stage may have its input from a later one.
  private var pending:
    [(origin: Origin, gain: Float, node: AudioUnitGraph.Node, input: UInt32, channels: Int)] = []
  /// The nodes that were added, by their index in the chain graph.
  var nodes: [Int: AudioUnitGraph.Node] = [:]
  private var channelCounts: [Origin: Int] = [:]

  init(_ chain: UnitChain, _ layout: ChainGraph, _ openFile: SideFileOpener?) {
    self.chain = chain
    self.layout = layout
    self.openFile = openFile
  }

  var graph: AudioUnitGraph { chain.graph }

  /// Builds, opens and initialises the graph.
  mutating func build() throws(AuricleError) {
    try openUnits()
    let order = audibleNodes()
    origins = findOrigins()
    count(order)
    channelCounts[.input] = chain.channelCount
    if let count = readers[.input], count > 1 { try addInputSplitter(count) }
    for index in order where origins[index].index == index {
      switch layout.nodes[index] {
      case .stage(let stage, let source, let sides): try addStage(index, stage, source, sides)
      case .sum(let label, let branches): try addSum(index, label, branches)
      case .noise(let noise, let source): try addNoise(index, noise, source)
      default: break
      }
    }
    let output = try add(
      .output, InternalUnitCodes.output, "output", [chain.channelCount], [chain.channelCount])
    connect(origins[layout.outputNode], to: output.node)
    try makeConnections()
    chain.isEmpty = nodes.isEmpty
    do throws(AuricleError) {
      try graph.open()
      try graph.initialize()
    } catch { throw withoutNumber(error) }
  }

  /// Whether the unit of a stage works on a whole sound.
  func isOffline(_ index: Int) -> Bool { offline.contains(index) }

  /// Opens a unit of each stage, to find those for a whole sound: the units before them are a separate chain.
  private mutating func openUnits() throws(AuricleError) {
    for index in audibleNodes() {
      guard case .stage(let stage, _, _) = layout.nodes[index], !Self.isPassedBy(stage) else {
        continue
      }
      do throws(AuricleError) {
        let unit = try stage.makeUnit()
        opened[index] = unit
        if unit.description.componentType == kAudioUnitType_OfflineEffect { offline.insert(index) }
      } catch { throw error.naming(stage.label) }
    }
    guard !offline.isEmpty else { return }
    let audible = Set(audibleNodes())
    opened = opened.filter { audible.contains($0.key) }
  }

  /// Adds an internal unit.
  @discardableResult
  func add(
    _ kind: InternalUnitKind, _ description: AudioComponentDescription, _ label: String,
    _ inputs: [Int], _ outputs: [Int], stage: StageNode? = nil
  ) throws(AuricleError) -> (node: AudioUnitGraph.Node, unit: InternalUnit) {
    let unit = InternalUnit(
      kind, description: description, inputs: inputs, outputs: outputs,
      sampleRate: chain.sampleRate, maximumFrames: chain.maximumFrames, stage: stage)
    let node = try graph.addNode(description: description, label: label) {
      () throws(AuricleError) in try unit.open()
    }
    return (node, unit)
  }

  /// Notes a connection, to be made when all nodes are there.
  ///
  /// - Parameter channels: Channels of the input; nil for those of the chain.
  mutating func connect(
    _ origin: Origin, gain: Float = 1, to node: AudioUnitGraph.Node, input: UInt32 = 0,
    channels: Int? = nil
  ) {
    pending.append((origin, gain, node, input, channels ?? chain.channelCount))
  }

  private mutating func addInputSplitter(_ count: Int) throws(AuricleError) {
    let splitter = try add(
      .splitter, InternalUnitCodes.splitter, "splitter of the input", [chain.channelCount],
      Array(repeating: chain.channelCount, count: count))
    try setInput(splitter.node, 0)
    outlets[.input] = (0..<count).map {
      Outlet(node: splitter.node, bus: UInt32($0))
    }
  }

  private func setInput(_ node: AudioUnitGraph.Node, _ input: UInt32) throws(AuricleError) {
    try unsafe graph.setInputCallback(
      node, input: input,
      AURenderCallbackStruct(
        inputProc: chainInputCallback, inputProcRefCon: UnsafeMutableRawPointer(chain.input)),
      lendsMemory: true)
  }

  /// Makes the outputs of a node known; one with several readers gets a splitter.
  mutating func addOutlets(
    _ index: Int, _ node: AudioUnitGraph.Node, _ label: String, channels: (Int) -> Int
  ) throws(AuricleError) {
    let mine = readers.keys.filter { $0.index == index }.sorted { $0.output < $1.output }
    for origin in mine {
      let count = readers[origin] ?? 0
      channelCounts[origin] = channels(origin.output)
      let outlet = Outlet(node: node, bus: UInt32(origin.output))
      if count == 1 {
        outlets[origin] = [outlet]
        continue
      }
      let width = channelCounts[origin] ?? chain.channelCount
      let splitter = try add(
        .splitter, InternalUnitCodes.splitter, "splitter of \(label)", [width],
        Array(repeating: width, count: count))
      try graph.connect(outlet.node, output: outlet.bus, to: splitter.node)
      outlets[origin] = (0..<count).map { Outlet(node: splitter.node, bus: UInt32($0)) }
    }
  }

  /// Feeds a side chain from a node or a file.
  mutating func feed(
    _ side: ChainGraph.SideChain, into node: AudioUnitGraph.Node, input: UInt32, channels: Int,
    of stage: ChainStage
  ) throws(AuricleError) {
    chain.joinsSignals = true
    switch side.source {
    case .node(let signal):
      connect(origin(of: signal), gain: side.gain, to: node, input: input, channels: channels)
    case .file(let path, let loops):
      guard let openFile else {
        throw AuricleError(.software, "its side chain is a file, which cannot be opened here")
      }
      let (file, note) = try openFile(path, chain.sampleRate, channels)
      if let note { chain.notes.append("\(stage.label): \(note)") }
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let source = try add(.source, InternalUnitCodes.player, name, [], [channels])
      source.unit.setGain(side.gain, output: 0)
      chain.feeds.append(
        SideFeed(
          file, path: path, loops: loops, start: layout.sideFileStart, unit: source.unit,
          channelCount: channels, maximumFrames: chain.maximumFrames))
      try graph.connect(source.node, to: node, input: input)
    }
  }

  /// Makes the connections, each from an outlet that is free.
  private mutating func makeConnections() throws(AuricleError) {
    for entry in pending {
      let width = channelCounts[entry.origin] ?? chain.channelCount
      var node = entry.node
      var input = entry.input
      if width != entry.channels || entry.gain != 1 {
        let adapter = try add(
          .adapter, InternalUnitCodes.adapter, "adapter before \(try graph.label(of: entry.node))",
          [width],
          [entry.channels])
        adapter.unit.setGain(entry.gain, input: 0, channel: 0)
        try graph.connect(adapter.node, to: entry.node, input: entry.input)
        node = adapter.node
        input = 0
      }
      if let outlet = outlets[entry.origin]?.first {
        outlets[entry.origin]?.removeFirst()
        try graph.connect(outlet.node, output: outlet.bus, to: node, input: input)
      } else {
        try setInput(node, input)
      }
    }
  }

  /// The graph names nodes by number; authors of presets know labels only.
  private func withoutNumber(_ error: AuricleError) -> AuricleError {
    var message = error.message
    for number in graph.nodeNumbers {
      guard let label = try? graph.label(of: number) else { continue }
      let prefix = "node \(number) (\(label)): "
      if message.hasPrefix(prefix) {
        message.removeFirst(prefix.count)
        if !message.hasPrefix(label) { message = "\(label): \(message)" }
        break
      }
    }
    return error.saying(message)
  }
}

/// The codes of internal units: those of the units that do the same, with the host's own manufacturer.
enum InternalUnitCodes {
  static let output = make("auou", "genr", "Auri")
  static let splitter = make("aufc", "mspl", "Auri")
  static let mixer = make("aumx", "mcmx", "Auri")
  static let adapter = make("aumx", "adpt", "Auri")
  static let player = make("augn", "afpl", "Auri")

  private static func make(
    _ type: String, _ subtype: String, _ manufacturer: String
  ) -> AudioComponentDescription {
    AudioComponentDescription(
      type: FourCharacterCode(type) ?? FourCharacterCode(rawValue: 0),
      subtype: FourCharacterCode(subtype) ?? FourCharacterCode(rawValue: 0),
      manufacturer: FourCharacterCode(manufacturer) ?? FourCharacterCode(rawValue: 0))
  }
}
