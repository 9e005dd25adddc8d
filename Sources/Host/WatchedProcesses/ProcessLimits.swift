// The limits of a child process that reads or opens foreign code.
// SPDX-License-Identifier: Apache-2.0

/// The limits of the work of a child.
package struct ProcessLimits: Sendable {
  /// A limit that was passed.
  package enum Excess: Sendable {
    case seconds, memory, output
  }

  /// Seconds; those in which others had the processor are not counted, up to twelve times as many in all.
  package var seconds: Double
  /// Bytes of memory; nil for those that its sandbox leaves.
  package var memory: Int?
  /// Bytes that it prints.
  package var output = Int.max

  /// The most bytes that a child may send.
  static let mostSent = 1 << 28

  /// Limits of time alone.
  package init(seconds: Double) { self.seconds = seconds }
}
