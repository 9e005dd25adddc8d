// Files that the preset names, while the run goes on: they are heard in every result, so they have to stay.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes

extension Supervisor {
  /// Tells of the files again when one of them is not what the first worker found, which stops a run
  /// that is tied to them; a file that was only written anew, with the same bytes, is noted.
  func lookAtSideFiles() {
    guard sideFiles.contains(where: { FileStamp(path: $0.path) != $0.stamp }) else { return }
    let now = sideFiles.compactMap { PresetFile(path: $0.path) }
    let hasChanged = PresetFile.difference(sideFiles, now) != nil
    sideFiles = now
    if hasChanged { tell(.sideFiles(now)) }
  }
}
