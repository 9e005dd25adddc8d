// Compiles a state of the graph: the order of the steps, and which memory each one uses.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

/// Makes one plan. Context: control.
@safe final class GraphCompiler {
  let topology: PlannedTopology
  private let maximumFrames: Int
  let checksFiniteness: Bool
  let arena = PlanArena()
  /// Steps whose units stay in the nearest cache.
  private static let nearSteps = 100
  var readers: [OutputKey: Int] = [:]
  var made: [OutputKey: BusDraft] = [:]
  /// The same for callbacks that are called into memory of the plan.
  var callReaders: [ObjectIdentifier: Int] = [:]
  var called: [ObjectIdentifier: BusDraft] = [:]
  var pool: [Int: [UnsafeMutableRawPointer]] = unsafe [:]
  var steps: [[GraphStep]] = []
  var ports: [(port: GraphPort, domain: Int, isHead: Bool)] = []
  var output: UnsafeMutablePointer<GraphBus>?
  var limits: [Int] = []
  var nodes: [GraphNode] = []
  var slots: [InputSlot] = []
  var callbacks: [InputCallback] = []
  var lines: [DelayLine] = []
  let domains: UnsafeMutablePointer<GraphDomain>

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

  /// The nodes of a domain, sources first; nodes that begin a further domain replace its sources.
  /// The head comes last.
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
            "the output of \(node.name) is used both before and beside a unit that changes the rate"
          )
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
      // A unit that does not keep denormals off itself needs the graph to do so.
      if unsafe port.needed == 0 && port.bus == nil && port.isGuarded {
        unsafe port.callbackAlone = unsafe port.callback
      }
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
