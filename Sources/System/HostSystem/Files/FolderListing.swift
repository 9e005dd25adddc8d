// The names in a folder.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads folders. Context: control.
package enum FolderListing {
  /// The names of the entries of a folder, hidden ones too; none of a folder that cannot be read.
  package static func names(in folder: String) -> [String] {
    var names: [String] = []
    read(folder) { name in
      names.append(name)
      return true
    }
    return names
  }

  /// Whether a folder can be read, and is empty or has no entry but the one of this name.
  package static func isEmpty(_ folder: String, besides known: String) -> Bool {
    var isEmpty = true
    let isRead = read(folder) { name in
      isEmpty = name == known
      return isEmpty
    }
    return isRead && isEmpty
  }

  /// Calls `body` with each name until it returns false; false when the folder cannot be read.
  @discardableResult
  private static func read(_ folder: String, _ body: (String) -> Bool) -> Bool {
    guard let directory = unsafe opendir(folder) else { return false }
    defer { unsafe closedir(directory) }
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe FileNameText.text(bytes.prefix { $0 != 0 })
      }
      if name != ".", name != "..", !body(name) { break }
    }
    return true
  }
}
