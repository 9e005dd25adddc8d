// The state of a file or folder when it was read, to detect later changes.
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A file or folder as it was when it was read; any difference makes the read data stale.
public struct PathStamp: Hashable, Sendable, Codable {
  /// Where it is.
  public var path: String
  /// The file system it is on.
  public var device: UInt64
  /// Its number there; 0 when there is nothing at the path.
  public var inode: UInt64
  /// Its length in bytes.
  public var size: Int64
  /// When it was changed last, in whole seconds.
  public var seconds: Int64
  /// The rest of that time.
  public var nanoseconds: Int64

  /// Makes a stamp of values that were kept.
  ///
  /// Context: any.
  public init(
    path: String, device: UInt64, inode: UInt64, size: Int64, seconds: Int64, nanoseconds: Int64
  ) {
    self.path = path
    self.device = device
    self.inode = inode
    self.size = size
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// The stamp of the file at `path` now; all zero when there is nothing.
  ///
  /// Context: control.
  public init(of path: String) {
    self.init(path: path, device: 0, inode: 0, size: 0, seconds: 0, nanoseconds: 0)
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    seconds = Int64(status.st_mtim.tv_sec)
    nanoseconds = Int64(status.st_mtim.tv_nsec)
  }

  /// Whether there was something at the path.
  public var exists: Bool { inode != 0 }

  /// Whether the path has the same stamp now as then.
  ///
  /// Context: control.
  public var isCurrent: Bool { PathStamp(of: path) == self }
}
