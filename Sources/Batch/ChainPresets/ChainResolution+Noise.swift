// Joining the noises of a preset to their files.
// SPDX-License-Identifier: Apache-2.0

import HostSystem

extension ChainResolver {
  /// Finds the files of a noise.
  mutating func noise(_ entry: NoiseEntry) -> ResolvedNoise? {
    let position = entry.source.position
    let files: [String]?
    switch entry.source.value {
    case .file(let path): files = existingFile(path, at: position).map { [$0] }
    case .folder(let path): files = soundFiles(in: path, at: position)
    }
    guard let files, let first = files.first else { return nil }
    return ResolvedNoise(
      label: entry.label?.value ?? "Noise", files: files, file: first,
      ratioDecibels: entry.ratioDecibels, isBypassed: entry.isBypassed)
  }
}
