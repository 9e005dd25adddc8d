// Nodes of a graph: adding, removing, counting, asking.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import AudioUnits
public import CAudioToolbox

extension AudioUnitGraph {
  /// Adds a node; in an open graph its unit is made at once.
  ///
  /// - Parameters:
  ///   - description: The codes of the unit; type `kAudioUnitType_Output` makes it the graph's end.
  ///   - label: The name of the node in messages; nil for the description's codes.
  ///   - makeUnit: Opens an instance; called once for each `open`.
  /// - Throws: `kAUGraphErr_OutputNodeErr` for a second output node; the error of `makeUnit`.
  ///
  /// The corresponding Core Audio function is `AUGraphAddNode`.
  @discardableResult
  public func addNode(
    description: AudioComponentDescription, label: String? = nil,
    makeUnit: @escaping () throws(AuricleError) -> AudioUnit
  ) throws(AuricleError) -> Node {
    try locked { () throws(AuricleError) in
      if description.componentType == kAudioUnitType_Output, let head = headNode {
        throw AuricleError(
          .badData, status: kAUGraphErr_OutputNodeErr,
          "the graph ends in \(head.name) already: a graph has one output node")
      }
      return try add(
        GraphNode(
          number: lastNumber + 1, label: label ?? description.triple, description: description,
          engine: engine, subgraph: nil, makeUnit: makeUnit))
    }
  }

  /// Adds a node for a further graph, which ends in a separate output unit.
  ///
  /// Its output buses are those of that unit. Its input buses are the inputs within it that have no
  /// source, in the order of its nodes. It is opened, initialised and closed with this graph.
  ///
  /// - Returns: The node, and the empty graph behind it.
  ///
  /// The corresponding Core Audio function is `AUGraphNewNodeSubGraph`.
  public func addSubgraph(label: String? = nil) throws(AuricleError) -> (
    node: Node, graph: AudioUnitGraph
  ) {
    try locked { () throws(AuricleError) in
      let graph = AudioUnitGraph()
      graph.makeConverter = makeConverter
      graph.isSubgraph = true
      let node = try add(
        GraphNode(
          number: lastNumber + 1, label: label ?? "subgraph",
          description: AudioComponentDescription(), engine: engine, subgraph: graph, makeUnit: nil))
      return (node, graph)
    }
  }

  private func add(_ node: GraphNode) throws(AuricleError) -> Node {
    // An empty subgraph cannot be opened before its owner has filled it.
    if isOpenNow, node.subgraph == nil { try node.open() }
    if let head = node.isOutput ? node : nil, isOpenNow { try addNotifications(to: head) }
    lastNumber = node.number
    nodes[node.number] = node
    order.append(node.number)
    return node.number
  }

  /// Removes a node and its connections. In an initialised graph it sounds on until `update`.
  ///
  /// - Throws: `kAUGraphErr_NodeNotFound`; `kAUGraphErr_OutputNodeErr` for the output node of an
  ///   initialised graph.
  ///
  /// The corresponding Core Audio function is `AUGraphRemoveNode`.
  public func removeNode(_ number: Node) throws(AuricleError) {
    try locked { () throws(AuricleError) in
      let node = try self.node(number)
      if node.isOutput && isInitializedNow {
        throw AuricleError(
          .badData, status: kAUGraphErr_OutputNodeErr,
          "\(node.name) ends the graph: uninitialize the graph before it is removed")
      }
      for bus in node.inputs.keys.sorted() { removeFeed(node, bus) }
      for (_, target) in node.allOutputs.sorted(by: { $0.key < $1.key }) {
        removeFeed(target.node, target.bus)
      }
      nodes[number] = nil
      order.removeAll { $0 == number }
    }
  }

  /// The numbers of all nodes, in the order in which they were added.
  ///
  /// The corresponding Core Audio functions are `AUGraphGetNodeCount` and `AUGraphGetIndNode`.
  public var nodeNumbers: [Node] { reading { order } }

  /// The number of nodes.
  public var nodeCount: Int { reading { order.count } }

  /// The node at a place of `nodeNumbers`.
  ///
  /// - Throws: `kAUGraphErr_NodeNotFound`.
  public func nodeNumber(at index: Int) throws(AuricleError) -> Node {
    try locked { () throws(AuricleError) in
      guard order.indices.contains(index) else {
        throw AuricleError(
          .badData, status: kAUGraphErr_NodeNotFound, "the graph has \(order.count) nodes")
      }
      return order[index]
    }
  }

  /// The description of a node; all zero for a subgraph.
  ///
  /// - Throws: `kAUGraphErr_NodeNotFound`.
  ///
  /// The corresponding Core Audio function is `AUGraphNodeInfo`.
  public func description(of number: Node) throws(AuricleError) -> AudioComponentDescription {
    try locked { () throws(AuricleError) in try node(number).description }
  }

  /// The unit of a node: nil while the graph is closed; the output unit for a subgraph.
  ///
  /// - Throws: `kAUGraphErr_NodeNotFound`.
  ///
  /// The corresponding Core Audio function is `AUGraphNodeInfo`.
  public func unit(of number: Node) throws(AuricleError) -> AudioUnit? {
    try locked { () throws(AuricleError) in
      let node = try self.node(number)
      return node.unit ?? node.subgraph?.outputUnit
    }
  }

  /// The label of a node.
  ///
  /// - Throws: `kAUGraphErr_NodeNotFound`.
  public func label(of number: Node) throws(AuricleError) -> String {
    try locked { () throws(AuricleError) in try node(number).label }
  }

  /// The graph behind a node; nil for a node with a unit.
  ///
  /// - Throws: `kAUGraphErr_NodeNotFound`.
  ///
  /// The corresponding Core Audio functions are `AUGraphIsNodeSubGraph` and
  /// `AUGraphGetNodeInfoSubGraph`.
  public func subgraph(of number: Node) throws(AuricleError) -> AudioUnitGraph? {
    try locked { () throws(AuricleError) in try node(number).subgraph }
  }
}
