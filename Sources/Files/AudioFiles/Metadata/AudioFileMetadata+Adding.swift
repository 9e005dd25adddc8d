// Metadata into a file whose sound another program wrote.
// SPDX-License-Identifier: Apache-2.0

import AudioFileParsing
package import AudioTypes
import Glibc
import HostSystem

extension AudioFileMetadata {
  /// Adds texts, pictures and marks behind or around the sound of a file, as far as such files have
  /// places for them.
  ///
  /// - Returns: Notes of everything without a place.
  /// Errors: `inputOutput`.
  ///
  /// Context: control.
  package func add(
    toFile descriptor: Int32, path: String, format: AudioFileFormat, frameCount: Int
  ) throws(AuricleError) -> [String] {
    let stream = FileStream(
      descriptor: descriptor, length: Int(lseek(descriptor, 0, SEEK_END)), ownsDescriptor: false)
    let dropped = appendChunks(to: stream, format, isCopy: true) + droppedByCopy(format)
    if let problem = writeTags(to: stream, format, frameCount: frameCount) {
      throw AuricleError(
        .inputOutput, status: FileStatus.unspecified, "cannot write \(path): \(problem)")
    }
    guard stream.failure == 0 else { throw systemError(stream.failure, "write", path) }
    return dropped.isEmpty
      ? []
      : [
        "\(format.container.name) files have no place for \(dropped.joined(separator: ", ")): left out"
      ]
  }
}

extension AudioFileMetadata {
  /// The kinds of metadata for which a file of copied packets has no place.
  private func droppedByCopy(_ format: AudioFileFormat) -> [String] {
    let container = format.container
    var dropped = droppedTags(container)
    if format.tagPlace == nil, !container.storesID3, container != .caf {
      for key in TextKey.allCases where key != .software && texts[key]?.isEmpty == false {
        dropped.append(key.rawValue)
      }
    }
    if !broadcastExtension.isEmpty { dropped.append("broadcast extension") }
    if !cart.isEmpty { dropped.append("cart") }
    if !instrument.isEmpty, container != .aiff { dropped.append("instrument") }
    let holdsMarks =
      container.storesID3 || container == .caf || format.tagPlace != nil && container != .m4a
    if !cuePoints.isEmpty, !holdsMarks { dropped.append("marks") }
    return dropped
  }
}
