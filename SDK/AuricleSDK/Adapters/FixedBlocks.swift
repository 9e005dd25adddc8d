// Runs of one length out of slices of any: for plug-ins of formats that may ask for such runs.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport

/// Gathers frames until a block is full; what the block made comes out while the next one is gathered, so the
/// output is late by one block.
///
/// For each stretch of a slice: ask `stretch`, `gather` each input and `deliver` each output, then `advance`,
/// and run the plug-in when that says so.
///
/// Context: render, except where it is said.
@frozen public struct FixedBlocks: BitwiseCopyable {
  /// Frames of every run; 0 when runs may have any length.
  public let frameCount: Int
  /// Frames gathered of the block that is being filled.
  public private(set) var position = 0

  /// Starts with an empty block.
  ///
  /// - Parameter frameCount: Frames of every run; 0 for runs of any length.
  ///
  /// Context: any.
  public init(frameCount: Int) { self.frameCount = frameCount }

  /// The greatest power of two that is no more than the longest slice: from 64 to 8192.
  ///
  /// Context: any.
  public static func powerOfTwo(maximumFrames: Int) -> Int {
    var frames = 64
    while frames * 2 <= min(max(maximumFrames, 64), 8192) { frames *= 2 }
    return frames
  }

  /// How many of a slice's remaining frames still go into the block.
  @_noLocks public func stretch(of remaining: Int) -> Int {
    min(remaining, frameCount &- position)
  }

  /// Puts a stretch of an input into its block.
  @_noLocks public func gather(
    _ input: UnsafePointer<Float>, into block: UnsafeMutablePointer<Float>, count: Int
  ) {
    unsafe SampleCopy.copy(from: input, to: block + position, count: count)
  }

  /// Puts the same stretch of what the last run made into an output.
  @_noLocks public func deliver(
    _ block: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, count: Int
  ) {
    unsafe SampleCopy.copy(from: block + position, to: output, count: count)
  }

  /// Goes on behind the stretch.
  ///
  /// - Returns: Whether the block is full: then the plug-in is to be run.
  @_noLocks public mutating func advance(by count: Int) -> Bool {
    position = position &+ count
    guard position >= frameCount else { return false }
    position = 0
    return true
  }
}
