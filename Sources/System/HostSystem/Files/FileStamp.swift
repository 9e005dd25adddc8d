// Distinguishes one state of a file from another at no cost: by its length and the time of its change.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A state of a regular file.
///
/// Times of change are compared, never ordered: clocks that jump do no harm.
public struct FileStamp: Sendable, Equatable {
  /// Its length in bytes.
  public var byteCount: Int
  /// When it was changed last, in nanoseconds since 1970.
  public var modified: Int64

  /// A state that was noted.
  package init(byteCount: Int, modified: Int64) {
    self.byteCount = byteCount
    self.modified = modified
  }

  /// The state of an open file; nil for any other than a regular file.
  package init?(descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The state of the file that a path leads to; nil for any other than a regular file, or a missing one.
  package init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  private init?(_ status: stat) {
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    byteCount = Int(status.st_size)
    modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
  }
}
