// The files of a project, to see which of them were changed.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem

/// The state of the files that a plug-in is built of: all in its folder but hidden ones and results of a build.
package struct ProjectFiles: Sendable, Equatable {
  private var stamps: [String: FileStamp] = [:]

  /// Notes the present state of the files.
  ///
  /// Context: control.
  package init(in folder: String) { add(folder, below: "", depth: 0) }

  private mutating func add(_ folder: String, below: String, depth: Int) {
    for name in FolderListing.names(in: folder) {
      guard !name.hasPrefix("."), !name.hasSuffix("~"), !(depth == 0 && name == "build"),
        !name.hasSuffix(".component")
      else { continue }
      let path = Path.joining(folder, name)
      if FileIdentity.of(path)?.kind == .folder {
        if depth < 8 { add(path, below: below + name + "/", depth: depth + 1) }
      } else if let stamp = FileStamp(path: path) {
        stamps[below + name] = stamp
      }
    }
  }

  /// The differences, in order of names.
  package func changes(since before: ProjectFiles) -> [(word: String, name: String)] {
    Set(stamps.keys).union(before.stamps.keys).sorted().compactMap { name in
      switch (before.stamps[name], stamps[name]) {
      case (nil, .some): ("new", name)
      case (.some, nil): ("gone", name)
      case (let old, let new) where old != new: ("changed", name)
      default: nil
      }
    }
  }
}
