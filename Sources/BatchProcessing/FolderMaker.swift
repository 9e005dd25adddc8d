// Makes the folders that results go into.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
public import AudioTypes
import Glibc

/// Makes a folder and those above it.
public enum FolderMaker {
  /// Makes what is missing of a folder; without effect when it is there.
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
