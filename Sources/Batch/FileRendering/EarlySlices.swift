// The first slices of a rendering, held back until the latency is known.
// SPDX-License-Identifier: Apache-2.0

/// Copies of slices in order.
struct EarlySlices {
  private let channelCount: Int
  /// The slices, each of exact size.
  package private(set) var slices: [PlanarBuffer] = []
  /// Frames of all of them.
  package private(set) var frameCount = 0

  package init(channelCount: Int) { self.channelCount = channelCount }

  /// Appends the first frames of a slice.
  package mutating func keep(_ rows: ChannelRows, _ count: Int) {
    let copy = PlanarBuffer(channelCount: channelCount, frameCapacity: count)
    for channel in 0..<channelCount {
      unsafe copy.rows[channel].update(from: rows[channel], count: count)
    }
    slices.append(copy)
    frameCount += count
  }
}
