// Owner, permissions, extended attributes and further names of a file.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem
package import Glibc

/// Owner, permissions and extended attributes of a file, copied to the file that replaces it.
package enum FileAttributes {
  /// Sets owner, group and permissions of a file to those of another, as far as this process may.
  ///
  /// Context: control.
  package static func copyOwner(of status: stat, to target: Int32) {
    if fchown(target, status.st_uid, status.st_gid) != 0 {
      _ = fchown(target, uid_t.max, status.st_gid)
    }
    fchmod(target, status.st_mode & 0o777)
  }

  /// Copies owner, permissions and extended attributes from one open file to another.
  ///
  /// - Returns: Notes of attributes that could not be copied.
  ///
  /// Context: control.
  package static func copy(from source: Int32, to target: Int32) -> [String] {
    var status = stat()
    guard unsafe fstat(source, &status) == 0 else { return [] }
    copyOwner(of: status, to: target)
    var lost = [CChar](repeating: 0, count: 1024)
    unsafe AuricleCopyAttributes(source, target, &lost, lost.count)
    var notes: [String] = []
    let names = String(
      decoding: lost.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    if !names.isEmpty { notes.append("its extended attributes \(names) cannot be set: left out") }
    var now = stat()
    if unsafe fstat(target, &now) == 0, now.st_uid != status.st_uid || now.st_gid != status.st_gid {
      notes.append(
        "it belongs to \(now.st_uid):\(now.st_gid) now, and not to \(status.st_uid):\(status.st_gid), "
          + "which this process may not set")
    }
    if status.st_nlink > 1 {
      let others = status.st_nlink == 2 ? "another name" : "\(status.st_nlink - 1) other names"
      notes.append("it has \(others) (hard links), which keep the earlier content")
    }
    return notes
  }
}
