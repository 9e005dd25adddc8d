// The audio files of a folder that one is drawn from, in an order that does not depend on the disk.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import HostSystem

/// A folder of noises or impulse responses.
package enum SoundFolder {
  /// The greatest number of files that are read.
  private static let mostFiles = 1_000_000
  /// The greatest depth of nested folders; more are a loop of links.
  private static let mostLevels = 32

  /// The audio files in a folder and those below it, by their paths within it, sorted by their bytes.
  ///
  /// Context: control.
  package static func files(in folder: String) -> [String] {
    var found: [String] = []
    func walk(_ inner: String, _ level: Int) {
      for name in FolderListing.names(in: Path.joining(folder, inner)) where name.first != "." {
        let path = Path.joining(inner, name)
        guard found.count < mostFiles, let entry = FileIdentity.of(Path.joining(folder, path))
        else { continue }
        switch entry.kind {
        case .folder: if level < mostLevels { walk(path, level + 1) }
        case .file: if isSound(name) { found.append(path) }
        case .other: continue
        }
      }
    }
    walk("", 0)
    return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func isSound(_ name: String) -> Bool {
    AudioContainer(path: name).map { $0 != .raw } ?? false
  }
}
