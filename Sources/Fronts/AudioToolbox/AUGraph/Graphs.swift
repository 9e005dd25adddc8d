// The graphs that C code has handles of.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioGraph
import AudioTypes
import AudioUnits
import CAudioToolbox
import Synchronization

/// The graphs of this process by their handles.
///
/// A handle is looked up, never dereferenced: an invalid or disposed one is refused.
enum Graphs {
  private struct Entry {
    var graph: AudioUnitGraph
    /// The handle of the graph that this one is a node of; 0 for a top-level graph.
    var parent: UInt
  }

  private static let entries = Mutex<[UInt: Entry]>([:])

  /// Makes a graph; its handle is valid until `dispose`.
  static func make() -> AUGraph? {
    let graph = AudioUnitGraph()
    graph.makeConverter = { () throws(AuricleError) in
      try instantiate(
        AudioComponentDescription(
          type: FourCharacterCode(rawValue: kAudioUnitType_FormatConverter),
          subtype: FourCharacterCode(rawValue: kAudioUnitSubType_AUConverter),
          manufacturer: FourCharacterCode(rawValue: kAudioUnitManufacturer_Apple)))
    }
    graph.followsByItself = true
    return unsafe keep(graph, parent: 0)
  }

  /// The handle of a graph, which is made if it has none.
  static func keep(_ graph: AudioUnitGraph, parent: UInt) -> AUGraph? {
    let key = unsafe UInt(bitPattern: Unmanaged.passUnretained(graph).toOpaque())
    entries.withLock { if $0[key] == nil { $0[key] = Entry(graph: graph, parent: parent) } }
    return unsafe AUGraph(bitPattern: key)
  }

  /// The graph of a handle; nil for an invalid one.
  static func graph(_ handle: UInt) -> AudioUnitGraph? {
    entries.withLock { $0[handle]?.graph }
  }

  /// Releases a graph and its subgraphs; false for an invalid handle, and for the graph of a node, which
  /// belongs to its parent.
  static func dispose(_ handle: UInt) -> Bool {
    // Closed outside of the lock: units may do anything while they are closed.
    let gone = entries.withLock { entries in
      guard let entry = entries[handle], entry.parent == 0 else { return [AudioUnitGraph]() }
      return remove(handle, from: &entries)
    }
    gone.forEach { $0.close() }
    return !gone.isEmpty
  }

  /// Releases the handles of subgraphs whose nodes were removed.
  static func prune(_ handle: UInt, keeping graphs: [AudioUnitGraph]) {
    let kept = Set(graphs.map { ObjectIdentifier($0) })
    let gone = entries.withLock { entries in
      let children = entries.filter {
        $0.value.parent == handle && !kept.contains(ObjectIdentifier($0.value.graph))
      }
      return children.keys.flatMap { remove($0, from: &entries) }
    }
    // Not closed: a removed node may still render for a moment.
    _ = gone
  }

  private static func remove(_ handle: UInt, from entries: inout [UInt: Entry]) -> [AudioUnitGraph]
  {
    guard let entry = entries.removeValue(forKey: handle) else { return [] }
    var gone = [entry.graph]
    let children = entries.filter { $0.value.parent == handle }.keys
    for child in children { gone.append(contentsOf: remove(child, from: &entries)) }
    return gone
  }

  /// Opens a unit of the first component that matches.
  static func instantiate(
    _ description: AudioComponentDescription
  ) throws(AuricleError) -> AudioUnit {
    guard let component = Toolbox.registry.findNext(after: nil, matching: description) else {
      throw AuricleError(
        .unavailable, status: kAUGraphErr_InvalidAudioUnit,
        "there is no component \(description.triple)")
    }
    return try component.instantiate()
  }
}

/// Calls a body with the graph of a handle, and converts errors to a status.
///
/// The render thread does not wait: `kAUGraphErr_CannotDoInCurrentContext` while another thread has the
/// graph's lock.
func withGraph(
  _ handle: AUGraph?, _ body: (AudioUnitGraph) throws(AuricleError) -> OSStatus
) -> OSStatus {
  guard let graph = Graphs.graph(UInt(bitPattern: handle)) else { return kAudio_ParamError }
  do throws(AuricleError) {
    return try graph.exclusively { () throws(AuricleError) in try body(graph) }
  } catch {
    return error.statusForC
  }
}
