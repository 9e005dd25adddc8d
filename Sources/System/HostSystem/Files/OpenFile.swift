// The identity of an open file behind its number, which a unit may change.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The identity of the file behind a number.
package struct OpenFile: Equatable {
  private var device: UInt64 = 0
  private var inode: UInt64 = 0

  /// Reads the identity of an open file; a closed one equals no other.
  package init(_ descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return }
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }

  /// Whether an open file is set to append, or to bypass the system's cache: the host does neither.
  package static func isTurned(_ descriptor: Int32) -> Bool {
    let flags = fcntl(descriptor, F_GETFL)
    return flags >= 0 && flags & (O_APPEND | directFlag) != 0
  }

  /// O_DIRECT, which Swift does not see.
  #if arch(arm64)
    private static let directFlag: Int32 = 0o200000
  #else
    private static let directFlag: Int32 = 0o40000
  #endif
}
