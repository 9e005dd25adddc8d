// Appends to a ledger: whole lines, or nothing.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
package import AudioTypes
import Glibc
package import HostSystem

/// The one writer of a ledger file.
///
/// Lines are written in one call; when that fails half-way, the file is truncated again, so that no line
/// follows a torn one. @unchecked Sendable because one thread at a time uses it.
package final class LedgerWriter: @unchecked Sendable {
  /// The file.
  package let path: String
  private let descriptor: Int32
  private var length: off_t = 0
  private var failure: Int32 = 0
  private var isDirty = false
  /// Whether the file system reports a file's link count.
  private let reportsNameCount: Bool
  /// The error of `synchronize` when the file has no name any more, so that nobody can read it.
  package static let lost = EREMCHG

  /// Creates a ledger; the file must not exist.
  package init(path: String) throws(AuricleError) {
    self.path = path
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    reportsNameCount = descriptor >= 0 && Self.nameCount(descriptor) > 0
    guard descriptor >= 0 else { throw systemError(errno, "write", path) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Appends lines; 0, or the errno number that stops the ledger for good.
  package func append(_ lines: [[JSONValue.Member]]) -> Int32 {
    guard failure == 0 else { return failure }
    var bytes: [UInt8] = []
    for line in lines {
      guard let encoded = CheckedLine.encode(line) else {
        failure = EFBIG
        return failure
      }
      bytes += encoded
    }
    let number = FileTransfer.writeAll(bytes, to: descriptor, at: Int(length))
    guard number == 0 else {
      failure = number
      ftruncate(descriptor, length)
      return failure
    }
    length += off_t(bytes.count)
    isDirty = true
    return 0
  }

  /// Synchronizes the file; 0 or an errno number.
  package func synchronize() -> Int32 {
    guard failure == 0, isDirty else { return failure }
    guard retrying({ fdatasync(descriptor) }) == 0 else {
      failure = errno
      return failure
    }
    isDirty = false
    if reportsNameCount, Self.nameCount(descriptor) == 0 { failure = Self.lost }
    return failure
  }

  private static func nameCount(_ descriptor: Int32) -> Int {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_nlink) : -1
  }
}

/// The lines of a ledger.
package enum LedgerLine {
  /// The record of a file; a finished one counts once `kept` follows it.
  package static func file(_ record: FileRecord) -> [JSONValue.Member] {
    [JSONValue.Member("t", "file")] + (record.json.members ?? [])
  }

  /// The result of a file has its name.
  package static func kept(_ index: Int) -> [JSONValue.Member] {
    [JSONValue.Member("t", "kept"), JSONValue.Member("index", JSONValue(index))]
  }
}
