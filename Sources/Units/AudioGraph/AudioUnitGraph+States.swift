// The states of a graph: open, initialised, and back.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
import AudioUnits
import CAudioToolbox
import RealtimeSupport
import Synchronization

extension AudioUnitGraph {
  /// True once every node has its unit.
  ///
  /// The corresponding Core Audio function is `AUGraphIsOpen`.
  public var isOpen: Bool { reading { isOpenNow } }

  /// True once the graph can render, or was initialized without a node.
  ///
  /// The corresponding Core Audio function is `AUGraphIsInitialized`.
  public var isInitialized: Bool { reading { isInitializedNow || isInitializedEmpty } }

  /// True between `start` and `stop`.
  ///
  /// The corresponding Core Audio function is `AUGraphIsRunning`.
  public var isRunning: Bool { reading { startCount > 0 } }

  /// Makes the units of all nodes. Does nothing if the graph is open.
  ///
  /// - Throws: `kAUGraphErr_InvalidAudioUnit` or a unit's own status, with the node's label in the
  ///   message; no unit stays open then.
  ///
  /// The corresponding Core Audio function is `AUGraphOpen`.
  public func open() throws(AuricleError) {
    try locked { () throws(AuricleError) in
      guard !isOpenNow else { return }
      do throws(AuricleError) {
        for number in order { try nodes[number]?.open() }
        isOpenNow = true
        if let head = headNode { try addNotifications(to: head) }
        for number in order {
          guard let node = nodes[number] else { continue }
          for (bus, feed) in node.inputs.sorted(by: { $0.key < $1.key }) {
            guard case .node(let source, let output) = feed.source else { continue }
            try matchFormats(source, output, node, bus)
          }
        }
      } catch {
        isOpenNow = false
        for number in order { nodes[number]?.close() }
        throw error
      }
    }
  }

  /// Closes the units of all nodes; nodes and connections stay.
  ///
  /// The corresponding Core Audio function is `AUGraphClose`.
  public func close() {
    reading {
      guard isOpenNow else { return }
      isInitializedEmpty = false
      tearDown()
      for number in order { nodes[number]?.close() }
      isOpenNow = false
    }
  }

  /// Passes formats along connections, and initialises every unit that has a part in one.
  ///
  /// Slices are as long as the output unit's maximum. Does nothing if the graph is initialised; the
  /// nodes of a graph without any are initialised with its next update or start.
  ///
  /// - Throws: `kAUGraphErr_InvalidAudioUnit` if the graph is not open; `kAUGraphErr_OutputNodeErr`
  ///   without an output node; `kAudioUnitErr_FormatNotSupported` where formats cannot meet; the
  ///   error of a unit's own initialisation, with the node's label. No unit stays initialised then.
  ///
  /// The corresponding Core Audio function is `AUGraphInitialize`.
  public func initialize() throws(AuricleError) {
    try locked { () throws(AuricleError) in
      guard !isInitializedNow else { return }
      guard isOpenNow else {
        throw AuricleError(
          .software, status: kAUGraphErr_InvalidAudioUnit, "the graph is not open")
      }
      // As on a Mac, where programs initialise a graph before they add the first node.
      isInitializedEmpty = nodes.isEmpty
      guard !isInitializedEmpty else { return }
      guard let head = headNode, let unit = head.unit else {
        throw AuricleError(
          .badData, status: kAUGraphErr_OutputNodeErr,
          "the graph has no output node: every graph ends in one")
      }
      do throws(AuricleError) {
        if let wanted = wantedMaximumFrames, unit.maximumFramesPerSlice != wanted {
          try unit.setMaximumFramesPerSlice(wanted)
        }
        maximumFrames = unit.maximumFramesPerSlice
        clock = LoadClock()
        try prepareNodes()
        isInitializedNow = true
        // The output unit may pull more than it renders where it changes the rate.
        let input = (try? head.format(kAudioUnitScope_Input, 0))?.sampleRate ?? 0
        let output = (try? head.format(kAudioUnitScope_Output, 0))?.sampleRate ?? 0
        if input > output, output > 0 {
          maximumFrames = min(1 << 20, Int(Double(maximumFrames) * input / output) + 64)
        }
        try applyChanges()
        // In force at once: a change before the first slice must not leave that one without a plan.
        if let plan = unsafe engine.state.pointee.pending.exchange(
          nil, ordering: .acquiringAndReleasing)
        {
          unsafe GraphCycle.adopt(engine.state, plan)
        }
        if head.slotBuses.isEmpty { watchOutput(unit) }
        if followsByItself && !isSubgraph { keeper = GraphKeeper(self) }
      } catch {
        isInitializedNow = true
        tearDown()
        throw error
      }
    }
  }

  /// Ends rendering and frees the memory of `initialize`.
  ///
  /// Context: control, while nobody pulls the output unit by hand.
  /// The corresponding Core Audio function is `AUGraphUninitialize`.
  public func uninitialize() {
    reading {
      isInitializedEmpty = false
      tearDown()
    }
  }

  /// Stops, waits for the slice that is being rendered, and uninitialises all units.
  func tearDown() {
    guard isInitializedNow else { return }
    keeper?.stop()
    keeper = nil
    stopNow()
    unwatchOutput()
    waitForSlice()
    unsafe engine.state.pointee.pending.store(nil, ordering: .sequentiallyConsistent)
    if let plan = unsafe engine.state.pointee.current {
      for index in 0..<(unsafe plan.pointee.portCount) {
        unsafe plan.pointee.ports[index].slot.pointee.port = nil
      }
    }
    unsafe engine.state.pointee.current = nil
    unsafe engine.state.pointee.adopted.store(0, ordering: .relaxed)
    unsafe engine.state.pointee.cycles.store(0, ordering: .relaxed)
    unsafe engine.state.pointee.quietCycles = 0
    unsafe engine.state.pointee.wasPulledUnfed.store(false, ordering: .relaxed)
    unsafe engine.state.pointee.meter.reset()
    unsafe engine.state.pointee.hasFailed.store(false, ordering: .relaxed)
    plans = []
    settled = nil
    settledBefore = nil
    for number in order {
      guard let node = nodes[number] else { continue }
      for bus in node.inputs.keys { node.inputs[bus]?.converter = nil }
      if let subgraph = node.subgraph {
        subgraph.uninitialize()
      } else {
        try? node.unit?.uninitialize()
      }
      node.isInitialized = false
      node.recorder?.isInitialized = false
      for bus in node.slotBuses where node.inputs[bus] == nil { node.removeSlot(bus) }
    }
    isInitializedNow = false
    sampleTime = 0
  }
}
