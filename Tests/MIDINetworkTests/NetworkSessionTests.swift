// Two sides of a session without a network: they meet, play, lose packets and mend the gaps, and part.
// SPDX-License-Identifier: Apache-2.0

import MIDIMessages
import MIDINetwork
import TestSupport
import Testing

/// Two sides, and the datagrams between them.
private struct Pair {
  var one = NetworkSession(name: "One", sender: 0x1111, acceptsAnyone: false)
  var two = NetworkSession(name: "Two", sender: 0x2222, acceptsAnyone: true)
  var now: UInt64 = 5_000_000_000
  /// Whether a datagram gets lost, by its bytes.
  var loses: (NetworkSession.Datagram) -> Bool = { _ in false }
  var delivered: [[UInt8]] = []
  var reported: [NetworkSession.Event] = []

  /// The address of a side's port, as a `sockaddr_in` begins: the same on both sides.
  static func address(_ side: UInt8, _ port: NetworkPort) -> PeerAddress {
    PeerAddress([2, 0, 0x13, port == .control ? 0x8C : 0x8D, 10, 0, 0, side])
  }

  mutating func meet() {
    one.invite(
      "two", control: Self.address(2, .control), data: Self.address(2, .data), now: now)
    settle()
  }

  /// Carries datagrams until there are none.
  mutating func settle() {
    while true {
      let (first, second) = (one.dequeueOutgoing(), two.dequeueOutgoing())
      for item in first where !loses(item) {
        two.receive(item.bytes, on: item.port, from: Self.address(1, item.port), now: now)
      }
      for item in second where !loses(item) {
        one.receive(item.bytes, on: item.port, from: Self.address(2, item.port), now: now)
      }
      note(two.dequeueEvents(), plays: true)
      note(one.dequeueEvents(), plays: false)
      if first.isEmpty, second.isEmpty { return }
    }
  }

  private mutating func note(_ events: [NetworkSession.Event], plays: Bool) {
    for event in events {
      if case .message(_, let bytes) = event {
        if plays { delivered.append(bytes) }
      } else {
        reported.append(event)
      }
    }
  }

  mutating func advance(seconds: Double) {
    for _ in 0..<Int(seconds * 10) {
      now += 100_000_000
      one.advance(to: now)
      two.advance(to: now)
      settle()
    }
  }

  mutating func play(_ bytes: [UInt8]) {
    now += 1_000_000
    one.play([(now, bytes)])
    settle()
  }
}

