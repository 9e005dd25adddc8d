// Datagrams that come to a session: commands of computers that want to join or have joined, and their packets.
// SPDX-License-Identifier: Apache-2.0

import MIDIMessages

extension NetworkSession {
  /// The most that join, and the most of one computer whose invitation is half done.
  private static let (mostPeers, mostHalfDone) = (32, 4)

  /// Receives a datagram. One of another protocol, or of a stranger, is ignored.
  package mutating func receive(
    _ bytes: [UInt8], on port: NetworkPort, from address: PeerAddress, now: UInt64
  ) {
    guard SessionCommand.isOne(bytes) else {
      if port == .data, let packet = RTPPacket(bytes) { handle(packet, from: address, now) }
      return
    }
    guard let command = SessionCommand(bytes) else { return }
    switch command {
    case .invitation(let token, let sender, let name):
      handle(invitation: token, sender, name, port, address, now)
    case .acceptance(let token, let sender, let name):
      handle(acceptance: token, sender, name, port, address, now)
    case .refusal(let token, _):
      leave("it refuses") {
        $0.isOurs && $0.token == token && $0.stage != .up
          && ($0.control == address || $0.data == address)
      }
    case .end(_, let sender):
      leave("it has left") { $0.sender == sender && ($0.control == address || $0.data == address) }
    case .clock(let sender, let count, let first, let second, _):
      guard let index = index(sender, address) else { return }
      handle(clock: count, first, second, index, now)
    case .receipt(let sender, let sequence):
      guard let index = index(sender, address) else { return }
      // A packet that was not sent cannot be confirmed.
      let isSent = Int16(bitPattern: peers[index].sequence &- 1 &- sequence) >= 0
      if isSent { peers[index].history.forget(upTo: sequence) }
    case .limit: break
    }
  }

  private func index(_ sender: UInt32, _ address: PeerAddress) -> Int? {
    peers.firstIndex {
      $0.stage == .up && $0.sender == sender && ($0.data == address || $0.control == address)
    }
  }

  private mutating func leave(_ reason: String, _ isMeant: (SessionPeer) -> Bool) {
    for peer in peers where isMeant(peer) { part(from: peer, reason, tells: false) }
    peers.removeAll(where: isMeant)
  }

  private mutating func handle(
    invitation token: UInt32, _ sender: UInt32, _ name: String, _ port: NetworkPort,
    _ address: PeerAddress, _ now: UInt64
  ) {
    // An address changes by a new invitation alone: a token does not move a participant.
    let known = peers.firstIndex {
      guard !$0.isOurs, $0.token == token, $0.sender == sender else { return false }
      if port == .control { return $0.control == address }
      return $0.stage == .up ? $0.data == address : $0.control.host == address.host
    }
    switch port {
    case .control:
      guard known != nil || (acceptsAnyone && hasPlace(for: address)) else {
        let refusal = SessionCommand.refusal(token: token, sender: self.sender)
        outgoing.append(Datagram(port: port, address: address, bytes: refusal.bytes))
        return
      }
      if known == nil {
        // One that begins anew has forgotten its session.
        leave("it begins anew") { !$0.isOurs && $0.sender == sender && $0.control == address }
        var peer = SessionPeer(
          .awaited, isOurs: false, token: token, name: name, control: address, data: address,
          now: now, sequence: .random(in: 0...(.max)))
        peer.sender = sender
        peers.append(peer)
      }
    case .data:
      guard let known else { return }
      peers[known].data = address
      peers[known].lastReceived = now
      if peers[known].stage != .up {
        peers[known].stage = .up
        events.append(.joined(name: peers[known].name))
      }
    }
    let answer = SessionCommand.acceptance(token: token, sender: self.sender, name: self.name)
    outgoing.append(Datagram(port: port, address: address, bytes: answer.bytes))
  }

  /// Whether a computer gets a place. Half-open invitations are removed: first the oldest of the
  /// same computer. When all places are occupied, the oldest of the computer with the most follows.
  private mutating func hasPlace(for address: PeerAddress) -> Bool {
    func halfDone() -> [SessionPeer] { peers.filter { $0.stage == .awaited } }
    func evictOldest(_ host: [UInt8]) {
      let oldest = peers.firstIndex { $0.stage == .awaited && $0.control.host == host }
      if let oldest { peers.remove(at: oldest) }
    }
    if halfDone().count(where: { $0.control.host == address.host }) >= Self.mostHalfDone {
      evictOldest(address.host)
    }
    if peers.count >= Self.mostPeers {
      let hosts = halfDone().map(\.control.host)
      let counts = hosts.reduce(into: [:]) { $0[$1, default: 0] += 1 }
      guard let most = counts.values.max(), let host = hosts.first(where: { counts[$0] == most })
      else { return false }
      evictOldest(host)
    }
    return true
  }

  private mutating func handle(
    acceptance token: UInt32, _ sender: UInt32, _ name: String, _ port: NetworkPort,
    _ address: PeerAddress, _ now: UInt64
  ) {
    let found = peers.firstIndex {
      guard case .inviting(let wanted, _, _) = $0.stage else { return false }
      return wanted == port && $0.token == token
        && address == (port == .control ? $0.control : $0.data)
    }
    guard let found else { return }
    peers[found].lastReceived = now
    peers[found].sender = sender
    if !name.isEmpty { peers[found].name = name }
    if port == .control {
      peers[found].stage = .inviting(.data, tries: 0, last: 0)
      var peer = peers[found]
      invite(&peer, now)
      peers[found] = peer
    } else {
      peers[found].stage = .up
      events.append(.joined(name: peers[found].name))
      var peer = peers[found]
      compareClocks(&peer, now)
      peers[found] = peer
    }
  }

  private mutating func handle(
    clock count: UInt8, _ first: UInt64, _ second: UInt64, _ index: Int, _ now: UInt64
  ) {
    peers[index].lastReceived = now
    let time = Self.ticks(now)
    switch count {
    case 0:
      send(.clock(sender: sender, count: 1, first, time, 0), on: .data, to: peers[index])
    case 1:
      send(.clock(sender: sender, count: 2, first, second, time), on: .data, to: peers[index])
    default: break
    }
  }

  private mutating func handle(_ packet: RTPPacket, from address: PeerAddress, _ now: UInt64) {
    guard
      let index = peers.firstIndex(where: {
        $0.stage == .up && $0.sender == packet.sender && $0.data == address
      }), let missing = peers[index].accept(packet.sequence)
    else { return }
    peers[index].lastReceived = now
    if !packet.journal.isEmpty {
      peers[index].needsReceipt = true
      if missing > 0, let journal = RecoveryJournal(packet.journal) {
        for message in journal.repairs(peers[index].played) { deliver(message, now, index) }
      }
    }
    // A message that a missing packet cut off is over.
    if missing > 0, peers[index].isInExclusive { deliver([0xF7], now, index) }
    for message in packet.messages {
      deliver(message.bytes, now + min(UInt64(message.delay), 10_000) * 100_000, index)
    }
  }

  private mutating func deliver(_ message: [UInt8], _ time: UInt64, _ index: Int) {
    if message.first == 0xF0 { peers[index].isInExclusive = true }
    // The rest of a message whose beginning is missing is nothing.
    if (message.first ?? 0) < 0x80 || message == [0xF7], !peers[index].isInExclusive { return }
    if message.last == 0xF7 { peers[index].isInExclusive = false }
    peers[index].played.follow(message)
    events.append(.message(time: time, message))
  }
}
