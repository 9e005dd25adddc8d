// A file of the system as a store of bytes.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem

/// A regular file. A writer has it alone among writers.
package final class FileStore: ByteStore {
  private let descriptor: FileDescriptor

  /// Opens a file that exists.
  ///
  /// - Throws: `.notFound`; `.permission` where the system refuses or another program writes;
  ///   `.fileType` for another kind than a regular file.
  package convenience init(opening path: String, writable: Bool) throws(AudioFileFailure) {
    // Without waiting: a pipe without a writer would hold the caller.
    let flags = (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    try self.init(owning: retrying { unsafe open(path, flags) }, writable: writable)
  }

  /// Makes a file, or empties one.
  ///
  /// - Throws: `.permission` when it exists and shall not be replaced; as `init(opening:)`.
  package convenience init(creating path: String, erasing: Bool) throws(AudioFileFailure) {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (erasing ? 0 : O_EXCL)
    try self.init(owning: retrying { unsafe open(path, flags, 0o666) }, writable: true)
    // Emptied once it is held: not under another's hands.
    try resize(to: 0)
  }

  /// Uses a file that is open already and stays its owner's; nobody else is kept from it.
  package init(sharing number: Int32) throws(AudioFileFailure) {
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw Self.failure(errno) }
    descriptor = FileDescriptor(owning: copy)
  }

  private init(owning number: Int32, writable: Bool) throws(AudioFileFailure) {
    guard number >= 0 else { throw Self.failure(errno) }
    descriptor = FileDescriptor(owning: number)
    var facts = stat()
    guard unsafe fstat(number, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw .fileType
    }
    guard !writable || retrying({ flock(number, LOCK_EX | LOCK_NB) }) == 0 else {
      throw .permission
    }
  }

  private static func failure(_ number: Int32) -> AudioFileFailure {
    switch number {
    case ENOENT, ENOTDIR: .notFound
    case EACCES, EPERM, EROFS, EEXIST, ETXTBSY: .permission
    case EISDIR, ENXIO, ENODEV, ELOOP: .fileType
    case EMFILE, ENFILE: AudioFileFailure(-42)
    default: .unspecified
    }
  }

  package var byteCount: Int64 {
    get throws(AudioFileFailure) {
      var facts = stat()
      guard unsafe fstat(descriptor.number, &facts) == 0 else { throw .unspecified }
      return Int64(facts.st_size)
    }
  }

  package func read(
    at position: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(AudioFileFailure) -> Int {
    guard position >= 0 else { throw .parameter }
    var done = 0
    while done < buffer.count {
      let count = retrying {
        unsafe pread(
          descriptor.number, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done,
          off_t(position) + done)
      }
      guard count >= 0 else { throw .unspecified }
      if count == 0 { break }
      done += count
    }
    return done
  }

  package func write(
    _ bytes: UnsafeRawBufferPointer, at position: Int64
  ) throws(AudioFileFailure) {
    guard position >= 0 else { throw .parameter }
    var done = 0
    while done < bytes.count {
      let count = retrying {
        unsafe pwrite(
          descriptor.number, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done,
          off_t(position) + done)
      }
      guard count > 0 else { throw errno == EBADF ? .permission : .unspecified }
      done += count
    }
  }

  package func resize(to byteCount: Int64) throws(AudioFileFailure) {
    guard byteCount >= 0, retrying({ ftruncate(descriptor.number, off_t(byteCount)) }) == 0 else {
      throw .unspecified
    }
  }
}
