// Walks through folders that a plug-in names.
// SPDX-License-Identifier: Apache-2.0

internal import ForeignPlugIns
internal import Glibc
internal import HostSystem

/// A walk through a folder, each place once: a loop of links ends.
enum CLAPFolderWalk {
  /// Visits a file, or a folder and its contents.
  ///
  /// - Parameter receive: Receives a path, and whether it is a folder; the walk ends when it returns false.
  static func visit(_ path: String, isDeep: Bool, _ receive: (String, Bool) -> Bool) {
    var seen: Set<String> = []
    var queue = [path][...]
    while let folder = queue.popFirst() {
      let place = PathStamp(of: folder)
      guard seen.insert("\(place.device) \(place.inode)").inserted else { continue }
      guard isFolder(folder) else {
        guard receive(folder, false) else { return }
        continue
      }
      guard receive(folder, true) else { return }
      var inner: [String] = []
      for name in SearchFolders.names(in: folder) {
        let path = folder + "/" + name
        if isFolder(path) {
          if isDeep { inner.append(path) }
        } else if !receive(path, false) {
          return
        }
      }
      queue = inner + queue
    }
  }

  /// Whether the name of a file is one of a pattern of the shell; every name is one of an empty pattern.
  static func matches(_ path: String, _ pattern: String) -> Bool {
    guard !pattern.isEmpty else { return true }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return unsafe fnmatch(pattern, name, 0) == 0
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe path.withFileName { unsafe stat($0, &status) } == 0
      && status.st_mode & S_IFMT == S_IFDIR
  }
}
