// Backups of originals that results replace.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import FileRendering
import Glibc
import HostSystem

extension PartFile {
  /// Links the original under its backup name; 0 or an errno number.
  ///
  /// If the file system has no hard links, the original is copied.
  package func keepOriginal(as backup: String) -> Int32 {
    if unsafe linkat(folder.descriptor, name, folder.descriptor, backup, 0) == 0 { return 0 }
    switch errno {
    case EEXIST:
      // Left by a run that was interrupted here: both names are of one file, or of the same bytes.
      return isKept(as: backup) ? 0 : EEXIST
    case EPERM, ENOTSUP, ENOSYS, EMLINK, EINVAL: return copyOriginal(to: backup)
    case let number: return number
    }
  }

  private func isKept(as backup: String) -> Bool {
    var original = stat()
    var kept = stat()
    guard unsafe fstatat(folder.descriptor, name, &original, AT_SYMLINK_NOFOLLOW) == 0,
      unsafe fstatat(folder.descriptor, backup, &kept, AT_SYMLINK_NOFOLLOW) == 0
    else { return false }
    if original.st_ino == kept.st_ino, original.st_dev == kept.st_dev { return true }
    guard original.st_size == kept.st_size, kept.st_mode & S_IFMT == S_IFREG else { return false }
    let stored = StoredFile.of(folder: folder.descriptor, name: backup)
    return stored != nil && stored == StoredFile.of(folder: folder.descriptor, name: name)
  }

  /// Copies the original; the copy is complete and synchronized before it gets the name.
  private func copyOriginal(to backup: String) -> Int32 {
    let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let original = unsafe openat(folder.descriptor, name, flags)
    guard original >= 0 else { return errno }
    defer { close(original) }
    var refusal: Int32 = 0
    let copy = PartFile(folder: folder, name: backup, run: run, failure: &refusal)
    guard refusal == 0 else { return refusal }
    var status = stat()
    guard unsafe fstat(original, &status) == 0 else { return errno }
    _ = FileAttributes.copy(from: original, to: copy.descriptor)
    let failed = Self.copy(original, to: copy.descriptor)
    guard failed == 0 else { return failed }
    unsafe _ = futimens(copy.descriptor, [status.st_atim, status.st_mtim])
    let synchronized = FileTransfer.synchronize(copy.descriptor)
    guard synchronized == 0 else { return synchronized }
    let number = copy.publish(replacing: false)
    return number == 0 ? folder.synchronize() : number
  }

  /// Copies all bytes of a file; 0 or an errno number.
  private static func copy(_ source: Int32, to target: Int32) -> Int32 {
    var block = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = retrying { unsafe read(source, &block, block.count) }
      guard count != 0 else { return 0 }
      guard count > 0 else { return errno }
      let number = unsafe block.withUnsafeBytes {
        unsafe FileTransfer.writeAll(UnsafeRawBufferPointer(rebasing: $0[..<count]), to: target)
      }
      guard number == 0 else { return number }
    }
  }
}
