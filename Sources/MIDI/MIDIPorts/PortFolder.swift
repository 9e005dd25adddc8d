// The folder in which processes publish their ports.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem

/// A folder that belongs to one user: a file for each endpoint, a socket for each process that has some.
///
/// Context: control; any thread.
package final class PortFolder: Sendable {
  package let path: String
  /// The open folder.
  package let descriptor: Int32

  /// Opens a folder, made where it is missing.
  ///
  /// - Throws: `.start` if it cannot be made, or is another user's.
  package init(path: String) throws(MIDIError) {
    self.path = path
    do { try FolderMaker.make(path) } catch { throw .start }
    descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    var status = stat()
    var above = stat()
    guard descriptor >= 0, unsafe fstat(descriptor, &status) == 0, status.st_uid == geteuid(),
      // Nobody else can have made the folder that it is in.
      unsafe fstatat(descriptor, "..", &above, 0) == 0, above.st_uid == geteuid()
    else {
      if descriptor >= 0 { close(descriptor) }
      throw .start
    }
    _ = fchmod(descriptor, 0o700)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The folder of this user: `auricle/midi` in the runtime folder; without a home folder `/tmp/auricle-UID/midi`, which
  /// another user can occupy.
  package static let usualPath =
    RuntimeFolder.path().map { $0 + "/auricle/midi" } ?? "/tmp/auricle-\(geteuid())/midi"

  /// The names in it.
  package var names: [String] { FolderListing.names(in: path) }

  /// The content of a file in it, at most a megabyte; nil where there is none.
  package func read(_ name: String) -> [UInt8]? {
    let file = unsafe openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return FileTransfer.readAll(file, limit: 1 << 20)
  }

  /// Replaces a file at once. Only under the lock.
  package func write(_ name: String, _ bytes: [UInt8]) throws(MIDIError) {
    let part = ".part"
    let file = unsafe openat(
      descriptor, part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw .start }
    let failure = FileTransfer.writeAll(bytes, to: file)
    close(file)
    guard failure == 0, unsafe renameat(descriptor, part, descriptor, name) == 0 else {
      throw .start
    }
  }

  /// Removes a file.
  package func remove(_ name: String) { unsafe unlinkat(descriptor, name, 0) }

  /// Runs a body while no other process changes the folder.
  ///
  /// - Throws: The errors of the body; `.send` if another process keeps the lock for five seconds.
  package func locked<Result>(_ body: () throws(MIDIError) -> Result) throws(MIDIError) -> Result {
    let lock = unsafe openat(descriptor, ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw .start }
    defer { close(lock) }
    var tries = 0
    while flock(lock, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR, tries < 5000 else { throw .send }
      tries += 1
      // The system has no wait for a lock with a limit.
      usleep(1000)
    }
    return try body()
  }
}
