// Whether the disks that inputs lie on are still there.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem
import RunLedgers

/// The folders that inputs come from.
struct InputDisks {
  /// Their identities at the start; nil for a missing one.
  private let folders: [(path: String, identity: FileIdentity?)]
  private let plannedFolders: [InputFolder]
  private let isWatch: Bool

  init(_ options: SupervisorOptions, isWatch: Bool) {
    folders = options.inputFolders.map { ($0, FileIdentity.of($0)?.identity) }
    plannedFolders = options.plannedFolders
    self.isWatch = isWatch
  }

  /// Whether the disk of an input is gone: its folder is missing, another one, or empty like the mount point
  /// below an unmounted disk. A folder known to be the planned one was emptied on purpose, and watched
  /// folders become empty.
  func isGone(_ input: String) -> Bool {
    folders.contains { folder in
      guard Path.below(folder.path, input) != nil || folder.path == "." else { return false }
      guard let identity = FileIdentity.of(folder.path)?.identity else { return true }
      return identity != folder.identity
        || !isWatch && Self.isEmpty(folder.path) && !isPlanned(folder.path)
    }
  }

  /// Whether a folder is the one that was planned.
  private func isPlanned(_ path: String) -> Bool {
    plannedFolders.contains { Path.isSame($0.path, path) && $0.isThereStill }
  }

  private static func isEmpty(_ folder: String) -> Bool {
    guard let directory = unsafe opendir(folder) else { return false }
    defer { unsafe closedir(directory) }
    // `.` and `..`.
    for _ in 0..<3 where unsafe readdir(directory) == nil { return true }
    return false
  }
}
