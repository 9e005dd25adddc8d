// Compiles a state of the graph: the order of the steps, and which memory each one uses.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

/// A bus while its plan is compiled: who still reads it, and whether its memory can be used again.
@safe private final class BusDraft {
  let bus: UnsafeMutablePointer<GraphBus>
  var readers: Int
  /// Bytes of each buffer.
  let size: Int

  init(_ bus: UnsafeMutablePointer<GraphBus>, readers: Int, size: Int) {
    unsafe self.bus = unsafe bus
    self.readers = readers
    self.size = size
  }
}

private struct OutputKey: Hashable {
  let node: ObjectIdentifier
  let bus: UInt32
}

/// Makes one plan. Context: control.
@safe final class GraphCompiler {
  private let topology: PlannedTopology
  private let maximumFrames: Int
  private let checksFiniteness: Bool
  private let arena = PlanArena()
  /// Steps whose units stay in the nearest cache.
  private static let nearSteps = 100
  private var readers: [OutputKey: Int] = [:]
  private var made: [OutputKey: BusDraft] = [:]
  /// The same for callbacks that are called into memory of the plan.
  private var callReaders: [ObjectIdentifier: Int] = [:]
  private var called: [ObjectIdentifier: BusDraft] = [:]
  private var pool: [Int: [UnsafeMutableRawPointer]] = unsafe [:]
  private var steps: [[GraphStep]] = []
  private var ports: [(port: GraphPort, domain: Int, isHead: Bool)] = []
  private var output: UnsafeMutablePointer<GraphBus>?
  private var limits: [Int] = []
  private var nodes: [GraphNode] = []
  private var slots: [InputSlot] = []
  private var callbacks: [InputCallback] = []
  private var lines: [DelayLine] = []
  private let domains: UnsafeMutablePointer<GraphDomain>

  private init(_ topology: PlannedTopology, maximumFrames: Int, checksFiniteness: Bool) {
    self.topology = topology
    self.maximumFrames = maximumFrames
    self.checksFiniteness = checksFiniteness
    let count =
      1 + topology.entries.values.count { $0.node.isRateChanger && $0.node !== topology.head }
    unsafe domains = arena.room(for: count, of: GraphDomain.self)
  }

  /// Compiles a state.
  ///
  /// - Throws: `kAUGraphErr_InvalidConnection` for a cycle, and for a node that is pulled both at the
  ///   speed of the graph and at that of a rate converter.
  static func compile(
    _ topology: PlannedTopology, serial: UInt64, maximumFrames: Int, transitionFrames: Int,
    fadeFrames: Int, checksFiniteness: Bool, next: CompiledPlan?
  ) throws(AuricleError) -> CompiledPlan {
    let compiler = GraphCompiler(
      topology, maximumFrames: maximumFrames, checksFiniteness: checksFiniteness)
    return try compiler.compile(
      serial: serial, transitionFrames: transitionFrames, fadeFrames: fadeFrames, next: next)
  }

  private func compile(
    serial: UInt64, transitionFrames: Int, fadeFrames: Int, next: CompiledPlan?
  ) throws(AuricleError) -> CompiledPlan {
    for entry in topology.entries.values {
      for feed in entry.ports.flatMap(\.port.feeds) {
        switch feed.source {
        case .node(let node, let bus):
          readers[OutputKey(node: ObjectIdentifier(node), bus: bus), default: 0] += 1
        case .callback(let callback):
          callReaders[ObjectIdentifier(callback), default: 0] += 1
        }
      }
    }
    var heads: [(node: GraphNode, limit: Int)] = [(topology.head, maximumFrames)]
    var homes: [ObjectIdentifier: Int] = [:]
    while steps.count < heads.count {
      let domain = steps.count
      let (head, limit) = heads[domain]
      steps.append([])
      limits.append(limit)
      unsafe pool = unsafe [:]
      for node in try order(from: head, domain: domain, homes: &homes) {
        if node.isRateChanger && node !== head {
          let ratio = node.rateRatio
          heads.append((node, min(1 << 20, Int(Double(limit) / min(1, ratio)) + 64)))
          try addUnit(node, domain, [])
        } else {
          let read = try addPorts(node, domain, isHead: node === head)
          if node !== head { try addUnit(node, domain, read) }
        }
      }
    }
    return unsafe CompiledPlan(
      plan: assemble(serial, transitionFrames, fadeFrames, next), arena: arena, nodes: nodes,
      slots: slots, callbacks: callbacks, lines: lines)
  }

