// Applying changes: newcomers are prepared, plans compiled, handed over and freed.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
import AudioUnits
import CAudioToolbox
import Glibc
import RealtimeSupport
import Synchronization

extension AudioUnitGraph {
  /// Applies the changes made since the last update, between two slices.
  ///
  /// Inputs fade from their old to their new source over `fadeSeconds`; removed nodes sound on
  /// until then. In a graph that is not initialised there is nothing to apply.
  ///
  /// - Parameter waits: Whether to wait until a slice that is being rendered now is over. A
  ///   callback that was removed is not called any more once such an update returns.
  /// - Returns: Whether the changes are in force; false while they wait for the next slice.
  /// - Throws: The reason why the changes cannot be applied; the graph then plays on as it was.
  ///   `kAUGraphErr_CannotDoInCurrentContext` on the render thread while another thread changes the
  ///   graph.
  ///
  /// The corresponding Core Audio function is `AUGraphUpdate`.
  @discardableResult
  public func update(waits: Bool = true) throws(AuricleError) -> Bool {
    try locked { () throws(AuricleError) in
      if isInitializedEmpty, headNode?.unit != nil { try initialize() }
      guard isInitializedNow else {
        isDirty = false
        return true
      }
      for number in order { try nodes[number]?.subgraph?.update(waits: false) }
      if refreshLatencies(asksAll: true) || isDirty {
        do throws(AuricleError) {
          try applyChanges()
          lastUpdateError = 0
        } catch {
          lastUpdateError = error.status
          throw error
        }
      }
      if waits && !isOnRenderThread { waitForSlice() }
      reclaim()
      return unsafe engine.state.pointee.pending.load(ordering: .acquiring) == nil
    }
  }

  /// Whether a change waits for `update`, or was handed over and not adopted yet.
  public var hasPendingChanges: Bool {
    reading {
      unsafe isDirty
        || hasRendered && engine.state.pointee.pending.load(ordering: .acquiring) != nil
    }
  }

  /// Plans and units that are kept for the render thread; for tests of leaks.
  public var retainedPlanCount: Int { reading { plans.count } }

  /// Whether a slice was rendered, or asked for, since the graph was initialised.
  var hasRendered: Bool {
    unsafe engine.state.pointee.cycles.load(ordering: .acquiring) > 0
      || engine.state.pointee.wasPulledUnfed.load(ordering: .acquiring)
  }

  /// Asks units for their latency; true if one changed.
  ///
  /// - Parameter asksAll: Whether to ask those too that did not say that it changed.
  func refreshLatencies(asksAll: Bool = false) -> Bool {
    var isChanged = false
    for node in participants
    where asksAll || node.latencyWatch.isSet || !node.isLatencyKnown || node.subgraph != nil {
      if node.readLatency() { isChanged = true }
    }
    return isChanged
  }

  /// Nodes of the state in force, converters included. Context: control.
  package var participants: [GraphNode] { settled?.entries.values.map(\.node) ?? [] }

  /// Aligns signals again where they meet, with the latencies that were read last, and frees unused plans.
  ///
  /// - Parameter appliesChanges: False where the latencies are in force already.
  ///
  /// Context: control.
  package func realign(appliesChanges: Bool) {
    reading {
      if appliesChanges { try? applyChanges() }
      reclaim()
    }
  }

  /// Compiles the graph as it is wanted and hands it to the render thread.
  func applyChanges() throws(AuricleError) {
    guard let head = headNode else {
      throw AuricleError(
        .badData, status: kAUGraphErr_OutputNodeErr, "the graph has no output node")
    }
    try prepareNodes()
    // A plan that was not adopted yet is withdrawn: it never played.
    let pending = unsafe engine.state.pointee.pending.exchange(
      nil, ordering: .acquiringAndReleasing)
    let base = unsafe pending == nil ? settled : settledBefore
    var topology = desiredTopology(head, base)
    align(&topology, keeping: base)
    for entry in topology.entries.values where base?[entry.node] == nil {
      entry.node.isLatecomer = base != nil
    }
    let made: [CompiledPlan]
    do throws(AuricleError) {
      made = try compile(topology, base)
    } catch {
      unsafe engine.state.pointee.pending.store(pending, ordering: .releasing)
      throw error
    }
    retireCallbacks(base, topology)
    // From here on the output unit asks the engine, which counts its slices.
    if !head.slotBuses.isEmpty { unwatchOutput() }
    if let pending = unsafe pending {
      let first = unsafe pending.pointee.serial
      plans.removeAll { $0.serial >= first }
    }
    plans.append(contentsOf: made)
    settledBefore = base
    settled = topology
    isDirty = false
    if let first = made.first {
      unsafe engine.state.pointee.pending.store(first.plan, ordering: .releasing)
    }
    reclaim()
  }

