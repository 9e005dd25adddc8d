// From bytes of MIDI 1.0 to universal packets.
// SPDX-License-Identifier: Apache-2.0

/// Reads a stream of MIDI 1.0, which may be cut anywhere, as universal packets of group 0.
///
/// Running status is understood, real-time bytes are let through inside of system exclusive messages, and such a
/// message that another interrupts ends there.
package struct BytesToUniversal: Sendable {
  private var status: UInt8 = 0
  private var data: [UInt8] = []
  /// Bytes of a system exclusive message that are not out yet: at most six; nil outside of one.
  private var exclusive: [UInt8]?
  private var hasBegun = false

  /// At the start of a stream.
  package init() {}

  /// The messages that end in these bytes, and the pieces of a long one.
  package mutating func words(_ bytes: [UInt8]) -> [UInt32] {
    var words: [UInt32] = []
    for byte in bytes { convert(byte, &words) }
    return words
  }

  private mutating func convert(_ byte: UInt8, _ words: inout [UInt32]) {
    switch byte {
    case 0xF9, 0xFD: break
    case 0xF8...0xFF: words.append(Self.system(byte, 0, 0))
    case 0x80...0xF7: begin(byte, &words)
    default:
      if exclusive != nil { return convertExclusive(byte, &words) }
      guard status != 0 else { return }
      data.append(byte)
      guard data.count == Self.dataCount(status) else { return }
      finish(&words)
    }
  }

  private mutating func begin(_ byte: UInt8, _ words: inout [UInt32]) {
    if exclusive != nil { endExclusive(&words) }
    data = []
    status = 0
    switch byte {
    case 0xF0:
      exclusive = []
      hasBegun = false
    case 0xF6: words.append(Self.system(byte, 0, 0))
    case 0xF4, 0xF5, 0xF7: break
    default: status = byte
    }
  }

  private mutating func finish(_ words: inout [UInt32]) {
    let second = data.count > 1 ? data[1] : 0
    if status >= 0xF0 {
      words.append(Self.system(status, data[0], second))
      status = 0
    } else {
      words.append(0x2000_0000 | UInt32(status) << 16 | UInt32(data[0]) << 8 | UInt32(second))
    }
    data = []
  }

  private mutating func convertExclusive(_ byte: UInt8, _ words: inout [UInt32]) {
    var bytes = exclusive ?? []
    if bytes.count == 6 {
      words += Self.piece(hasBegun ? 2 : 1, bytes)
      hasBegun = true
      bytes = []
    }
    bytes.append(byte)
    exclusive = bytes
  }

  private mutating func endExclusive(_ words: inout [UInt32]) {
    words += Self.piece(hasBegun ? 3 : 0, exclusive ?? [])
    exclusive = nil
  }

  /// The number of data bytes behind a status.
  package static func dataCount(_ status: UInt8) -> Int {
    switch status {
    case 0xC0...0xDF, 0xF1, 0xF3: 1
    case 0xF4...0xFF: 0
    default: 2
    }
  }

  private static func system(_ status: UInt8, _ first: UInt8, _ second: UInt8) -> UInt32 {
    0x1000_0000 | UInt32(status) << 16 | UInt32(first) << 8 | UInt32(second)
  }

  /// The two words of a piece of a system exclusive message; status 0 complete, 1 start, 2 continue, 3 end.
  package static func piece(_ status: UInt32, group: UInt32 = 0, _ bytes: [UInt8]) -> [UInt32] {
    func byte(_ index: Int) -> UInt32 { index < bytes.count ? UInt32(bytes[index]) : 0 }
    let first = 0x3000_0000 | group << 24 | status << 20 | UInt32(bytes.count) << 16
    return [
      first | byte(0) << 8 | byte(1), byte(2) << 24 | byte(3) << 16 | byte(4) << 8 | byte(5),
    ]
  }
}
