// The grid of frames at which control values may change, counted from the last reset.
// SPDX-License-Identifier: Apache-2.0

/// Counts the frames since a reset, and how far a kernel may run until the next grid point.
///
/// A kernel that reads its parameters at grid points only renders the same samples however the host divides
/// the stream into slices.
///
/// Context: render.
@frozen public struct ControlClock: Sendable {
  /// Frames between two grid points.
  public static var interval: Int { @_noLocks get { 32 } }

  /// Frames into the current interval, less than `interval`.
  public private(set) var phase: Int = 0

  /// Makes a clock at a grid point.
  @inlinable public init() {}

  /// Whether the next frame is a grid point.
  @inlinable public var isAtGridPoint: Bool {
    @_noLocks get { phase == 0 }
  }

  /// Returns the number of frames to run now: the remaining ones, or up to the next grid point while
  /// values move.
  @inlinable @_noLocks public func run(of remaining: Int, isMoving: Bool) -> Int {
    isMoving ? min(remaining, Self.interval - phase) : remaining
  }

  /// Counts frames that were run.
  @_noLocks public mutating func advance(_ frameCount: Int) {
    phase = (phase + frameCount) & (Self.interval - 1)
  }

  /// Returns to a grid point.
  @_noLocks public mutating func reset() { phase = 0 }
}
