// Engines: nodes, their connections, and edits while they run.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Notification.Name {
  /// Posted by an engine that stopped because its device changed.
  public static let AVAudioEngineConfigurationChange = Notification.Name(
    "AVAudioEngineConfigurationChangeNotification")
}

/// An engine: nodes that make, change and play sound.
open class AVAudioEngine: NSObject, @unchecked Sendable {
  /// The frames of a device's cycle at most.
  static let deviceFrames = 4096

  let control = NSRecursiveLock()
  /// The part that render threads use.
  let cycle = EngineCycle()
  private var nodes: Set<AVAudioNode> = []
  private var mixer: AVAudioMixerNode?
  private var input: AVAudioInputNode?
  private var output: AVAudioOutputNode? { cycle.output }
  var running: Bool {
    get { cycle.isRunning.load(ordering: .acquiring) }
    set { cycle.isRunning.store(newValue, ordering: .releasing) }
  }
  private var initialized = false
  private var attachments = 0
  var sequenceFeed: EngineSequence?

  /// An engine without nodes.
  public override init() {
    super.init()
    cycle.engine = self
  }
  deinit {
    cycle.close()
    for node in nodes {
      node.cycle = nil
      for state in node.outputs { state.links.removeAll() }
      for index in node.inputLinks.indices { node.inputLinks[index] = nil }
    }
  }
  private func controlled<Result>(_ body: () throws -> Result) rethrows -> Result {
    control.lock()
    defer { control.unlock() }
    return try body()
  }
  var renderLock: RenderLock { cycle.lock }
  var device: EngineDevice { cycle.device }
  var manual: ManualRendering? {
    get { renderLock { cycle.manual } }
    set { renderLock { cycle.manual = newValue } }
  }
  /// The greatest number of frames of a cycle.
  var maximumFrames: Int { manual?.maximumFrames ?? AVAudioEngine.deviceFrames }

  // MARK: Nodes

  /// The nodes that are attached.
  open var attachedNodes: Set<AVAudioNode> { controlled { nodes } }
  /// Attaches a node, which may then be connected.
  open func attach(_ node: AVAudioNode) {
    controlled {
      if node.owner === self { return }
      auricleRequire(node.owner == nil, "node.engine == nil")
      nodes.insert(node)
      attachments += 1
      node.place = attachments
      node.cycle = cycle
    }
  }
  /// Detaches a node, with its connections and taps.
  open func detach(_ node: AVAudioNode) {
    controlled {
      guard node.owner === self else { return }
      for bus in node.outputs.indices { node.removeTap(onBus: bus) }
      let dropped = remove(inputsOf: node) + remove(outputsOf: node)
      nodes.remove(node)
      renderLock { cycle.extras.removeAll { $0 === node } }
      node.engineDidStop()
      node.cycle = nil
      withExtendedLifetime(dropped) {}
    }
  }
  /// The node that sound comes in from, made at the first use.
  open var inputNode: AVAudioInputNode {
    controlled {
      if let input { return input }
      let made = AVAudioInputNode(self)
      input = made
      attach(made)
      return made
    }
  }
  /// The node that sound goes out through, made at the first use.
  open var outputNode: AVAudioOutputNode {
    controlled {
      if let output { return output }
      let made = AVAudioOutputNode(self)
      if let manual { manual.setFormats(made) }
      renderLock { cycle.output = made }
      attach(made)
      return made
    }
  }
  /// A mixer in front of the output, made and connected at the first use.
  open var mainMixerNode: AVAudioMixerNode {
    controlled {
      if let mixer { return mixer }
      let made = AVAudioMixerNode()
      mixer = made
      attach(made)
      connect(made, to: outputNode, format: outputNode.inputFormat(forBus: 0))
      return made
    }
  }
  var existing: (input: AVAudioInputNode?, output: AVAudioOutputNode?, mixer: AVAudioMixerNode?) {
    (input, output, mixer)
  }

  // MARK: Connections

