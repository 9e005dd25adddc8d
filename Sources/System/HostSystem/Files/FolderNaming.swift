// Folders that treat several spellings as one name: there two results must not differ in that alone.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem
import Glibc

/// The equality of names in a folder.
package enum FolderNaming {
  /// Whether a folder, or the one that it will be made in, does not distinguish upper from lower case.
  package static func folds(_ folder: String) -> Bool {
    var path = folder.isEmpty ? "." : Path.trimmed(folder)
    while FileIdentity.of(path)?.kind != .folder {
      let parent = Path.folder(of: path)
      guard !Path.isSame(parent, path) else { return false }
      path = parent
    }
    return unsafe path.withFileName { unsafe AuricleFolderFoldsNames($0) }
  }

  /// One number for all names that such a folder could treat as one: without case, in any form of
  /// letters and their marks. Another one in every process.
  package static func key(_ name: String) -> UInt64 {
    var hasher = Hasher()
    // Both ways, for letters whose upper case is two.
    hasher.combine(name.uppercased().lowercased())
    let hash = UInt64(bitPattern: Int64(hasher.finalize()))
    return hash == 0 ? 1 : hash
  }
}
