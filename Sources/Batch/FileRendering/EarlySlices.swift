// The first slices of a rendering, held back until it is known how late they are.
// SPDX-License-Identifier: Apache-2.0

/// Copies of slices in their order.
struct EarlySlices {
  private let channelCount: Int
  /// The slices; each has room for its frames and no more.
  package private(set) var slices: [PlanarBuffer] = []
  /// Frames of all of them.
  package private(set) var frameCount = 0

  package init(channelCount: Int) { self.channelCount = channelCount }

  /// Keeps the first frames of a slice behind those that are there.
  package mutating func keep(_ rows: ChannelRows, _ count: Int) {
    let copy = PlanarBuffer(channelCount: channelCount, frameCapacity: count)
    for channel in 0..<channelCount {
      unsafe copy.rows[channel].update(from: rows[channel], count: count)
    }
    slices.append(copy)
    frameCount += count
  }
}
