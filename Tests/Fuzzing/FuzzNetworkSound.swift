// libFuzzer target: any bytes are datagrams of sound over the network or none, at either end, with a session and without. Built by Scripts/fuzz.
// SPDX-License-Identifier: Apache-2.0

/// Reads the bytes as each kind of datagram, as a description, and as all that comes to both ends.
@c(LLVMFuzzerTestOneInput)
public func fuzzNetworkSound(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  unsafe withinBudget(start, count) { bytes in
    if let packet = SoundPacket(bytes) {
      promise(
        packet.payload.count + SoundPacket.headerSize <= bytes.count,
        "a payload is longer than its datagram")
      promise(SoundPacket(packet.bytes) == packet, "a packet is written as another")
    }
    if let message = SessionMessage(bytes) {
      promise(SessionMessage(message.bytes) == message, "a message is written as another")
    }
    let packets = ControlPacket.packets(bytes)
    promise(packets.count <= 32, "more packets are read than there may be")
    // A datagram of RTP is no text.
    if bytes.first.map({ $0 < 0x80 }) ?? true,
      let description = try? SoundDescription(String(decoding: bytes, as: UTF8.self))
    {
      promise(description.format.isValid, "a format is read that sound cannot have")
    }
    conversation.receive(bytes)
  }
}

/// Both ends, with a session and without, which receive inputs as they come. They are made anew after some inputs: making
/// them takes longer than most inputs, and an input that is at fault needs few in front of it.
///
/// @unchecked Sendable because the fuzzer has one thread.
private final class Conversation: @unchecked Sendable {
  private struct Ends {
    let sender: SoundSender
    let listening: SoundReceiver
    let plain: SoundReceiver
  }

  private static let inputsOfEnds = 256
  private let address = PeerAddress([2, 0, 0, 9, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])
  /// A key that is made once: it takes milliseconds.
  private let key = PasswordKey("fuzz")
  private var ends: Ends?
  private var inputs = 0
  private var now: UInt64 = 5_000_000_000

  private func makeEnds() -> Ends? {
    let format = SoundFormat(.linear16, sampleRate: 48_000, channelCount: 2)
    guard let sender = try? SoundSender(SoundSender.Settings(format, password: key)) else {
      return nil
    }
    func receiver(_ plain: SoundFormat?) -> SoundReceiver {
      var settings = SoundReceiver.Settings(password: key)
      settings.plain = plain
      let feed = SoundFeed(sampleRate: 8000, channelCount: 2, board: SoundBoard())
      return SoundReceiver(settings, feed)
    }
    return Ends(sender: sender, listening: receiver(nil), plain: receiver(format))
  }

  /// Both ends receive the bytes in datagrams: a byte with a length and a side precedes each.
  func receive(_ bytes: [UInt8]) {
    if inputs % Self.inputsOfEnds == 0 { ends = makeEnds() }
    inputs += 1
    guard let ends else { return }
    let receiver = bytes.first.map { $0 & 1 == 0 } ?? false ? ends.plain : ends.listening
    var rest = bytes[...]
    while let head = rest.popFirst() {
      let datagram = Array(rest.prefix(Int(head)))
      rest = rest.dropFirst(datagram.count)
      now += 1_000_000
      receiver.receive(datagram, from: address, now: now)
      receiver.advance(to: now)
      ends.sender.receive(datagram, from: address, now: now)
      for reply in ends.sender.dequeueOutgoing() + receiver.dequeueOutgoing() {
        promise(
          reply.bytes.count <= max(datagram.count, 128),
          "a reply is longer than what it replies to")
      }
    }
    promise(ends.sender.receiverCount == 0, "a stranger has joined")
  }
}

private let conversation = Conversation()
