// Makes the folders that results go into.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
import Glibc

/// Makes a folder and those above it.
public enum FolderMaker {
  /// A path without links and detours, also where the end of it is not there yet.
  ///
  /// Context: control.
  public static func realPath(_ path: String) -> String {
    var known = Path.trimmed(path.isEmpty ? "." : path)
    var missing: [String] = []
    while true {
      if var real = FileIdentity.realPath(known) {
        for name in missing.reversed() where name != "." {
          real = name == ".." ? Path.folder(of: real) : Path.joining(real, name)
        }
        return real
      }
      missing.append(Path.lastComponent(known))
      let parent = Path.trimmed(Path.folder(of: known))
      guard !Path.isSame(parent, known) else { return path }
      known = parent
    }
  }

  /// Makes the missing folders of a path; without effect when it exists.
  ///
  /// - Throws: `.inputOutput` with the part that could not be made; `.temporary` when the disk is full.
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
    guard unsafe mkdir(path, 0o777) != 0 else { return }
    let number = errno
    guard number == EEXIST else { throw systemError(number, "make the folder", path) }
    // Another process may have made it in between.
    guard FileIdentity.of(path)?.kind == .folder else {
      throw AuricleError(
        .inputOutput, "\(path) is a link to a folder that is not there: make it, or remove the link"
      )
    }
  }
}
