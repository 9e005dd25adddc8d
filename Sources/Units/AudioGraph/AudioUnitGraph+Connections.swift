// Connections and input callbacks: the feeds of the nodes' inputs.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import CAudioToolbox

extension AudioUnitGraph {
  /// The source of an input.
  ///
  /// The corresponding Core Audio type is `AUNodeInteraction`.
  @safe public enum Interaction {
    /// An output bus of a node into an input bus of another.
    case connection(source: Node, output: UInt32, destination: Node, input: UInt32)
    /// A callback into an input bus of a node.
    case inputCallback(destination: Node, input: UInt32, callback: AURenderCallbackStruct)
  }

  /// Connects an output bus of a node to an input bus of another.
  ///
  /// In an open graph that is not initialised the input adopts the output's format at once. A
  /// connection that exists already is left as it is.
  ///
  /// - Throws: `kAUGraphErr_NodeNotFound`; `kAudioUnitErr_InvalidElement` for a bus that an open
  ///   unit does not have. `kAUGraphErr_InvalidConnection` for an output or an input that is
  ///   connected already, and for a cycle, whose nodes the message names.
  ///   `kAudioUnitErr_FormatNotSupported` where the formats cannot meet.
  ///
  /// The corresponding Core Audio function is `AUGraphConnectNodeInput`.
  public func connect(
    _ source: Node, output: UInt32 = 0, to destination: Node, input: UInt32 = 0
  ) throws(AuricleError) {
    try locked { () throws(AuricleError) in
      let from = try node(source).source(of: output)
      let to = try node(destination)
      try checkBus(from, kAudioUnitScope_Output, output)
      try checkBus(to, kAudioUnitScope_Input, input)
      if let feed = to.inputs[input] {
        if case .node(let present, let bus) = feed.source, present === from, bus == output {
          return
        }
        throw invalid(
          "input \(input) of \(to.name) has a source already: disconnect it first")
      }
      if let target = from.outputs[output] {
        throw invalid(
          "output \(output) of \(from.name) feeds input \(target.bus) of \(target.node.name) already: "
            + "one output feeds one input, put a splitter between")
      }
      if let path = path(from: to, to: from) {
        let names = (path + [to]).map(\.name).joined(separator: " → ")
        throw invalid("the connection would close a cycle: \(names)")
      }
      try matchFormats(from, output, to, input)
      lastOrder += 1
      to.inputs[input] = GraphFeed(source: .node(from, output), order: lastOrder)
      from.outputs[output] = (to, input)
      try changed()
    }
  }

  /// Feeds an input bus by a callback, or removes the callback when its function is null.
  ///
  /// A callback that is there already is replaced.
  ///
  /// - Throws: `kAUGraphErr_NodeNotFound`; `kAudioUnitErr_InvalidElement`;
  ///   `kAUGraphErr_InvalidConnection` for an input that is connected.
  ///
  /// The corresponding Core Audio function is `AUGraphSetNodeInputCallback`.
  public func setInputCallback(
    _ number: Node, input: UInt32 = 0, _ callback: AURenderCallbackStruct
  ) throws(AuricleError) {
    try unsafe setInputCallback(number, input: input, callback, lendsMemory: false)
  }

  /// The same for a callback that may lend its memory to a caller that brings none.
  ///
  /// Context: control.
  package func setInputCallback(
    _ number: Node, input: UInt32, _ callback: AURenderCallbackStruct, lendsMemory: Bool
  ) throws(AuricleError) {
    try locked { () throws(AuricleError) in
      let node = try self.node(number)
      try checkBus(node, kAudioUnitScope_Input, input)
      if let feed = node.inputs[input] {
        if case .node = feed.source {
          throw invalid(
            "input \(input) of \(node.name) has a source already: disconnect it first")
        }
        removeFeed(node, input)
      }
      guard let procedure = unsafe callback.inputProc else { return try changed() }
      lastOrder += 1
      unsafe node.inputs[input] = GraphFeed(
        source: .callback(
          InputCallback(
            callback, procedure: procedure, element: input, lendsMemory: lendsMemory)),
        order: lastOrder)
      try changed()
    }
  }

  /// Removes the source of an input bus: a connection or a callback.
  ///
  /// - Throws: `kAUGraphErr_NodeNotFound`; `kAUGraphErr_InvalidConnection` if there is none.
  ///
  /// The corresponding Core Audio function is `AUGraphDisconnectNodeInput`.
  public func disconnectInput(_ number: Node, input: UInt32 = 0) throws(AuricleError) {
    try locked { () throws(AuricleError) in
      let node = try self.node(number)
      guard node.inputs[input] != nil else {
        throw invalid("input \(input) of \(node.name) has no source")
      }
      removeFeed(node, input)
      try changed()
    }
  }

