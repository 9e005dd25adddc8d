// libFuzzer target: any bytes are datagrams of network sessions or none, from any sender. Built by Scripts/fuzz.
// SPDX-License-Identifier: Apache-2.0

import MIDIMessages

/// Reads the bytes as a command, a packet and a journal, and as all that one peer of a session says.
@c(LLVMFuzzerTestOneInput)
public func fuzzMIDINetwork(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  unsafe withinBudget(start, count) { bytes in
    if let command = SessionCommand(bytes) {
      promise(SessionCommand.isOne(command.bytes), "a command is written as none")
    }
    if let packet = RTPPacket(bytes) {
      promise(packet.messages.allSatisfy { !$0.bytes.isEmpty }, "an empty message is read")
    }
    mend(RecoveryJournal(bytes))
    converse(bytes)
  }
}

/// Expects channel messages alone from a journal.
private func mend(_ journal: RecoveryJournal?) {
  for message in journal?.repairs(PlayedState()) ?? [] {
    promise((0x80..<0xF0).contains(message.first ?? 0), "a journal tells no channel message")
    promise(message.dropFirst().allSatisfy { $0 < 0x80 }, "a journal tells a value that is none")
  }
}

/// Joins as a peer, then sends the bytes in datagrams: a byte with length and port is in front of each.
private func converse(_ bytes: [UInt8]) {
  var session = NetworkSession(name: "Fuzz", sender: 1, acceptsAnyone: true)
  let ports: [NetworkPort] = [.control, .data]
  let addresses = [PeerAddress([1, 0]), PeerAddress([1, 1])]
  let invitation = SessionCommand.invitation(token: 7, sender: 0x1111, name: "Peer").bytes
  var now: UInt64 = 5_000_000_000
  for (port, address) in zip(ports, addresses) {
    session.receive(invitation, on: port, from: address, now: now)
  }
  promise(session.joined == ["Peer"], "nobody can join")
  var rest = bytes[...]
  while let head = rest.popFirst() {
    let side = Int(head & 1)
    let datagram = Array(rest.prefix(Int(head >> 1)))
    rest = rest.dropFirst(datagram.count)
    now += 1_000_000
    session.receive(datagram, on: ports[side], from: addresses[side], now: now)
    session.advance(to: now)
    promise(session.joined.count <= 32, "more join than there may be")
    for case .message(_, let message) in session.dequeueEvents() {
      promise(!message.isEmpty, "an empty message is heard")
    }
    _ = session.dequeueOutgoing()
  }
}
