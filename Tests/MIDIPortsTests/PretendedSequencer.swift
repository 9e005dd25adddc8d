// A sequencer without a kernel: clients that see each other and exchange messages.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MIDIPorts
import Synchronization
import TestSupport

/// The shared state of clients. A message reaches a port that is connected, and no other: so do those of hardware.
final class PretendedSequencer: Sendable {
  fileprivate struct Port {
    let name: String
    var use: SequencerPortUse?
  }
  fileprivate struct Connection: Hashable {
    let from: SequencerAddress
    let to: SequencerAddress
  }
  fileprivate struct State {
    var names: [Int32: String] = [0: "System"]
    var ports: [SequencerAddress: Port] = [:]
    var connections: Set<Connection> = []
    var waiting: [Int32: [SequencerEvent]] = [:]
    var signals: [Int32: DispatchSemaphore] = [:]
    var nextClient: Int32 = 128

    mutating func notify(_ client: Int32, _ event: SequencerEvent) {
      waiting[client, default: []].append(event)
      signals[client]?.signal()
    }

    mutating func announce(_ event: SequencerEvent, by client: Int32) {
      for connection in connections where connection.from == .announce {
        if connection.to.client != client { notify(connection.to.client, event) }
      }
    }

    mutating func remove(_ address: SequencerAddress) {
      for connection in connections where connection.from == address || connection.to == address {
        connections.remove(connection)
        announce(.disconnected(from: connection.from, to: connection.to), by: address.client)
      }
      ports[address] = nil
      announce(.portsChanged, by: address.client)
    }
  }
  fileprivate let state = Mutex(State())
  private let changes: Changes

  /// No client but the system.
  ///
  /// - Parameter changes: Where changes of ports and connections are posted.
  init(_ changes: Changes) { self.changes = changes }

  fileprivate func change<Result>(
    _ body: (inout sending State) -> sending Result
  ) -> sending Result {
    defer { changes.post() }
    return state.withLock(body)
  }

  func client(_ name: String) -> PretendedClient {
    let signal = DispatchSemaphore(value: 0)
    let number = change { state in
      defer { state.nextClient += 1 }
      state.names[state.nextClient] = name
      state.signals[state.nextClient] = signal
      return state.nextClient
    }
    return PretendedClient(self, number, signal)
  }
}

/// One client.
final class PretendedClient: SequencerDoor {
  private let hub: PretendedSequencer
  let client: Int32
  private let signal: DispatchSemaphore

  fileprivate init(_ hub: PretendedSequencer, _ client: Int32, _ signal: DispatchSemaphore) {
    self.hub = hub
    self.client = client
    self.signal = signal
  }

  func ports() -> [SequencerPort] {
    hub.state.withLock { state in
      state.ports.sorted { $0.key < $1.key }.compactMap { address, port in
        guard let use = port.use else { return nil }
        return SequencerPort(
          address, client: state.names[address.client] ?? "", name: port.name,
          isReadable: use != .destination, isWritable: use != .source)
      }
    }
  }

  func makePort(_ name: String, _ use: SequencerPortUse) -> Int32? {
    hub.change { state in
      let number = Int32(state.ports.keys.filter { $0.client == client }.count)
      state.ports[SequencerAddress(client, number)] = .init(name: name)
      return number
    }
  }

  func show(_ port: Int32, _ use: SequencerPortUse, _ isShown: Bool) {
    hub.change { state in
      let (address, wanted) = (SequencerAddress(client, port), isShown ? use : nil)
      guard let present = state.ports[address], present.use != wanted else { return }
      state.ports[address]?.use = wanted
      state.announce(.portsChanged, by: client)
    }
  }

  func removePort(_ port: Int32) {
    hub.change { $0.remove(SequencerAddress(client, port)) }
  }

  func connect(_ other: SequencerAddress, at port: Int32, _ isConnected: Bool) {
    let connection = PretendedSequencer.Connection(
      from: other, to: SequencerAddress(client, port))
    hub.change { state in
      if isConnected {
        state.connections.insert(connection)
      } else {
        state.connections.remove(connection)
      }
    }
  }

  func open(_ other: SequencerAddress, for port: Int32) {
    hub.change { state in
      _ = state.connections.insert(.init(from: SequencerAddress(client, port), to: other))
    }
  }

  @discardableResult
  func send(_ message: [UInt8], from port: Int32, to other: SequencerAddress?) -> Bool {
    let from = SequencerAddress(client, port)
    return hub.change { state in
      let receivers = state.connections.filter {
        $0.from == from && (other == nil || $0.to == other)
      }
      for connection in receivers {
        state.notify(
          connection.to.client,
          .message(from: from, to: connection.to.port, time: HostClock.now, message))
      }
      return !receivers.isEmpty
    }
  }

  func receive() -> [SequencerEvent]? {
    signal.wait()
    return hub.state.withLock { $0.waiting.removeValue(forKey: client) ?? [] }
  }

  /// Returns whether a port has a receiver.
  func isConnected(_ port: Int32) -> Bool {
    hub.state.withLock {
      $0.connections.contains { $0.from == SequencerAddress(self.client, port) }
    }
  }

  /// Removes all ports.
  func pull() {
    hub.change { state in
      for address in state.ports.keys where address.client == client { state.remove(address) }
    }
  }

  /// The next messages, at least so many.
  func messages(_ count: Int) -> [[UInt8]] {
    var found: [[UInt8]] = []
    while found.count < count {
      for case .message(_, _, _, let bytes) in receive() ?? [] { found.append(bytes) }
    }
    return found
  }
}
