// The bundles on a search path.
// SPDX-License-Identifier: Apache-2.0

internal import ForeignPlugIns
internal import Glibc
internal import HostSystem

/// The folders that are searched for LV2 bundles.
package struct LV2SearchPath: Equatable, Sendable {
  /// Absolute folders, first ones win.
  package let folders: [String]

  /// Makes the passed path, otherwise LV2_PATH, otherwise the default folders.
  ///
  /// A leading "~" is replaced by the home folder, and repeated folders are removed.
  package init(_ text: String?) {
    folders =
      SearchFolders(
        text, variable: "LV2_PATH", standard: "~/.lv2:/usr/local/lib/lv2:/usr/lib/lv2"
      ).folders
  }

  /// The bundles of all folders: each folder inside one that has a manifest, sorted by name.
  ///
  /// A bundle reached twice (through a link) counts once. A manifest that is a dangling link makes a broken
  /// bundle.
  package func bundles() -> [String] {
    var found: [String] = []
    var seen: Set<String> = []
    for folder in folders {
      for name in SearchFolders.names(in: folder) {
        let path = folder + "/" + name
        let manifest = path + "/manifest.ttl"
        let stamp = LV2FileStamp(of: manifest)
        let isFound =
          stamp.exists
          ? seen.insert("\(stamp.device) \(stamp.inode)").inserted
          : LV2Files.exists(manifest)
        if isFound { found.append(path) }
      }
    }
    return found
  }
}
