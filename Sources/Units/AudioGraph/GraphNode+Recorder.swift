// The side of an output unit that records: a separate source, whose input no connection reaches.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

extension GraphNode {
  /// Element 1 of an I/O unit renders recorded frames, independent of the input of element 0.
  static let recordingElement: UInt32 = 1

  /// The node of the output that a connection begins at: the node itself, or the side of it that
  /// records.
  func source(of output: UInt32) -> GraphNode {
    guard isOutput, output == Self.recordingElement else { return self }
    if let recorder { return recorder }
    let made = GraphNode(recording: self)
    recorder = made
    return made
  }

  /// Nodes and input buses fed by either side.
  var allOutputs: [UInt32: (node: GraphNode, bus: UInt32)] {
    outputs.merging(recorder?.outputs ?? [:]) { own, _ in own }
  }
}
