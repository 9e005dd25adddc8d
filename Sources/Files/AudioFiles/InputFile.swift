// Files that are to be read, opened without waiting.
// SPDX-License-Identifier: Apache-2.0

import AudioFileParsing
public import AudioTypes
import Glibc
import HostSystem

/// Files that are to be read.
public enum InputFile {
  /// Opens a file for reading without waiting for anything (a pipe would make it wait).
  ///
  /// Errors: `noInput` when it is missing, `inputOutput` when it cannot be read.
  ///
  /// Context: control.
  public static func open(_ path: String) throws(AuricleError) -> Int32 {
    guard !path.isEmpty else { throw AuricleError(.noInput, "the path of an audio file is empty") }
    let descriptor = unsafe HostSystem.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw systemError(errno, "read", path) }
    return descriptor
  }

  /// Owns an open file that is regular and not empty.
  static func stream(_ descriptor: Int32, _ path: String) throws(AuricleError) -> FileStream {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      let number = errno
      close(descriptor)
      throw systemError(number, "read", path)
    }
    let stream = FileStream(
      descriptor: descriptor, length: Int(status.st_size), ownsDescriptor: true)
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR:
      throw AuricleError(
        .inputOutput, status: FileStatus.unsupportedType, "\(path) is a folder, not an audio file")
    default:
      throw AuricleError(
        .inputOutput, status: FileStatus.unsupportedType,
        "\(path) is no regular file (a pipe or a device)")
    }
    guard status.st_size > 0 else {
      throw AuricleError(.badData, status: FileStatus.invalidFile, "\(path) is empty (0 bytes)")
    }
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    return stream
  }
}
