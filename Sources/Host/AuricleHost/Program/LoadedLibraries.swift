// The libraries of this process.
// SPDX-License-Identifier: Apache-2.0

import HostSystem

/// The libraries that this process has loaded.
enum LoadedLibraries {
  /// The folders of their files.
  static var folders: [String] {
    guard let maps = FileDescriptor(ifReadable: "/proc/self/maps"),
      let bytes = FileTransfer.readAll(maps.number)
    else { return [] }
    var folders: Set<String> = []
    var last: ArraySlice<UInt8> = []
    // By bytes: characters of a hundred lines cost more than the rest of a start.
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let slash = line.firstIndex(of: UInt8(ascii: "/")), line[slash...] != last else {
        continue
      }
      // Each library has several lines, one behind the other.
      last = line[slash...]
      if isLibrary(last) { folders.insert(ParentFolder.of(String(decoding: last, as: UTF8.self))) }
    }
    return folders.sorted()
  }

  /// Whether a path is named like a library: `.so` at its end, or `.so.` in it.
  private static func isLibrary(_ path: ArraySlice<UInt8>) -> Bool {
    let mark = Array(".so".utf8)
    return path.indices.contains { start in
      guard path[start...].starts(with: mark) else { return false }
      let end = start + mark.count
      return end == path.endIndex || path[end] == UInt8(ascii: ".")
    }
  }
}
