// The functions of AUGraph.h: the life and the states of a graph.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph
import AudioTypes
public import CAudioToolbox

/// Makes an empty graph.
///
/// Context: control.
@c @implementation
public func NewAUGraph(_ graph: UnsafeMutablePointer<AUGraph?>?) -> OSStatus {
  guard let graph = unsafe graph else { return kAudio_ParamError }
  unsafe graph.pointee = unsafe Graphs.make()
  return noErr
}

/// Stops, uninitialises and closes a graph and frees it; the graph of a node goes with its parent.
///
/// Context: control.
@c @implementation
public func DisposeAUGraph(_ graph: AUGraph?) -> OSStatus {
  Graphs.dispose(UInt(bitPattern: graph)) ? noErr : kAudio_ParamError
}

/// Makes the units of all nodes.
///
/// Context: control.
@c @implementation
public func AUGraphOpen(_ graph: AUGraph?) -> OSStatus {
  unsafe withGraph(graph) { (graph) throws(AuricleError) in
    try graph.open()
    return noErr
  }
}

/// Closes the units of all nodes.
///
/// Context: control.
@c @implementation
public func AUGraphClose(_ graph: AUGraph?) -> OSStatus {
  unsafe withGraph(graph) { (graph) throws(AuricleError) in
    graph.close()
    return noErr
  }
}

/// Initialises every unit that has a part in a connection.
///
/// Context: control.
@c @implementation
public func AUGraphInitialize(_ graph: AUGraph?) -> OSStatus {
  unsafe withGraph(graph) { (graph) throws(AuricleError) in
    try graph.initialize()
    return noErr
  }
}

/// Uninitialises all units.
///
/// Context: control.
@c @implementation
public func AUGraphUninitialize(_ graph: AUGraph?) -> OSStatus {
  unsafe withGraph(graph) { (graph) throws(AuricleError) in
    graph.uninitialize()
    return noErr
  }
}

/// Starts the output unit.
///
/// Context: control.
@c @implementation
public func AUGraphStart(_ graph: AUGraph?) -> OSStatus {
  unsafe withGraph(graph) { (graph) throws(AuricleError) in
    try graph.start()
    return noErr
  }
}

/// Stops the output unit.
///
/// Context: control.
@c @implementation
public func AUGraphStop(_ graph: AUGraph?) -> OSStatus {
  unsafe withGraph(graph) { (graph) throws(AuricleError) in
    try graph.stop()
    return noErr
  }
}

/// Applies the changes that wait, between two slices; with a pointer it does not wait, and tells
/// whether they are in force.
///
/// Context: control; on the render thread it does not wait.
@c @implementation
public func AUGraphUpdate(_ graph: AUGraph?, _ isUpdated: UnsafeMutablePointer<Bool>?) -> OSStatus {
  unsafe withGraph(graph) { (graph) throws(AuricleError) in
    let isInForce = try unsafe graph.update(waits: isUpdated == nil)
    unsafe isUpdated?.pointee = isInForce
    return noErr
  }
}

/// Whether the units exist.
///
/// Context: control.
@c @implementation
public func AUGraphIsOpen(_ graph: AUGraph?, _ isOpen: UnsafeMutablePointer<Bool>?) -> OSStatus {
  unsafe tell(graph, isOpen) { $0.isOpen }
}

/// Whether the units are initialised.
///
/// Context: control.
@c @implementation
public func AUGraphIsInitialized(
  _ graph: AUGraph?, _ isInitialized: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  unsafe tell(graph, isInitialized) { $0.isInitialized }
}

/// Whether the graph was started.
///
/// Context: control.
@c @implementation
public func AUGraphIsRunning(
  _ graph: AUGraph?, _ isRunning: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  unsafe tell(graph, isRunning) { $0.isRunning }
}

/// The latency of the whole graph, in seconds: that of its slowest way, which faster ones are aligned
/// with. Declared in `Auricle/AuricleGraph.h`; Core Audio has no such function.
///
/// Context: control.
@c @implementation
public func AuricleGraphGetLatency(
  _ graph: AUGraph?, _ seconds: UnsafeMutablePointer<Float64>?
) -> OSStatus {
  unsafe tell(graph, seconds) { $0.latencySeconds }
}

/// Part of a slice's duration that rendering takes, averaged.
///
/// Context: control.
@c @implementation
public func AUGraphGetCPULoad(
  _ graph: AUGraph?, _ load: UnsafeMutablePointer<Float32>?
) -> OSStatus {
  unsafe tell(graph, load) { Float32($0.cpuLoad) }
}

/// The greatest load of a slice since the last call.
///
/// Context: control.
@c @implementation
public func AUGraphGetMaxCPULoad(
  _ graph: AUGraph?, _ load: UnsafeMutablePointer<Float32>?
) -> OSStatus {
  unsafe tell(graph, load) { Float32($0.resetMaximumCPULoad()) }
}

/// Has a function called before and after each slice of the output unit.
///
/// Context: control.
@c @implementation
public func AUGraphAddRenderNotify(
  _ graph: AUGraph?, _ callback: AURenderCallback?, _ refCon: UnsafeMutableRawPointer?
) -> OSStatus {
  guard let callback = unsafe callback else { return kAudio_ParamError }
  return unsafe withGraph(graph) { (graph) throws(AuricleError) in
    try unsafe graph.addRenderNotification(callback, refCon: refCon)
    return noErr
  }
}

/// Undoes `AUGraphAddRenderNotify` with the same arguments.
///
/// Context: control.
@c @implementation
public func AUGraphRemoveRenderNotify(
  _ graph: AUGraph?, _ callback: AURenderCallback?, _ refCon: UnsafeMutableRawPointer?
) -> OSStatus {
  guard let callback = unsafe callback else { return kAudio_ParamError }
  return unsafe withGraph(graph) { (graph) throws(AuricleError) in
    try unsafe graph.removeRenderNotification(callback, refCon: refCon)
    return noErr
  }
}

/// Writes one value that a graph tells.
func tell<Value>(
  _ graph: AUGraph?, _ result: UnsafeMutablePointer<Value>?, _ value: (AudioUnitGraph) -> Value
) -> OSStatus {
  guard let result = unsafe result else { return kAudio_ParamError }
  return unsafe withGraph(graph) { (graph) throws(AuricleError) in
    unsafe result.pointee = value(graph)
    return noErr
  }
}
