// From a net of stages to a graph of units: which signal is heard where, and what joins them.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import RealtimeSupport

/// Builds the graph of a chain. Context: control.
struct GraphChainBuilder {
  /// What makes a signal: the chain's input, or an output bus of a place with a node.
  struct Origin: Hashable {
    /// −1 for the chain's input.
    var place: Int
    var output: Int
  }

  /// A node's output that is free to be connected.
  struct Outlet {
    var node: AudioUnitGraph.Node
    var bus: UInt32
  }

  let chain: GraphChain
  let net: ChainNet
  let openFile: SideFileOpener?
  /// For each place, what is heard there.
  var origins: [Origin] = []
  /// How many readers each signal has.
  var readers: [Origin: Int] = [:]
  /// The outlets of each signal that are still free; the chain's input has none when it has one
  /// reader, which gets the callback itself.
  private var outlets: [Origin: [Outlet]] = [:]
  /// Connections wait until all nodes are there: a stage may hear one that stands behind it.
  private var wanted:
    [(origin: Origin, gain: Float, node: AudioUnitGraph.Node, input: UInt32, channels: Int)] = []
  var nodes: [Int: AudioUnitGraph.Node] = [:]
  private var channelCounts: [Origin: Int] = [:]

  init(_ chain: GraphChain, _ net: ChainNet, _ openFile: SideFileOpener?) {
    self.chain = chain
    self.net = net
    self.openFile = openFile
  }

  var graph: AudioUnitGraph { chain.graph }

  /// Builds, opens and initialises the graph.
  mutating func build() throws(AuricleError) {
    let order = heardPlaces()
    origins = findOrigins()
    count(order)
    let input = Origin(place: -1, output: 0)
    channelCounts[input] = chain.channelCount
    if let count = readers[input], count > 1 { try addInputSplitter(count) }
    for place in order {
      switch net.places[place] {
      case .stage(let stage, let source, let sides) where origins[place].place == place:
        try addStage(place, stage, source, sides)
      case .sum(let label, let branches) where origins[place].place == place:
        try addSum(place, label, branches)
      default: break
      }
    }
    let output = try add(
      .output, JointCodes.output, "output", [chain.channelCount], [chain.channelCount])
    want(origins[net.end], 1, output.node, 0, chain.channelCount)
    try connect()
    chain.isEmpty = nodes.isEmpty
    do throws(AuricleError) {
      try graph.open()
      try graph.initialize()
    } catch { throw withoutNumber(error) }
  }

  /// Adds a unit of the host's own.
  @discardableResult
  func add(
    _ kind: InnerUnitKind, _ description: AudioComponentDescription, _ label: String,
    _ inputs: [Int], _ outputs: [Int], chain stage: UnitChain? = nil
  ) throws(AuricleError) -> (node: AudioUnitGraph.Node, unit: InnerUnit) {
    let unit = InnerUnit(
      kind, description: description, inputs: inputs, outputs: outputs,
      sampleRate: chain.sampleRate, maximumFrames: chain.maximumFrames, chain: stage)
    let node = try graph.addNode(description: description, label: label) {
      () throws(AuricleError) in try unit.open()
    }
    return (node, unit)
  }

  mutating func want(
    _ origin: Origin, _ gain: Float, _ node: AudioUnitGraph.Node, _ input: UInt32, _ channels: Int
  ) {
    wanted.append((origin, gain, node, input, channels))
  }

  private mutating func addInputSplitter(_ count: Int) throws(AuricleError) {
    let splitter = try add(
      .splitter, JointCodes.splitter, "splitter of the input", [chain.channelCount],
      Array(repeating: chain.channelCount, count: count))
    try setInput(splitter.node, 0)
    outlets[Origin(place: -1, output: 0)] = (0..<count).map {
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

  /// Makes the outputs of a node known; where several readers hear one, a splitter follows.
  mutating func offer(
    _ place: Int, _ node: AudioUnitGraph.Node, _ label: String, channels: (Int) -> Int
  ) throws(AuricleError) {
    let mine = readers.keys.filter { $0.place == place }.sorted { $0.output < $1.output }
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
        .splitter, JointCodes.splitter, "splitter of \(label)", [width],
        Array(repeating: width, count: count))
      try graph.connect(outlet.node, output: outlet.bus, to: splitter.node)
      outlets[origin] = (0..<count).map { Outlet(node: splitter.node, bus: UInt32($0)) }
    }
  }

  /// Feeds a side chain from a place or a file.
  mutating func feed(
    _ side: ChainNet.SideChain, into node: AudioUnitGraph.Node, input: UInt32, channels: Int,
    of stage: ChainStage
  ) throws(AuricleError) {
    chain.hasJoints = true
    switch side.source {
    case .place(let signal): want(origin(of: signal), side.gain, node, input, channels)
    case .file(let path, let loops):
      guard let openFile else {
        throw AuricleError(.software, "its side chain is a file, and there is nobody to open it")
      }
      let (file, note) = try openFile(path, chain.sampleRate, channels)
      if let note { chain.notes.append("\(stage.label): \(note)") }
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let source = try add(.source, JointCodes.player, name, [], [channels])
      source.unit.setGain(side.gain, output: 0)
      chain.feeds.append(
        SideFeed(
          file, path: path, loops: loops, start: net.sideFileStart, unit: source.unit,
          channelCount: channels, maximumFrames: chain.maximumFrames))
      try graph.connect(source.node, to: node, input: input)
    }
  }

  /// Makes the connections, each from an outlet that is free.
  private mutating func connect() throws(AuricleError) {
    for entry in wanted {
      let width = channelCounts[entry.origin] ?? chain.channelCount
      var node = entry.node
      var input = entry.input
      if width != entry.channels || entry.gain != 1 {
        let adapter = try add(
          .adapter, JointCodes.adapter, "adapter before \(try graph.label(of: entry.node))",
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

  /// The graph names nodes by number; people who wrote a preset know labels only.
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
    return AuricleError(error.category, status: error.status, message)
  }
}

/// What the joints of a chain's graph are called: units of the host's own, by the codes of the units
/// that do the same, under a maker of their own.
enum JointCodes {
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
