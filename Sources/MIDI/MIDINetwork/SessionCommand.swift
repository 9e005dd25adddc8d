// The messages between two sides of a session besides music: invitations, clocks, receipts.
// SPDX-License-Identifier: Apache-2.0

/// A command of the session protocol, version 2.
package enum SessionCommand: Sendable, Equatable {
  /// An invitation, its acceptance, its refusal, and the end.
  case invitation(token: UInt32, sender: UInt32, name: String)
  case acceptance(token: UInt32, sender: UInt32, name: String)
  case refusal(token: UInt32, sender: UInt32)
  case end(token: UInt32, sender: UInt32)
  /// One of three messages that compare clocks, in units of 100 µs.
  case clock(sender: UInt32, count: UInt8, UInt64, UInt64, UInt64)
  /// The number of the last packet.
  case receipt(sender: UInt32, sequence: UInt16)
  /// The bits a second that may be sent.
  case limit(sender: UInt32, bitsPerSecond: UInt32)

  private static let version: UInt32 = 2
  /// Bytes of the longest name that is accepted.
  private static let longestName = 255

  /// Whether bytes are to be read as a command.
  package static func isOne(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0xFF, 0xFF]) }

  /// Reads a command; nil for one that is cut short or of another version, and for other bytes.
  package init?(_ bytes: [UInt8]) {
    guard Self.isOne(bytes) else { return nil }
    var reader = NetworkReader(bytes.dropFirst(2))
    guard let code = reader.number16() else { return nil }
    switch code {
    case 0x494E, 0x4F4B, 0x4E4F, 0x4259:
      guard reader.number32() == Self.version, let token = reader.number32(),
        let sender = reader.number32()
      else { return nil }
      let name = Self.name(reader.read(reader.left) ?? [])
      self =
        switch code {
        case 0x494E: .invitation(token: token, sender: sender, name: name)
        case 0x4F4B: .acceptance(token: token, sender: sender, name: name)
        case 0x4E4F: .refusal(token: token, sender: sender)
        default: .end(token: token, sender: sender)
        }
    case 0x434B:
      guard let sender = reader.number32(), let count = reader.byte(), count < 3,
        reader.read(3) != nil, let first = reader.number(8), let second = reader.number(8),
        let third = reader.number(8)
      else { return nil }
      self = .clock(sender: sender, count: count, first, second, third)
    case 0x5253:
      guard let sender = reader.number32(), let number = reader.number32() else { return nil }
      self = .receipt(sender: sender, sequence: UInt16(number >> 16))
    case 0x524C:
      guard let sender = reader.number32(), let rate = reader.number32() else { return nil }
      self = .limit(sender: sender, bitsPerSecond: rate)
    default: return nil
    }
  }

  private static func name(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.prefix { $0 != 0 }.prefix(longestName), as: UTF8.self)
  }

  /// As it is sent.
  package var bytes: [UInt8] {
    func opening(_ code: UInt16, _ token: UInt32, _ sender: UInt32, _ name: String?) -> [UInt8] {
      var bytes: [UInt8] = [0xFF, 0xFF]
      bytes.add(code)
      bytes.add(Self.version)
      bytes.add(token)
      bytes.add(sender)
      if let name { bytes += name.utf8.prefix(Self.longestName) + [0] }
      return bytes
    }
    var bytes: [UInt8] = [0xFF, 0xFF]
    switch self {
    case .invitation(let token, let sender, let name): return opening(0x494E, token, sender, name)
    case .acceptance(let token, let sender, let name): return opening(0x4F4B, token, sender, name)
    case .refusal(let token, let sender): return opening(0x4E4F, token, sender, nil)
    case .end(let token, let sender): return opening(0x4259, token, sender, nil)
    case .clock(let sender, let count, let first, let second, let third):
      bytes.add(UInt16(0x434B))
      bytes.add(sender)
      bytes += [count, 0, 0, 0]
      for time in [first, second, third] { bytes.add(time) }
    case .receipt(let sender, let sequence):
      bytes.add(UInt16(0x5253))
      bytes.add(sender)
      bytes.add(UInt32(sequence) << 16)
    case .limit(let sender, let rate):
      bytes.add(UInt16(0x524C))
      bytes.add(sender)
      bytes.add(rate)
    }
    return bytes
  }
}
