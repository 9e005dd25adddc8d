// The libraries of this process.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The libraries that this process has loaded.
enum LoadedLibraries {
  /// The folders of their files.
  static var folders: [String] {
    // Read through a handle: files of the kernel have no length, and `contentsOfFile` reads only one page of
    // them.
    let handle = FileHandle(forReadingAtPath: "/proc/self/maps")
    guard let maps = try? handle?.readToEnd() else { return [] }
    var folders: Set<String> = []
    for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
      guard let slash = line.firstIndex(of: "/"), line.hasSuffix(".so") || line.contains(".so.")
      else { continue }
      folders.insert(ParentFolder.of(String(line[slash...])))
    }
    return folders.sorted()
  }
}
