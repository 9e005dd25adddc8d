// The functions of AUGraph.h about connections and input callbacks.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph
import AudioTypes
public import CAudioToolbox

/// Connects an output of a node to an input of another.
///
/// Context: control.
@c @implementation
public func AUGraphConnectNodeInput(
  _ graph: AUGraph?, _ sourceNode: AUNode, _ sourceOutput: UInt32, _ destinationNode: AUNode,
  _ destinationInput: UInt32
) -> OSStatus {
  unsafe withGraph(graph) { (graph) throws(AuricleError) in
    try graph.connect(
      sourceNode, output: sourceOutput, to: destinationNode, input: destinationInput)
    return noErr
  }
}

/// Sets the input callback of an input; a null function removes it.
///
/// Context: control.
@c @implementation
public func AUGraphSetNodeInputCallback(
  _ graph: AUGraph?, _ node: AUNode, _ input: UInt32,
  _ callback: UnsafePointer<AURenderCallbackStruct>?
) -> OSStatus {
  guard let callback = unsafe callback else { return kAudio_ParamError }
  return unsafe withGraph(graph) { (graph) throws(AuricleError) in
    try unsafe graph.setInputCallback(node, input: input, callback.pointee)
    return noErr
  }
}

/// Removes the source of an input.
///
/// Context: control.
@c @implementation
public func AUGraphDisconnectNodeInput(
  _ graph: AUGraph?, _ node: AUNode, _ input: UInt32
) -> OSStatus {
  unsafe withGraph(graph) { (graph) throws(AuricleError) in
    try graph.disconnectInput(node, input: input)
    return noErr
  }
}

/// Removes all connections and callbacks.
///
/// Context: control.
@c @implementation
public func AUGraphClearConnections(_ graph: AUGraph?) -> OSStatus {
  unsafe withGraph(graph) { (graph) throws(AuricleError) in
    try graph.clearConnections()
    return noErr
  }
}

/// Returns the number of connections and callbacks.
///
/// Context: control.
@c @implementation
public func AUGraphGetNumberOfInteractions(
  _ graph: AUGraph?, _ count: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  unsafe writeValue(graph, count) { UInt32(clamping: $0.interactions.count) }
}

/// Returns a connection or callback, in the order in which they were made.
///
/// Context: control.
@c @implementation
public func AUGraphGetInteractionInfo(
  _ graph: AUGraph?, _ index: UInt32, _ interaction: UnsafeMutablePointer<AUNodeInteraction>?
) -> OSStatus {
  guard let interaction = unsafe interaction else { return kAudio_ParamError }
  return unsafe withGraph(graph) { (graph) throws(AuricleError) in
    let all = graph.interactions
    guard index < all.count else { return kAudio_ParamError }
    unsafe interaction.pointee = unsafe all[Int(index)].forC
    return noErr
  }
}

/// Returns the number of a node's connections and callbacks.
///
/// Context: control.
@c @implementation
public func AUGraphCountNodeInteractions(
  _ graph: AUGraph?, _ node: AUNode, _ count: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  guard let count = unsafe count else { return kAudio_ParamError }
  return unsafe withGraph(graph) { (graph) throws(AuricleError) in
    unsafe count.pointee = UInt32(clamping: try graph.interactions(of: node).count)
    return noErr
  }
}

/// Returns the connections and callbacks of a node. On entry the count is the room in the array, on return
/// the number written.
///
/// Context: control.
@c @implementation
public func AUGraphGetNodeInteractions(
  _ graph: AUGraph?, _ node: AUNode, _ count: UnsafeMutablePointer<UInt32>?,
  _ interactions: UnsafeMutablePointer<AUNodeInteraction>?
) -> OSStatus {
  guard let count = unsafe count, let interactions = unsafe interactions else {
    return kAudio_ParamError
  }
  return unsafe withGraph(graph) { (graph) throws(AuricleError) in
    let all = try graph.interactions(of: node).prefix(Int(unsafe count.pointee))
    for (index, one) in all.enumerated() { unsafe interactions[index] = unsafe one.forC }
    unsafe count.pointee = UInt32(all.count)
    return noErr
  }
}