  /// The nodes of a domain, sources first; those that begin a further domain stand in for what
  /// feeds them. The head comes last.
  private func order(
    from head: GraphNode, domain: Int, homes: inout [ObjectIdentifier: Int]
  ) throws(AuricleError) -> [GraphNode] {
    var part = PlannedTopology(head: head)
    var waiting = [head]
    while let node = waiting.popLast() {
      guard part[node] == nil else { continue }
      if node === head && domain > 0 {
        part[node] = topology[node]
      } else {
        if let home = homes[ObjectIdentifier(node)], home != domain {
          throw AuricleError(
            .badData, status: kAUGraphErr_InvalidConnection,
            "\(node.name) is heard both before and beside a unit that changes the rate")
        }
        homes[ObjectIdentifier(node)] = domain
        part[node] =
          node.isRateChanger && node !== head ? .init(node: node) : topology[node]
      }
      for (_, port) in part[node]?.ports ?? [] {
        waiting.append(contentsOf: port.feeds.compactMap(\.source.node))
      }
    }
    guard let sorted = part.sorted() else {
      throw AuricleError(
        .badData, status: kAUGraphErr_InvalidConnection, "the connections close a cycle")
    }
    return sorted
  }

  /// Adds the ports of a node with the steps on its edges; returns what its unit reads, by bus.
  private func addPorts(
    _ node: GraphNode, _ domain: Int, isHead: Bool
  ) throws(AuricleError) -> [(bus: UInt32, draft: BusDraft)] {
    var read: [(bus: UInt32, draft: BusDraft)] = []
    for (bus, port) in topology[node]?.ports ?? [] {
      let slot = try node.slot(bus)
      slots.append(slot)
      let format = try node.format(kAudioUnitScope_Input, bus)
      var made = unsafe GraphPort(
        slot: slot.state, bus: nil, callback: nil, domain: domains + domain, needed: 0,
        pullsDomain: isHead && domain > 0, isGuarded: node.isGuarded)
      var draft: BusDraft?
      switch port {
      case .steady(let feed):
        if feed.line == nil, case .callback(let callback) = feed.source {
          keep(callback, format)
          unsafe made.callback = unsafe callback.state
        } else {
          draft = signal(feed, format, domain)
          if let source = draft, source.readers > 1 {
            draft = edge(.copy, format, domain, reading: [source]) {
              unsafe $0.source = unsafe source.bus
            }
          }
        }
      case .silent:
        draft = edge(.fade, format, domain, reading: []) { _ in }
      case .fade(let from, let to, let wait):
        draft = fade(from, to, wait, format, domain)
      }
      unsafe made.bus = unsafe draft?.bus
      if isHead, domain == 0, let draft, isLendable(draft, format) {
        unsafe output = unsafe draft.bus
      }
      if let draft { read.append((bus, draft)) }
      made.needed = steps[domain].count
      ports.append((made, domain, isHead))
    }
    if isHead { nodes.append(node) }
    return read
  }

  /// Whether what makes the bus that the output unit pulls may work in another memory.
  private func isLendable(_ draft: BusDraft, _ format: AudioStreamFormat) -> Bool {
    let count = unsafe draft.bus.pointee.bufferCount
    return unsafe !checksFiniteness && topology[topology.head]?.ports.count == 1
      && made.values.contains { $0 === draft } && format.isCanonical
      && 1...2 ~= count && count == format.bufferCount
      && draft.bus.pointee.bytesPerFrame == MemoryLayout<Float>.size
  }

  /// The bus of a feed: a node's, or what a callback is called into; delayed where it must be.
  private func signal(
    _ feed: PlannedFeed, _ format: AudioStreamFormat, _ domain: Int
  ) -> BusDraft? {
    let source: BusDraft?
    switch feed.source {
    case .node(let node, let bus):
      source = made[OutputKey(node: ObjectIdentifier(node), bus: bus)]
    case .callback(let callback):
      source = calls(callback, format, domain)
    }
    guard let line = feed.line, let source else { return source }
    lines.append(line)
    return edge(.delay, format, domain, reading: [source]) {
      unsafe $0.source = unsafe source.bus
      unsafe $0.line = unsafe line.state
    }
  }

  /// What a callback gives, which is called once however many read it: where only its delay changes,
  /// two do.
  private func calls(
    _ callback: InputCallback, _ format: AudioStreamFormat, _ domain: Int
  ) -> BusDraft {
    let key = ObjectIdentifier(callback)
    if let present = called[key] { return present }
    keep(callback, format)
    let draft = edge(.callback, format, domain, reading: []) {
      unsafe $0.callback = unsafe callback.state
    }
    draft.readers = callReaders[key] ?? 1
    called[key] = draft
    return draft
  }

