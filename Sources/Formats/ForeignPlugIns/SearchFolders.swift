// The folders that are searched for plug-ins of a format.
// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HostSystem

/// The folders of a search path: absolute, first ones win.
package struct SearchFolders: Equatable, Sendable {
  /// The folders.
  package let folders: [String]

  /// The folders of a text; without one those of an environment variable, otherwise the standard ones.
  ///
  /// A leading "~" is replaced by the home folder, and repeated folders are removed.
  ///
  /// - Parameters:
  ///   - text: Folders separated by ":"; nil for the variable's.
  ///   - variable: The name of the environment variable.
  ///   - standard: The folders where that is unset or empty.
  ///
  /// Context: control.
  package init(_ text: String?, variable: String, standard: String) {
    let home = environment("HOME") ?? ""
    let text = text ?? environment(variable) ?? standard
    var folders: [String] = []
    for part in text.split(separator: ":") {
      var folder = String(part)
      if folder == "~" || folder.hasPrefix("~/") { folder = home + folder.dropFirst() }
      while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
      if !folder.hasPrefix("/") { folder = currentFolder() + "/" + folder }
      if !folders.contains(folder) { folders.append(folder) }
    }
    self.folders = folders
  }

  /// The folder of libraries of this machine's architecture.
  package static var architectureFolder: String {
    #if arch(arm64)
      "/usr/lib/aarch64-linux-gnu"
    #else
      "/usr/lib/x86_64-linux-gnu"
    #endif
  }

  /// The plain files with an ending in the folders, sorted by name in each.
  ///
  /// A file reached twice, through a link, counts once. Folders are searched in depth where the format says so,
  /// each once: a loop of links ends.
  ///
  /// - Parameters:
  ///   - ending: The ending of a file's name, such as ".so".
  ///   - isDeep: Whether folders in folders are searched.
  ///   - isBundle: Whether a folder with the ending is found as well, and not searched.
  ///
  /// Context: control.
  package func files(ending: String, isDeep: Bool = false, isBundle: Bool = false) -> [String] {
    var found: [String] = []
    var seen: Set<String> = []
    var queue = folders[...]
    while let folder = queue.popFirst() {
      let place = PathStamp(of: folder)
      guard place.exists, seen.insert("\(place.device) \(place.inode)").inserted else { continue }
      var inner: [String] = []
      for name in SearchFolders.names(in: folder) {
        let path = folder + "/" + name
        let isNamed = name.hasSuffix(ending)
        guard isNamed || isDeep else { continue }
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
          // A link to nowhere is a broken plug-in.
          if isNamed { found.append(path) }
          continue
        }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        if isFolder, !(isNamed && isBundle) {
          if isDeep { inner.append(path) }
        } else if isNamed, isFolder || status.st_mode & S_IFMT == S_IFREG,
          seen.insert("\(status.st_dev) \(status.st_ino)").inserted
        {
          found.append(path)
        }
      }
      queue = inner + queue
    }
    return found
  }

  /// Whether a path leads to a folder.
  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns the names in a folder, sorted, without the ones that begin with a dot.
  package static func names(in folder: String) -> [String] {
    FolderListing.names(in: folder).filter { !$0.hasPrefix(".") }.sorted()
  }
}

/// The value of an environment variable; nil when unset or empty.
package func environment(_ name: String) -> String? {
  guard let value = unsafe getenv(name) else { return nil }
  let text = unsafe FileNameText.text(cString: value)
  return text.isEmpty ? nil : text
}

private func currentFolder() -> String {
  guard let path = unsafe getcwd(nil, 0) else { return "" }
  defer { unsafe free(path) }
  return unsafe FileNameText.text(cString: path)
}