  /// The plans of a change: its stages, and the state behind them.
  private func compile(
    _ topology: PlannedTopology, _ base: PlannedTopology?
  ) throws(AuricleError) -> [CompiledPlan] {
    let rate = (try? topology.head.format(kAudioUnitScope_Input, 0))?.sampleRate ?? 44_100
    let fadeFrames = max(1, Int((fadeSeconds * rate).rounded()))
    var stages: [GraphTransition] = []
    // Before the first slice too: it may begin while this plan is made.
    if let base {
      stages = GraphTransition.stages(
        from: base, to: topology, fadeFrames: fadeFrames, longestWait: Int(rate * 4))
    }
    let firstSerial = lastSerial + 1
    lastSerial += UInt64(stages.count + 1)
    var plan = try GraphCompiler.compile(
      topology, serial: lastSerial, maximumFrames: maximumFrames, transitionFrames: 0,
      fadeFrames: fadeFrames, checksFiniteness: checksFiniteness, next: nil)
    var made = [plan]
    for (index, stage) in stages.enumerated().reversed() {
      plan = try GraphCompiler.compile(
        stage.topology, serial: firstSerial + UInt64(index), maximumFrames: maximumFrames,
        transitionFrames: stage.frames, fadeFrames: fadeFrames,
        checksFiniteness: checksFiniteness, next: plan)
      made.insert(plan, at: 0)
    }
    return made
  }

  /// The topology that is wanted: all that feeds the output node by any way.
  private func desiredTopology(_ head: GraphNode, _ base: PlannedTopology?) -> PlannedTopology {
    var topology = PlannedTopology(head: head)
    var waiting = [head]
    while let node = waiting.popLast() {
      guard topology[node] == nil else { continue }
      var entry = PlannedTopology.Entry(node: node)
      for bus in Set(node.inputs.keys).union(node.slotBuses).sorted() {
        guard let feed = node.inputs[bus] else {
          // A source that went away is silent now, not an error.
          entry.ports.append((bus, .silent))
          continue
        }
        var source = feed.source
        if let converter = feed.converter {
          source = .node(converter, 0)
          topology[converter] = PlannedTopology.Entry(
            node: converter,
            ports: [(0, .steady(PlannedFeed(source: feed.source, line: nil)))])
        }
        entry.ports.append((bus, .steady(PlannedFeed(source: source, line: nil))))
        if let next = feed.source.node { waiting.append(next) }
      }
      topology[node] = entry
    }
    return topology
  }

  /// Retires callbacks that do not sound any more.
  private func retireCallbacks(_ old: PlannedTopology?, _ new: PlannedTopology) {
    var kept: Set<ObjectIdentifier> = []
    func each(_ topology: PlannedTopology, _ body: (InputCallback) -> Void) {
      for entry in topology.entries.values {
        for (_, port) in entry.ports {
          if case .callback(let callback) = port.steadyFeed?.source { body(callback) }
        }
      }
    }
    each(new) { kept.insert(ObjectIdentifier($0)) }
    if let old { each(old) { if !kept.contains(ObjectIdentifier($0)) { $0.retire() } } }
    if let settled { each(settled) { if !kept.contains(ObjectIdentifier($0)) { $0.retire() } } }
  }

  /// Waits until the slice that is being rendered now is over.
  func waitForSlice() {
    // The render thread sets its flag without a fence: from here on it has either been seen to, or sees
    // all that was stored before.
    RenderClock.fenceOtherThreads()
    // A render thread that hangs must not hang this one for ever.
    for _ in 0..<5000 {
      guard unsafe engine.state.pointee.isInCycle.load(ordering: .acquiring) else {
        return
      }
      // It makes no system call at the end of a slice, so that no event marks it.
      usleep(200)
    }
  }

  /// Frees plans that the render thread has left, and with them the nodes that only they held.
  func reclaim() {
    // A plan that was adopted cannot be withdrawn: the state before it is over.
    if unsafe engine.state.pointee.pending.load(ordering: .acquiring) == nil { settledBefore = nil }
    let adopted = unsafe engine.state.pointee.adopted.load(ordering: .acquiring)
    guard let first = plans.first, first.serial < adopted else { return }
    plans.removeAll { $0.serial < adopted }
  }
}
