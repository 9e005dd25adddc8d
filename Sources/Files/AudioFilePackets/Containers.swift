// The list of all containers, and which one a file is.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// All containers.
package enum Containers {
  static let all: [any Container.Type] = [
    WaveContainer.self, Wave64Container.self, AIFFContainer.self, CAFContainer.self,
    NextContainer.self, MP4Container.self, FLACContainer.self, OggContainer.self, AMRContainer.self,
    AC3Container.self,
    ADTSContainer.self, MPEGAudioContainer.self,
  ]

  /// The types that can be read.
  package static let readableTypes: [AudioFileTypeID] = all.flatMap { $0.types }

  /// The containers that can be written, by type.
  static let writable: [AudioFileTypeID: any Container.Type] = {
    var found: [AudioFileTypeID: any Container.Type] = [:]
    for container in all {
      for type in container.types where !FormatTables.formats(of: type).isEmpty {
        found[type] = container
      }
    }
    return found
  }()

  /// The types that can be written, in the order of `readableTypes`.
  package static var writableTypes: [AudioFileTypeID] {
    readableTypes.filter { writable[$0] != nil }
  }

  /// Returns the container of a file by its content; hint and extension break ties.
  static func recognize(
    _ head: [UInt8], _ bytes: BufferedStore, hint: AudioFileTypeID, fileExtension: String
  ) throws(AudioFileFailure) -> (AudioFileTypeID, any Container.Type)? {
    for container in all {
      if let type = container.type(of: head) { return (type, container) }
    }
    // Frames without a magic number: behind a tag, or behind other bytes in front of them.
    return try FrameStreams.recognize(bytes, hint: hint, fileExtension: fileExtension)
  }
}
