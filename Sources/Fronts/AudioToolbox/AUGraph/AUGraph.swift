// The functions of AUGraph.h: creating, starting and querying graphs.
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

/// Stops, uninitialises, closes and frees a graph; the graph of a node is freed with its parent.
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

/// Initialises every connected unit.
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

/// Applies pending changes between two slices; with a result pointer it does not wait, and reports whether
/// they are in force.
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
  unsafe writeValue(graph, isOpen) { $0.isOpen }
}

/// Whether the units are initialised.
///
/// Context: control.
@c @implementation
public func AUGraphIsInitialized(
  _ graph: AUGraph?, _ isInitialized: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  unsafe writeValue(graph, isInitialized) { $0.isInitialized }
}

/// Whether the graph was started.
///
/// Context: control.
@c @implementation
public func AUGraphIsRunning(
  _ graph: AUGraph?, _ isRunning: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  unsafe writeValue(graph, isRunning) { $0.isRunning }
}

/// The latency of the whole graph, in seconds: that of its slowest path, which faster ones are aligned with.
/// Declared in `Auricle/AuricleGraph.h`; Core Audio has no such function.
///
/// Context: control.
@c @implementation
public func AuricleGraphGetLatency(
  _ graph: AUGraph?, _ seconds: UnsafeMutablePointer<Float64>?
) -> OSStatus {
  unsafe writeValue(graph, seconds) { $0.latencySeconds }
}

/// The average load: rendering time as a fraction of the slice's duration.
///
/// Context: control.
@c @implementation
public func AUGraphGetCPULoad(
  _ graph: AUGraph?, _ load: UnsafeMutablePointer<Float32>?
) -> OSStatus {
  unsafe writeValue(graph, load) { Float32($0.cpuLoad) }
}

/// The highest load of a slice since the last call.
///
/// Context: control.
@c @implementation
public func AUGraphGetMaxCPULoad(
  _ graph: AUGraph?, _ load: UnsafeMutablePointer<Float32>?
) -> OSStatus {
  unsafe writeValue(graph, load) { Float32($0.resetMaximumCPULoad()) }
}

/// Adds a callback before and after each slice of the output unit.
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

/// Writes one value of a graph to a result pointer.
func writeValue<Value>(
  _ graph: AUGraph?, _ result: UnsafeMutablePointer<Value>?, _ value: (AudioUnitGraph) -> Value
) -> OSStatus {
  guard let result = unsafe result else { return kAudio_ParamError }
  return unsafe withGraph(graph) { (graph) throws(AuricleError) in
    unsafe result.pointee = value(graph)
    return noErr
  }
}
