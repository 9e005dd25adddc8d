// A datagram that is to be sent.
// SPDX-License-Identifier: Apache-2.0

/// A datagram, and whereto.
package struct Datagram: Sendable, Equatable {
  /// The address; nil for the other end of a socket that has one.
  package var address: PeerAddress?
  /// The bytes.
  package var bytes: [UInt8]
}
