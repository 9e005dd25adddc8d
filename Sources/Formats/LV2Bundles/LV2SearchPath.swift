// The bundles on a search path.
// SPDX-License-Identifier: Apache-2.0

internal import AudioComponents
internal import Glibc
internal import HostSystem

/// The folders that are searched for LV2 bundles.
package struct LV2SearchPath: Equatable, Sendable {
  /// Absolute folders, first ones win.
  package let folders: [String]

  /// The given path, otherwise LV2_PATH, otherwise the default folders.
  ///
  /// A leading "~" stands for the home folder. Folders named twice count once.
  package init(_ text: String?) {
    let home = environment("HOME") ?? ""
    let text =
      text ?? environment("LV2_PATH") ?? "\(home)/.lv2:/usr/local/lib/lv2:/usr/lib/lv2"
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

  /// The bundles of all folders: each folder inside one that has a manifest, sorted by name.
  ///
  /// A bundle reached twice (through a link) counts once. A manifest that is a dangling link makes a broken
  /// bundle.
  package func bundles() -> [String] {
    var found: [String] = []
    var seen: Set<String> = []
    for folder in folders {
      for name in LV2SearchPath.names(in: folder) {
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

  /// The names in a folder, sorted, without those that begin with a dot.
  package static func names(in folder: String) -> [String] {
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe FileNameText.text(cString: $0)
        }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
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
