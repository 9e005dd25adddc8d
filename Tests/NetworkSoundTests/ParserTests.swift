// Datagrams that nobody should send: mutations of good ones, for all parsers and for both ends, by a seed.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import NetworkSound
import TestSupport
import Testing

@Suite struct ParserTests {
  /// Cases: AURICLE_NETWORK_CASES has more than the gate.
  private static let cases =
    unsafe getenv("AURICLE_NETWORK_CASES").flatMap { Int(unsafe String(cString: $0)) } ?? 100_000

  private let sender = PeerAddress([2, 0, 0xCE, 0x40, 10, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])
  private let receiver = PeerAddress([2, 0, 0xCE, 0x41, 10, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0])

  private static let nonce = [UInt8](0..<16)

  /// Good datagrams of every kind.
  private static var good: [[UInt8]] {
    let format = SoundFormat(.linear16, sampleRate: 48_000, channelCount: 2)
    let answer = SessionMessage.Answer(
      role: .sends, nonce: nonce, listener: nonce, cookie: nonce, source: 9, proof: nonce + nonce,
      format: format)
    return [
      SessionMessage.hello(role: .receives, nonce: nonce).bytes,
      SessionMessage.challenge(nonce: nonce, listener: nonce, cookie: nonce).bytes,
      SessionMessage.answer(answer).bytes,
      SessionMessage.consent(nonce: nonce, source: 7, proof: nonce + nonce, format: format).bytes,
      SessionMessage.refusal(nonce: nonce, .full).bytes,
      SoundPacket(
        kind: 97, isMarked: true, sequence: 65_535, time: .max, source: 3,
        payload: [UInt8](repeating: 1, count: 192)[...]
      ).bytes,
      [0xB1, 97, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 1, 9, 9, 9, 9, 5, 6, 0, 2],
      ControlPacket.bytes([
        .senderReport(source: 3, clock: 1, time: 2, packets: 3, bytes: 4), .name(source: 3, "x"),
        .farewell([3]),
      ]),
      ControlPacket.bytes([
        .receiverReport(
          source: 3,
          [ControlPacket.Reception(source: 3, lostShare: 1, lost: 2, highest: 3, jitter: 4)])
      ]),
      Array(SoundDescription(host: "10.0.0.2", port: 5004, kind: 97, format: format).text.utf8),
      Array("=;eth0;IPv4;Studio\\032A;_auricle-sound._udp;local;a.local;10.0.0.7;52800;\"\"".utf8),
    ]
  }

  /// Changes, cuts, doubles and joins bytes.
  private func mutation(of bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 0...4, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0...4, using: &random) {
      case 0: bytes[place] = .random(in: 0...255, using: &random)
      case 1: bytes[place] = [0, 0xFF, 0x7F, 0x80].randomElement(using: &random) ?? 0
      case 2: bytes = Array(bytes.prefix(place))
      case 3: bytes.insert(.random(in: 0...255, using: &random), at: place)
      default: bytes += bytes.suffix(place)
      }
    }
    return Array(bytes.prefix(2048))
  }

  @Test("Whatever comes, nothing is read beyond it, nobody joins, and no reply is longer")
  func mutations() throws {
    var random = SeededGenerator(seed: TestSeed.current)
    let good = Self.good
    let format = SoundFormat(.linear16, sampleRate: 48_000, channelCount: 2)
    let key = PasswordKey("x")
    let end = try SoundSender(SoundSender.Settings(format, password: key))
    let feed = SoundFeed(sampleRate: 48_000, channelCount: 2, board: SoundBoard())
    var settings = SoundReceiver.Settings(password: key)
    settings.hasPassword = true
    let listening = SoundReceiver(settings, feed)
    settings.plain = format
    settings.invited = [sender]
    let plain = SoundReceiver(
      settings, SoundFeed(sampleRate: 48_000, channelCount: 2, board: SoundBoard()))
    var faults = 0
    for number in 0..<Self.cases {
      let seed = good.randomElement(using: &random) ?? []
      let bytes = mutation(of: seed, &random)
      let now = UInt64(number + 1) * 1_000_000
      if let packet = SoundPacket(bytes) {
        faults += packet.payload.count + SoundPacket.headerSize > bytes.count ? 1 : 0
      }
      if let message = SessionMessage(bytes), SessionMessage(message.bytes) != message {
        faults += 1
      }
      if ControlPacket.packets(bytes).count > 32 { faults += 1 }
      if number % 16 == 0 {
        let text = String(decoding: bytes, as: UTF8.self)
        if let found = try? SoundDescription(text), !found.format.isValid { faults += 1 }
        _ = AnnouncedSender.senders(in: text)
      }
      for one in [listening, plain] { one.receive(bytes, from: sender, now: now) }
      end.receive(bytes, from: receiver, now: now)
      if number % 64 == 0 {
        listening.advance(to: now)
        plain.advance(to: now)
      }
      // Reports to a plain sender there are none; replies are never longer than what came.
      for reply in end.dequeueOutgoing() + listening.dequeueOutgoing() + plain.dequeueOutgoing()
      where reply.bytes.count > bytes.count { faults += 1 }
    }
    #expect(faults == 0, "seed \(TestSeed.current)")
    #expect(end.receiverCount == 0 && listening.format == nil)
  }
}
