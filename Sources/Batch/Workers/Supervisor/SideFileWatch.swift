// Checks that the files named by the preset stay unchanged during a run, since every result depends on them.
// SPDX-License-Identifier: Apache-2.0

import FileRendering
import HostSystem

/// The files that the preset names, as reported by the first worker.
struct SideFileWatch {
  var files: [PresetFile] = []

  /// The current state of the files if the bytes of one changed; one rewritten with the same bytes is only
  /// noted.
  mutating func changes() -> [PresetFile]? {
    guard files.contains(where: { FileIdentity.of($0.path)?.stamp != $0.stamp }) else { return nil }
    let now = files.compactMap { PresetFile(path: $0.path) }
    let hasChanged = PresetFile.difference(files, now) != nil
    files = now
    return hasChanged ? now : nil
  }
}