  private func fade(
    _ from: PlannedFeed?, _ to: PlannedFeed?, _ wait: Int, _ format: AudioStreamFormat,
    _ domain: Int
  ) -> BusDraft {
    // A callback that goes away is retired by now: what it gave last stands for it.
    let old = from.flatMap { signal($0, format, domain) }
    let new = to.flatMap { signal($0, format, domain) }
    return edge(.fade, format, domain, reading: [old, new].compactMap { $0 }) {
      unsafe $0.source = unsafe old?.bus
      unsafe $0.target = unsafe new?.bus
      $0.wait = wait
    }
  }

  /// Adds a step on an edge, with a bus of its own that has one reader.
  private func edge(
    _ kind: GraphStepKind, _ format: AudioStreamFormat, _ domain: Int, reading: [BusDraft],
    _ fill: (inout GraphEdge) -> Void
  ) -> BusDraft {
    let bus = unsafe arena.room(for: 1, of: GraphBus.self)
    let draft = unsafe makeBus(bus, format, 0, domain, readers: 1, memory: nil)
    let edge = unsafe arena.room(for: 1, of: GraphEdge.self)
    unsafe edge.initialize(to: GraphEdge())
    unsafe fill(&edge.pointee)
    unsafe steps[domain].append(
      GraphStep(kind: kind, node: 0, busCount: 1, buses: bus, edge: edge))
    for source in reading { release(source) }
    return draft
  }

  /// Adds the rendering of a node's unit.
  private func addUnit(
    _ node: GraphNode, _ domain: Int, _ read: [(bus: UInt32, draft: BusDraft)]
  ) throws(AuricleError) {
    nodes.append(node)
    guard let unit = node.unit else {
      throw AuricleError(.software, status: kAUGraphErr_InvalidAudioUnit, "\(node.name) is closed")
    }
    let key = ObjectIdentifier(node)
    let outputs = readers.keys.filter { $0.node == key }.map(\.bus).sorted()
    let buses = unsafe arena.room(for: outputs.count, of: GraphBus.self)
    var inherited: BusDraft?
    for (index, bus) in outputs.enumerated() {
      let format = try node.format(kAudioUnitScope_Output, bus)
      // A unit that works in place gets its input's memory for its output: nothing is copied.
      if outputs.count == 1, node.processesInPlace, let first = read.first,
        first.bus == 0, case let source = first.draft, source.readers == 1,
        unsafe source.bus.pointee.bufferCount == format.bufferCount,
        source.size == limits[domain] * Int(format.asbd.mBytesPerFrame)
      {
        inherited = source
      }
      let draft = unsafe makeBus(
        buses + index, format, bus, domain,
        readers: readers[OutputKey(node: key, bus: bus)] ?? 0,
        memory: inherited?.bus.pointee.memory)
      made[OutputKey(node: key, bus: bus)] = draft
    }
    for (_, source) in read where source !== inherited { release(source) }
    var step = unsafe GraphStep(
      kind: .unit, node: node.number, busCount: UInt32(outputs.count), buses: buses,
      render: unit.instance.pointee.render,
      plugIn: UnsafeMutableRawPointer(unit.instance.pointee.plugIn))
    step.checksFiniteness = checksFiniteness
    step.workNumber = unit.workNumber
    step.forgivesNoConnection = node.isLatecomer
    if let direct = unsafe node.direct, outputs == [0] {
      unsafe step.direct = makeDirect(node, direct, read, inherited)
    }
    steps[domain].append(step)
  }

  /// Has a unit given its input rather than asked to fetch it, where it has one bus that is fed.
  private func makeDirect(
    _ node: GraphNode, _ direct: AuricleDirectRender,
    _ read: [(bus: UInt32, draft: BusDraft)], _ inherited: BusDraft?
  ) -> UnsafeMutablePointer<GraphDirect>? {
    guard let entry = topology[node], entry.ports.count == 1, entry.ports[0].bus == 0,
      let bus = ports.last, unsafe bus.port.slot == slots.last?.state, node.has(slots.last, for: 0),
      (try? node.format(kAudioUnitScope_Input, 0).isCanonical) == true,
      (try? node.format(kAudioUnitScope_Output, 0).isCanonical) == true
    else { return nil }
    // What works in place does so in its source's memory, or in its own after a copy.
    let source = read.first?.draft
    guard source == nil ? node.processesInPlace : !node.processesInPlace || inherited === source,
      unsafe source != nil || bus.port.callback != nil
    else { return nil }
    let made = unsafe arena.room(for: 1, of: GraphDirect.self)
    unsafe made.initialize(
      to: GraphDirect(unit: direct, source: source?.bus, callback: bus.port.callback))
    return unsafe made
  }