/// Returns the number of connections, without callbacks.
///
/// Context: control.
@c @implementation
public func AUGraphGetNumberOfConnections(
  _ graph: AUGraph?, _ count: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  unsafe writeValue(graph, count) { UInt32(clamping: connections($0.interactions).count) }
}

/// Returns a connection; each result pointer may be null.
///
/// Context: control.
@c @implementation
public func AUGraphGetConnectionInfo(
  _ graph: AUGraph?, _ index: UInt32, _ sourceNode: UnsafeMutablePointer<AUNode>?,
  _ sourceOutput: UnsafeMutablePointer<UInt32>?, _ destinationNode: UnsafeMutablePointer<AUNode>?,
  _ destinationInput: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  unsafe withGraph(graph) { (graph) throws(AuricleError) in
    let all = connections(graph.interactions)
    guard index < all.count else { return kAudio_ParamError }
    let connection = all[Int(index)]
    unsafe sourceNode?.pointee = connection.sourceNode
    unsafe sourceOutput?.pointee = connection.sourceOutputNumber
    unsafe destinationNode?.pointee = connection.destNode
    unsafe destinationInput?.pointee = connection.destInputNumber
    return noErr
  }
}

/// Returns the number of a node's connections.
///
/// Context: control.
@c @implementation
public func AUGraphCountNodeConnections(
  _ graph: AUGraph?, _ node: AUNode, _ count: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  guard let count = unsafe count else { return kAudio_ParamError }
  return unsafe withGraph(graph) { (graph) throws(AuricleError) in
    unsafe count.pointee = UInt32(clamping: connections(try graph.interactions(of: node)).count)
    return noErr
  }
}

/// Returns the connections of a node; the count as in `AUGraphGetNodeInteractions`.
///
/// Context: control.
@c @implementation
public func AUGraphGetNodeConnections(
  _ graph: AUGraph?, _ node: AUNode, _ found: UnsafeMutablePointer<AudioUnitNodeConnection>?,
  _ count: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  guard let count = unsafe count, let found = unsafe found else { return kAudio_ParamError }
  return unsafe withGraph(graph) { (graph) throws(AuricleError) in
    let all = connections(try graph.interactions(of: node)).prefix(Int(unsafe count.pointee))
    for (index, one) in all.enumerated() { unsafe found[index] = one }
    unsafe count.pointee = UInt32(all.count)
    return noErr
  }
}

/// The connections among interactions.
private func connections(
  _ interactions: [AudioUnitGraph.Interaction]
) -> [AudioUnitNodeConnection] {
  interactions.compactMap { interaction in
    guard case .connection(let source, let output, let destination, let input) = interaction else {
      return nil
    }
    return AudioUnitNodeConnection(
      sourceNode: source, sourceOutputNumber: output, destNode: destination,
      destInputNumber: input)
  }
}

extension AudioUnitGraph.Interaction {
  /// The interaction as C has it.
  fileprivate var forC: AUNodeInteraction {
    var result = unsafe AUNodeInteraction()
    switch self {
    case .connection(let source, let output, let destination, let input):
      unsafe result.nodeInteractionType = kAUNodeInteraction_Connection
      unsafe result.nodeInteraction.connection = AUNodeConnection(
        sourceNode: source, sourceOutputNumber: output, destNode: destination,
        destInputNumber: input)
    case .inputCallback(let destination, let input, let callback):
      unsafe result.nodeInteractionType = kAUNodeInteraction_InputCallback
      unsafe result.nodeInteraction.inputCallback = AUNodeRenderCallback(
        destNode: destination, destInputNumber: input, cback: callback)
    }
    return unsafe result
  }
}
