// The first slices of a rendering, held back until the latency is known.
// SPDX-License-Identifier: Apache-2.0

/// Copies of slices in order.
struct EarlySlices {
  private let channelCount: Int
  /// The slices, each of exact size, with the frames by which it is later than the one before it.
  package private(set) var slices: [(buffer: PlanarBuffer, shift: Int)] = []
  /// Frames of all of them.
  package private(set) var frameCount = 0

  package init(channelCount: Int) { self.channelCount = channelCount }

  /// Appends the first frames of a slice.
  package mutating func keep(_ rows: ChannelRows, _ count: Int, shift: Int = 0) {
    let copy = PlanarBuffer(channelCount: channelCount, frameCapacity: count)
    for channel in 0..<channelCount {
      unsafe copy.rows[channel].update(from: rows[channel], count: count)
    }
    slices.append((copy, shift))
    frameCount += count
  }
}
