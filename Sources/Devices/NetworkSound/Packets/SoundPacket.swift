// A packet of sound: the header of RTP (RFC 3550, section 5.1) and its payload.
// SPDX-License-Identifier: Apache-2.0

/// A packet of RTP.
package struct SoundPacket: Sendable, Equatable {
  /// The payload type, 0 to 127.
  package var kind: UInt8
  /// The marker: the last piece of an encoded packet, or the first packet after a pause.
  package var isMarked: Bool
  /// The number of the packet.
  package var sequence: UInt16
  /// The time of its first frame, in frames.
  package var time: UInt32
  /// The number of the sender (SSRC).
  package var source: UInt32
  /// The sound.
  package var payload: ArraySlice<UInt8>

  /// Bytes in front of the payload as they are sent here.
  package static let headerSize = 12

  /// Makes a packet.
  package init(
    kind: UInt8, isMarked: Bool, sequence: UInt16, time: UInt32, source: UInt32,
    payload: ArraySlice<UInt8>
  ) {
    self.kind = kind & 0x7F
    self.isMarked = isMarked
    self.sequence = sequence
    self.time = time
    self.source = source
    self.payload = payload
  }

  /// Reads a packet; nil for another version, for one of RTCP, and for lengths that lie.
  ///
  /// Contributing sources, an extension and padding are passed over.
  package init?(_ bytes: [UInt8]) {
    var reader = DatagramReader(bytes[...])
    guard let first = reader.number(UInt8.self), first & 0xC0 == 0x80,
      let second = reader.number(UInt8.self), !ControlPacket.isControl(second),
      let sequence = reader.number(UInt16.self), let time = reader.number(UInt32.self),
      let source = reader.number(UInt32.self), reader.read(4 * Int(first & 0xF)) != nil
    else { return nil }
    if first & 0x10 != 0 {
      guard reader.number(UInt16.self) != nil, let count = reader.number(UInt16.self),
        reader.read(4 * Int(count)) != nil
      else { return nil }
    }
    var padding = 0
    if first & 0x20 != 0 {
      padding = Int(bytes.last ?? 0)
      guard padding > 0 else { return nil }
    }
    guard let payload = reader.read(reader.left - padding) else { return nil }
    self.init(
      kind: second & 0x7F, isMarked: second & 0x80 != 0, sequence: sequence, time: time,
      source: source, payload: payload)
  }

  /// The packet as it is sent.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = [0x80, kind | (isMarked ? 0x80 : 0)]
    bytes.reserveCapacity(Self.headerSize + payload.count)
    bytes.add(sequence)
    bytes.add(time)
    bytes.add(source)
    return bytes + payload
  }
}
