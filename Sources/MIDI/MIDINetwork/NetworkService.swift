// A session between the network and Core MIDI: a source of incoming messages, a destination for those to all peers.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Glibc
import HostSystem
import MIDIMessages
import MIDIPorts
import Synchronization

/// A session of this computer.
package final class NetworkService: Sendable {
  private let session: Mutex<NetworkSession>
  private let sockets: NetworkSockets
  private let system: MIDISystem
  private let client: MIDIRef
  private let source: MIDIRef
  private let name: String
  /// The port of the control socket.
  package var port: UInt16 { sockets.port }

  /// Opens ports, and makes the endpoints.
  ///
  /// - Throws: `.temporary` for a port in use, `.inputOutput` where Core MIDI cannot be used.
  ///
  /// Context: control.
  package init(name: String, port: UInt16, acceptsAnyone: Bool) throws(AuricleError) {
    self.name = name
    sockets = try NetworkSockets(port: port)
    system = try MIDISystem.forPeople()
    session = Mutex(
      NetworkSession(
        name: name, sender: .random(in: 1...(.max)), acceptsAnyone: acceptsAnyone))
    let keeper = Keeper()
    do throws(MIDIError) {
      client = try system.makeClient("Network", notify: nil)
      source = try system.makeEndpoint(client: client, name, .bytes)
      _ = try system.makeEndpoint(client: client, name, .bytes) { events in
        keeper.service.withLock(\.self)?.play(events)
      }
    } catch { throw PortFolder.refusal(error) }
    keeper.service.withLock { $0 = self }
  }

  /// The keeper of a service for which a destination was made before it was there.
  private final class Keeper: Sendable {
    let service = Mutex<NetworkService?>(nil)
  }

  /// Invites a host, by its name or address and the port of its control socket. A session that
  /// Avahi announces is invited by its name in any case.
  ///
  /// - Throws: `.unavailable` for a name that nobody knows.
  ///
  /// Context: control.
  package func invite(_ host: String, port: UInt16) throws(AuricleError) {
    guard port < UInt16.max else {
      throw AuricleError(.usage, "the port of a session is 1 to 65534, not \(port)")
    }
    let (first, second) = try Self.addresses(host, port)
    session.withLock { $0.invite(host, control: first, data: second, now: HostClock.now) }
    send()
  }

  private static func addresses(
    _ host: String, _ port: UInt16
  ) throws(AuricleError) -> (PeerAddress, PeerAddress) {
    do throws(AuricleError) {
      return (try NetworkSockets.address(host, port), try NetworkSockets.address(host, port + 1))
    } catch {
      let sessions = AnnouncedSession.all()
      let wanted = host.lowercased()
      if let found = sessions.first(where: { $0.name.lowercased() == wanted }), found.port < .max {
        return (
          try NetworkSockets.address(found.address, found.port),
          try NetworkSockets.address(found.address, found.port + 1)
        )
      }
      let names = sessions.isEmpty ? "none" : sessions.map(\.name).joined(separator: ", ")
      throw AuricleError(
        .unavailable,
        "\(error.message); of the sessions that Avahi announces none has that name either (there are: \(names))"
      )
    }
  }

  /// Sends waiting messages in their order, from any thread. Context: any.
  private func send() {
    session.withLock { session in
      for datagram in session.dequeueOutgoing() { sockets.send(datagram) }
    }
  }

  /// Context: the thread of the ports.
  private func play(_ events: MIDIEvents) {
    guard case .bytes(let packets) = events else { return }
    let messages = packets.flatMap { packet in
      packet.messages.map { (time: packet.time, bytes: $0) }
    }
    session.withLock { $0.play(messages) }
    send()
  }

  /// Runs the session until it is stopped.
  ///
  /// - Parameters:
  ///   - shouldStop: Asked ten times a second.
  ///   - say: Called with a line about a peer that comes or goes.
  ///
  /// Context: control.
  package func run(shouldStop: () -> Bool, say: (String) -> Void) {
    let announcement = SessionAnnouncement(name, port: port)
    while !shouldStop() {
      var entries = [sockets.control, sockets.data].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      unsafe poll(&entries, 2, 100)
      for port in [NetworkPort.control, .data] {
        // Others have their turn after so many.
        for _ in 0..<256 {
          guard let (bytes, address) = sockets.receive(port) else { break }
          session.withLock { $0.receive(bytes, on: port, from: address, now: HostClock.now) }
        }
      }
      session.withLock { $0.advance(to: HostClock.now) }
      pass(say)
      send()
    }
    session.withLock { $0.end() }
    pass(say)
    send()
    announcement?.end()
    try? system.disposeClient(client)
  }

  private func pass(_ say: (String) -> Void) {
    for event in session.withLock({ $0.dequeueEvents() }) {
      switch event {
      case .joined(let name): say("\(name) has joined")
      case .left(let name, let reason): say("\(name): \(reason)")
      case .message(let time, let bytes):
        try? system.received(source, .bytes([TimedBytes(time == 0 ? HostClock.now : time, bytes)]))
      }
    }
  }
}
