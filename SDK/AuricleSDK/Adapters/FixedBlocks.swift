// Makes runs of fixed length from slices of any length, for plug-ins that need them.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport

/// A collection of frames until a block is full; its output is returned while the next one is collected, so the
/// latency is one block.
///
/// For each stretch of a slice: call `stretch`, `gather` each input and `deliver` each output, then
/// `advance`, and run the plug-in when that returns true.
///
/// ```swift
/// var frame = 0
/// while frame < slice.frameCount {
///   let count = blocks.stretch(of: slice.frameCount - frame)
///   let audio = unsafe slice.channel(0) + frame
///   unsafe blocks.gather(audio, into: input, count: count)
///   unsafe blocks.deliver(output, to: audio, count: count)
///   if blocks.advance(by: count) {
///     unsafe SampleRun.copy(input, to: output, blocks.frameCount)
///   }
///   frame += count
/// }
/// ```
///
/// Here `input` and `output` are memory for one block. An FFT would be in the place of the copy.
///
/// Context: render, unless noted.
@frozen public struct FixedBlocks: BitwiseCopyable {
  /// Frames of every run, which are the latency as well; 0 when runs may have any length.
  public let frameCount: Int
  /// Frames in the current block, from 0 to `frameCount` − 1.
  public private(set) var position = 0

  /// Starts with an empty block.
  ///
  /// - Parameter frameCount: Frames of every run; 0 for runs of any length.
  ///
  /// Context: any.
  public init(frameCount: Int) { self.frameCount = frameCount }

  /// Returns the greatest power of two up to the longest slice, from 64 to 8192.
  ///
  /// - Parameter maximumFrames: The longest slice, such as `setup.maximumFrames`.
  ///
  /// Context: any.
  public static func powerOfTwo(maximumFrames: Int) -> Int {
    var frames = 64
    while frames * 2 <= min(max(maximumFrames, 64), 8192) { frames *= 2 }
    return frames
  }

  /// Returns the number of a slice's remaining frames that fit into the block, at least 1.
  @_noLocks public func stretch(of remaining: Int) -> Int {
    min(remaining, frameCount &- position)
  }

  /// Copies a stretch of an input to its block.
  ///
  /// - Parameters:
  ///   - input: `count` samples.
  ///   - block: Memory for a whole block; the stretch goes to its place there.
  ///   - count: The result of `stretch(of:)`.
  @_noLocks public func gather(
    _ input: UnsafePointer<Float>, into block: UnsafeMutablePointer<Float>, count: Int
  ) {
    unsafe SampleCopy.copy(from: input, to: block + position, count: count)
  }

  /// Copies the same stretch of the last run's output.
  ///
  /// - Parameters:
  ///   - block: Memory of a whole block, silent before the first run.
  ///   - output: Room for `count` samples.
  ///   - count: The result of `stretch(of:)`.
  @_noLocks public func deliver(
    _ block: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, count: Int
  ) {
    unsafe SampleCopy.copy(from: block + position, to: output, count: count)
  }

  /// Advances past the stretch, once all channels were gathered and delivered.
  ///
  /// - Parameter count: The result of `stretch(of:)`.
  /// - Returns: Whether the block is full and the plug-in must be run.
  @_noLocks public mutating func advance(by count: Int) -> Bool {
    position = position &+ count
    guard position >= frameCount else { return false }
    position = 0
    return true
  }
}
