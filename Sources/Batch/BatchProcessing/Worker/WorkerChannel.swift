// Messages between a supervisor and its worker: framed, versioned, with open files beside them.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CHostSystem
import Glibc

/// What a message is about.
enum WorkerMessageKind: UInt8 {
  /// To a worker, first: the chain, the settings, the sandbox.
  case setup = 1
  /// To a worker: a file to do; its input and its output are sent along.
  case job = 2
  /// To a worker that has made no chain: chains of a format are to be compared.
  case examine = 3
  /// From a worker: the units of the chain, before any of them is opened.
  case units = 16
  /// From a worker: the chain can be made, jobs are welcome.
  case ready = 17
  /// From a worker: the chain cannot be made, with what to tell the user.
  case refused = 18
  /// From a worker: it is at a job; once more when units have rendered, with how long the input is.
  case started = 19
  /// From a worker: a job is done, or has failed.
  case finished = 20
  /// From a worker: what was found out about chains.
  case examined = 21
}

/// A message with the files that came along; the receiver closes them.
struct WorkerMessage {
  var kind: WorkerMessageKind
  var body: JSONValue
  var descriptors: [Int32] = []
}

/// One end of the socket between the two.
///
/// A frame is `Auri`, the version, the kind, two zero bytes, and the length of the JSON that follows
/// (UInt32, little-endian).
final class WorkerChannel {
  /// The version of the protocol.
  static let version: UInt8 = 1
  /// The longest message: 4 MiB, a preset with all its numbers.
  static let maximumByteCount = 4 << 20
  /// The most files that come along with a message.
  static let mostFiles = 72
  private static let mark = Array("Auri".utf8)
  private static let headerSize = 12

  /// Why nothing more comes.
  enum Failure: Error {
    /// The other end is gone.
    case closed
    /// Nothing has come yet; on channels that do not wait.
    case empty
    /// What came is no message.
    case garbled
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

  /// Sends a message; false when the other end is gone or does not listen.
  func send(_ message: WorkerMessage) -> Bool {
    var bytes = Self.mark + [Self.version, message.kind.rawValue, 0, 0, 0, 0, 0, 0]
    message.body.write(to: &bytes)
    let length = UInt32(bytes.count - Self.headerSize)
    for index in 0..<4 { bytes[8 + index] = UInt8(truncatingIfNeeded: length >> (8 * index)) }
    var offset = 0
    while offset < bytes.count {
      let files = offset == 0 ? message.descriptors : []
      let sent = unsafe bytes.withUnsafeBytes { raw in
        unsafe files.withUnsafeBufferPointer { files in
          unsafe AuricleSend(
            descriptor, raw.baseAddress?.advanced(by: offset), raw.count - offset,
            files.baseAddress, files.count)
        }
      }
      if sent < 0, errno == EINTR { continue }
      guard sent > 0 else { return false }
      offset += sent
    }
    return true
  }

  /// The next message.
  ///
  /// - Parameters:
  ///   - waits: Whether to wait for one.
  ///   - takesFiles: Whether files may come along; others are closed unseen.
  func receive(waits: Bool, takesFiles: Bool) throws(Failure) -> WorkerMessage {
    while true {
      if let message = try nextPending() { return message }
      var block = [UInt8](repeating: 0, count: 65_536)
      var files = [Int32](repeating: -1, count: Self.mostFiles)
      var fileCount = 0
      let flags = waits ? 0 : Int32(MSG_DONTWAIT)
      let got =
        takesFiles
        ? unsafe AuricleReceive(descriptor, &block, block.count, &files, files.count, &fileCount)
        : unsafe recv(descriptor, &block, block.count, flags)
      if got < 0, errno == EINTR { continue }
      if got < 0, errno == EAGAIN || errno == EWOULDBLOCK { throw .empty }
      guard got > 0 else { throw .closed }
      pending += block[0..<got]
      descriptors += files[0..<fileCount]
    }
  }

  private func nextPending() throws(Failure) -> WorkerMessage? {
    guard pending.count >= Self.headerSize else { return nil }
    guard pending.starts(with: Self.mark), pending[4] == Self.version,
      let kind = WorkerMessageKind(rawValue: pending[5])
    else { throw .garbled }
    var length = 0
    for index in 0..<4 { length |= Int(pending[8 + index]) << (8 * index) }
    guard length <= Self.maximumByteCount else { throw .garbled }
    let end = Self.headerSize + length
    guard pending.count >= end else { return nil }
    guard let body = JSONValue(pending[Self.headerSize..<end]) else { throw .garbled }
    pending.removeFirst(end)
    // Only jobs bring files, and each brings its own.
    let count = max(0, min(body["files"]?.integer ?? 2, Self.mostFiles))
    let files = kind == .job ? Array(descriptors.prefix(count)) : []
    descriptors.removeFirst(files.count)
    return WorkerMessage(kind: kind, body: body, descriptors: files)
  }
}
