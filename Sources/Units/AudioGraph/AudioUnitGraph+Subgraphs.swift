// A graph as a node of another: its inputs that have no source are the inputs of the node.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox

extension AudioUnitGraph {
  /// The inputs that the parent graph may feed, by the input bus of the node.
  var openInputs: [(node: GraphNode, bus: UInt32)] {
    var inputs: [(node: GraphNode, bus: UInt32)] = []
    for number in order {
      guard let node = nodes[number] else { continue }
      for bus in 0..<UInt32(node.busCount(kAudioUnitScope_Input) ?? 1)
      where node.inputs[bus] == nil || isExternal(node, bus) {
        inputs.append((node, bus))
      }
    }
    return inputs
  }

  /// Whether the parent graph feeds an input.
  func isExternal(_ node: GraphNode, _ bus: UInt32) -> Bool {
    externalInputs.values.contains { $0.node === node && $0.bus == bus }
  }

  /// Has the parent's slot feed an input.
  func feedOpenInput(
    _ input: UInt32, _ procedure: AURenderCallback, _ refCon: UnsafeMutableRawPointer?
  ) throws(AuricleError) {
    let (node, bus) = try openInput(input)
    externalInputs[input] = (node, bus)
    let callback = unsafe AURenderCallbackStruct(inputProc: procedure, inputProcRefCon: refCon)
    lastOrder += 1
    unsafe node.inputs[bus] = GraphFeed(
      source: .callback(InputCallback(callback, procedure: procedure, element: bus)),
      order: lastOrder)
    isDirty = true
    if isInitializedNow { try applyChanges() }
  }

  /// Undoes `feedOpenInput`.
  func unfeedOpenInput(_ input: UInt32) {
    guard let (node, bus) = externalInputs.removeValue(forKey: input) else { return }
    removeFeed(node, bus)
  }

  /// The input of a node within, behind an input bus of the subgraph.
  func openInput(_ input: UInt32) throws(AuricleError) -> (node: GraphNode, bus: UInt32) {
    if let present = externalInputs[input] { return present }
    let inputs = openInputs
    guard input < inputs.count else {
      throw AuricleError(
        .badData, status: kAudioUnitErr_InvalidElement,
        "the subgraph has \(inputs.count) inputs without a source, none of them is input \(input)")
    }
    return inputs[Int(input)]
  }

  func openInputFormat(_ input: UInt32) throws(AuricleError) -> AudioStreamFormat {
    let (node, bus) = try openInput(input)
    return try node.format(kAudioUnitScope_Input, bus)
  }

  func setOpenInputFormat(_ format: AudioStreamFormat, _ input: UInt32) throws(AuricleError) {
    let (node, bus) = try openInput(input)
    try node.setFormat(format, kAudioUnitScope_Input, bus)
  }
}
