// The use of the kernel's sequencer, by its library or by a test.
// SPDX-License-Identifier: Apache-2.0

/// A port of a client of the sequencer.
package struct SequencerAddress: Sendable, Hashable, Comparable {
  package let client: Int32
  package let port: Int32

  /// A port by its numbers.
  package init(_ client: Int32, _ port: Int32) {
    self.client = client
    self.port = port
  }

  /// The kernel's port that announces all others.
  package static let announce = SequencerAddress(0, 1)

  /// As `aconnect` writes it.
  package var text: String { "\(client):\(port)" }

  package static func < (first: SequencerAddress, second: SequencerAddress) -> Bool {
    (first.client, first.port) < (second.client, second.port)
  }
}

/// A port that others may connect to.
package struct SequencerPort: Sendable, Equatable {
  package let address: SequencerAddress
  package let clientName: String
  package let name: String
  /// Whether it can be read, and played to.
  package let isReadable: Bool
  package let isWritable: Bool

  /// A port.
  package init(
    _ address: SequencerAddress, client: String, name: String, isReadable: Bool, isWritable: Bool
  ) {
    self.address = address
    clientName = client
    self.name = name
    self.isReadable = isReadable
    self.isWritable = isWritable
  }
}

/// An event that comes from the sequencer.
package enum SequencerEvent: Sendable, Equatable {
  /// A message, or a piece of a system exclusive one, to a port of this client, at a host time (ns).
  case message(from: SequencerAddress, to: Int32, time: UInt64, [UInt8])
  /// Ports of others came, went or are called otherwise.
  case portsChanged
  /// A connection ended.
  case disconnected(from: SequencerAddress, to: SequencerAddress)
  /// More came than there was room for: some of it is gone.
  case lost
}

/// The use of a port of this client.
package enum SequencerPortUse: Sendable {
  /// Others read it.
  case source
  /// Others play to it.
  case destination
  /// It reads others and plays to them; nobody else connects it.
  case link
}

/// A client of the sequencer.
///
/// Context: any thread; `receive` is called by one thread at a time.
package protocol SequencerDoor: Sendable {
  /// Its number.
  var client: Int32 { get }
  /// The ports of all clients that others may connect to.
  func ports() -> [SequencerPort]
  /// Makes a port that nobody sees yet; nil where there is no room for one.
  func makePort(_ name: String, _ use: SequencerPortUse) -> Int32?
  /// Shows a port to others, or hides it.
  func show(_ port: Int32, _ use: SequencerPortUse, _ isShown: Bool)
  /// Removes a port, with its connections.
  func removePort(_ port: Int32)
  /// Connects a port of this client to the output of another, or ends that.
  func connect(_ other: SequencerAddress, at port: Int32, _ isConnected: Bool)
  /// Opens another port for the output of a port of this client.
  func open(_ other: SequencerAddress, for port: Int32)
  /// Plays a message, or a piece of a system exclusive one: to a port, or to all its subscribers.
  /// Returns whether it was accepted.
  @discardableResult
  func send(_ message: [UInt8], from port: Int32, to other: SequencerAddress?) -> Bool
  /// Waits until something comes; nil where nothing can come any more.
  func receive() -> [SequencerEvent]?
}
