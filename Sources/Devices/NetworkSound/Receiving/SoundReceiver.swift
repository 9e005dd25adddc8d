// The receiving end as a machine without sockets: datagrams go in with their times, blocks and datagrams come out.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A receiver of one sender at a time. Times are nanoseconds of one clock.
///
/// Context: the network thread, or a test.
package final class SoundReceiver {
  /// The settings of a receiver.
  package struct Settings: Sendable {
    /// The key of the password.
    package var password: PasswordKey
    /// Whether a password is set.
    package var hasPassword = false
    /// Whether it calls the other end of its socket; else it listens.
    package var calls = false
    /// Computers that may send to one that listens; of a password, all that know it.
    package var invited: [PeerAddress] = []
    /// The stream that comes without the session layer, with its payload type; nil for any type.
    package var plain: SoundFormat?
    package var plainKind: UInt8?
    /// Seconds that packets wait for others in front of them.
    package var waitLimit = 0.03

    /// Listens to this computer alone.
    package init(password: PasswordKey) { self.password = password }
  }

  private let settings: Settings
  private let feed: SoundFeed
  private let listener: SessionListener
  private var caller: SessionCaller?
  private var stream: SoundStream?
  private var epoch: UInt32 = 0
  private var outgoing: [Datagram] = []
  /// The number of this receiver in RTP.
  private let source: UInt32 = .random(in: 1...(.max))
  private var reported: UInt64 = 0

  private static let second: UInt64 = 1_000_000_000
  /// The time for which a sender may be silent.
  private static let longestSilence = 5 * second

  /// Makes a receiver that puts blocks into a feed.
  package init(_ settings: Settings, _ feed: SoundFeed) {
    self.settings = settings
    self.feed = feed
    listener = SessionListener(settings.password, callers: .sends)
    if settings.calls {
      caller = SessionCaller(settings.password, role: .receives, source: source, format: nil)
    }
    showStatus()
  }

  /// The format of the stream; nil where there is none.
  package var format: SoundFormat? { stream?.format }
  /// The last refusal of the other end; nil for none.
  package var refusal: SessionRefusal? { caller?.refusal }

  /// Removes and returns the datagrams to send since the last call.
  package func dequeueOutgoing() -> [Datagram] {
    defer { outgoing.removeAll(keepingCapacity: true) }
    return outgoing
  }

  private func showStatus() {
    feed.board.status =
      stream != nil ? .connected : settings.calls ? .connecting : .listening
  }

  // MARK: Time

  /// When something is due next; `.max` for nothing.
  package var dueTime: UInt64 {
    var times = [caller?.dueTime]
    if let stream {
      times.append(stream.lastSign + Self.longestSilence + 1)
      times.append(stream.dueTime(waitLimit: UInt64(settings.waitLimit * 1e9)))
      if settings.plain == nil { times.append(reported + Self.second) }
    }
    return times.compactMap(\.self).min() ?? .max
  }

  /// Does all that is due: calls, reports, packets that have waited, and the end of a silent sender.
  package func advance(to now: UInt64) {
    if let message = caller?.due(now) {
      outgoing.append(Datagram(address: nil, bytes: message.bytes))
    }
    guard let stream else { return }
    stream.release(now, waitLimit: UInt64(settings.waitLimit * 1e9), feed)
    if now > stream.lastSign + Self.longestSilence {
      endStream(now)
    } else if settings.plain == nil, now >= reported + Self.second {
      reported = now
      let address = settings.calls ? nil : stream.address
      outgoing.append(
        Datagram(
          address: address,
          bytes: ControlPacket.bytes([
            .receiverReport(source: source, [stream.reception()]), .name(source: source, "auricle"),
          ])))
    }
  }

  /// Says farewell.
  package func end(now: UInt64) {
    if let stream, settings.plain == nil {
      outgoing.append(
        Datagram(
          address: settings.calls ? nil : stream.address,
          bytes: ControlPacket.bytes([
            .receiverReport(source: source, []), .farewell([source]),
          ])))
    }
    endStream(now)
  }

  private func endStream(_ now: UInt64) {
    guard let stream else { return }
    stream.finish(feed, now)
    self.stream = nil
    caller?.reset()
    showStatus()
  }

  private func beginStream(
    _ source: UInt32, _ address: PeerAddress?, _ format: SoundFormat, _ now: UInt64
  ) -> Bool {
    guard Double(format.sampleRate) <= feed.sampleRate * PlayoutReader.greatestStep,
      let decoder = try? PayloadDecoder(format)
    else { return false }
    epoch &+= 1
    stream = SoundStream(source, address, decoder, epoch: epoch, now: now)
    reported = 0
    showStatus()
    return true
  }

  // MARK: Datagrams

  /// Receives a datagram from an address.
  package func receive(_ bytes: [UInt8], from address: PeerAddress, now: UInt64) {
    unsafe feed.board.shared.pointee.datagrams.add(1, ordering: .relaxed)
    if settings.plain == nil, let message = SessionMessage(bytes) {
      settings.calls ? answered(message, now) : listen(message, address, now)
    } else if let packet = SoundPacket(bytes) {
      receive(packet, from: address, now)
    } else {
      let packets = ControlPacket.packets(bytes)
      guard !packets.isEmpty, let stream, isOf(stream, address) else { return refuse() }
      for packet in packets { control(packet, stream, now) }
    }
  }

  private func refuse() {
    unsafe feed.board.shared.pointee.refused.add(1, ordering: .relaxed)
  }

  private func isOf(_ stream: SoundStream, _ address: PeerAddress) -> Bool {
    guard let own = stream.address else { return true }
    return settings.plain == nil ? own == address : own.isHost(of: address)
  }

  private func receive(_ packet: SoundPacket, from address: PeerAddress, _ now: UInt64) {
    if let plain = settings.plain, stream == nil {
      guard isInvited(address), settings.plainKind.map({ $0 == packet.kind }) ?? true,
        beginStream(packet.source, address, plain, now)
      else { return refuse() }
    }
    guard let stream, stream.source == packet.source, isOf(stream, address),
      settings.plain != nil || packet.kind == SoundFormat.dynamicKind
    else { return refuse() }
    unsafe feed.board.shared.pointee.packets.add(1, ordering: .relaxed)
    stream.receive(packet, now, waitLimit: UInt64(settings.waitLimit * 1e9), feed)
  }

  private func control(_ packet: ControlPacket, _ stream: SoundStream, _ now: UInt64) {
    switch packet {
    case .senderReport(let source, _, _, _, _) where source == stream.source: stream.lastSign = now
    case .farewell(let sources) where sources.contains(stream.source): endStream(now)
    default: break
    }
  }

  private func isInvited(_ address: PeerAddress) -> Bool {
    settings.invited.isEmpty
      ? address.isLoopback : settings.invited.contains { $0.isHost(of: address) }
  }

  private func answered(_ message: SessionMessage, _ now: UInt64) {
    let (reply, joined) = caller?.receive(message, now: now) ?? (nil, nil)
    if let reply { outgoing.append(Datagram(address: nil, bytes: reply.bytes)) }
    guard case .some(let format) = joined, let format, let peer = caller?.peer else { return }
    if !beginStream(peer, nil, format, now) { caller?.reset() }
  }

  private func listen(_ message: SessionMessage, _ address: PeerAddress, _ now: UInt64) {
    switch message {
    case .hello(let role, let nonce):
      guard settings.hasPassword || isInvited(address) else { return refuse() }
      reply(listener.reply(role, nonce, from: address, now: now), address)
    case .answer(let answer):
      guard settings.hasPassword || isInvited(address),
        let verdict = listener.check(answer, from: address, now: now)
      else { return refuse() }
      if let refusal = verdict {
        refuse()
        return reply(.refusal(nonce: answer.nonce, refusal), address)
      }
      if let stream, stream.address != address {
        return reply(.refusal(nonce: answer.nonce, .full), address)
      }
      guard let format = answer.format else { return }
      if stream?.source != answer.source {
        endStream(now)
        guard beginStream(answer.source, address, format, now) else {
          return reply(.refusal(nonce: answer.nonce, .format), address)
        }
      }
      reply(listener.consent(answer, source: source, format: nil), address)
    default: break
    }
  }

  private func reply(_ message: SessionMessage, _ address: PeerAddress) {
    outgoing.append(Datagram(address: address, bytes: message.bytes))
  }
}
