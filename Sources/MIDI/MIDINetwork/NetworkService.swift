// A session between the network and Core MIDI: a source of what comes, a destination for what goes to all who have joined.
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
  /// - Throws: `.temporary` for a port that is taken, `.inputOutput` where Core MIDI cannot be used.
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

  /// Knows a service that a destination was made for before it was there.
  private final class Keeper: Sendable {
    let service = Mutex<NetworkService?>(nil)
  }

  /// Invites a host, by its name or address and the port of its control socket.
  ///
  /// - Throws: `.unavailable` for a name that nobody knows.
  ///
  /// Context: control.
  package func invite(_ host: String, port: UInt16) throws(AuricleError) {
    guard port < UInt16.max else {
      throw AuricleError(.usage, "the port of a session is 1 to 65534, not \(port)")
    }
    let (first, second) = (
      try NetworkSockets.address(host, port), try NetworkSockets.address(host, port + 1)
    )
    session.withLock { $0.invite(host, control: first, data: second, now: HostClock.now) }
    send()
  }

  /// Sends what is to be sent, in its order, whichever threads have it. Context: any.
  private func send() {
    session.withLock { session in
      for datagram in session.takeOutgoing() { sockets.send(datagram) }
    }
  }

  /// Context: the thread of the ports.
  private func play(_ events: MIDIEvents) {
    guard case .bytes(let packets) = events else { return }
    let messages = packets.flatMap { packet in
      Self.messages(packet.bytes).map { (time: packet.time, bytes: $0) }
    }
    session.withLock { $0.play(messages) }
    send()
  }

  /// The messages of a packet, which may hold several, or a piece of a SysEx message with real-time bytes inside.
  private static func messages(_ bytes: [UInt8]) -> [[UInt8]] {
    var messages: [[UInt8]] = []
    var open: [UInt8] = []
    for byte in bytes {
      switch byte {
      case 0xF8...0xFF: messages.append([byte])
      case 0xF7: open.append(byte)
      case 0x80...0xF6:
        if !open.isEmpty { messages.append(open) }
        open = [byte]
      default: open.append(byte)
      }
    }
    return open.isEmpty ? messages : messages + [open]
  }

  /// Runs the session until it is to stop.
  ///
  /// - Parameters:
  ///   - shouldStop: Asked ten times a second.
  ///   - say: Told who comes and goes.
  ///
  /// Context: control.
  package func run(shouldStop: () -> Bool, say: (String) -> Void) {
    let announcer = announce()
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
    if let announcer { kill(announcer, SIGTERM) }
    try? system.disposeClient(client)
  }

  private func pass(_ say: (String) -> Void) {
    for event in session.withLock({ $0.takeEvents() }) {
      switch event {
      case .joined(let name): say("\(name) has joined")
      case .left(let name, let reason): say("\(name): \(reason)")
      case .message(let time, let bytes):
        try? system.received(source, .bytes([TimedBytes(time == 0 ? HostClock.now : time, bytes)]))
      }
    }
  }

  /// Announces the session where Avahi's program is installed, and its service runs.
  private func announce() -> pid_t? {
    let path = "/usr/bin/avahi-publish-service"
    guard unsafe access(path, X_OK) == 0 else { return nil }
    let (child, status) = ProcessLaunch(path, [name, "_apple-midi._udp", "\(port)"]).start()
    return status == 0 ? child : nil
  }
}
