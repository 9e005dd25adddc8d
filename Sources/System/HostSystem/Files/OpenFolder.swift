// An open folder: made, read and brought to the disk by its descriptor.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import CHostSystem
import Glibc

/// An open folder.
package final class OpenFolder {
  package let descriptor: Int32
  /// The path for messages, and for the removal of unfinished files.
  package let path: String
  package let identity: FileIdentity?

  package init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
    var status = stat()
    identity =
      unsafe fstat(descriptor, &status) == 0
      ? FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)) : nil
  }

  deinit { close(descriptor) }

  /// Whether the path still leads here: not when its disk was removed.
  package var isInPlace: Bool {
    guard let now = FileIdentity.of(path) else { return false }
    return now.identity == identity
  }

  /// The greatest number of bytes that a name in it may have.
  package var longestName: Int {
    let most = fpathconf(descriptor, Int32(_PC_NAME_MAX))
    return most > 0 ? min(most, Int(NAME_MAX)) : Int(NAME_MAX)
  }

  /// Whether it still has a name anywhere: not when it was removed.
  package var hasName: Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_nlink > 0
  }

  /// An empty file without a name, for sound that is gone through more than once.
  package func makeNamelessFile(run: String) throws(AuricleError) -> Int32 {
    let flags = O_RDWR | O_CLOEXEC
    // O_TMPFILE, which Swift does not see.
    let nameless = unsafe openat(descriptor, ".", flags | 0o20000000 | O_DIRECTORY, 0o600)
    if nameless >= 0 { return nameless }
    // Some file systems cannot: then a name is made and removed again.
    let name = ".\(run).\(UInt32.random(in: 0...(.max))).spool"
    let opened = unsafe openat(descriptor, name, flags | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    guard opened >= 0 else { throw systemError(errno, "write into", path) }
    unsafe unlinkat(descriptor, name, 0)
    return opened
  }

  /// Brings the names in the folder to the disk: 0 or an errno number. Some file systems cannot,
  /// which is no failure.
  package func synchronize() -> Int32 {
    let number = FileTransfer.synchronize(descriptor)
    return number == EINVAL || number == ENOTSUP ? 0 : number
  }
}
