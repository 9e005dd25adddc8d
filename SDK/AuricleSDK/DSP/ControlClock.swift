// The grid of frames at which control values may change, counted from the last reset.
// SPDX-License-Identifier: Apache-2.0

/// A count of the frames since a reset, and the distance to the next grid point.
///
/// A kernel that reads its parameters at grid points only renders the same samples however the host divides
/// the stream into slices. The usual loop of a unit with a `ParameterGlide`:
///
/// ```swift
/// var frame = 0
/// while frame < slice.frameCount {
///   if clock.isAtGridPoint { gain.advance(toward: parameters.gain) }
///   let isMoving = !gain.isSettled || gain.value != parameters.gain
///   let run = clock.run(of: slice.frameCount - frame, isMoving: isMoving)
///   for channel in 0..<slice.channelCount {
///     let audio = unsafe slice.channel(channel) + frame
///     for index in 0..<run { unsafe audio[index] *= gain.value(at: clock.phase + index) }
///   }
///   clock.advance(run)
///   frame += run
/// }
/// ```
///
/// Context: render.
@frozen public struct ControlClock: Sendable {
  /// Frames between two grid points: 32, that is 0.67 ms at 48 kHz.
  public static var interval: Int { @_noLocks get { 32 } }

  /// Frames into the current interval, from 0 to `interval` − 1.
  public private(set) var phase: Int = 0

  /// Makes a clock at a grid point. Context: any.
  @inlinable public init() {}

  /// Whether the next frame is a grid point, at which values are read and glides advance.
  @inlinable public var isAtGridPoint: Bool {
    @_noLocks get { phase == 0 }
  }

  /// Returns the number of frames to run now: the remaining ones, or up to the next grid point while
  /// values move.
  ///
  /// - Parameters:
  ///   - remaining: Frames left in the slice.
  ///   - isMoving: Whether a value changes, or has a new target. While none does, one run may cover the slice.
  /// - Returns: Frames, at most `remaining`.
  @inlinable @_noLocks public func run(of remaining: Int, isMoving: Bool) -> Int {
    isMoving ? min(remaining, Self.interval - phase) : remaining
  }

  /// Counts frames that were run; with a run beyond a grid point the phase wraps.
  @_noLocks public mutating func advance(_ frameCount: Int) {
    phase = (phase + frameCount) & (Self.interval - 1)
  }

  /// Returns to a grid point, as the unit's `reset()` must.
  @_noLocks public mutating func reset() { phase = 0 }
}
