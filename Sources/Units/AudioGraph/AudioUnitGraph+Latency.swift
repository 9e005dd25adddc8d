// Alignment: the delayed edges by which branches meet in time, and the graph's latency and tail.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

extension AudioUnitGraph {
  /// Frames (of the output unit's input) by which the output lags the earliest input; faster
  /// branches are delayed to it.
  ///
  /// Some units know their latency only after they have rendered.
  public var latencyFrames: Int { reading { latency } }

  /// The same in seconds; 0 for a graph that is not initialised.
  public var latencySeconds: Double {
    reading {
      guard let settled, let rate = try? settled.head.format(kAudioUnitScope_Input, 0).sampleRate,
        rate > 0
      else { return 0 }
      return Double(latency) / rate
    }
  }

  /// Frames by which the signal at the inputs of a node lags the earliest input; 0 for a node that
  /// has no part in the graph. Context: control.
  package func arrivalFrames(at wanted: [Node]) -> [Int] {
    reading {
      guard let settled, let sorted = settled.sorted() else { return wanted.map { _ in 0 } }
      let arrivals = Self.arrivals(settled, sorted)
      return wanted.map { number in
        guard let node = nodes[number] else { return 0 }
        return Int((arrivals[ObjectIdentifier(node)] ?? 0).rounded())
      }
    }
  }

  /// False while a unit cannot know its latency because it has not rendered yet.
  public var areLatenciesKnown: Bool {
    reading { nodes.values.allSatisfy { !$0.isInitialized || $0.isLatencyKnown } }
  }

  /// Seconds that the graph rings on after its input ended: the longest way through the tails of
  /// its units. Nil where a unit on the way does not know its own, infinite where one never ends.
  public var tailSeconds: Double? {
    reading {
      guard let head = headNode, let sorted = desiredOrder(head) else { return nil }
      // A node without an entry has a way to it that nobody knows the tail of.
      var tails: [ObjectIdentifier: Double] = [:]
      for node in sorted {
        let sources = node.inputs.values.compactMap { $0.source.node }
        let ways = sources.compactMap { tails[ObjectIdentifier($0)] }
        let own: Double? =
          if let subgraph = node.subgraph { subgraph.tailSeconds } else {
            node.unit?.tailTime
          }
        guard ways.count == sources.count, let own else { continue }
        tails[ObjectIdentifier(node)] = (ways.max() ?? 0) + own
      }
      return tails[ObjectIdentifier(head)]
    }
  }

  /// The latency of the state that is in force or waits to be.
  private var latency: Int {
    guard let settled, let nodes = settled.sorted() else { return 0 }
    let arrivals = Self.arrivals(settled, nodes)
    let head = arrivals[ObjectIdentifier(settled.head)] ?? 0
    return Int(head.rounded()) + settled.head.latencyFrames
  }

  /// Nodes that reach the wanted output, sources first.
  func desiredOrder(_ head: GraphNode) -> [GraphNode]? {
    var topology = PlannedTopology(head: head)
    var waiting = [head]
    while let node = waiting.popLast() {
      guard topology[node] == nil else { continue }
      var entry = PlannedTopology.Entry(node: node)
      for (bus, feed) in node.inputs.sorted(by: { $0.key < $1.key }) {
        entry.ports.append((bus, .steady(PlannedFeed(source: feed.source, line: nil))))
        if let source = feed.source.node { waiting.append(source) }
      }
      topology[node] = entry
    }
    return topology.sorted()
  }

  /// Latency of the signal at each node's inputs, in frames there.
  static func arrivals(
    _ topology: PlannedTopology, _ sorted: [GraphNode]
  ) -> [ObjectIdentifier: Double] {
    var arrivals: [ObjectIdentifier: Double] = [:]
    for node in sorted {
      var latest = 0.0
      for (_, port) in topology[node]?.ports ?? [] {
        guard let feed = port.steadyFeed, let source = feed.source.node else { continue }
        latest = max(latest, departure(source, arrivals))
      }
      arrivals[ObjectIdentifier(node)] = latest
    }
    return arrivals
  }

  /// Latency of a node's output, in frames there.
  private static func departure(
    _ node: GraphNode, _ arrivals: [ObjectIdentifier: Double]
  ) -> Double {
    let arrival = arrivals[ObjectIdentifier(node)] ?? 0
    return arrival * node.rateRatio + Double(node.latencyFrames)
  }

  /// Sets the delay lines of a state: on every edge as much as it is ahead of the latest one.
  ///
  /// A line that an edge has already is kept, so that its past goes on.
  func align(_ topology: inout PlannedTopology, keeping old: PlannedTopology?) {
    guard let sorted = topology.sorted() else { return }
    let arrivals = Self.arrivals(topology, sorted)
    let limit = Self.longestAlignmentSeconds * 48_000
    for node in sorted {
      guard var entry = topology[node], entry.ports.count > 1 else { continue }
      let latest = arrivals[ObjectIdentifier(node)] ?? 0
      for index in entry.ports.indices {
        guard var feed = entry.ports[index].port.steadyFeed else { continue }
        let own = feed.source.node.map { Self.departure($0, arrivals) } ?? 0
        let frames = Int(min(latest - own, limit).rounded())
        guard frames > 0 else { continue }
        feed.line = line(node, entry.ports[index].bus, feed.source, frames, old)
        entry.ports[index].port = .steady(feed)
      }
      topology[node] = entry
    }
  }

  private func line(
    _ node: GraphNode, _ bus: UInt32, _ source: GraphSource, _ frames: Int, _ old: PlannedTopology?
  ) -> DelayLine? {
    if let present = old?[node]?.port(bus)?.steadyFeed, let line = present.line,
      line.frames == frames, GraphSource.isSame(present.source, source)
    {
      return line
    }
    guard let format = try? node.format(kAudioUnitScope_Input, bus) else { return nil }
    return DelayLine(
      frames: frames, bufferCount: format.bufferCount,
      bytesPerFrame: Int(format.asbd.mBytesPerFrame))
  }
}

extension GraphNode {
  /// Output rate over input rate; 1 where either is unknown.
  var rateRatio: Double {
    guard isRateChanger, let input = try? format(kAudioUnitScope_Input, 0).sampleRate,
      let output = try? format(kAudioUnitScope_Output, 0).sampleRate, input > 0, output > 0
    else { return 1 }
    return output / input
  }

  /// Whether the unit may pull other numbers of frames than it renders.
  var isRateChanger: Bool {
    guard subgraph == nil else { return false }
    switch description.componentType {
    case kAudioUnitType_OfflineEffect: return true
    case kAudioUnitType_FormatConverter:
      return ![
        kAudioUnitSubType_Splitter, kAudioUnitSubType_MultiSplitter, kAudioUnitSubType_Merger,
      ].contains(description.componentSubType)
    default: return false
    }
  }
}