  /// Removes all connections and callbacks.
  ///
  /// The corresponding Core Audio function is `AUGraphClearConnections`.
  public func clearConnections() throws(AuricleError) {
    try locked { () throws(AuricleError) in
      for number in order {
        guard let node = nodes[number] else { continue }
        for bus in node.inputs.keys.sorted() where !isExternal(node, bus) { removeFeed(node, bus) }
      }
      try changed()
    }
  }

  /// All connections and callbacks, in the order in which they were made.
  ///
  /// The corresponding Core Audio functions are `AUGraphGetNumberOfInteractions` and
  /// `AUGraphGetInteractionInfo`.
  public var interactions: [Interaction] {
    reading {
      var all: [(order: UInt64, interaction: Interaction)] = []
      for number in order {
        guard let node = nodes[number] else { continue }
        for (bus, feed) in node.inputs where !isExternal(node, bus) {
          all.append((feed.order, interaction(node, bus, feed)))
        }
      }
      return all.sorted { $0.order < $1.order }.map(\.interaction)
    }
  }

  /// The connections and callbacks that a node has a part in, in the order in which they were made.
  ///
  /// - Throws: `kAUGraphErr_NodeNotFound`.
  ///
  /// The corresponding Core Audio functions are `AUGraphCountNodeInteractions` and
  /// `AUGraphGetNodeInteractions`.
  public func interactions(of number: Node) throws(AuricleError) -> [Interaction] {
    try locked { () throws(AuricleError) in
      let node = try self.node(number)
      var all: [(order: UInt64, interaction: Interaction)] = []
      for (bus, feed) in node.inputs where !isExternal(node, bus) {
        all.append((feed.order, interaction(node, bus, feed)))
      }
      for (_, target) in node.allOutputs {
        guard let feed = target.node.inputs[target.bus] else { continue }
        all.append((feed.order, interaction(target.node, target.bus, feed)))
      }
      return all.sorted { $0.order < $1.order }.map(\.interaction)
    }
  }

  private func interaction(_ node: GraphNode, _ bus: UInt32, _ feed: GraphFeed) -> Interaction {
    switch feed.source {
    case .node(let source, let output):
      .connection(
        source: source.number, output: output, destination: node.number, input: bus)
    case .callback(let callback):
      unsafe .inputCallback(destination: node.number, input: bus, callback: callback.value)
    }
  }

  /// Removes the feed of an input; nothing if there is none.
  func removeFeed(_ node: GraphNode, _ bus: UInt32) {
    guard let feed = node.inputs.removeValue(forKey: bus) else { return }
    if case .node(let source, let output) = feed.source { source.outputs[output] = nil }
    isDirty = true
  }

  /// Follows a change: before the first slice it is in force at once.
  private func changed() throws(AuricleError) {
    isDirty = true
    guard isInitializedNow, !hasRendered else { return }
    try applyChanges()
  }

  private func checkBus(
    _ node: GraphNode, _ scope: AudioUnitScope, _ bus: UInt32
  ) throws(AuricleError) {
    guard let count = node.busCount(scope), bus >= count else { return }
    let side = scope == kAudioUnitScope_Input ? "input" : "output"
    throw AuricleError(
      .badData, status: kAudioUnitErr_InvalidElement,
      "\(node.name) has no \(side) \(bus): it has \(count)")
  }

  private func invalid(_ message: String) -> AuricleError {
    AuricleError(.badData, status: kAUGraphErr_InvalidConnection, message)
  }

  /// The nodes of a way along connections, from one to the other; nil if there is none.
  private func path(from start: GraphNode, to end: GraphNode) -> [GraphNode]? {
    if start === end { return [start] }
    var cameFrom: [ObjectIdentifier: GraphNode] = [:]
    var waiting = [start]
    while let node = waiting.popLast() {
      for target in node.outputs.values where cameFrom[ObjectIdentifier(target.node)] == nil {
        cameFrom[ObjectIdentifier(target.node)] = node
        if target.node === end {
          var path = [end]
          while let last = path.last, last !== start, let before = cameFrom[ObjectIdentifier(last)]
          {
            path.append(before)
          }
          return path.reversed()
        }
        waiting.append(target.node)
      }
    }
    return nil
  }
}
