// Folders that take several spellings for one name: there two results must not differ in that alone.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem
import Glibc

/// How a folder takes names.
package enum FolderNaming {
  /// Whether a folder, or the one that it will be made in, does not tell upper from lower case.
  package static func folds(_ folder: String) -> Bool {
    var path = folder.isEmpty ? "." : Path.trimmed(folder)
    while FileIdentity.of(path)?.kind != .folder {
      let parent = Path.folder(of: path)
      guard !Path.isSame(parent, path) else { return false }
      path = parent
    }
    return unsafe path.withFileName { unsafe AuricleFolderFoldsNames($0) }
  }

  /// One number for all names that such a folder could take for one: without case, however letters
  /// and their marks are written. Another one in every process.
  package static func key(_ name: String) -> UInt64 {
    var hasher = Hasher()
    // Both ways, for letters whose upper case is two.
    hasher.combine(name.uppercased().lowercased())
    let hash = UInt64(bitPattern: Int64(hasher.finalize()))
    return hash == 0 ? 1 : hash
  }
}
