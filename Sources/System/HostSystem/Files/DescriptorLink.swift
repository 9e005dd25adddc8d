// Names that lead to open files of a process, such as /dev/stdout: no places for files.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Links below `/proc/PID/fd`, and links to them.
///
/// Such a name appears as a regular file when the process has one open under it. A file that
/// replaces its name would replace the link, and nobody would read it from there.
public enum DescriptorLink {
  /// Links in a row that are followed, as many as the system follows.
  private static let mostLinks = 40

  /// Whether a path is such a link, or a link that leads to one.
  ///
  /// Context: control.
  public static func isOne(_ path: String) -> Bool {
    var path = Path.trimmed(path)
    for _ in 0..<mostLinks {
      guard FileIdentity.isLink(path), let folder = FileIdentity.realPath(Path.folder(of: path))
      else { return false }
      if isDescriptorFolder(folder) { return true }
      guard let target = target(of: path) else { return false }
      path = Path.trimmed(Path.isFromRoot(target) ? target : Path.joining(folder, target))
    }
    return false
  }

  /// `/proc/PID/fd` or `/proc/PID/task/ID/fd`.
  private static func isDescriptorFolder(_ folder: String) -> Bool {
    let parts = Path.components(folder)
    return parts.first == "proc" && parts.last == "fd" && (parts.count == 3 || parts.count == 5)
  }

  private static func target(of path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(path, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
