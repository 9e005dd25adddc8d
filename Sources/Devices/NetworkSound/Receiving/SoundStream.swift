// One stream of a sender, from packets to blocks: order, copies, time, decoding, reports.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The stream that is received. Context: the network thread, or a test.
final class SoundStream {
  let source: UInt32
  /// The sender's address; nil for the other end of a socket that has one.
  let address: PeerAddress?
  /// When something of it came last (ns).
  var lastSign: UInt64
  private let decoder: PayloadDecoder
  private var epoch: UInt32
  private var numbers = PacketNumbers()
  private var order = PacketOrder()
  /// The pieces of a packet that is cut; nil while its start is missing.
  private var pieces: [UInt8]? = []
  /// The time of a packet, and its place since the first.
  private var clock: (time: UInt32, position: Int64)?
  /// The jitter (RFC 3550, section 6.4.1), and the transit of the last packet, in frames.
  private var jitter = 0.0
  private var transit: Double?
  private var reportedCount = 0
  private var reportedMissing = 0

  init(
    _ source: UInt32, _ address: PeerAddress?, _ decoder: PayloadDecoder, epoch: UInt32,
    now: UInt64
  ) {
    self.source = source
    self.address = address
    self.decoder = decoder
    self.epoch = epoch << 8
    lastSign = now
  }

  var format: SoundFormat { decoder.format }

  /// Frames by which a packet's time may jump; beyond them a new line of time begins.
  private var longestJump: Int64 { Int64(2 * format.sampleRate) }

  /// Receives a packet.
  func receive(_ packet: SoundPacket, _ now: UInt64, waitLimit: UInt64, _ feed: SoundFeed) {
    lastSign = now
    guard let number = numbers.accept(packet.sequence) else {
      unsafe feed.board.shared.pointee.duplicates.add(1, ordering: .relaxed)
      return
    }
    noteJitter(packet.time, now)
    let item = PacketOrder.Item(number: number, packet: packet, arrival: now)
    guard format.encoding.isOrdered else { return pass(packet.payload, packet.time, now, feed) }
    order.add(item)
    release(now, waitLimit: waitLimit, feed)
  }

  /// When a packet has waited for long enough; nil where none waits.
  func dueTime(waitLimit: UInt64) -> UInt64? { order.firstArrival.map { $0 + waitLimit } }

  /// Passes on packets that are in order, or have waited for long enough.
  func release(_ now: UInt64, waitLimit: UInt64, _ feed: SoundFeed) {
    while let (item, isBroken) = order.dequeue(now: now, waitLimit: waitLimit) {
      guard format.encoding.isCut else {
        pass(item.packet.payload, item.packet.time, item.arrival, feed)
        continue
      }
      if isBroken { pieces = nil }
      pieces? += item.packet.payload
      // More than any packet has is none.
      if (pieces?.count ?? 0) > 1 << 20 { pieces = nil }
      guard item.packet.isMarked else { continue }
      if let pieces { pass(pieces[...], item.packet.time, item.arrival, feed) }
      pieces = []
    }
  }

  private func pass(
    _ payload: ArraySlice<UInt8>, _ time: UInt32, _ arrival: UInt64, _ feed: SoundFeed
  ) {
    guard let frames = decoder.decode(payload) else {
      unsafe feed.board.shared.pointee.damaged.add(1, ordering: .relaxed)
      return
    }
    var block = SoundBlock()
    block.position = position(time)
    block.epoch = epoch
    block.frameCount = UInt32(frames)
    block.arrival = arrival
    block.sampleRate = Double(format.sampleRate)
    block.packetFrames = UInt32(max(frames, format.packetFrames))
    feed.put(block, decoder.samples, channelCount: format.channelCount)
  }

  /// The place of a time since the first packet.
  private func position(_ time: UInt32) -> Int64 {
    guard let clock else {
      self.clock = (time, 0)
      return 0
    }
    let moved = Int64(Int32(bitPattern: time &- clock.time))
    guard abs(moved) <= longestJump else {
      epoch &+= 1
      self.clock = (time, 0)
      return 0
    }
    let position = clock.position + moved
    if moved > 0 { self.clock = (time, position) }
    return position
  }

  /// Tells the reader that nothing more comes.
  func finish(_ feed: SoundFeed, _ now: UInt64) {
    var block = SoundBlock()
    block.epoch = epoch
    block.arrival = now
    block.sampleRate = Double(format.sampleRate)
    feed.put(block, [], channelCount: format.channelCount)
  }

  // MARK: Reports

  private func noteJitter(_ time: UInt32, _ now: UInt64) {
    let arrived = Double(now) * 1e-9 * Double(format.sampleRate)
    let wrapped = arrived.truncatingRemainder(dividingBy: 0x1p32)
    let transit = wrapped - Double(time)
    if let last = self.transit, abs(transit - last) < Double(format.sampleRate) {
      jitter += (abs(transit - last) - jitter) / 16
    }
    self.transit = transit
  }

  /// The reception since the last report.
  func reception() -> ControlPacket.Reception {
    let (count, missing) = (numbers.count, numbers.missing)
    let lost = max(0, missing - reportedMissing)
    let expected = max(1, count - reportedCount + lost)
    (reportedCount, reportedMissing) = (count, missing)
    return ControlPacket.Reception(
      source: source, lostShare: UInt8(clamping: lost * 256 / expected),
      lost: UInt32(clamping: missing), highest: UInt32(truncatingIfNeeded: numbers.highest ?? 0),
      jitter: UInt32(min(max(jitter, 0), 1e9)))
  }
}
