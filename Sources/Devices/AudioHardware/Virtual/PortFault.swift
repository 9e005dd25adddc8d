// Faults of a virtual device, for tests of the recovery from them.
// SPDX-License-Identifier: Apache-2.0

/// Something that goes wrong when a port has done so many frames since it was configured.
package struct PortFault: Sendable, Equatable {
  /// The kind of a fault.
  package enum Kind: Sendable, Equatable {
    /// Sound runs out.
    case overrun
    /// The position does not move for so many nanoseconds.
    case stall(UInt64)
    /// The position never moves again until the port is prepared anew.
    case hang
    /// The machine goes to sleep, and the device cannot be resumed afterwards.
    case suspend
    /// The machine goes to sleep; so many resumes return that it is not awake yet, and the next one resumes the
    /// device.
    case sleep(Int)
    /// The card is pulled.
    case disconnect
    /// Transfers do no more than so many frames at once.
    case short(Int)
    /// So many waits return at once with nothing to do.
    case emptyWakes(Int)
  }

  /// The kind.
  package var kind: Kind
  /// The frame, counted over all restarts.
  package var frame: Int64

  /// Describes one.
  package init(_ kind: Kind, at frame: Int64) {
    self.kind = kind
    self.frame = frame
  }
}
