// The branches of a sum, read one by one while a chain renders.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph

extension UnitChain {
  /// What a branch of the tapped sum made in the last slice: a pointer a channel, aligned with the other branches.
  ///
  /// Context: the thread that renders the chain, between two slices.
  package func branch(_ index: Int) -> UnsafeMutablePointer<UnsafeMutablePointer<Float>> {
    unsafe tapped[index].rows
  }

  /// Frames by which the branches of the tapped sum are late; 0 without one. Context: control.
  package var branchLatencyFrames: Int {
    tappedNode.map { graph.arrivalFrames(at: [$0])[0] } ?? 0
  }

  /// Frames that the next `render` makes at once, of so many at most: messages within them reach their units in one slice.
  ///
  /// Context: the thread that renders the chain.
  package func nextFrameCount(_ most: Int) -> Int { schedulableCount(min(sliceLimit, most)) }
}
