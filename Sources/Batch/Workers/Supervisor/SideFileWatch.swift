// Files that the preset names, while the run goes on: they are heard in every result, so they have to stay.
// SPDX-License-Identifier: Apache-2.0

import FileRendering
import HostSystem

/// The files that the preset names, as the first worker found them.
struct SideFileWatch {
  var files: [PresetFile] = []

  /// The files as they are now where one of them is not what it was; one that was only written anew, with
  /// the same bytes, is noted.
  mutating func changes() -> [PresetFile]? {
    guard files.contains(where: { FileStamp(path: $0.path) != $0.stamp }) else { return nil }
    let now = files.compactMap { PresetFile(path: $0.path) }
    let hasChanged = PresetFile.difference(files, now) != nil
    files = now
    return hasChanged ? now : nil
  }
}
