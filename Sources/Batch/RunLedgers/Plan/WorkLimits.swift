// When work is given up.
// SPDX-License-Identifier: Apache-2.0

/// When work is given up.
public struct WorkLimits: Sendable, Equatable {
  /// Seconds without a sign of life while a unit renders.
  public var stall = 10.0
  /// Seconds without a sign of life while units are opened, initialised, reset and closed.
  public var open = 30.0
  /// Seconds without a sign of life while files are read and written.
  public var transfer = 120.0
  /// The longest a file may take in seconds; nil for a minute and 50 times its sound.
  public var file: Double?
  /// How many files in a row a unit may fail with before the run stops; 0 for any number.
  public var failuresInRow = 10

  /// The usual limits.
  public init() {}
}
