// Which file a path leads to, so that one file under two names is seen as one.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Glibc

/// The file or folder a path leads to, links followed.
package struct FileIdentity: Hashable, Sendable {
  package var device: UInt64
  package var inode: UInt64

  /// The file or folder that a path leads to, with its kind; nil when there is nothing.
  package static func of(_ path: String) -> Found? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    let kind: Kind =
      switch status.st_mode & S_IFMT {
      case S_IFDIR: .folder
      case S_IFREG: .file
      default: .other
      }
    return (
      FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)), kind,
      FileStamp(
        byteCount: Int(status.st_size),
        modified: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)),
      Int(status.st_nlink)
    )
  }

  /// A path without links and detours; nil when it leads nowhere.
  package static func realPath(_ path: String) -> String? {
    guard let full = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(full) }
    return unsafe FileNameText.text(cString: full)
  }

  /// The reason why a path is inaccessible: mostly that nothing of a kind has its name.
  package static func absence(
    of path: String, _ kind: AuricleError.NameKind
  ) -> AuricleError {
    var status = stat()
    guard unsafe stat(path, &status) != 0, errno != ENOENT, errno != ENOTDIR else {
      return AuricleError(
        .noInput, "there is no \(kind.rawValue) \(path)", cause: .unknownName(path, kind: kind))
    }
    return systemError(errno, "read", path)
  }

  /// Whether something has that name, a link that leads nowhere included.
  package static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// Whether a name is a link.
  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// The file or folder that a path leads to.
  package typealias Found = (
    identity: FileIdentity, kind: Kind, stamp: FileStamp, linkCount: Int
  )

  package enum Kind: Sendable {
    case file
    case folder
    case other
  }
}
