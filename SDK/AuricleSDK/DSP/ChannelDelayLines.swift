// Delay lines, one per channel, written and read in runs of contiguous frames.
// SPDX-License-Identifier: Apache-2.0

/// Rings of samples of one size, with one write position for all channels.
///
/// A run of frames is written to `writePointer(_:)`, read at a delay from `readPointer(_:delay:)`, and then
/// counted with `advance(_:)`. `contiguous(_:delay:)` returns how long a run may be.
///
/// Context: made and freed on a control thread, everything else render.
@safe public struct ChannelDelayLines: ~Copyable {
  private let memory: UnsafeMutablePointer<Float>
  private let channelCount: Int
  private let stride: Int
  /// Frames in a ring, a power of two.
  public let size: Int
  private var position = 0

  /// Allocates silent lines. Context: control.
  ///
  /// - Parameters:
  ///   - channelCount: A line for each.
  ///   - maximumDelay: Greatest delay in frames plus the longest run.
  public init(channelCount: Int, maximumDelay: Int) {
    var size = 64
    while size <= maximumDelay { size *= 2 }
    self.size = size
    self.channelCount = channelCount
    // An odd number of cache lines, so that the channels do not compete for the same ones.
    stride = size + 16
    unsafe memory = .allocateSilence(capacity: max(channelCount, 1) * stride)
  }

  deinit { unsafe memory.deallocate() }

  /// Fills the lines with silence.
  @_noLocks public mutating func reset() {
    for index in 0..<(channelCount * stride) { unsafe memory[index] = 0 }
    position = 0
  }

  /// Returns the longest run, at most `count` frames, that wraps neither in writing nor in reading at a
  /// delay of `delay` frames.
  @_noLocks public func contiguous(_ count: Int, delay: Int) -> Int {
    min(count, min(size - position, size - ((position - delay) & (size - 1))))
  }

  /// Returns the memory for the next frames of a channel.
  @_noLocks public func writePointer(_ channel: Int) -> UnsafeMutablePointer<Float> {
    unsafe memory + (channel * stride + position)
  }

  /// Returns the frames of a channel `delay` frames before those to be written next.
  @_noLocks public func readPointer(_ channel: Int, delay: Int) -> UnsafeMutablePointer<Float> {
    unsafe memory + (channel * stride + ((position - delay) & (size - 1)))
  }

  /// Counts frames that were written.
  @_noLocks public mutating func advance(_ count: Int) {
    position = (position + count) & (size - 1)
  }
}
