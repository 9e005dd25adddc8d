// The messages of a packet.
// SPDX-License-Identifier: Apache-2.0

extension TimedBytes {
  /// The messages of a packet, which may hold several, or a piece of a SysEx message with real-time bytes inside.
  package var messages: [[UInt8]] {
    var messages: [[UInt8]] = []
    var open: [UInt8] = []
    for byte in bytes {
      switch byte {
      case 0xF8...0xFF: messages.append([byte])
      case 0xF7: open.append(byte)
      case 0x80...0xF6:
        if !open.isEmpty { messages.append(open) }
        open = [byte]
      default: open.append(byte)
      }
    }
    return open.isEmpty ? messages : messages + [open]
  }
}