  private func makeBus(
    _ bus: UnsafeMutablePointer<GraphBus>, _ format: AudioStreamFormat, _ element: UInt32,
    _ domain: Int, readers: Int, memory: UnsafeMutablePointer<UnsafeMutableRawPointer>?
  ) -> BusDraft {
    let count = format.bufferCount
    let size = limits[domain] * Int(format.asbd.mBytesPerFrame)
    let listBytes = AudioBufferList.byteSize(bufferCount: max(1, count))
    let list = unsafe arena.bytes(listBytes, alignment: 16)
      .bindMemory(to: AudioBufferList.self, capacity: 1)
    let pointers = unsafe memory ?? arena.room(for: 2 * count, of: UnsafeMutableRawPointer.self)
    if unsafe memory == nil {
      for index in 0..<count {
        let samples = unsafe pool[size]?.popLast() ?? arena.samples(size)
        unsafe (pointers + index).initialize(to: samples)
        unsafe (pointers + count + index).initialize(to: samples)
      }
    }
    unsafe bus.initialize(
      to: GraphBus(
        list: list, memory: pointers, bufferCount: count, capacity: size,
        bytesPerFrame: Int(format.asbd.mBytesPerFrame),
        channelsPerBuffer: format.isPlanar ? 1 : format.asbd.mChannelsPerFrame, element: element))
    return unsafe BusDraft(bus, readers: readers, size: size)
  }

  /// One reader less; after the last one the memory is free for the steps that follow.
  private func release(_ draft: BusDraft) {
    draft.readers -= 1
    guard draft.readers <= 0 else { return }
    for index in 0..<(unsafe draft.bus.pointee.bufferCount) {
      unsafe pool[draft.size, default: []].append(draft.bus.pointee.memory[index])
    }
  }

  private func keep(_ callback: InputCallback, _ format: AudioStreamFormat) {
    callbacks.append(callback)
    let count = format.isCanonical ? min(format.channelCount, InputCallback.heldChannels) : 0
    // A callback that goes on may be in use now: what is right already is not written again.
    if unsafe callback.state.pointee.channelCount != count {
      unsafe callback.state.pointee.channelCount = count
    }
  }

  /// Puts the drafts into memory.
  private func assemble(
    _ serial: UInt64, _ transitionFrames: Int, _ fadeFrames: Int, _ next: CompiledPlan?
  ) -> UnsafeMutablePointer<GraphPlan> {
    for (index, list) in steps.enumerated() {
      // The room is zero beyond the last step, as an empty step is.
      let memory = unsafe arena.room(
        for: list.count + GraphDomain.fetchDistance, of: GraphStep.self)
      for (place, step) in list.enumerated() { unsafe (memory + place).initialize(to: step) }
      let stamp = unsafe arena.room(for: 1, of: AudioTimeStamp.self)
      unsafe stamp.initialize(to: AudioTimeStamp())
      unsafe (domains + index).initialize(
        to: GraphDomain(
          steps: memory, stepCount: list.count,
          fetchesAhead: list.count > Self.nearSteps, maximumFrames: limits[index], stamp: stamp))
    }
    let portMemory = unsafe arena.room(
      for: ports.count + GraphDomain.fetchDistance, of: GraphPort.self)
    if let first = ports.first {
      for place in 0..<GraphDomain.fetchDistance {
        unsafe (portMemory + ports.count + place).initialize(to: first.port)
      }
    }
    for (place, entry) in ports.enumerated() {
      var port = entry.port
      if entry.isHead { port.needed = steps[entry.domain].count }
      unsafe (portMemory + place).initialize(to: port)
    }
    let plan = unsafe arena.room(for: 1, of: GraphPlan.self)
    unsafe plan.initialize(
      to: GraphPlan(
        serial: serial, domains: domains, domainCount: steps.count, ports: portMemory,
        portCount: ports.count, output: output, transitionFrames: transitionFrames,
        fadeFrames: fadeFrames,
        next: next?.plan))
    return unsafe plan
  }
}
