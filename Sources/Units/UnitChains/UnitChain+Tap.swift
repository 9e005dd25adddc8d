// The branches of a sum as they meet, and how late sound is at places of a chain.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph

extension UnitChain {
  /// The branches of a sum, aligned, as they were when its last slice was rendered.
  @safe package struct Tap {
    let node: AudioUnitGraph.Node
    private let memory: PlanarMemory

    init(node: AudioUnitGraph.Node, channelCount: Int, frameCount: Int) {
      self.node = node
      memory = PlanarMemory(channelCount: channelCount, frameCount: frameCount)
    }

    /// A pointer for each channel of each branch in turn, valid until the next slice.
    package var rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>> { unsafe memory.rows }
  }

  /// Frames by which sound arrives late at each of `stages`. Context: control.
  package var arrivalFrames: [Int] { graph.arrivalFrames(at: stages.map(\.node)) }

  /// Frames by which the branches in `tap` are late; 0 without. Context: control.
  package var tapLatencyFrames: Int {
    tap.map { graph.arrivalFrames(at: [$0.node])[0] } ?? 0
  }
}
