// The other side of a session: the progress of the two, the messages sent to it, and the ones that came from it.
// SPDX-License-Identifier: Apache-2.0

import MIDIMessages

/// An address of the network, in the form of the system's calls.
package struct PeerAddress: Hashable, Sendable {
  package let bytes: [UInt8]
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The address without its port: the computer.
  var host: [UInt8] { Array(bytes.prefix(2) + bytes.dropFirst(4)) }
}

/// One of the two ports of a session.
package enum NetworkPort: Sendable {
  case control, data
}

/// A peer.
struct SessionPeer: Sendable {
  enum Stage: Equatable {
    /// It was invited on a port, so many times, the last time at a moment (ns).
    case inviting(NetworkPort, tries: Int, last: UInt64)
    /// It invited, and was accepted on the control port.
    case awaited
    case up
  }

  var stage: Stage
  let isOurs: Bool
  let token: UInt32
  var sender: UInt32 = 0
  var name: String
  var control: PeerAddress
  var data: PeerAddress
  /// Time of the last sign of life (ns).
  var lastReceived: UInt64
  /// Time of the last comparison of clocks (ns), and number of comparisons.
  var clocked: UInt64 = 0
  var clockCount = 0
  /// The next packet, and the packets before it.
  var sequence: UInt16
  var history: JournalHistory
  /// The last packet that came; nil before the first.
  var received: UInt16?
  /// The last for which it has no receipt, and when receipts were sent (ns).
  var needsReceipt = false
  var receipted: UInt64 = 0
  var played = PlayedState()
  /// A SysEx message that came in part.
  var isInExclusive = false

  init(
    _ stage: Stage, isOurs: Bool, token: UInt32, name: String, control: PeerAddress,
    data: PeerAddress, now: UInt64, sequence: UInt16
  ) {
    self.stage = stage
    self.isOurs = isOurs
    self.token = token
    self.name = name
    self.control = control
    self.data = data
    self.sequence = sequence
    lastReceived = now
    history = JournalHistory(first: sequence)
  }

  /// Accepts a packet's number: nil for one that came before; else the number of packets missing
  /// before it.
  mutating func accept(_ sequence: UInt16) -> Int? {
    guard let last = received else {
      received = sequence
      // Nobody knows the packets before the first.
      return 1
    }
    let distance = Int(Int16(bitPattern: sequence &- last))
    guard distance > 0 else { return nil }
    received = sequence
    return distance - 1
  }
}
