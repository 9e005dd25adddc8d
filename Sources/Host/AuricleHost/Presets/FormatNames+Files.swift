// The names of containers and encodings that presets and requests may use.
// SPDX-License-Identifier: Apache-2.0

package import AudioFiles
package import AudioTypes
package import ChainPresets
import ResultSettings
import Workers

extension FormatNames {
  /// The containers and encodings of audio files.
  package static var files: FormatNames {
    FormatNames(
      containers: AudioContainer.allCases.filter { $0.defaultEncoding != nil }.map(\.name),
      encodings: AudioEncoding.allCases.filter { $0 != .other }.map(\.name),
      isContainer: { AudioContainer(named: $0) != nil },
      isEncoding: { AudioEncoding(named: $0) != nil },
      refusal: { file, output in
        var wanted = DeliverableSettings()
        wanted.container = file.settings.container.flatMap { AudioContainer(named: $0.value) }
        wanted.encoding = file.settings.encoding.flatMap { AudioEncoding(named: $0.value) }
        wanted.sampleRate = file.settings.sampleRate
        wanted.channelCount = file.settings.channelCount
        wanted.bitRate = file.settings.bitRate?.bitsPerSecond
        wanted.sharesBitRate = file.name != nil && output.bitRate == file.settings.bitRate
        return wanted.refusal
      })
  }
}

extension AudioContainer {
  /// The container of a name that a user wrote.
  ///
  /// - Throws: `.usage` with the names that are near, or with all.
  package init(written name: String) throws(AuricleError) {
    guard let found = Self(named: name) else {
      throw unknownFormat(name, .container, FormatNames.files.containers)
    }
    self = found
  }
}

extension AudioEncoding {
  /// The encoding of a name that a user wrote.
  ///
  /// - Throws: `.usage` with the names that are near, or with all.
  package init(written name: String) throws(AuricleError) {
    guard let found = Self(named: name) else {
      throw unknownFormat(name, .encoding, FormatNames.files.encodings)
    }
    self = found
  }
}

private func unknownFormat(
  _ name: String, _ kind: AuricleError.NameKind, _ known: [String]
) -> AuricleError {
  let near = suggestion(for: name, in: known)
  let hint = near.isEmpty ? "; there are \(known.joined(separator: ", "))" : near
  return AuricleError(
    .usage, "there is no \(kind.rawValue) '\(name)'\(hint)",
    cause: .unknownName(name, kind: kind))
}
