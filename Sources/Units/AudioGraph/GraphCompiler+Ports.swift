// The sources of a node's input buses in a plan, and the steps on their edges.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

extension GraphCompiler {
  /// Adds the ports of a node with the steps on its edges; returns the buses that its unit reads.
  func addPorts(
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

  /// Whether the maker of the bus that the output unit pulls may work in another memory.
  private func isLendable(_ draft: BusDraft, _ format: AudioStreamFormat) -> Bool {
    let count = unsafe draft.bus.pointee.bufferCount
    return unsafe !checksFiniteness && topology[topology.head]?.ports.count == 1
      && made.values.contains { $0 === draft } && format.isCanonical
      && 1...2 ~= count && count == format.bufferCount
      && draft.bus.pointee.bytesPerFrame == MemoryLayout<Float>.size
  }

  /// The bus of a feed: a node's, or one that a callback fills; delayed where it must be.
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

  /// The frames of a callback, which is called once for any number of readers: where only its delay
  /// changes, two read it.
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
    // A callback that goes away is retired by now: its last samples replace it.
    let old = from.flatMap { signal($0, format, domain) }
    let new = to.flatMap { signal($0, format, domain) }
    return edge(.fade, format, domain, reading: [old, new].compactMap { $0 }) {
      unsafe $0.source = unsafe old?.bus
      unsafe $0.target = unsafe new?.bus
      $0.wait = wait
    }
  }

  /// Adds a step on an edge, with a bus that has one reader.
  func edge(
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

  private func keep(_ callback: InputCallback, _ format: AudioStreamFormat) {
    callbacks.append(callback)
    let count = format.isCanonical ? min(format.channelCount, InputCallback.heldChannels) : 0
    // A callback that goes on may be in use now: values that are right already are not written
    // again.
    if unsafe callback.state.pointee.channelCount != count {
      unsafe callback.state.pointee.channelCount = count
    }
  }
}
