// The folder that holds all temporary folders of a test process, and goes with it.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// One folder for each process that runs tests.
///
/// It is removed when the process exits. A process that crashed or was killed leaves it behind; the
/// next one finds that nobody holds its lock, and removes it.
enum ProcessFolder {
  private static let prefix = "auricle-tests-"

  /// The folder's path, without symbolic links.
  static let path: String = {
    let base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
    removeAbandoned(in: base)
    // It gets its name when it is locked: before that, no process can find it and mistake it for abandoned.
    let name = prefix + UUID().uuidString
    let hidden = base + "/.new-" + name
    try? FileManager.default.createDirectory(atPath: hidden, withIntermediateDirectories: true)
    // Held until the process ends, however it ends.
    let lock = unsafe open(hidden + "/.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    if lock >= 0 { flock(lock, LOCK_EX) }
    let path = base + "/" + name
    unsafe rename(hidden, path)
    unsafe owner = getpid()
    atexit {
      // A forked process that exits leaves the folder to its parent.
      if unsafe getpid() == ProcessFolder.owner { ProcessFolder.remove(ProcessFolder.path) }
    }
    return path
  }()

  /// The process that made the folder; written once, before anything can read it.
  nonisolated(unsafe) private static var owner: pid_t = 0

  /// Removes a folder with all it holds, also if a test has removed permissions.
  static func remove(_ path: String) {
    for name in FileManager.default.subpaths(atPath: path) ?? [] {
      let item = path + "/" + name
      var isFolder: ObjCBool = false
      if unsafe FileManager.default.fileExists(atPath: item, isDirectory: &isFolder),
        isFolder.boolValue
      {
        try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: item)
      }
    }
    try? FileManager.default.removeItem(atPath: path)
  }

  private static func removeAbandoned(in base: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? []
    where name.hasPrefix(prefix) {
      let folder = base + "/" + name
      // Without a lock it is just being made, or gone.
      let lock = unsafe open(folder + "/.lock", O_RDWR | O_CLOEXEC)
      guard lock >= 0 else { continue }
      if flock(lock, LOCK_EX | LOCK_NB) == 0 { remove(folder) }
      close(lock)
    }
  }
}
