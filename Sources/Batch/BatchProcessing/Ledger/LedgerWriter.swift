// Appends to a ledger: whole lines, or nothing.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Glibc

/// The one writer of a ledger file.
///
/// Lines reach the system in one call each time; when that fails half-way, what was written is taken
/// back, so that what follows does not stand behind a torn line. @unchecked Sendable because one
/// thread at a time uses it.
final class LedgerWriter: @unchecked Sendable {
  /// The file.
  let path: String
  private let descriptor: Int32
  private var length: off_t = 0
  private var failure: Int32 = 0
  private var isDirty = false
  /// Whether the file system tells how many names a file has.
  private let tellsNames: Bool
  /// What `synchronize` tells when the file has no name any more: what is told then nobody will read.
  static let lost = EREMCHG

  /// Creates a ledger; there must be none of the name.
  init(path: String) throws(AuricleError) {
    self.path = path
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    tellsNames = descriptor >= 0 && Self.nameCount(descriptor) > 0
    guard descriptor >= 0 else { throw systemError(errno, "write", path) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Appends lines: 0, or the number of the error that stops the ledger for good.
  func append(_ lines: [[JSONValue.Member]]) -> Int32 {
    guard failure == 0 else { return failure }
    var bytes: [UInt8] = []
    for line in lines {
      guard let encoded = CheckedLine.encode(line) else {
        failure = EFBIG
        return failure
      }
      bytes += encoded
    }
    var offset = 0
    while offset < bytes.count {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe pwrite(
          descriptor, $0.baseAddress?.advanced(by: offset), $0.count - offset,
          length + off_t(offset))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        failure = count == 0 ? ENOSPC : errno
        ftruncate(descriptor, length)
        return failure
      }
      offset += count
    }
    length += off_t(bytes.count)
    isDirty = true
    return 0
  }

  /// Brings what was appended to the disk: 0 or the number of the error.
  func synchronize() -> Int32 {
    guard failure == 0, isDirty else { return failure }
    while fdatasync(descriptor) != 0 {
      if errno == EINTR { continue }
      failure = errno
      return failure
    }
    isDirty = false
    if tellsNames, Self.nameCount(descriptor) == 0 { failure = Self.lost }
    return failure
  }

  private static func nameCount(_ descriptor: Int32) -> Int {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_nlink) : -1
  }
}

/// The lines of a ledger.
enum LedgerLine {
  /// A file accounted for; one that is done counts once `kept` follows it.
  static func file(_ record: FileRecord) -> [JSONValue.Member] {
    [JSONValue.Member("t", "file")] + (record.json.members ?? [])
  }

  /// The result of a file has its name.
  static func kept(_ index: Int) -> [JSONValue.Member] {
    [JSONValue.Member("t", "kept"), JSONValue.Member("index", JSONValue(index))]
  }
}
