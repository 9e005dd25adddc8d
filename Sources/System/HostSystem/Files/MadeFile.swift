// A file that this process made, removed only while its name leads to it.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A file, socket or pipe under a name that a user chose, removed only while the name leads to it.
///
/// A file that another program puts under the name stays: the type and the inode are compared, and links are
/// not followed.
package struct MadeFile: Sendable {
  /// The types of files that are made under names of the user.
  package enum Kind: Sendable {
    case file
    case socket

    fileprivate var mode: mode_t { self == .file ? S_IFREG : S_IFSOCK }
  }

  /// The name.
  package let path: String
  private let kind: Kind
  private let identity: FileIdentity

  /// The file under a name; nil without one, and for another type or another user's file.
  ///
  /// Context: control.
  package init?(_ path: String, _ kind: Kind) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == kind.mode,
      status.st_uid == geteuid()
    else { return nil }
    self.path = path
    self.kind = kind
    identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }

  /// Whether the name still leads to the file.
  package var isInPlace: Bool {
    guard let now = MadeFile(path, kind) else { return false }
    return now.identity == identity
  }

  /// Removes the file; false, and without effect, when the name leads to another one or to none.
  @discardableResult
  package func remove() -> Bool { unsafe isInPlace && unlink(path) == 0 }
}