@Suite struct NetworkSessionTests {
  @Test("An invitation on both ports is a session; it goes on, and ends for both")
  func life() {
    var pair = Pair()
    pair.meet()
    #expect(pair.one.joined == ["Two"] && pair.two.joined == ["One"])
    pair.play([0x90, 60, 100])
    pair.play([0xF0, 1, 2, 3, 0xF7])
    #expect(pair.delivered == [[0x90, 60, 100], [0xF0, 1, 2, 3, 0xF7]])
    pair.advance(seconds: 200)
    #expect(pair.one.joined == ["Two"])
    pair.one.end()
    pair.settle()
    // Held notes are ended, for receivers.
    #expect(pair.delivered.last == [0x80, 60, 64])
    #expect(pair.two.isEmpty && pair.one.isEmpty)
    #expect(
      pair.reported.suffix(2) == [
        .left(name: "One", reason: "it has left"),
        .left(name: "Two", reason: "the session has ended"),
      ])
  }

  @Test(
    "A missing and an unwilling participant are reported; one that is silent for a minute is gone")
  func absent() {
    var pair = Pair()
    pair.loses = { _ in true }
    pair.meet()
    pair.advance(seconds: 20)
    #expect(pair.reported == [.left(name: "two", reason: "it does not answer")])
    var other = Pair()
    other.two = NetworkSession(name: "Two", sender: 2, acceptsAnyone: false)
    other.meet()
    #expect(other.reported == [.left(name: "two", reason: "it refuses")])
    var third = Pair()
    third.meet()
    third.play([0x91, 40, 1])
    third.loses = { _ in true }
    third.advance(seconds: 65)
    #expect(third.two.isEmpty && third.one.isEmpty)
    #expect(third.delivered.last == [0x81, 40, 64])
  }

  @Test(
    "Whatever is lost, both sides have the same notes, programs, controllers and bends in the end")
  func recovery() {
    for seed in UInt64(1)...20 {
      var random = SeededGenerator(seed: seed)
      var pair = Pair()
      pair.meet()
      var sent = PlayedState()
      for index in 0..<400 {
        // The packets are lost, but not the two sides' feedback about them.
        let isLost = index < 390 && Int.random(in: 0..<3, using: &random) == 0
        pair.loses = { isLost && $0.port == .data && $0.bytes[0] == 0x80 }
        let low = UInt8.random(in: 0..<2, using: &random)
        let (first, second) = (
          UInt8.random(in: 50..<58, using: &random), UInt8.random(in: 1...127, using: &random)
        )
        let message: [UInt8] =
          switch Int.random(in: 0..<6, using: &random) {
          case 0, 1: [0x90 | low, first, second]
          case 2: [0x80 | low, first, 64]
          case 3: [0xB0 | low, [7, 10, 64, 74].randomElement(using: &random) ?? 7, second]
          case 4: [0xC0 | low, second]
          default: [0xE0 | low, 0, second]
          }
        sent.follow(message)
        pair.play(message)
        if index % 50 == 49 {
          pair.loses = { _ in false }
          pair.advance(seconds: 1.5)
        }
      }
      var delivered = PlayedState()
      for message in pair.delivered { delivered.follow(message) }
      for channel in 0..<2 {
        for key in UInt8(50)..<58 {
          #expect(sent.isHeld(channel, key) == delivered.isHeld(channel, key), "seed \(seed)")
        }
        for number in [UInt8(7), 10, 64, 74] {
          #expect(sent.controller(channel, number) == delivered.controller(channel, number))
        }
        #expect(sent.program(channel) == delivered.program(channel))
        #expect(sent.wheel(channel) == delivered.wheel(channel))
      }
    }
  }

  @Test(
    "A message that ends all notes or resets controllers removes the earlier ones from the journal")
  func modes() {
    for mode in [UInt8(120), 123, 124, 125, 126, 127] {
      var history = JournalHistory(first: 1)
      history.follow([0x90, 60, 100], sequence: 1)
      history.follow([0xB0, mode, 0], sequence: 2)
      history.follow([0x90, 64, 90], sequence: 3)
      let reported = RecoveryJournal(history.journal(for: 4))?.channels.first
      #expect(
        reported?.notes.map(\.key) == [64] && reported?.controllers == [[mode, 0]], "\(mode)")
    }
    var pair = Pair()
    pair.meet()
    pair.play([0x90, 50, 100])
    pair.loses = { $0.port == .data }
    for message in [
      [0x90, 60, 100], [0xB0, 1, 99], [0xB0, 7, 90], [0xE0, 0, 100], [0xB0, 121, 0],
      [0xB0, 123, 0],
      [0xB0, 11, 80],
    ] as [[UInt8]] { pair.play(message) }
    pair.loses = { _ in false }
    pair.delivered = []
    pair.play([0x90, 64, 90])
    // First the modes, which end key 50, then later messages and ones that outlast them.
    #expect(
      pair.delivered == [
        [0xB0, 121, 0], [0xB0, 123, 0], [0xB0, 7, 90], [0xB0, 11, 80], [0x90, 64, 90],
      ])
  }

  @Test("A long SysEx message goes in pieces, and comes together; times within a packet stay")
  func pieces() {
    var pair = Pair()
    pair.meet()
    let long = [0xF0] + (0..<5000).map { UInt8($0 % 128) } + [0xF7]
    pair.play(long)
    #expect(pair.delivered.count > 3 && pair.delivered.flatMap(\.self) == long)
    let packet = RTPPacket(
      sequence: 9, time: 7, sender: 5,
      messages: [
        .init([0x90, 1, 2]), .init(delay: 20_000, [0xF8]), .init(delay: 20_001, [0xC3, 4]),
      ])
    #expect(packet.bytes.flatMap(RTPPacket.init) == packet)
    // Running status, and a delay in front of the first.
    let bytes: [UInt8] = [
      0x80, 0x61, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0x28, 0x81, 0x00, 0x90, 60, 1, 5, 61, 2,
    ]
    #expect(
      RTPPacket(bytes)?.messages == [
        .init(delay: 128, [0x90, 60, 1]), .init(delay: 133, [0x90, 61, 2]),
      ])
  }

  @Test("Half invitations yield; a participant that does both steps gets in")
  func halfDone() {
    var session = NetworkSession(name: "Two", sender: 2, acceptsAnyone: true)
    func invite(_ token: UInt32, from side: UInt8, _ port: NetworkPort, _ now: UInt64) -> Bool {
      let invitation = SessionCommand.invitation(token: token, sender: token, name: "\(token)")
      session.receive(
        invitation.bytes, on: port, from: Pair.address(side, port), now: now)
      let answer = SessionCommand.acceptance(token: token, sender: 2, name: "Two").bytes
      return session.dequeueOutgoing().contains { $0.bytes == answer && $0.port == port }
    }
    // One computer, then many, that never do the second step.
    for token in UInt32(1)...100 { #expect(invite(token, from: 1, .control, 1)) }
    for token in UInt32(101)...200 {
      #expect(invite(token, from: UInt8(token), .control, 2))
    }
    #expect(session.joined.isEmpty)
    // All places go to peers that do both.
    for token in UInt32(1000)..<1032 {
      let side = UInt8(token - 780)
      #expect(invite(token, from: side, .control, 3) && invite(token, from: side, .data, 3))
    }
    #expect(session.joined.count == 32)
    // Participants are never displaced.
    #expect(!invite(2000, from: 5, .control, 4))
    #expect(session.joined.count == 32)
  }

  @Test("A known token moves no participant, and ends no invitation")
  func usedTokens() {
    var pair = Pair()
    pair.meet()
    #expect(pair.two.joined == ["One"])
    // The token of the session, as it is on the network.
    var other = Pair()
    other.one.invite(
      "two", control: Pair.address(2, .control), data: Pair.address(2, .data), now: 1)
    guard
      case .invitation(let token, let sender, _)? = other.one.dequeueOutgoing().first.flatMap({
        SessionCommand($0.bytes)
      })
    else {
      Issue.record("there is no invitation")
      return
    }
    let invitation = SessionCommand.invitation(token: token, sender: sender, name: "One").bytes
    for port in [NetworkPort.control, .data] {
      other.two.receive(invitation, on: port, from: Pair.address(1, port), now: 1)
    }
    _ = other.two.dequeueOutgoing()
    #expect(other.two.joined == ["One"])
    // Another computer, and another port of the same one.
    let thief = Pair.address(9, .data)
    for address in [thief, PeerAddress([2, 0, 1, 1, 10, 0, 0, 1])] {
      other.two.receive(invitation, on: .data, from: address, now: 2)
      #expect(other.two.dequeueOutgoing().isEmpty)
      other.two.play([(2, [0x90, 1, 2])])
      #expect(other.two.dequeueOutgoing().map(\.address) == [Pair.address(1, .data)])
    }
    other.two.receive(
      SessionCommand.end(token: token, sender: sender).bytes, on: .control, from: thief, now: 3)
    #expect(other.two.joined == ["One"])
    // A refusal counts from the invited computer alone.
    let refusal = SessionCommand.refusal(token: token, sender: 7).bytes
    other.one.receive(refusal, on: .control, from: thief, now: 3)
    #expect(!other.one.isEmpty)
    other.one.receive(refusal, on: .control, from: Pair.address(2, .control), now: 3)
    #expect(other.one.isEmpty)
  }

  @Test("Lengths that lie, and bytes by chance, are refused or read; nothing is done for strangers")
  func hostile() {
    var random = SeededGenerator(seed: 7)
    let good = RTPPacket(
      sequence: 1, time: 2, sender: 0x1111, messages: [.init([0x90, 60, 100])],
      journal: [0x20, 0, 1, 0x00, 0x07, 0x08, 0x81, 0xF0, 0x3C, 0xE4])
    let bytes = good.bytes ?? []
    #expect(RecoveryJournal(good.journal)?.channels.first?.notes.count == 1)
    for _ in 0..<50_000 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        changed[Int.random(in: 0..<changed.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      if Bool.random(using: &random) {
        changed.removeLast(Int.random(in: 0...changed.count, using: &random))
      }
      if let packet = RTPPacket(changed) {
        #expect(packet.messages.allSatisfy { !$0.bytes.isEmpty })
        _ = RecoveryJournal(packet.journal)?.repairs(PlayedState())
      }
      _ = SessionCommand([0xFF, 0xFF] + changed)
    }
    var pair = Pair()
    pair.meet()
    pair.two.receive(bytes, on: .data, from: PeerAddress([9]), now: pair.now)
    pair.two.receive(
      SessionCommand.end(token: 0, sender: 0x1111).bytes, on: .control, from: PeerAddress([9]),
      now: pair.now)
    #expect(pair.two.joined == ["One"] && pair.two.dequeueEvents().isEmpty)
  }

  @Test(
    "Sessions that Avahi announces are known by their names and addresses, whatever the names hold")
  func announcements() {
    let found = AnnouncedSession.sessions(
      in: """
        +;eth0;IPv4;Stage;_apple-midi._udp;local
        =;eth0;IPv6;Stage;_apple-midi._udp;local;a.local;fe80::1;5004;
        =;eth0;IPv4;Stage\\032\\195\\169\\059\\032one\\.;_apple-midi._udp;local;a.local;10.9.0.1;5006;"x"
        =;eth0;IPv4;Late;_apple-midi._udp;local;b.local;10.9.0.2;99999;
        =;eth0
        """)
    #expect(found.map(\.name) == ["Stage é; one."])
    #expect(found.map(\.address) == ["10.9.0.1"] && found.map(\.port) == [5006])
  }
}
