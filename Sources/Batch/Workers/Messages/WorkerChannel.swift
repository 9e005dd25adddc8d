// Framed, versioned messages between a supervisor and its worker, with open files attached.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CHostSystem
import Glibc
import HostSystem

/// One end of the socket between the two.
///
/// A frame is `Auri`, the version, the kind, two zero bytes, and the length of the JSON that follows
/// (UInt32, little-endian).
final class WorkerChannel {
  /// The descriptors of the socket and of the shared memory in a worker.
  static let socketDescriptor: Int32 = 3
  static let heartbeatDescriptor: Int32 = 4
  /// The version of the protocol.
  static let version: UInt8 = 3
  /// The longest message: 4 MiB, a preset with all its numbers.
  static let maximumByteCount = 4 << 20
  /// The most files attached to a message.
  static let mostFiles = 72
  private static let mark = Array("Auri".utf8)
  private static let headerSize = 12

  /// Why no message could be received.
  enum Failure: Error, Equatable {
    /// The other end was closed.
    case closed
    /// No message is waiting (channels that do not wait).
    case empty
    /// The bytes received are no message.
    case garbled
    /// A message lacks a required value.
    case malformed(MessageKey)
  }

  let descriptor: Int32
  private var pending: [UInt8] = []
  private var descriptors: [Int32] = []

  /// Owns a socket.
  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    for descriptor in descriptors { close(descriptor) }
    close(descriptor)
  }

  /// Sends a message with open files, which the caller keeps; false when the other end is closed or does not
  /// read.
  func send(_ message: WorkerMessage, descriptors: [Int32] = []) -> Bool {
    var bytes = Self.mark + [Self.version, message.kind.rawValue, 0, 0, 0, 0, 0, 0]
    message.body.write(to: &bytes)
    let length = UInt32(bytes.count - Self.headerSize)
    for index in 0..<4 { bytes[8 + index] = UInt8(truncatingIfNeeded: length >> (8 * index)) }
    var offset = 0
    while offset < bytes.count {
      let files = offset == 0 ? descriptors : []
      let sent = unsafe bytes.withUnsafeBytes { raw in
        unsafe files.withUnsafeBufferPointer { files in
          retrying {
            unsafe AuricleSend(
              descriptor, raw.baseAddress?.advanced(by: offset), raw.count - offset,
              files.baseAddress, files.count)
          }
        }
      }
      guard sent > 0 else { return false }
      offset += sent
    }
    return true
  }

  /// The next message, with the open files attached to it; the receiver closes them.
  ///
  /// - Parameters:
  ///   - waits: Whether to wait for one.
  ///   - acceptsFiles: Whether files may be attached; unexpected ones are closed.
  func receive(waits: Bool, acceptsFiles: Bool) throws(Failure) -> (WorkerMessage, [Int32]) {
    while true {
      if let message = try nextPending() { return message }
      var block = [UInt8](repeating: 0, count: 65_536)
      var files = [Int32](repeating: -1, count: Self.mostFiles)
      var fileCount = 0
      let flags = waits ? 0 : Int32(MSG_DONTWAIT)
      let got = retrying {
        acceptsFiles
          ? unsafe AuricleReceive(descriptor, &block, block.count, &files, files.count, &fileCount)
          : unsafe recv(descriptor, &block, block.count, flags)
      }
      if got < 0, errno == EAGAIN || errno == EWOULDBLOCK { throw .empty }
      guard got > 0 else { throw .closed }
      pending += block[0..<got]
      descriptors += files[0..<fileCount]
    }
  }

  private func nextPending() throws(Failure) -> (WorkerMessage, [Int32])? {
    guard pending.count >= Self.headerSize else { return nil }
    guard pending.starts(with: Self.mark), pending[4] == Self.version,
      let kind = WorkerMessage.Kind(rawValue: pending[5])
    else { throw .garbled }
    var length = 0
    for index in 0..<4 { length |= Int(pending[8 + index]) << (8 * index) }
    guard length <= Self.maximumByteCount else { throw .garbled }
    let end = Self.headerSize + length
    guard pending.count >= end else { return nil }
    guard let body = JSONValue(pending[Self.headerSize..<end]) else { throw .garbled }
    pending.removeFirst(end)
    let message: WorkerMessage
    do throws(MalformedMessage) { message = try WorkerMessage(kind, body) } catch {
      throw .malformed(error.key)
    }
    // Only jobs have files attached, a fixed number each.
    guard case .job(let job) = message else { return (message, []) }
    guard descriptors.count >= job.fileCount else { throw .malformed(.files) }
    let files = Array(descriptors.prefix(job.fileCount))
    descriptors.removeFirst(files.count)
    return (message, files)
  }
}
