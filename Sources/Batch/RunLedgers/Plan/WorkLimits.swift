// The limits after which work is given up.
// SPDX-License-Identifier: Apache-2.0

/// The limits after which work is given up.
public struct WorkLimits: Sendable, Equatable {
  /// Seconds without progress while a unit renders.
  public var stall = 10.0
  /// Seconds without progress while units are opened, initialised, reset and closed.
  public var open = 30.0
  /// Seconds without progress while files are read and written.
  public var transfer = 120.0
  /// The time limit of a file in seconds; nil for a minute plus 50 times its length.
  public var file: Double?
  /// The number of consecutive failures of a unit that stops the run; 0 for no limit.
  public var failuresInRow = 10

  /// The default limits.
  public init() {}
}
