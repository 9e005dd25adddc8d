// The graph of a sequence as its player sees it: made if need be, its instruments and its output.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// Questions about graphs. Context: control, under no lock.
enum SequenceGraph {
  /// The nodes of a graph with their descriptions.
  static func nodes(of graph: AUGraph?) -> [(node: AUNode, description: AudioComponentDescription)]
  {
    var count: UInt32 = 0
    guard unsafe AUGraphGetNodeCount(graph, &count) == noErr else { return [] }
    return (0..<count).compactMap { index in
      var node: AUNode = 0
      var description = AudioComponentDescription()
      guard unsafe AUGraphGetIndNode(graph, index, &node) == noErr,
        unsafe AUGraphNodeInfo(graph, node, &description, nil) == noErr
      else { return nil }
      return (node, description)
    }
  }

  /// The first instrument of Apple's name, else the first of any.
  static func instrument(of graph: AUGraph?) -> AUNode? {
    let found = unsafe nodes(of: graph).filter {
      $0.description.componentType == kAudioUnitType_MusicDevice
    }
    let apple = found.first {
      $0.description.componentManufacturer == kAudioUnitManufacturer_Apple
    }
    return (apple ?? found.first)?.node
  }

  /// The node that is pulled.
  static func head(of graph: AUGraph?) -> AUNode? {
    unsafe nodes(of: graph).first { $0.description.componentType == kAudioUnitType_Output }?.node
  }

  /// The graph of a sequence, made if it has none.
  static func graph(of sequence: UInt) throws(MusicFailure) -> AUGraph? {
    var known: UInt = 0
    let status = withMusic { (objects) throws(MusicFailure) in
      known = try unsafe objects.sequence(MusicSequence(bitPattern: sequence)).graph
    }
    guard status == noErr else { throw MusicFailure(status: status) }
    if known != 0 { return unsafe AUGraph(bitPattern: known) }
    let made = unsafe try make()
    let kept = withMusic { (objects) throws(MusicFailure) in
      let kept = try unsafe objects.sequence(MusicSequence(bitPattern: sequence))
      kept.graph = UInt(bitPattern: made)
      kept.ownsGraph = true
    }
    guard kept == noErr else {
      unsafe DisposeAUGraph(made)
      throw MusicFailure(status: kept)
    }
    return unsafe made
  }

  /// A synthesiser, a dynamics processor, the default output, connected; not open.
  private static func make() throws(MusicFailure) -> AUGraph? {
    var graph: AUGraph?
    func check(_ status: OSStatus) throws(MusicFailure) {
      guard status != noErr else { return }
      unsafe DisposeAUGraph(graph)
      throw MusicFailure(status: status)
    }
    try unsafe check(NewAUGraph(&graph))
    var last: AUNode?
    for (type, subtype) in [
      (kAudioUnitType_MusicDevice, kAudioUnitSubType_DLSSynth),
      (kAudioUnitType_Effect, kAudioUnitSubType_DynamicsProcessor),
      (kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput),
    ] {
      var description = AudioComponentDescription(
        componentType: type, componentSubType: subtype,
        componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
        componentFlagsMask: 0)
      var node: AUNode = 0
      try unsafe check(AUGraphAddNode(graph, &description, &node))
      if let last { try unsafe check(AUGraphConnectNodeInput(graph, last, 0, node, 0)) }
      last = node
    }
    return unsafe graph
  }
}
