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
    let dropped = appendChunks(to: stream, format)
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
