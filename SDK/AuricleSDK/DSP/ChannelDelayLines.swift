// Delay lines, one per channel, written and read in runs of contiguous frames.
// SPDX-License-Identifier: Apache-2.0

/// Rings of samples of one size, with one write position for all channels.
///
/// A run of frames is written to `writePointer(_:)`, read at a delay from `readPointer(_:delay:)`, and then
/// counted with `advance(_:)`. `contiguous(_:delay:)` returns how long a run may be. An echo of 0.25 s:
///
/// ```swift
/// var frame = 0
/// while frame < slice.frameCount {
///   let run = lines.contiguous(slice.frameCount - frame, delay: delay)
///   for channel in 0..<slice.channelCount {
///     let audio = unsafe slice.channel(channel) + frame
///     unsafe SampleRun.copy(audio, to: lines.writePointer(channel), run)
///     unsafe SampleRun.add(lines.readPointer(channel, delay: delay), gain: 0.5, to: audio, run)
///   }
///   lines.advance(run)
///   frame += run
/// }
/// ```
///
/// Here `delay` is `Int(0.25 * setup.sampleRate)`. With a delay below the run's length, the run is read
/// after it was written: the lines then hold the newest frames already.
///
/// Context: made and freed on a control thread, everything else render.
@safe public struct ChannelDelayLines: ~Copyable {
  private let memory: UnsafeMutablePointer<Float>
  private let channelCount: Int
  private let stride: Int
  /// Frames in a ring: a power of two, at least 64, and above the `maximumDelay` that was requested.
  public let size: Int
  private var position = 0

  /// Allocates silent lines, whose memory is mapped at once. Context: control.
  ///
  /// - Parameters:
  ///   - channelCount: Number of lines; 0 is allowed, for a unit that does not need them now.
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

  /// Fills the lines with silence and returns the write position to the start.
  ///
  /// The cost grows with `size`. Context: control or render.
  @_noLocks public mutating func reset() {
    for index in 0..<(channelCount * stride) { unsafe memory[index] = 0 }
    position = 0
  }

  /// Returns the longest run, at most `count` frames, that wraps neither in writing nor in reading at a
  /// delay of `delay` frames.
  ///
  /// - Parameters:
  ///   - count: Frames that are left in the slice.
  ///   - delay: Frames, from 0 to `size` less the run; with two taps, the shorter of both runs holds.
  /// - Returns: Frames, at least 1 where `count` is.
  @_noLocks public func contiguous(_ count: Int, delay: Int) -> Int {
    min(count, min(size - position, size - ((position - delay) & (size - 1))))
  }

  /// Returns the memory for the next frames of a channel, as many as `contiguous(_:delay:)` returned.
  @_noLocks public func writePointer(_ channel: Int) -> UnsafeMutablePointer<Float> {
    unsafe memory + (channel * stride + position)
  }

  /// Returns the frames of a channel `delay` frames before those to be written next.
  ///
  /// - Parameters:
  ///   - channel: Channel, from 0.
  ///   - delay: Frames; at 0 the memory is that of `writePointer(_:)`.
  @_noLocks public func readPointer(_ channel: Int, delay: Int) -> UnsafeMutablePointer<Float> {
    unsafe memory + (channel * stride + ((position - delay) & (size - 1)))
  }

  /// Counts frames that were written to every line: call it once a run, after all channels.
  @_noLocks public mutating func advance(_ count: Int) {
    position = (position + count) & (size - 1)
  }
}
