// A session: invitations, clocks, packets and receipts, as a machine without sockets.
// SPDX-License-Identifier: Apache-2.0

import MIDIMessages

/// One side of a session with all its peers. Datagrams go in and come out; times are nanoseconds of one clock.
package struct NetworkSession: Sendable {
  /// A datagram to be sent.
  package struct Datagram: Sendable, Equatable {
    package let port: NetworkPort
    package let address: PeerAddress
    package let bytes: [UInt8]
  }

  /// A thing that happened.
  package enum Event: Sendable, Equatable {
    case joined(name: String)
    case left(name: String, reason: String)
    /// A message for a moment.
    case message(time: UInt64, [UInt8])
  }

  let name: String
  let sender: UInt32
  let acceptsAnyone: Bool
  var peers: [SessionPeer] = []
  /// Datagrams to send, in order.
  var outgoing: [Datagram] = []
  var events: [Event] = []

  /// Times (ns), and how often an invitation is repeated.
  private static let second: UInt64 = 1_000_000_000
  private static let mostTries = 12
  private static let longestSilence = 60 * second

  /// A side by its name.
  ///
  /// - Parameters:
  ///   - sender: Its number among those of the session.
  ///   - acceptsAnyone: Whether all invitations are accepted.
  package init(name: String, sender: UInt32, acceptsAnyone: Bool) {
    self.name = name
    self.sender = sender
    self.acceptsAnyone = acceptsAnyone
  }

  /// The names of the joined peers.
  package var joined: [String] { peers.filter { $0.stage == .up }.map(\.name) }
  /// Whether there is no peer, joined or invited.
  package var isEmpty: Bool { peers.isEmpty }

  /// Removes and returns the datagrams to send since the last call.
  package mutating func dequeueOutgoing() -> [Datagram] {
    defer { outgoing = [] }
    return outgoing
  }

  /// Removes and returns the events since the last call.
  package mutating func dequeueEvents() -> [Event] {
    defer { events = [] }
    return events
  }

  // MARK: Requests of control

  /// Invites a host, by the addresses of its two ports.
  package mutating func invite(
    _ label: String, control: PeerAddress, data: PeerAddress, now: UInt64
  ) {
    peers.removeAll { $0.control == control }
    var peer = SessionPeer(
      .inviting(.control, tries: 0, last: 0), isOurs: true, token: .random(in: 1...(.max)),
      name: label, control: control, data: data, now: now, sequence: .random(in: 0...(.max)))
    invite(&peer, now)
    peers.append(peer)
  }

  mutating func invite(_ peer: inout SessionPeer, _ now: UInt64) {
    guard case .inviting(let port, let tries, _) = peer.stage else { return }
    peer.stage = .inviting(port, tries: tries + 1, last: now)
    let command = SessionCommand.invitation(token: peer.token, sender: sender, name: name)
    send(command, on: port, to: peer)
  }

  /// Sends messages to all joined peers: whole ones, and pieces of SysEx messages.
  package mutating func play(_ messages: [(time: UInt64, bytes: [UInt8])]) {
    guard let first = messages.first else { return }
    for list in Self.packets(messages, first.time) {
      for index in peers.indices where peers[index].stage == .up {
        let sequence = peers[index].sequence
        let packet = RTPPacket(
          sequence: sequence, time: UInt32(truncatingIfNeeded: Self.ticks(first.time)),
          sender: sender, messages: list, journal: peers[index].history.journal(for: sequence))
        peers[index].sequence &+= 1
        for message in list { peers[index].history.follow(message.bytes, sequence: sequence) }
        guard let bytes = packet.bytes else { continue }
        outgoing.append(Datagram(port: .data, address: peers[index].data, bytes: bytes))
      }
    }
  }

  /// Messages for packets, each as much as one holds.
  private static func packets(
    _ messages: [(time: UInt64, bytes: [UInt8])], _ start: UInt64
  ) -> [[RTPPacket.Message]] {
    var packets: [[RTPPacket.Message]] = [[]]
    var room = longestPacket
    for (time, bytes) in messages {
      let delay = UInt32(clamping: ticks(max(time, start) - start))
      // A long SysEx message goes in pieces.
      for place in stride(from: 0, to: bytes.count, by: longestPacket - 8) {
        let piece = Array(bytes[place..<min(place + longestPacket - 8, bytes.count)])
        if piece.count + 8 > room {
          packets.append([])
          room = longestPacket
        }
        packets[packets.count - 1].append(RTPPacket.Message(delay: delay, piece))
        room -= piece.count + 8
      }
    }
    return packets.filter { !$0.isEmpty }
  }

  /// Bytes of messages in a packet: as much as goes through networks whole.
  private static let longestPacket = 1024

  /// Ends the session with all.
  package mutating func end() {
    for peer in peers { part(from: peer, "the session has ended", tells: true) }
    peers = []
  }

  mutating func part(from peer: SessionPeer, _ reason: String, tells: Bool) {
    if tells {
      send(.end(token: peer.token, sender: sender), on: .control, to: peer)
    }
    // No note of a departed peer keeps sounding.
    for message in peer.played.endings { events.append(.message(time: 0, message)) }
    if peer.isInExclusive { events.append(.message(time: 0, [0xF7])) }
    events.append(.left(name: peer.name, reason: reason))
  }

  mutating func send(
    _ command: SessionCommand, on port: NetworkPort, to peer: SessionPeer
  ) {
    let address = port == .control ? peer.control : peer.data
    outgoing.append(Datagram(port: port, address: address, bytes: command.bytes))
  }

  /// Units of 100 µs.
  static func ticks(_ time: UInt64) -> UInt64 { time / 100_000 }

  // MARK: Time

  /// Does all that is due: invitations again, clocks, receipts, and the end of peers that do not
  /// answer any more.
  package mutating func advance(to now: UInt64) {
    var left: [(SessionPeer, String, Bool)] = []
    for index in peers.indices {
      var peer = peers[index]
      switch peer.stage {
      case .inviting(_, let tries, let last):
        if tries > Self.mostTries {
          left.append((peer, "it does not answer", false))
        } else if now >= last + Self.second {
          invite(&peer, now)
        }
      case .awaited:
        if now > peer.lastReceived + 10 * Self.second {
          left.append((peer, "it did not connect", true))
        }
      case .up:
        if now > peer.lastReceived + Self.longestSilence {
          left.append((peer, "it does not answer any more", true))
        }
        compareClocks(&peer, now)
        sendReceipt(&peer, now)
      }
      peers[index] = peer
    }
    for (peer, reason, tells) in left {
      part(from: peer, reason, tells: tells)
      peers.removeAll { $0.control == peer.control && $0.token == peer.token }
    }
  }

  /// Compares clocks, which the inviting side does, at first more often.
  mutating func compareClocks(_ peer: inout SessionPeer, _ now: UInt64) {
    let pause = peer.clockCount < 6 ? Self.second * 3 / 2 : 10 * Self.second
    guard peer.isOurs, peer.clocked == 0 || now >= peer.clocked + pause else { return }
    peer.clocked = now
    peer.clockCount += 1
    send(.clock(sender: sender, count: 0, Self.ticks(now), 0, 0), on: .data, to: peer)
  }

  private mutating func sendReceipt(_ peer: inout SessionPeer, _ now: UInt64) {
    guard peer.needsReceipt, now >= peer.receipted + Self.second, let last = peer.received else {
      return
    }
    peer.needsReceipt = false
    peer.receipted = now
    send(.receipt(sender: sender, sequence: last), on: .control, to: peer)
  }
}
