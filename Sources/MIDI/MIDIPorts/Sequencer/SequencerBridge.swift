// Between Core MIDI and the kernel's sequencer: each sees the ports of the other.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem
import MIDIMessages
import Synchronization

/// Shows the ports of other clients of the sequencer as endpoints of this process, and this process's endpoints as ports.
///
/// Each process has a separate client. Its view of others is in no folder: every process sees the
/// sequencer itself, and assigns the same numbers.
final class SequencerBridge: Sendable {
  /// The way of messages from another port to one of this client.
  struct Route: Hashable {
    let from: SequencerAddress
    let to: Int32
  }

  /// A client whose ports are shown: of several of one name, the how-manieth it is.
  struct Named: Equatable {
    let name: String
    let number: Int
  }

  struct State {
    var clients: [Int32: Named] = [:]
    var others: [SequencerAddress: SequencerPort] = [:]
    /// Sources of other clients, as endpoints.
    var sources: [SequencerAddress: MIDIRef] = [:]
    /// Destinations of other clients, by the keys of their endpoints.
    var destinations: [String: SequencerAddress] = [:]
    /// Endpoints of this process, by their ports.
    var own: [Int32: MIDIRef] = [:]
    /// Notes that sound by messages of others.
    var held: [Route: PlayedState] = [:]
  }

  let door: any SequencerDoor
  unowned let system: MIDISystem
  let state = Mutex(State())
  /// One listing, and one change of connections, at a time.
  let listing = Mutex(())
  private let connecting = Mutex(())
  /// The port that receives from other ports, and plays to them.
  private let link: Int32

  /// Over a client of the sequencer, which has no ports yet; nil where it has no room for any.
  init?(_ door: any SequencerDoor, _ system: MIDISystem) {
    guard let link = door.makePort("link", .link) else { return nil }
    self.door = door
    self.system = system
    self.link = link
  }

  /// Lists the present ports, and starts the thread.
  func start() {
    door.connect(.announce, at: link, true)
    listPorts()
    guard let thread = HostSystem.startThread({ [self] in run() }) else { return }
    pthread_detach(thread)
  }

  private func run() {
    PortThread.raisePriority()
    while let events = door.receive() {
      // One listing covers all earlier announcements.
      var hasListed = false
      for event in events {
        switch event {
        case .message(let from, let to, let time, let bytes):
          pass(TimedBytes(time, bytes), Route(from: from, to: to))
        case .portsChanged:
          if !hasListed { listPorts() }
          hasListed = true
        case .disconnected(let from, let to):
          if to.client == door.client { endNotes { $0 == Route(from: from, to: to.port) } }
        case .lost:
          endNotes { _ in true }
          listPorts()
        }
      }
    }
  }

  private func pass(_ packet: TimedBytes, _ route: Route) {
    state.withLock { state in
      for message in packet.messages where message[0] < 0xF0 && message[0] >= 0x80 {
        state.held[route, default: PlayedState()].follow(message)
      }
    }
    deliver(packet, route)
  }

  /// Passes a packet to the receivers of a source, or to a destination of this process.
  private func deliver(_ packet: TimedBytes, _ route: Route) {
    let (source, own) = state.withLock { ($0.sources[route.from], $0.own[route.to]) }
    if route.to == link {
      if let source { system.pass(source, .bytes([packet])) }
    } else if let own {
      try? system.send(to: own, .bytes([packet]))
    }
  }

  /// Ends held notes that their senders cannot end any more.
  func endNotes(where isEnded: (Route) -> Bool) {
    let ended = state.withLock { state in
      let ended = state.held.filter { isEnded($0.key) }
      for route in ended.keys { state.held[route] = nil }
      return ended
    }
    for (route, played) in ended {
      for message in played.endings { deliver(TimedBytes(HostClock.now, message), route) }
    }
  }
}

extension SequencerBridge {
  /// Receives from a source of another client while its endpoint has receivers. Context: any.
  func updateConnection(of ref: MIDIRef) {
    connecting.withLock { _ in
      let found = state.withLock { $0.sources.first { $0.value == ref }?.key }
      guard let found else { return }
      let isConnected = system.hasReceivers(ref)
      door.connect(found, at: link, isConnected)
      if !isConnected { endNotes { $0 == Route(from: found, to: link) } }
    }
  }

  /// The outlet to a port of another client, by the key of its endpoint; nil for an endpoint of
  /// another kind.
  func outlet(_ key: String) -> PortOutlet? {
    guard let address = state.withLock({ $0.destinations[key] }) else { return nil }
    door.open(address, for: link)
    return PortOutlet(player(from: link, to: address))
  }

  /// The target that passes events on from a port of this client, to another or to all subscribers.
  private func player(from port: Int32, to other: SequencerAddress?) -> PacketTarget {
    let door = door
    return PacketTarget(.bytes) { events in
      guard case .bytes(let packets) = events else { return }
      for message in packets.flatMap(\.messages) { door.send(message, from: port, to: other) }
    }
  }

  /// Makes the port of an endpoint of this process, which nobody sees yet. Returns its number, and the target for a
  /// source's output; nil without room for it.
  func makePort(_ name: String, isSource: Bool) -> (port: Int32, mirror: PacketTarget?)? {
    guard let port = door.makePort(name, isSource ? .source : .destination) else { return nil }
    return (port, isSource ? player(from: port, to: nil) : nil)
  }

  /// Shows the port of an endpoint to others, or hides it.
  func show(_ port: Int32, of ref: MIDIRef, isSource: Bool, _ isShown: Bool) {
    state.withLock { $0.own[port] = ref }
    door.show(port, isSource ? .source : .destination, isShown)
  }

  /// Removes the port of an endpoint.
  func removePort(_ port: Int32) {
    state.withLock { state in
      state.own[port] = nil
      for route in state.held.keys where route.to == port { state.held[route] = nil }
    }
    door.removePort(port)
  }
}
