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
  private var origins: [Origin] = []
  /// How many readers each signal has.
  private var readers: [Origin: Int] = [:]
  /// The outlets of each signal that are still free; the chain's input has none when it has one
  /// reader, which gets the callback itself.
  private var outlets: [Origin: [Outlet]] = [:]
  /// Connections wait until all nodes are there: a stage may hear one that stands behind it.
  private var wanted:
    [(origin: Origin, gain: Float, node: AudioUnitGraph.Node, input: UInt32, channels: Int)] = []
  private var nodes: [Int: AudioUnitGraph.Node] = [:]
  private var channelCounts: [Origin: Int] = [:]

  init(_ chain: GraphChain, _ net: ChainNet, _ openFile: SideFileOpener?) {
    self.chain = chain
    self.net = net
    self.openFile = openFile
  }

  private var graph: AudioUnitGraph { chain.graph }

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
      .output, Codes.output, "output", [chain.channelCount], [chain.channelCount])
    want(origins[net.end], 1, output.node, 0, chain.channelCount)
    try connect()
    chain.isEmpty = nodes.isEmpty
    do throws(AuricleError) {
      try graph.open()
      try graph.initialize()
    } catch { throw withoutNumber(error) }
  }

  /// The places that are heard, sources before what hears them.
  private func heardPlaces() -> [Int] {
    var isHeard = Set([net.end])
    var waiting = [net.end]
    while let place = waiting.popLast() {
      for source in sources(of: place) where isHeard.insert(source).inserted {
        waiting.append(source)
      }
    }
    // Sources first, in the order of the net otherwise.
    var done: Set<Int> = []
    var order: [Int] = []
    for start in net.places.indices where isHeard.contains(start) {
      var stack = [start]
      while let place = stack.last {
        let open = sources(of: place).filter { !done.contains($0) }
        if open.isEmpty || done.contains(place) {
          stack.removeLast()
          if done.insert(place).inserted { order.append(place) }
        } else if let next = open.first {
          // A circle would never end; nets have none, but for a fault of the caller's.
          guard stack.count <= net.places.count else { return order }
          stack.append(next)
        }
      }
    }
    return order
  }

  private func sources(of place: Int) -> [Int] {
    switch net.places[place] {
    case .input: return []
    case .same(let source): return [source]
    case .sum(_, let branches): return branches.map(\.place)
    case .stage(let stage, let source, let sides):
      if Self.isPassedBy(stage) { return [source] }
      return [source]
        + sides.compactMap {
          if case .place(let signal) = $0.source { signal.place } else { nil }
        }
    }
  }

  private static func isPassedBy(_ stage: ChainStage) -> Bool { stage.isBypassed || stage.mix <= 0 }

  /// Follows places without a node of their own to what they hear.
  private func findOrigins() -> [Origin] {
    var found: [Origin?] = Array(repeating: nil, count: net.places.count)
    for start in net.places.indices {
      var path: [Int] = []
      var place = start
      var origin: Origin?
      while origin == nil, path.count <= net.places.count {
        if let known = found[place] {
          origin = known
          break
        }
        path.append(place)
        switch net.places[place] {
        case .input: origin = Origin(place: -1, output: 0)
        case .same(let source): place = source
        case .stage(let stage, let source, _):
          if Self.isPassedBy(stage) {
            place = source
          } else {
            origin = Origin(place: place, output: stage.outputBus)
          }
        case .sum(_, let branches):
          if branches.count == 1, branches[0].gain == 1, branches[0].pan == 0 {
            place = branches[0].place
          } else {
            origin = Origin(place: place, output: 0)
          }
        }
      }
      for place in path { found[place] = origin }
    }
    return found.map { $0 ?? Origin(place: -1, output: 0) }
  }

  private func origin(of signal: ChainNet.Signal) -> Origin {
    var origin = origins[signal.place]
    if let output = signal.output, origin.place == signal.place { origin.output = output }
    return origin
  }

  /// Counts who reads what.
  private mutating func count(_ order: [Int]) {
    readers[origins[net.end], default: 0] += 1
    for place in order where origins[place].place == place {
      switch net.places[place] {
      case .stage(_, let source, let sides):
        readers[origins[source], default: 0] += 1
        for side in sides {
          if case .place(let signal) = side.source { readers[origin(of: signal), default: 0] += 1 }
        }
      case .sum(_, let branches):
        for branch in branches { readers[origins[branch.place], default: 0] += 1 }
      default: break
      }
    }
  }

  /// Adds a unit of the host's own.
  @discardableResult
  private func add(
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

  private mutating func want(
    _ origin: Origin, _ gain: Float, _ node: AudioUnitGraph.Node, _ input: UInt32, _ channels: Int
  ) {
    wanted.append((origin, gain, node, input, channels))
  }

  private mutating func addInputSplitter(_ count: Int) throws(AuricleError) {
    let splitter = try add(
      .splitter, Codes.splitter, "splitter of the input", [chain.channelCount],
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
        inputProc: chainInputCallback, inputProcRefCon: UnsafeMutableRawPointer(chain.input)))
  }

  /// Makes the outputs of a node known; where several readers hear one, a splitter follows.
  private mutating func offer(
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
        .splitter, Codes.splitter, "splitter of \(label)", [width],
        Array(repeating: width, count: count))
      try graph.connect(outlet.node, output: outlet.bus, to: splitter.node)
      outlets[origin] = (0..<count).map { Outlet(node: splitter.node, bus: UInt32($0)) }
    }
  }

  private mutating func addSum(
    _ place: Int, _ label: String, _ branches: [ChainNet.Branch]
  ) throws(AuricleError) {
    let width = chain.channelCount
    let mixer = try add(
      .mixer, Codes.mixer, label, Array(repeating: width, count: branches.count), [width])
    nodes[place] = mixer.node
    chain.hasJoints = true
    var ignoresPan = false
    for (index, branch) in branches.enumerated() {
      for channel in 0..<width {
        var gain = branch.gain
        if width == 2 {
          gain *= Self.balance(branch.pan, channel)
        } else if branch.pan != 0 {
          ignoresPan = true
        }
        mixer.unit.setGain(gain, input: index, channel: channel)
      }
      want(origins[branch.place], 1, mixer.node, UInt32(index), width)
    }
    if ignoresPan {
      chain.notes.append(
        "\(label): pan needs two channels and is without effect on \(width)")
    }
    try offer(place, mixer.node, label) { _ in width }
  }

  /// The law of the multichannel mixer: one side falls to silence as a cosine, the other stays.
  private static func balance(_ pan: Float, _ channel: Int) -> Float {
    guard channel == 0 ? pan > 0 : pan < 0 else { return 1 }
    return abs(pan) >= 1 ? 0 : Float(RealtimeMath.cos(Double.pi / 2 * Double(abs(pan))))
  }

  private mutating func addStage(
    _ place: Int, _ stage: ChainStage, _ source: Int, _ sides: [ChainNet.SideChain]
  ) throws(AuricleError) {
    do throws(AuricleError) {
      var stage = stage
      stage.sideBuses = sides.map(\.bus)
      let first = try stage.makeUnit()
      let plan = try ChannelPlan.make(chain.channelCount, for: first)
      if let note = plan.note { chain.notes.append("\(stage.label) \(note)") }
      let type = first.description.componentType
      let isPlain =
        plan.isPlain && stage.mix >= 1 && type != kAudioUnitType_Output
        && type != kAudioUnitType_FormatConverter && type != kAudioUnitType_OfflineEffect
      if isPlain {
        try addPlain(place, stage, first, plan, source, sides)
      } else {
        try addWrapped(place, stage, first, source, sides)
      }
    } catch {
      let message =
        error.message.hasPrefix(stage.label) ? error.message : "\(stage.label): \(error.message)"
      throw AuricleError(error.category, status: error.status, message)
    }
  }

  /// A stage whose unit is a node as it is.
  private mutating func addPlain(
    _ place: Int, _ stage: ChainStage, _ unit: AudioUnit, _ plan: ChannelPlan, _ source: Int,
    _ sides: [ChainNet.SideChain]
  ) throws(AuricleError) {
    try UnitChain.prepare(
      unit, plan, stage, sampleRate: chain.sampleRate, channelCount: chain.channelCount,
      maximumFrames: chain.maximumFrames)
    let node = try graph.addNode(description: unit.description, label: stage.label) {
      () throws(AuricleError) in unit
    }
    nodes[place] = node
    want(origins[source], 1, node, 0, chain.channelCount)
    for side in sides {
      let width = try unit.streamFormat(
        scope: kAudioUnitScope_Input, element: AudioUnitElement(side.bus)
      ).channelCount
      try feed(side, into: node, input: UInt32(side.bus), channels: width, of: stage)
    }
    automate(node, stage, [unit])
    let count = unit.busCount(scope: kAudioUnitScope_Output)
    guard stage.outputBus < max(1, count) else {
      throw AuricleError(.badData, "the unit has no output bus \(stage.outputBus)")
    }
    let width = chain.channelCount
    try offer(place, node, stage.label) { bus in
      guard bus > 0 else { return width }
      let format = try? unit.streamFormat(
        scope: kAudioUnitScope_Output, element: AudioUnitElement(bus))
      return format?.channelCount ?? width
    }
  }

  /// A stage whose instances, channels or mix need a node around them.
  private mutating func addWrapped(
    _ place: Int, _ stage: ChainStage, _ first: AudioUnit, _ source: Int,
    _ sides: [ChainNet.SideChain]
  ) throws(AuricleError) {
    if readers.keys.contains(where: { $0.place == place && $0.output > 0 }) {
      throw AuricleError(
        .unavailable, status: kAudioUnitErr_FormatNotSupported,
        "its further outputs cannot be heard where its channels are adapted to "
          + "\(chain.channelCount), or it is mixed with its input")
    }
    var opened: AudioUnit? = first
    let make = stage.makeUnit
    var stage = stage
    stage.outputBus = 0
    stage.makeUnit = { () throws(AuricleError) in
      if let unit = opened {
        opened = nil
        return unit
      }
      return try make()
    }
    let inner = try UnitChain(
      stages: [stage], sampleRate: chain.sampleRate, channelCount: chain.channelCount,
      maximumFrames: chain.maximumFrames)
    let units = inner.units.first ?? []
    var widths = [chain.channelCount]
    for side in sides {
      widths.append(
        try units[0].streamFormat(
          scope: kAudioUnitScope_Input, element: AudioUnitElement(side.bus)
        ).channelCount)
    }
    var description = first.description
    switch description.componentType {
    case kAudioUnitType_Output, kAudioUnitType_FormatConverter, kAudioUnitType_OfflineEffect:
      description.componentType = kAudioUnitType_Effect
    default: break
    }
    let added = try add(
      .stage, description, stage.label, widths, [chain.channelCount], chain: inner)
    nodes[place] = added.node
    chain.wrapped[added.node] = inner
    if stage.mix < 1 { chain.hasJoints = true }
    want(origins[source], 1, added.node, 0, chain.channelCount)
    for (index, side) in sides.enumerated() {
      for unit in units {
        try unsafe unit.setInputCallback(
          element: AudioUnitElement(side.bus), innerSideCallback,
          refCon: UnsafeMutableRawPointer(added.unit.state.pointee.inputs + index + 1))
      }
      try feed(
        side, into: added.node, input: UInt32(index + 1), channels: widths[index + 1], of: stage)
    }
    automate(added.node, stage, units)
    let width = chain.channelCount
    try offer(place, added.node, stage.label) { _ in width }
  }

  private func automate(_ node: AudioUnitGraph.Node, _ stage: ChainStage, _ units: [AudioUnit]) {
    guard !stage.curves.isEmpty else { return }
    chain.automated.append(GraphChain.Automated(node: node, units: units, curves: stage.curves))
    if !units.allSatisfy({ $0.implements(17) }) {
      chain.notes.append(
        "\(stage.label) takes no changes within a slice: its parameters change every 64 frames")
    }
  }

  /// Feeds a side chain from a place or a file.
  private mutating func feed(
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
      let source = try add(.source, Codes.player, name, [], [channels])
      source.unit.setGain(side.gain, output: 0)
      chain.feeds.append(
        SideFeed(
          file, path: path, loops: loops, unit: source.unit, channelCount: channels,
          maximumFrames: chain.maximumFrames))
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
          .adapter, Codes.adapter, "adapter before \(try graph.label(of: entry.node))", [width],
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
private enum Codes {
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
