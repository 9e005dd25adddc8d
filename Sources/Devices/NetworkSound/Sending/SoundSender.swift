// The sending end as a machine without sockets: sound and datagrams go in with their times, datagrams come out.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes

/// A sender to several receivers, by the session layer and without it. Times are nanoseconds of one clock.
///
/// Context: the network thread, or a test.
package final class SoundSender {
  /// The settings of a sender.
  package struct Settings: Sendable {
    /// The format; packets and cookie follow from it.
    package var format: SoundFormat
    /// The key of the password.
    package var password: PasswordKey
    /// Whether receivers may call.
    package var listens = true
    /// Whether it calls the other end of its socket.
    package var calls = false
    /// Addresses that get RTP without the session layer.
    package var plain: [PeerAddress] = []
    /// Receivers that there may be.
    package var mostReceivers = 16

    /// Sends in a format to those who call.
    package init(_ format: SoundFormat, password: PasswordKey) {
      self.format = format
      self.password = password
    }
  }

  /// A receiver that has joined.
  struct Receiver {
    var address: PeerAddress?
    var source: UInt32
    var lastSign: UInt64
  }

  private let settings: Settings
  private let encoder: PayloadEncoder
  private let listener: SessionListener
  private var caller: SessionCaller?
  private(set) var receivers: [Receiver] = []
  private var outgoing: [Datagram] = []
  /// The number of this sender in RTP.
  package let source: UInt32 = .random(in: 1...(.max))
  private var sequence: UInt16 = .random(in: 0...(.max))
  private let firstTime: UInt32 = .random(in: 0...(.max))
  private var packets: UInt32 = 0
  private var payloadBytes: UInt32 = 0
  /// Frames that were given, and skipped in pauses.
  private var position: Int64 = 0
  private var pushed: UInt64?
  private var marksNext = true
  private var reported: UInt64?

  private static let second: UInt64 = 1_000_000_000
  /// The time for which a receiver may be silent, and the shortest pause whose time counts.
  private static let longestSilence = 10 * second
  private static let shortestPause = second / 4

  /// Opens the encoder.
  ///
  /// - Throws: `.badData` for a format that cannot be encoded here.
  package init(_ settings: Settings) throws(AuricleError) {
    self.settings = settings
    encoder = try PayloadEncoder(settings.format)
    listener = SessionListener(settings.password, callers: .receives)
    if settings.calls {
      caller = SessionCaller(
        settings.password, role: .sends, source: source, format: encoder.format)
    }
  }

  /// The format, whole.
  package var format: SoundFormat { encoder.format }
  /// Receivers that have joined, without those that get plain RTP.
  package var receiverCount: Int { receivers.count + (caller?.peer == nil ? 0 : 1) }
  /// Whether addresses get plain RTP.
  package var sendsPlain: Bool { !settings.plain.isEmpty }
  /// The last refusal of the other end; nil for none.
  package var refusal: SessionRefusal? { caller?.peer == nil ? caller?.refusal : nil }

  /// Removes and returns the datagrams to send since the last call.
  package func dequeueOutgoing() -> [Datagram] {
    defer { outgoing.removeAll(keepingCapacity: true) }
    return outgoing
  }

  // MARK: Sound

  /// Sends interleaved frames. A pause before them counts: the time of the packet says so to the receivers.
  package func push(_ samples: UnsafePointer<Float>, frameCount: Int, now: UInt64) {
    if let pushed, now > pushed + Self.shortestPause {
      let pause = Double(now - pushed) * 1e-9 * Double(format.sampleRate)
      let frames = Int64(pause) - Int64(frameCount)
      if frames > 0 {
        encoder.skip(frames)
        position += frames
        marksNext = true
      }
    }
    pushed = now
    position += Int64(frameCount)
    do throws(AuricleError) {
      try unsafe encoder.encode(samples, frameCount: frameCount) { send($0) }
    } catch {
      // A block that an encoder refuses is a gap.
      marksNext = true
    }
  }

  private func send(_ packet: EncodedPacket) {
    let hasReceivers =
      !receivers.isEmpty || !settings.plain.isEmpty || caller?.peer != nil
    let time = firstTime &+ UInt32(truncatingIfNeeded: packet.position)
    for (index, piece) in packet.pieces.enumerated() {
      let isLast = index == packet.pieces.count - 1
      let marks = format.encoding.isOrdered ? isLast : marksNext
      let number = sequence
      sequence &+= 1
      marksNext = false
      guard hasReceivers else { continue }
      packets &+= 1
      payloadBytes &+= UInt32(piece.count)
      let bytes = SoundPacket(
        kind: SoundFormat.dynamicKind, isMarked: marks, sequence: number, time: time,
        source: source, payload: piece
      ).bytes
      toAll(bytes, plainPort: 0)
    }
  }

  /// Sends to all who have joined, and to plain addresses at so many ports behind theirs.
  private func toAll(_ bytes: [UInt8], plainPort: UInt16) {
    if caller?.peer != nil { outgoing.append(Datagram(address: nil, bytes: bytes)) }
    for receiver in receivers { outgoing.append(Datagram(address: receiver.address, bytes: bytes)) }
    for address in settings.plain {
      outgoing.append(
        Datagram(address: address.withPort(address.port &+ plainPort), bytes: bytes))
    }
  }

  // MARK: Time

  /// When something is due next.
  package var dueTime: UInt64 {
    min(caller?.dueTime ?? .max, reported.map { $0 + Self.second } ?? 0)
  }

  /// Does all that is due: calls, reports, and the end of receivers that are silent.
  package func advance(to now: UInt64) {
    if let message = caller?.due(now) {
      outgoing.append(Datagram(address: nil, bytes: message.bytes))
    }
    receivers.removeAll { now > $0.lastSign + Self.longestSilence }
    if caller?.peer != nil, let lastSign = peerSign, now > lastSign + Self.longestSilence {
      caller?.reset()
    }
    if now >= (reported ?? 0) + Self.second || reported == nil {
      reported = now
      toAll(report(now), plainPort: 1)
    }
  }

  private var peerSign: UInt64?

  /// The clock of this sender: what the wall clock and the count of frames are at the moment of the last ones.
  private func report(_ now: UInt64) -> [UInt8] {
    // Of two clocks of the machine, receivers need one that does not jump.
    let clock = (now / Self.second) << 32 | (now % Self.second << 32) / Self.second
    return ControlPacket.bytes([
      .senderReport(
        source: source, clock: clock,
        time: firstTime &+ UInt32(truncatingIfNeeded: position), packets: packets,
        bytes: payloadBytes),
      .name(source: source, "auricle"),
    ])
  }

  /// Says farewell to all.
  package func end() {
    toAll(
      ControlPacket.bytes([.receiverReport(source: source, []), .farewell([source])]), plainPort: 1)
    receivers = []
    caller?.reset()
  }

  // MARK: Datagrams

  /// Receives a datagram from an address.
  package func receive(_ bytes: [UInt8], from address: PeerAddress, now: UInt64) {
    if let message = SessionMessage(bytes) {
      if settings.calls {
        let (reply, joined) = caller?.receive(message, now: now) ?? (nil, nil)
        if let reply { outgoing.append(Datagram(address: nil, bytes: reply.bytes)) }
        if joined != nil { peerSign = now }
      } else if settings.listens {
        listen(message, address, now)
      }
      return
    }
    for packet in ControlPacket.packets(bytes) {
      switch packet {
      case .receiverReport(let from, _): noteSign(from, address, now)
      case .farewell(let sources):
        receivers.removeAll { $0.address == address && sources.contains($0.source) }
        if let peer = caller?.peer, sources.contains(peer) { caller?.reset() }
      default: break
      }
    }
  }

  private func noteSign(_ source: UInt32, _ address: PeerAddress, _ now: UInt64) {
    if caller?.peer == source { peerSign = now }
    for index in receivers.indices
    where receivers[index].source == source && receivers[index].address == address {
      receivers[index].lastSign = now
    }
  }

  private func listen(_ message: SessionMessage, _ address: PeerAddress, _ now: UInt64) {
    switch message {
    case .hello(let role, let nonce):
      reply(listener.reply(role, nonce, from: address, now: now), address)
    case .answer(let answer):
      guard let verdict = listener.check(answer, from: address, now: now) else { return }
      if let refusal = verdict { return reply(.refusal(nonce: answer.nonce, refusal), address) }
      receivers.removeAll { $0.address == address }
      guard receivers.count < settings.mostReceivers else {
        return reply(.refusal(nonce: answer.nonce, .full), address)
      }
      receivers.append(Receiver(address: address, source: answer.source, lastSign: now))
      reply(listener.consent(answer, source: source, format: format), address)
    default: break
    }
  }

  private func reply(_ message: SessionMessage, _ address: PeerAddress) {
    outgoing.append(Datagram(address: address, bytes: message.bytes))
  }
}