  /// Connects two nodes: from the first output to the first input, or the next free one of a mixer.
  open func connect(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) {
    let bus =
      (node2 as? AVAudioMixerNode)?.nextAvailableInputBus ?? (node2 as? AVAudioEnvironmentNode)?
      .nextAvailableInputBus ?? 0
    // An output that feeds this mixer already keeps its bus.
    let present = node1.outputs.first?.links.first { $0.destination === node2 }?.destinationBus
    connect(node1, to: node2, fromBus: 0, toBus: present ?? bus, format: format)
  }
  /// Connects an output bus to an input bus, in place of the connections that they had.
  open func connect(
    _ node1: AVAudioNode, to node2: AVAudioNode, fromBus bus1: AVAudioNodeBus,
    toBus bus2: AVAudioNodeBus,
    format: AVAudioFormat?
  ) {
    connect(
      node1, to: [AVAudioConnectionPoint(node: node2, bus: bus2)], fromBus: bus1, format: format)
  }
  /// Connects an output bus to several input busses, in place of the connections that it had.
  open func connect(
    _ sourceNode: AVAudioNode, to destNodes: [AVAudioConnectionPoint],
    fromBus sourceBus: AVAudioNodeBus,
    format: AVAudioFormat?
  ) {
    controlled {
      auricleRequire(sourceNode.owner === self, "node1.engine == self")
      auricleRequire(
        sourceNode.outputs.indices.contains(sourceBus), "inSrcBus < source->numberOfOutputs")
      if let format {
        auricleRequire(
          format.sampleRate > 0 && format.channelCount > 0,
          "IsFormatSampleRateAndChannelCountValid(format)")
      }
      let chosen = format ?? sourceNode.outputFormats[sourceBus]
      auricleRequire(
        chosen.sampleRate > 0 && chosen.channelCount > 0,
        "IsFormatSampleRateAndChannelCountValid(format)")
      let standard = AVAudioFormat.auricleMake(
        AVAudioFormat.auricleStandard(chosen.sampleRate, chosen.channelCount).raw,
        chosen.channelLayout)
      var dropped = [InputLink]()
      if !(sourceNode is AVAudioInputNode), sourceNode.outputFormats[sourceBus] != standard {
        changeFormat(of: sourceNode) { sourceNode.setOutput(sourceBus, standard) }
      }
      let linkFormat = sourceNode.outputFormats[sourceBus]
      var made = [InputLink]()
      for point in destNodes {
        guard let node = point.node else { continue }
        auricleRequire(node.owner === self, "node2.engine == self")
        auricleRequire(
          node !== sourceNode && !reaches(node, sourceNode), "the connection makes no cycle")
        renderLock { node.ensureInput(point.bus) }
        if node.inputFormats[point.bus] != standard {
          changeFormat(of: node) { node.setInput(point.bus, standard) }
        }
        let link = InputLink(sourceNode, sourceBus, node, point.bus, linkFormat, maximumFrames)
        link.mixing.copy(from: sourceNode.mixingDefaults)
        made.append(link)
      }
      if initialized {
        for node in [sourceNode] + destNodes.compactMap(\.node) where !node.isPrepared {
          try? node.prepare(maximumFrames)
        }
      }
      for link in made { prepareRate(link) }
      let state = sourceNode.outputs[sourceBus]
      let cache =
        made.count > 1
        ? PlanarMemory(channels: Int(linkFormat.channelCount), capacity: maximumFrames) : nil
      renderLock {
        dropped = state.links
        for link in state.links { link.leave() }
        for link in made {
          if let old = link.destination?.inputLinks[link.destinationBus] {
            dropped.append(old)
            old.source.outputs[old.sourceBus].links.removeAll { $0 === old }
          }
          link.destination?.inputLinks[link.destinationBus] = link
          link.destination?.inputChanged(link.destinationBus)
        }
        state.links = made
        state.cache = cache
        state.cachedTime = -.infinity
      }
      for link in made { link.placeInSpace() }
      tapsChanged(sourceNode)
      withExtendedLifetime(dropped) {}
    }
  }
  private func reaches(_ node: AVAudioNode, _ wanted: AVAudioNode) -> Bool {
    node === wanted
      || node.outputs.contains {
        $0.links.contains { link in link.destination.map { reaches($0, wanted) } ?? false }
      }
  }
  /// Whether a cycle asks a node for sound: the output, a tap or a sink does.
  func isRead(_ node: AVAudioNode) -> Bool {
    controlled {
      node === output || node is AVAudioSinkNode
        || node.outputs.contains {
          $0.tap != nil || $0.links.contains { $0.destination.map(isRead) ?? false }
        }
    }
  }
  /// Changes a format of a node, whose unit is made ready again where the engine is.
  func changeFormat(of node: AVAudioNode, _ change: () -> Void) {
    renderLock {
      change()
      node.isPrepared = false
      if initialized { try? node.prepare(maximumFrames) }
    }
    for case let link? in node.inputLinks { prepareRate(link) }
    for link in node.outputs.flatMap(\.links) { prepareRate(link) }
  }
  private func prepareRate(_ link: InputLink) {
    guard let node = link.destination else { return }
    renderLock { link.prepare(rate: node.inputRate(link.destinationBus)) }
  }
  /// Removes the connections of all inputs of a node.
  open func disconnectNodeInput(_ node: AVAudioNode) {
    controlled { withExtendedLifetime(remove(inputsOf: node)) {} }
  }
  /// Removes the connection of an input bus.
  open func disconnectNodeInput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
    controlled { withExtendedLifetime(remove(inputsOf: node) { $0 == bus }) {} }
  }
  /// Removes the connections of all outputs of a node.
  open func disconnectNodeOutput(_ node: AVAudioNode) {
    controlled { withExtendedLifetime(remove(outputsOf: node)) {} }
  }
  /// Removes the connections of an output bus.
  open func disconnectNodeOutput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
    controlled { withExtendedLifetime(remove(outputsOf: node) { $0 == bus }) {} }
  }
  private func remove(inputsOf node: AVAudioNode, where isMeant: (Int) -> Bool = { _ in true })
    -> [InputLink]
  {
    renderLock {
      var dropped = [InputLink]()
      for index in node.inputLinks.indices where isMeant(index) {
        guard let link = node.inputLinks[index] else { continue }
        link.source.outputs[link.sourceBus].links.removeAll { $0 === link }
        link.leave()
        dropped.append(link)
      }
      return dropped
    }
  }
  private func remove(outputsOf node: AVAudioNode, where isMeant: (Int) -> Bool = { _ in true })
    -> [InputLink]
  {
    renderLock {
      var dropped = [InputLink]()
      for (index, state) in node.outputs.enumerated() where isMeant(index) {
        for link in state.links { link.leave() }
        dropped += state.links
        state.links = []
      }
      return dropped
    }
  }
  /// The node and bus that feed an input bus.
  open func inputConnectionPoint(for node: AVAudioNode, inputBus bus: AVAudioNodeBus)
    -> AVAudioConnectionPoint?
  {
    controlled {
      guard node.inputLinks.indices.contains(bus), let link = node.inputLinks[bus] else {
        return nil
      }
      return AVAudioConnectionPoint(node: link.source, bus: link.sourceBus)
    }
  }
  /// The nodes and busses that an output bus feeds.
  open func outputConnectionPoints(for node: AVAudioNode, outputBus bus: AVAudioNodeBus)
    -> [AVAudioConnectionPoint]
  {
    controlled {
      guard node.outputs.indices.contains(bus) else { return [] }
      return node.outputs[bus].links.compactMap { link in
        link.destination.map { AVAudioConnectionPoint(node: $0, bus: link.destinationBus) }
      }
    }
  }
  func tapsChanged(_ node: AVAudioNode) {
    let found = nodes.filter {
      $0 is AVAudioSinkNode || $0.outputs.contains { $0.tap != nil }
        || ($0 as? AVAudioUnit)?.sendsMIDI ?? false
    }
    cycle.setExtras(Array(found), maximumFrames: maximumFrames)
  }

  // MARK: Running

  /// Whether the engine runs.
  open var isRunning: Bool { running }
  /// Whether the device stops when nothing sounds. It does not here.
  open var isAutoShutdownEnabled = false

  /// Makes everything ready, so that start is quick.
  open func prepare() { controlled { try? initialize() } }
  private func initialize() throws {
    guard !initialized else { return }
    for node in nodes { try renderLock { try node.prepare(maximumFrames) } }
    for node in nodes {
      for case let link? in node.inputLinks { prepareRate(link) }
    }
    if manual == nil, output != nil || input != nil {
      let format = outputNode.inputFormats[0]
      try device.prepare(cycle, format, input: usesInput ? input?.outputFormats[0] : nil)
    }
    initialized = true
    tapsChanged(outputNode)
  }
  private var usesInput: Bool {
    input?.outputs.contains { !$0.links.isEmpty || $0.tap != nil } ?? false
  }
  /// Starts; fails without a node at an end, without a device, or where a unit refuses.
  open func start() throws {
    try controlled {
      guard !running else { return }
      auricleRequire(
        input != nil || output != nil || manual != nil,
        "inputNode != nullptr || outputNode != nullptr")
      try initialize()
      sequenceFeed?.connectTracks()
      RealtimeCheck.update()
      renderLock { cycle.stamp = nil }
      cycle.hasLostDevice.store(false, ordering: .releasing)
      running = true
      guard manual == nil else { return }
      do {
        try device.start(renderLock)
      } catch {
        running = false
        throw error
      }
    }
  }
  /// Stops the device; resources stay ready.
  open func pause() {
    controlled {
      guard running else { return }
      device.pause()
      running = false
    }
  }
  /// Stops; players stop, too, and times begin anew.
  open func stop() {
    controlled {
      cycle.hasLostDevice.store(false, ordering: .releasing)
      halt()
    }
  }
  private func halt() {
    controlled {
      device.release()
      running = false
      initialized = false
      let stopped = renderLock {
        defer { cycle.timelines = [] }
        return cycle.timelines
      }
      for timeline in stopped { MusicPlayerStop(timeline.player) }
      manual?.sampleTime.store(0, ordering: .relaxed)
      for node in nodes {
        node.engineDidStop()
        node.isPrepared = false
        renderLock { for state in node.outputs { state.stamp = nil } }
      }
    }
  }
  /// Forgets the sound so far in all nodes.
  open func reset() { controlled { for node in nodes { node.reset() } } }

  /// Sets the format of the device's side of the output node.
  func setDeviceFormat(_ format: AVAudioFormat) {
    renderLock {
      output?.inputFormats[0] = format
      output?.outputFormats[0] = format
    }
  }
  /// Whether a player may be started: a device that ended by itself is no error of the program.
  var acceptsStarts: Bool { running || cycle.hasLostDevice.load(ordering: .acquiring) }
  /// The device has another format, or ended: stops, and posts the notification. Context: a queue.
  func deviceDidChange(isEnd: Bool) {
    let isStopped = controlled {
      guard running, manual == nil, !isEnd || device.hasEnded else { return false }
      cycle.hasLostDevice.store(true, ordering: .releasing)
      halt()
      if let format = device.format(input: false) { setDeviceFormat(format) }
      return true
    }
    guard isStopped else { return }
    NotificationCenter.default.post(name: .AVAudioEngineConfigurationChange, object: self)
  }
}
