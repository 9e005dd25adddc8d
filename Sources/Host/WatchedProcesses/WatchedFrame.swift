// Frames between a child process and its parent: a kind, and bytes.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem

/// One frame.
package struct WatchedFrame {
  /// The kind, which both sides agree on.
  package let kind: UInt8
  /// Its bytes.
  package let bytes: [UInt8]

  /// Bytes in front of those of a frame, and the most of these.
  static let (headerSize, mostBytes) = (5, 1 << 26)

  /// The bytes as text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// A frame as it is sent.
  static func encoded(_ kind: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    let count = bytes.count
    return [kind] + (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } + bytes
  }

  /// The first frame of bytes that were received, which is removed; nil while it is not whole.
  ///
  /// - Throws: `.senseless` for other bytes.
  static func removeFirst(
    of received: inout [UInt8]
  ) throws(WatchedFrame.Fault) -> WatchedFrame? {
    guard received.count >= headerSize else { return nil }
    let count = (1...4).reversed().reduce(0) { $0 << 8 | Int(received[$1]) }
    guard count <= mostBytes else { throw .senseless }
    guard received.count >= headerSize + count else { return nil }
    let frame = WatchedFrame(
      kind: received[0], bytes: Array(received[headerSize..<(headerSize + count)]))
    received.removeFirst(headerSize + count)
    return frame
  }

  /// Why there is no frame.
  package enum Fault: Error {
    /// Nobody sends any more.
    case ended
    /// The bytes are no frame.
    case senseless
  }
}

/// The child's side of its socket. Context: control, in the child; one thread at a time reads.
package struct ParentSocket {
  private var received: [UInt8] = []

  /// The socket that the parent prepared.
  package init() {}

  /// Sends a frame; false where the parent is gone.
  package static func send(_ kind: UInt8, _ bytes: [UInt8] = []) -> Bool {
    FileTransfer.writeAll(
      WatchedFrame.encoded(kind, bytes), to: WatchedProcess.socketDescriptor) == 0
  }

  /// The next frame.
  ///
  /// - Parameter milliseconds: How long it is waited for; -1 for ever.
  /// - Returns: Nil where none came in time.
  /// - Throws: `.ended` when the parent is gone.
  package mutating func next(milliseconds: Int32 = -1) throws(WatchedFrame.Fault) -> WatchedFrame? {
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let frame = try WatchedFrame.removeFirst(of: &received) { return frame }
      var entry = pollfd(
        fd: WatchedProcess.socketDescriptor, events: Int16(POLLIN), revents: 0)
      guard retrying({ unsafe poll(&entry, 1, milliseconds) }) > 0 else { return nil }
      let count = retrying {
        unsafe read(WatchedProcess.socketDescriptor, &block, block.count)
      }
      guard count > 0 else { throw .ended }
      received += block[0..<count]
    }
  }
}
