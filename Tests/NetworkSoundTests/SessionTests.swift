// Invited and uninvited ends: passwords, strangers, floods, those who come late, and those who go.
// SPDX-License-Identifier: Apache-2.0

import NetworkSound
import TestSupport
import Testing

@Suite struct SessionTests {
  private let format = SoundFormat(.linear16, sampleRate: 48_000, channelCount: 1)

  private func address(_ host: UInt8, port: UInt8 = 9) -> PeerAddress {
    PeerAddress([2, 0, 0xCE, port, 10, 0, 0, host, 0, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test("The same password lets sound flow; another or none does not, at either end")
  func password() throws {
    for (sends, receives, flows) in [
      ("", "", true), ("secret", "secret", true), ("secret", "other", false),
      ("secret", "", false), ("", "secret", false),
    ] {
      let lab = try SoundLab(format, senderPassword: sends, receiverPassword: receives)
      var sum: Float = 0
      lab.onSlice = { _, slice in sum += slice.reduce(0) { $0 + abs($1) } }
      lab.run(seconds: 3)
      #expect((sum > 0) == flows, "\(sends) \(receives)")
      #expect(flows || lab.receiver.refusal == .password, "\(sends) \(receives)")
      // A sender without a password cannot know that its receiver wants one.
      #expect(sends.isEmpty || lab.sender.receiverCount == (flows ? 1 : 0))
    }
  }

  /// A receiver that has called a sender, as its datagrams.
  private func join(_ sender: SoundSender, _ host: UInt8, now: UInt64) -> SoundReceiver {
    var settings = SoundReceiver.Settings(password: PasswordKey(""))
    settings.calls = true
    let feed = SoundFeed(sampleRate: 48_000, channelCount: 1, board: SoundBoard())
    let receiver = SoundReceiver(settings, feed)
    for _ in 0..<4 {
      receiver.advance(to: now)
      for datagram in receiver.dequeueOutgoing() {
        sender.receive(datagram.bytes, from: address(host), now: now)
      }
      for datagram in sender.dequeueOutgoing() where datagram.address == address(host) {
        receiver.receive(datagram.bytes, from: address(200), now: now)
      }
    }
    return receiver
  }

  @Test(
    "Several receivers get the sound, those who come late too; one that goes or is silent gets no more"
  )
  func receivers() throws {
    let sender = try SoundSender(SoundSender.Settings(format, password: PasswordKey("")))
    var now: UInt64 = 5_000_000_000
    let joined = (1...16).map { join(sender, UInt8($0), now: now) }
    #expect(joined.allSatisfy { $0.format?.sampleRate == 48_000 })
    #expect(sender.receiverCount == 16)
    let another = join(sender, 17, now: now)
    #expect(another.format == nil && another.refusal == .full)
    joined[0].end(now: now)
    for datagram in joined[0].dequeueOutgoing() {
      sender.receive(datagram.bytes, from: address(1), now: now)
    }
    #expect(sender.receiverCount == 15)
    // Nobody reports for ten seconds.
    now += 11_000_000_000
    sender.advance(to: now)
    #expect(sender.receiverCount == 0)
    _ = sender.dequeueOutgoing()
    let samples = [Float](repeating: 0.5, count: 4800)
    unsafe samples.withUnsafeBufferPointer {
      if let start = $0.baseAddress { unsafe sender.push(start, frameCount: 4800, now: now) }
    }
    #expect(sender.dequeueOutgoing().isEmpty)
  }

  @Test("A stranger's packets never sound: another address, another number, or no invitation")
  func strangers() throws {
    let lab = try SoundLab(format)
    lab.run(seconds: 2)
    let packets = lab.count("packets")
    for kind in [UInt8(97), 10] {
      for sequence in UInt16(0)..<500 {
        let packet = SoundPacket(
          kind: kind, isMarked: false, sequence: sequence, time: UInt32(sequence) * 240,
          source: 0xBAD, payload: [UInt8](repeating: 0x7F, count: 480)[...])
        lab.receiver.receive(packet.bytes, from: address(66), now: lab.now)
      }
    }
    #expect(lab.count("packets") == packets && lab.count("refused") == 1000)
    // One that listens knows its list.
    var settings = SoundReceiver.Settings(password: PasswordKey(""))
    settings.invited = [address(1)]
    settings.plain = format
    let feed = SoundFeed(sampleRate: 48_000, channelCount: 1, board: SoundBoard())
    let listening = SoundReceiver(settings, feed)
    let packet = SoundPacket(
      kind: 97, isMarked: false, sequence: 1, time: 0, source: 5,
      payload: [UInt8](repeating: 1, count: 480)[...])
    listening.receive(packet.bytes, from: address(2), now: 5)
    #expect(listening.format == nil)
    listening.receive(packet.bytes, from: address(1), now: 5)
    #expect(listening.format != nil)
  }

  @Test("No datagram is answered by a longer one, and none without a cookie gets sound")
  func amplification() throws {
    var random = SeededGenerator(seed: TestSeed.current)
    let sender = try SoundSender(SoundSender.Settings(format, password: PasswordKey("x")))
    var settings = SoundReceiver.Settings(password: PasswordKey("x"))
    settings.hasPassword = true
    let feed = SoundFeed(sampleRate: 48_000, channelCount: 1, board: SoundBoard())
    let receiver = SoundReceiver(settings, feed)
    let nonce = [UInt8](repeating: 7, count: 16)
    let answer = SessionMessage.answer(
      SessionMessage.Answer(
        role: .receives, nonce: nonce, listener: nonce, cookie: nonce, source: 9,
        proof: nonce + nonce, format: nil))
    let seeds = [
      SessionMessage.hello(role: .receives, nonce: nonce).bytes,
      SessionMessage.hello(role: .sends, nonce: nonce).bytes, answer.bytes,
      ControlPacket.bytes([.receiverReport(source: 1, []), .farewell([1])]),
      SoundPacket(kind: 97, isMarked: true, sequence: 1, time: 2, source: 3, payload: [1, 2]).bytes,
    ]
    for round in 0..<20_000 {
      var bytes = seeds[round % seeds.count]
      if round >= seeds.count {
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          bytes[place] = .random(in: 0...255, using: &random)
        }
        if round % 3 == 0 {
          bytes = Array(bytes.prefix(.random(in: 0...bytes.count, using: &random)))
        }
      }
      sender.receive(bytes, from: address(UInt8(round % 250)), now: UInt64(round) * 1_000_000)
      receiver.receive(bytes, from: address(UInt8(round % 250)), now: UInt64(round) * 1_000_000)
      for datagram in sender.dequeueOutgoing() + receiver.dequeueOutgoing() {
        #expect(datagram.bytes.count <= bytes.count)
      }
    }
    #expect(sender.receiverCount == 0 && receiver.format == nil)
  }

  @Test("Written messages are read again; cut ones and those of a wrong version are refused")
  func messages() throws {
    let nonce = [UInt8](0..<16)
    let messages: [SessionMessage] = [
      .hello(role: .sends, nonce: nonce),
      .challenge(nonce: nonce, listener: nonce, cookie: nonce),
      .consent(nonce: nonce, source: 77, proof: nonce + nonce, format: format),
      .refusal(nonce: nonce, .full),
    ]
    for message in messages {
      #expect(SessionMessage(message.bytes) == message)
      for count in 0..<min(24, message.bytes.count) {
        #expect(SessionMessage(Array(message.bytes.prefix(count))) == nil)
      }
      var other = message.bytes
      other[4] = 2
      #expect(SessionMessage(other) == nil)
    }
    let packet = SoundPacket(
      kind: 10, isMarked: true, sequence: 0xFFFF, time: 0xFFFF_FFFF, source: 1,
      payload: [1, 2, 3])
    #expect(SoundPacket(packet.bytes) == packet)
    // An extension and padding, as RFC 3550 has them.
    #expect(
      SoundPacket([0xB0, 10, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 1, 9, 9, 9, 9, 5, 6, 0, 2])?
        .payload == [5, 6])
    let report = [
      ControlPacket.senderReport(source: 1, clock: 2, time: 3, packets: 4, bytes: 5),
      .name(source: 1, "a name"), .farewell([1, 2]),
    ]
    #expect(ControlPacket.packets(ControlPacket.bytes(report)) == report)
  }

  @Test("A description has the lines that other programs need, and theirs are read")
  func descriptions() throws {
    for encoding in [SoundEncoding.linear16, .linear24, .muLaw, .float32] {
      let format = SoundFormat(encoding, sampleRate: 44_100, channelCount: 2)
      let description = SoundDescription(host: "10.0.0.2", port: 5004, kind: 97, format: format)
      #expect(try SoundDescription(description.text) == description)
    }
    let theirs = """
      v=0
      o=- 0 0 IN IP4 127.0.0.1
      s=No Name
      c=IN IP4 127.0.0.1
      t=0 0
      m=audio 5004 RTP/AVP 10
      b=AS:1411
      """
    let read = try SoundDescription(theirs)
    #expect(read.format == SoundFormat(.linear16, sampleRate: 44_100, channelCount: 2))
    #expect(read.kind == 10 && read.port == 5004)
    #expect(throws: (any Error).self) { try SoundDescription("v=0\nm=audio 5004 RTP/AVP 96") }
  }

  @Test("A sender's name in Avahi's lines is found with its address and port")
  func announced() {
    let line = "=;eth0;IPv4;Studio\\032A;_auricle-sound._udp;local;a.local;10.0.0.7;52800;\"\""
    #expect(
      AnnouncedSender.senders(in: "+;x\n\(line)\n").map { "\($0.name) \($0.address) \($0.port)" }
        == ["Studio A 10.0.0.7 52800"])
  }
}
