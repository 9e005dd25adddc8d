// The cache folder: in the home folder, or elsewhere when that cannot be written to.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HostSystem

/// The folder of caches.
enum CachePlace {
  /// `$XDG_CACHE_HOME/auricle` or `$HOME/.cache/auricle`; if neither can be written to, the user's own
  /// temporary folder; nil when there is none.
  static func folder(of environment: [String: String]) -> String? {
    let usual = standard(environment)
    if let usual, mayWrite(usual) { return usual }
    let places = [environment["XDG_RUNTIME_DIR"], environment["TMPDIR"], "/tmp"]
    for place in places.compactMap(\.self) where place.hasPrefix("/") {
      let folder = "\(place)/auricle-\(geteuid())"
      if makeOwn(folder) { return folder }
    }
    return usual
  }

  private static func standard(_ environment: [String: String]) -> String? {
    if let folder = environment["XDG_CACHE_HOME"], folder.hasPrefix("/") {
      return folder + "/auricle"
    }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return home + "/.cache/auricle"
  }

  /// Whether files can be made in a folder, or the folder itself.
  private static func mayWrite(_ folder: String) -> Bool {
    var place = folder
    while place.utf8.count > 1 {
      if unsafe access(place, W_OK | X_OK) == 0 { return true }
      guard errno == ENOENT else { return false }
      place = ParentFolder.of(place)
    }
    return unsafe access("/", W_OK | X_OK) == 0
  }

  /// Creates a folder that nobody else can write to; false when its name exists already.
  private static func makeOwn(_ folder: String) -> Bool {
    unsafe mkdir(folder, 0o700)
    var status = stat()
    return unsafe lstat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      && status.st_uid == geteuid() && status.st_mode & 0o077 == 0
      && access(folder, W_OK | X_OK) == 0
  }
}
