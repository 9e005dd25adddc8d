// Packets of RTCP (RFC 3550, section 6): reports of senders and receivers, names, farewells.
// SPDX-License-Identifier: Apache-2.0

/// A packet of RTCP; several are in one datagram.
package enum ControlPacket: Sendable, Equatable {
  /// The clock of a sender: its wall clock (NTP), the frame at that moment, and its counts.
  case senderReport(source: UInt32, clock: UInt64, time: UInt32, packets: UInt32, bytes: UInt32)
  /// The reception at a receiver.
  case receiverReport(source: UInt32, [Reception])
  /// The lasting name of a participant.
  case name(source: UInt32, String)
  /// The farewell of participants.
  case farewell([UInt32])

  /// The reception of one sender.
  package struct Reception: Sendable, Equatable {
    /// The sender.
    package var source: UInt32
    /// The share that was lost since the last report, of 256.
    package var lostShare: UInt8
    /// Packets that were lost in all.
    package var lost: UInt32
    /// The highest number that came, with its turns.
    package var highest: UInt32
    /// The jitter in frames.
    package var jitter: UInt32

    /// Makes a block.
    package init(source: UInt32, lostShare: UInt8, lost: UInt32, highest: UInt32, jitter: UInt32) {
      self.source = source
      self.lostShare = lostShare
      self.lost = lost & 0xFF_FFFF
      self.highest = highest
      self.jitter = jitter
    }
  }

  /// Whether the second byte of a datagram is that of RTCP (RFC 5761, section 4).
  package static func isControl(_ byte: UInt8) -> Bool { (192...223).contains(byte) }

  /// Packets in one datagram that are read.
  private static let most = 32
  /// Bytes of a name that are read.
  private static let longestName = 255

  /// Reads the packets of a datagram; those of other kinds are passed over. Empty for one whose lengths lie.
  package static func packets(_ bytes: [UInt8]) -> [ControlPacket] {
    var reader = DatagramReader(bytes[...])
    var packets: [ControlPacket] = []
    var count = 0
    while reader.left > 0, count < most {
      count += 1
      guard let first = reader.number(UInt8.self), first & 0xC0 == 0x80,
        let kind = reader.number(UInt8.self), isControl(kind),
        let words = reader.number(UInt16.self), let body = reader.read(4 * Int(words))
      else { return [] }
      if let packet = packet(kind, Int(first & 0x1F), DatagramReader(body)) {
        packets.append(packet)
      }
    }
    return packets
  }

  private static func packet(
    _ kind: UInt8, _ count: Int, _ body: DatagramReader
  ) -> ControlPacket? {
    var reader = body
    switch kind {
    case 200:
      guard let source = reader.number(UInt32.self), let clock = reader.number(UInt64.self),
        let time = reader.number(UInt32.self), let packets = reader.number(UInt32.self),
        let bytes = reader.number(UInt32.self)
      else { return nil }
      return .senderReport(
        source: source, clock: clock, time: time, packets: packets, bytes: bytes)
    case 201:
      guard let source = reader.number(UInt32.self) else { return nil }
      var blocks: [Reception] = []
      for _ in 0..<count {
        guard let block = reception(&reader) else { return nil }
        blocks.append(block)
      }
      return .receiverReport(source: source, blocks)
    case 202:
      guard count > 0, let source = reader.number(UInt32.self), reader.number(UInt8.self) == 1,
        let length = reader.number(UInt8.self), let text = reader.read(Int(length))
      else { return nil }
      return .name(source: source, String(decoding: text, as: UTF8.self))
    case 203:
      var sources: [UInt32] = []
      for _ in 0..<count {
        guard let source = reader.number(UInt32.self) else { return nil }
        sources.append(source)
      }
      return .farewell(sources)
    default: return nil
    }
  }

  private static func reception(_ reader: inout DatagramReader) -> Reception? {
    guard let source = reader.number(UInt32.self), let losses = reader.number(UInt32.self),
      let highest = reader.number(UInt32.self), let jitter = reader.number(UInt32.self),
      reader.read(8) != nil
    else { return nil }
    return Reception(
      source: source, lostShare: UInt8(losses >> 24), lost: losses, highest: highest,
      jitter: jitter)
  }

  /// The datagram of some packets.
  package static func bytes(_ packets: [ControlPacket]) -> [UInt8] {
    packets.reduce(into: []) { $0 += $1.bytes }
  }

  private var bytes: [UInt8] {
    var body: [UInt8] = []
    let (kind, count): (UInt8, Int)
    switch self {
    case .senderReport(let source, let clock, let time, let packets, let bytes):
      (kind, count) = (200, 0)
      body.add(source)
      body.add(clock)
      body.add(time)
      body.add(packets)
      body.add(bytes)
    case .receiverReport(let source, let blocks):
      (kind, count) = (201, min(blocks.count, 31))
      body.add(source)
      for block in blocks.prefix(31) {
        body.add(block.source)
        body.add(UInt32(block.lostShare) << 24 | block.lost)
        body.add(block.highest)
        body.add(block.jitter)
        body.add(UInt64(0))
      }
    case .name(let source, let name):
      (kind, count) = (202, 1)
      let text = Array(name.utf8.prefix(Self.longestName))
      body.add(source)
      body += [1, UInt8(text.count)] + text + [0]
      while body.count % 4 != 0 { body.append(0) }
    case .farewell(let sources):
      (kind, count) = (203, min(sources.count, 31))
      for source in sources.prefix(31) { body.add(source) }
    }
    var head: [UInt8] = [0x80 | UInt8(count), kind]
    head.add(UInt16(body.count / 4))
    return head + body
  }
}
