// The functions of AUGraph.h about nodes.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioGraph
import AudioTypes
import AudioUnits
public import CAudioToolbox

/// Adds a node for the first component that matches; its unit exists once the graph is open.
///
/// Context: control.
@c @implementation
public func AUGraphAddNode(
  _ graph: AUGraph?, _ description: UnsafePointer<AudioComponentDescription>?,
  _ node: UnsafeMutablePointer<AUNode>?
) -> OSStatus {
  guard let description = unsafe description?.pointee, let node = unsafe node else {
    return kAudio_ParamError
  }
  return unsafe withGraph(graph) { (graph) throws(AuricleError) in
    let name = Toolbox.registry.findNext(after: nil, matching: description)?.name
    unsafe node.pointee = try graph.addNode(description: description, label: name) {
      () throws(AuricleError) in try Graphs.instantiate(description)
    }
    return noErr
  }
}

/// The same with the description of the old Component Manager; class data is ignored.
///
/// Context: control.
@c @implementation
public func AUGraphNewNode(
  _ graph: AUGraph?, _ description: UnsafePointer<ComponentDescription>?,
  _ classDataSize: UInt32,
  _ classData: UnsafeRawPointer?, _ node: UnsafeMutablePointer<AUNode>?
) -> OSStatus {
  guard let description = unsafe description?.pointee else { return kAudio_ParamError }
  var newer = AudioComponentDescription(description)
  return unsafe AUGraphAddNode(graph, &newer, node)
}

/// Removes a node and its connections.
///
/// Context: control.
@c @implementation
public func AUGraphRemoveNode(_ graph: AUGraph?, _ node: AUNode) -> OSStatus {
  unsafe withGraph(graph) { (owner) throws(AuricleError) in
    let isSubgraph = try owner.subgraph(of: node) != nil
    try owner.removeNode(node)
    if isSubgraph {
      let kept = owner.nodeNumbers.compactMap { try? owner.subgraph(of: $0) }
      Graphs.prune(UInt(bitPattern: graph), keeping: kept)
    }
    return noErr
  }
}

/// Returns the number of nodes.
///
/// Context: control.
@c @implementation
public func AUGraphGetNodeCount(
  _ graph: AUGraph?, _ count: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  unsafe writeValue(graph, count) { UInt32(clamping: $0.nodeCount) }
}

/// Returns a node by its index, in the order in which they were added.
///
/// Context: control.
@c @implementation
public func AUGraphGetIndNode(
  _ graph: AUGraph?, _ index: UInt32, _ node: UnsafeMutablePointer<AUNode>?
) -> OSStatus {
  guard let node = unsafe node else { return kAudio_ParamError }
  return unsafe withGraph(graph) { (graph) throws(AuricleError) in
    unsafe node.pointee = try graph.nodeNumber(at: Int(index))
    return noErr
  }
}

/// Returns a node's description and unit, which is null while the graph is closed. Either result pointer may
/// be null.
///
/// Context: control.
@c @implementation
public func AUGraphNodeInfo(
  _ graph: AUGraph?, _ node: AUNode,
  _ description: UnsafeMutablePointer<AudioComponentDescription>?,
  _ unit: UnsafeMutablePointer<AudioUnitHandle?>?
) -> OSStatus {
  unsafe withGraph(graph) { (graph) throws(AuricleError) in
    let found = try graph.description(of: node)
    let instance = unsafe try graph.unit(of: node)?.instance
    unsafe description?.pointee = found
    unsafe unit?.pointee = instance
    return noErr
  }
}

/// The same with the description of the old Component Manager; there is no class data.
///
/// Context: control.
@c @implementation
public func AUGraphGetNodeInfo(
  _ graph: AUGraph?, _ node: AUNode, _ description: UnsafeMutablePointer<ComponentDescription>?,
  _ classDataSize: UnsafeMutablePointer<UInt32>?,
  _ classData: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ unit: UnsafeMutablePointer<AudioUnitHandle?>?
) -> OSStatus {
  var newer = AudioComponentDescription()
  let status = unsafe AUGraphNodeInfo(graph, node, &newer, unit)
  guard status == noErr else { return status }
  unsafe description?.pointee = ComponentDescription(newer)
  unsafe classDataSize?.pointee = 0
  unsafe classData?.pointee = nil
  return noErr
}

/// Adds a node with a subgraph.
///
/// Context: control.
@c @implementation
public func AUGraphNewNodeSubGraph(
  _ graph: AUGraph?, _ node: UnsafeMutablePointer<AUNode>?
) -> OSStatus {
  guard let node = unsafe node else { return kAudio_ParamError }
  return unsafe withGraph(graph) { (owner) throws(AuricleError) in
    let (number, inner) = try owner.addSubgraph()
    unsafe _ = Graphs.keep(inner, parent: UInt(bitPattern: graph))
    unsafe node.pointee = number
    return noErr
  }
}

/// Returns the graph of a node, which belongs to its parent; an error for a node with a unit.
///
/// Context: control.
@c @implementation
public func AUGraphGetNodeInfoSubGraph(
  _ graph: AUGraph?, _ node: AUNode, _ subGraph: UnsafeMutablePointer<AUGraph?>?
) -> OSStatus {
  guard let subGraph = unsafe subGraph else { return kAudio_ParamError }
  return unsafe withGraph(graph) { (owner) throws(AuricleError) in
    guard let inner = try owner.subgraph(of: node) else { return kAUGraphErr_NodeNotFound }
    unsafe subGraph.pointee = unsafe Graphs.keep(inner, parent: UInt(bitPattern: graph))
    return noErr
  }
}

/// Returns whether a node has a subgraph.
///
/// Context: control.
@c @implementation
public func AUGraphIsNodeSubGraph(
  _ graph: AUGraph?, _ node: AUNode, _ isSubGraph: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  guard let isSubGraph = unsafe isSubGraph else { return kAudio_ParamError }
  return unsafe withGraph(graph) { (graph) throws(AuricleError) in
    unsafe isSubGraph.pointee = try graph.subgraph(of: node) != nil
    return noErr
  }
}
