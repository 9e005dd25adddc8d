// The functions that say where a sequence plays: its graph, the nodes and endpoints of its tracks.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import MusicSequences

/// Has a sequence play into a graph; null returns to its default. The earlier one is disposed of.
///
/// Context: control.
@c @implementation
public func MusicSequenceSetAUGraph(_ sequence: MusicSequence?, _ graph: AUGraph?) -> OSStatus {
  var count: UInt32 = 0
  if unsafe graph != nil, unsafe AUGraphGetNodeCount(graph, &count) != noErr {
    return kAudio_ParamError
  }
  var old: UInt = 0
  let status = unsafe withSequence(sequence) { (_, kept) throws(MusicFailure) in
    if kept.ownsGraph { old = kept.graph }
    kept.graph = UInt(bitPattern: graph)
    kept.ownsGraph = false
  }
  if old != 0 { unsafe DisposeAUGraph(AUGraph(bitPattern: old)) }
  return status
}

/// The graph of a sequence, which is made if there is none: a synthesiser, a dynamics processor, the default output.
///
/// Context: control.
@c @implementation
public func MusicSequenceGetAUGraph(
  _ sequence: MusicSequence?, _ outGraph: UnsafeMutablePointer<AUGraph?>?
) -> OSStatus {
  guard let outGraph = unsafe outGraph else { return kAudio_ParamError }
  do throws(MusicFailure) {
    unsafe outGraph.pointee = unsafe try SequenceGraph.graph(of: UInt(bitPattern: sequence))
    return noErr
  } catch {
    return error.status
  }
}

/// Has all tracks that are there play to a MIDI endpoint.
///
/// Context: control.
@c @implementation
public func MusicSequenceSetMIDIEndpoint(
  _ sequence: MusicSequence?, _ endpoint: MIDIEndpointRef
) -> OSStatus {
  unsafe withSequence(sequence) { (_, kept) throws(MusicFailure) in
    for track in kept.model.tracks { track.destination = .endpoint(endpoint) }
  }
}

/// Has a track play into a node of its sequence's graph.
///
/// - Returns: -10855 for a node that is not one of it, -10852 while a player plays the sequence.
///
/// Context: control.
@c @implementation
public func MusicTrackSetDestNode(_ track: MusicTrack?, _ node: AUNode) -> OSStatus {
  var graph: UInt = 0
  let status = withMusic { (objects) throws(MusicFailure) in
    graph = objects.keeper(of: try unsafe objects.track(track))?.graph ?? 0
  }
  guard status == noErr else { return status }
  let found = unsafe AUGraphNodeInfo(AUGraph(bitPattern: graph), node, nil, nil)
  guard found == noErr else { return kAudioToolboxErr_IllegalTrackDestination }
  return unsafe setDestination(track, .node(node))
}

/// Has a track play to a MIDI endpoint.
///
/// - Returns: -10852 while a player plays the sequence.
///
/// Context: control.
@c @implementation
public func MusicTrackSetDestMIDIEndpoint(
  _ track: MusicTrack?, _ endpoint: MIDIEndpointRef
) -> OSStatus {
  unsafe setDestination(track, .endpoint(endpoint))
}

/// Sets a destination, which stays where a player plays.
private func setDestination(_ track: MusicTrack?, _ destination: TrackDestination) -> OSStatus {
  var sequence: UInt = 0
  let status = withMusic { (objects) throws(MusicFailure) in
    sequence = objects.keeper(of: try unsafe objects.track(track))?.handle ?? 0
  }
  guard status == noErr else { return status }
  guard !isPlayed(sequence) else { return kAudioToolboxErr_InvalidPlayerState }
  return unsafe withTrack(track) { (_, track) throws(MusicFailure) in
    track.destination = destination
  }
}

/// The node that a track plays into: the one that was set, or the graph's first instrument.
///
/// - Returns: -10855 for a track that plays to an endpoint, -66720 where there is no instrument.
///
/// Context: control.
@c @implementation
public func MusicTrackGetDestNode(
  _ track: MusicTrack?, _ outNode: UnsafeMutablePointer<AUNode>?
) -> OSStatus {
  guard let outNode = unsafe outNode else { return kAudio_ParamError }
  var (destination, graph) = (TrackDestination.none, UInt(0))
  let status = withMusic { (objects) throws(MusicFailure) in
    let found = try unsafe objects.track(track)
    destination = found.destination
    graph = objects.keeper(of: found)?.graph ?? 0
  }
  guard status == noErr else { return status }
  switch destination {
  case .endpoint, .unit: return kAudioToolboxErr_IllegalTrackDestination
  case .node(let node): unsafe outNode.pointee = node
  case .none:
    guard let node = unsafe SequenceGraph.instrument(of: AUGraph(bitPattern: graph)) else {
      return kAudioToolboxError_NoTrackDestination
    }
    unsafe outNode.pointee = node
  }
  return noErr
}

/// The endpoint that a track plays to.
///
/// - Returns: -10855 for a track that plays into a node.
///
/// Context: control.
@c @implementation
public func MusicTrackGetDestMIDIEndpoint(
  _ track: MusicTrack?, _ outEndpoint: UnsafeMutablePointer<MIDIEndpointRef>?
) -> OSStatus {
  withMusic { (objects) throws(MusicFailure) in
    guard case .endpoint(let endpoint) = try unsafe objects.track(track).destination else {
      throw MusicFailure(status: kAudioToolboxErr_IllegalTrackDestination)
    }
    try unsafe store(endpoint, outEndpoint)
  }
}
