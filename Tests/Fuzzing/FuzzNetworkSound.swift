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
    if let description = try? SoundDescription(String(decoding: bytes, as: UTF8.self)) {
      promise(description.format.isValid, "a format is read that sound cannot have")
    }
    converse(bytes)
  }
}

/// Both ends receive the bytes in datagrams: a byte with a length and a side precedes each.
private func converse(_ bytes: [UInt8]) {
  let address = PeerAddress([2, 0, 0, 9, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])
  let format = SoundFormat(.linear16, sampleRate: 48_000, channelCount: 2)
  guard let sender = try? SoundSender(SoundSender.Settings(format, password: key)) else { return }
  let feed = SoundFeed(sampleRate: 8000, channelCount: 2, board: SoundBoard())
  var settings = SoundReceiver.Settings(password: key)
  settings.plain = bytes.first.map { $0 & 1 == 0 } ?? false ? format : nil
  let receiver = SoundReceiver(settings, feed)
  var rest = bytes[...]
  var now: UInt64 = 5_000_000_000
  while let head = rest.popFirst() {
    let datagram = Array(rest.prefix(Int(head)))
    rest = rest.dropFirst(datagram.count)
    now += 1_000_000
    receiver.receive(datagram, from: address, now: now)
    receiver.advance(to: now)
    sender.receive(datagram, from: address, now: now)
    for reply in sender.dequeueOutgoing() + receiver.dequeueOutgoing() {
      promise(
        reply.bytes.count <= max(datagram.count, 128), "a reply is longer than what it replies to")
    }
  }
  promise(sender.receiverCount == 0, "a stranger has joined")
}

/// A key that is made once: it takes milliseconds.
private let key = PasswordKey("fuzz")
