// Checks that a report can be written: a regular file whose folder exists or can be created.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
package import AudioTypes
import Glibc
import HostSystem
import Workers

/// Checks the file that a report is to be written to, before the run begins.
package enum ReportPlace {
  /// Refuses a path that no report can be written to; the output folder may not exist yet.
  package static func check(_ path: String, output: String?) throws(AuricleError) {
    let folder = FolderMaker.realPath(Path.folder(of: path))
    try checkKind(path)
    if let output {
      let root = FolderMaker.realPath(output)
      if folder == root || folder.hasPrefix(root + "/") {
        // Missing folders are created at the end.
        return try checkFolders(folder, of: path)
      }
    }
    guard unsafe access(folder, W_OK) == 0 else {
      throw systemError(errno, "write the report", path)
    }
  }

  /// Refuses a path that exists and is no regular file.
  private static func checkKind(_ path: String) throws(AuricleError) {
    let refusal = "cannot write the report \(path): it "
    guard !DescriptorLink.isOne(path) else {
      throw AuricleError(
        .usage,
        refusal + "leads to an open file of a process, as /dev/stdout does; name a file, or print "
          + "it with auricle report when the run has ended")
    }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: throw AuricleError(.usage, refusal + "is a folder")
    default: throw AuricleError(.usage, refusal + "is no regular file (a pipe or a device)")
    }
  }

  /// Refuses a path that holds something else than a report, once the inputs of the run are known: one of those has a
  /// sentence that says more.
  package static func checkContent(_ path: String) throws(AuricleError) {
    guard unsafe access(path, F_OK) == 0, !ReportFormat.isReport(path) else { return }
    throw AuricleError(
      .usage,
      "cannot write the report \(path): it is there already, and no report of auricle: name another "
        + "file, or remove that one")
  }

  /// Refuses a folder that cannot be created because a part of its path is a file.
  private static func checkFolders(_ folder: String, of path: String) throws(AuricleError) {
    var folder = folder
    var status = stat()
    while unsafe stat(folder, &status) != 0 {
      let parent = Path.folder(of: folder)
      guard parent != folder else { return }
      folder = parent
    }
    guard status.st_mode & S_IFMT != S_IFDIR else { return }
    throw AuricleError(
      .usage,
      "cannot write the report \(path): \(folder) is a file, so nothing can be written into it")
  }

  /// Creates the folder of a report inside the output folder.
  static func makeFolder(of path: String, in root: String) throws(AuricleError) {
    let folder = FolderMaker.realPath(Path.folder(of: path))
    let root = FolderMaker.realPath(root)
    guard folder.hasPrefix(root == "/" ? root : root + "/") else { return }
    try FolderMaker.make(folder)
  }

  /// Refuses a report that would replace a file that the run reads: an input, the list, the preset. The plan
  /// checks inputs found in folders itself.
  package static func checkReplacing(_ path: String, _ read: [String?]) throws(AuricleError) {
    guard let report = identity(path) else { return }
    for case .some(let file) in read where identity(file) == report {
      throw AuricleError(
        .usage,
        "the report \(path) would replace \(file), which the run reads: give --report another name")
    }
  }

  /// The identity of a file under any name; nil when it does not exist.
  private static func identity(_ path: String) -> [UInt64]? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return [UInt64(status.st_dev), UInt64(status.st_ino)]
  }
}
