// Messages between a host and a unit in another process, with open files beside them: all that is not render code.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import CHostSystem
import Glibc
import HostSystem

/// A message: a kind, the number of the request that it belongs to, and bytes.
package struct LinkMessage: Sendable {
  /// The kind, which both sides agree on.
  package var kind: UInt16
  /// The number that a reply has in common with its request; 0 for what nobody waits for.
  package var number: UInt32
  /// The bytes.
  package var bytes: [UInt8]
  /// Open files that came with it, which the receiver closes.
  package var files: [Int32]

  /// Makes a message.
  package init(_ kind: UInt16, number: UInt32 = 0, _ bytes: [UInt8] = [], files: [Int32] = []) {
    (self.kind, self.number, self.bytes, self.files) = (kind, number, bytes, files)
  }
}

/// Why there is no message.
package enum LinkFault: Error {
  /// Nobody sends any more.
  case ended
  /// The bytes are no message.
  case senseless
  /// None came in time.
  case late
}

/// One end of a socket between two processes.
///
/// @unchecked Sendable because one thread at a time sends, and one receives, which its owner sees to. The other side is not trusted: a message has at most
/// `mostBytes` bytes and `mostFiles` files, and one that is begun is waited for no longer than any other.
package final class LinkSocket: @unchecked Sendable {
  /// The socket, which this object closes.
  package let descriptor: Int32
  /// The most bytes of a message, and the most open files with it.
  package static let (mostBytes, mostFiles) = (1 << 26, 8)
  private static let headerSize = 12

  private var received: [UInt8] = []
  private var files: [Int32] = []

  /// Owns a connected stream socket, which forked children of this process do not keep.
  package init(owning descriptor: Int32) {
    self.descriptor = descriptor
    UnforkedDescriptors.add(descriptor)
  }

  deinit {
    UnforkedDescriptors.remove(descriptor)
    close(descriptor)
    for file in files { close(file) }
  }

  /// Two connected ends; the second is for another process.
  ///
  /// - Throws: What the system has no more of.
  ///
  /// Context: control.
  package static func pair() throws(AuricleError) -> (LinkSocket, LinkSocket) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw systemError(errno, "make", "a socket")
    }
    return (LinkSocket(owning: ends[0]), LinkSocket(owning: ends[1]))
  }

  /// Sends a message; its files stay open here.
  ///
  /// - Parameter milliseconds: How long it is waited for a side that reads nothing; -1 for ever.
  /// - Throws: `.ended` where nobody receives it, `.late`, which leaves the connection unusable.
  ///
  /// Context: control.
  package func send(_ message: LinkMessage, milliseconds: Int32 = -1) throws(LinkFault) {
    guard message.bytes.count <= Self.mostBytes, message.files.count <= Self.mostFiles else {
      throw .senseless
    }
    var writer = MessageWriter()
    writer.add(UInt32(message.bytes.count))
    writer.add(message.number)
    writer.add(message.kind)
    writer.add(UInt16(message.files.count))
    let bytes = writer.bytes + message.bytes
    let deadline = Self.deadline(milliseconds)
    var done = 0
    while done < bytes.count {
      try wait(for: POLLOUT, until: deadline)
      let first = done == 0
      let count = unsafe bytes[done...].withUnsafeBytes { raw in
        unsafe message.files.withUnsafeBufferPointer { files in
          unsafe AuricleSend(
            descriptor, raw.baseAddress, min(raw.count, 65_536), files.baseAddress,
            first ? files.count : 0)
        }
      }
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { throw .ended }
      done += count
    }
  }

  /// The next message.
  ///
  /// - Parameter milliseconds: How long it is waited for; -1 for ever, 0 not at all.
  /// - Throws: `.late` where none came in time, `.ended`, or `.senseless`.
  ///
  /// Context: control.
  package func receive(milliseconds: Int32 = -1) throws(LinkFault) -> LinkMessage {
    let deadline = Self.deadline(milliseconds)
    while true {
      if let message = try removeFirst() { return message }
      try wait(for: POLLIN, until: deadline)
      var block = [UInt8](repeating: 0, count: 65_536)
      var new = [Int32](repeating: -1, count: Self.mostFiles)
      var count = 0
      let length = unsafe AuricleReceive(
        descriptor, &block, block.count, &new, Self.mostFiles, &count)
      if length < 0, errno == EINTR || errno == EAGAIN { continue }
      files += new.prefix(count)
      guard length > 0 else { throw .ended }
      guard files.count <= 4 * Self.mostFiles else { throw .senseless }
      received += block[0..<length]
    }
  }

  private func removeFirst() throws(LinkFault) -> LinkMessage? {
    guard received.count >= Self.headerSize else { return nil }
    var reader = MessageReader(Array(received[0..<Self.headerSize]))
    guard let count = reader.next(UInt32.self), let number = reader.next(UInt32.self),
      let kind = reader.next(UInt16.self), let fileCount = reader.next(UInt16.self),
      Int(count) <= Self.mostBytes, Int(fileCount) <= Self.mostFiles
    else { throw .senseless }
    let end = Self.headerSize + Int(count)
    guard received.count >= end else { return nil }
    // They come with the first byte of their message.
    guard files.count >= Int(fileCount) else { throw .senseless }
    let message = LinkMessage(
      kind, number: number, Array(received[Self.headerSize..<end]),
      files: Array(files.prefix(Int(fileCount))))
    files.removeFirst(Int(fileCount))
    received.removeFirst(end)
    return message
  }

  private static func deadline(_ milliseconds: Int32) -> ContinuousClock.Instant? {
    milliseconds < 0 ? nil : .now + .milliseconds(milliseconds)
  }

  private func wait(
    for event: Int32, until deadline: ContinuousClock.Instant?
  ) throws(LinkFault) {
    while true {
      var left: Int32 = -1
      if let deadline {
        let time = (deadline - .now) / .milliseconds(1)
        left = Int32(clamping: Int(max(0, time.rounded(.up))))
      }
      var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
      let count = unsafe poll(&entry, 1, left)
      if count > 0 { return }
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw .ended }
      throw .late
    }
  }
}
