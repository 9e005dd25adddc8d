// Makes the folders that results go into.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
import Glibc

/// Makes a folder and those above it.
public enum FolderMaker {
  /// Makes what is missing of a folder; without effect when it is there.
  ///
  /// - Throws: `.inputOutput` with the part that could not be made.
  ///
  /// Context: control.
  public static func make(_ path: String) throws(AuricleError) {
    if let existing = FileIdentity.of(path) {
      guard existing.kind == .folder else {
        throw AuricleError(.inputOutput, "\(path) is a file, so nothing can be written into it")
      }
      return
    }
    let parent = Path.folder(of: Path.trimmed(path))
    if parent != path { try make(parent) }
    // Another process may have made it in between.
    if unsafe mkdir(path, 0o777) != 0, errno != EEXIST {
      throw AuricleError(.inputOutput, "cannot make the folder \(path): \(Path.reason(errno))")
    }
  }
}
