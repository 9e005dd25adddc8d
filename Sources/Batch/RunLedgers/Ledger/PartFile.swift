// A result on its way: `.NAME.RUN.part` beside its destination.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
package import AudioTypes
import CHostSystem
import FileRendering
import Glibc
package import HostSystem

/// An unfinished file; letting go of it removes it, unless it was named.
package final class PartFile {
  /// The open file.
  package let descriptor: Int32
  /// The folder it lies in.
  package let folder: OpenFolder
  /// The name it is to get.
  package let name: String
  /// The run that it is of.
  package let run: String
  private let partName: String
  private let slot: Int32
  private var isUnnamed = true
  /// How long it is now that it is complete; nil before. A unit in a worker may still reach it.
  package var completeByteCount: Int?

  /// Creates it anew; one that a process before left is removed.
  package convenience init(
    folder: OpenFolder, name: String, run: String, shownPath: String
  ) throws(AuricleError) {
    var number: Int32 = 0
    self.init(folder: folder, name: name, run: run, failure: &number)
    guard number == 0 else { throw systemError(number, "write", shownPath) }
  }

  /// The same; in `failure` stays 0, or it gets an errno number, and then there is no file.
  package init(folder: OpenFolder, name: String, run: String, failure: inout Int32) {
    self.folder = folder
    self.name = name
    self.run = run
    partName = Self.name(of: name, run: run, in: folder)
    // Known before it is there, so that an interruption at any moment removes it.
    slot = unsafe AuriclePartFileRemember(Path.joining(folder.path, partName))
    var opened: Int32 = -1
    // Told before the work: the hidden name may be shorter.
    var reason: Int32 = Self.isTooLong(name, for: folder) ? ENAMETOOLONG : 0
    for _ in 0..<4 where reason != ENAMETOOLONG {
      opened = unsafe openat(
        folder.descriptor, partName, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
      if opened >= 0 { break }
      reason = errno
      if reason == EINTR { continue }
      // The run's own: nobody else takes this name.
      guard reason == EEXIST else { break }
      if unsafe unlinkat(folder.descriptor, partName, 0) != 0, errno != ENOENT {
        reason = errno
        break
      }
    }
    descriptor = opened
    if opened < 0 {
      isUnnamed = false
      failure = reason
    }
  }

  deinit {
    if isUnnamed { unsafe unlinkat(folder.descriptor, partName, 0) }
    AuriclePartFileForget(slot)
    if descriptor >= 0 { close(descriptor) }
  }

  /// What `giveName` tells when another program has taken the unfinished file away, or put another in
  /// its place.
  package static let lost = EREMCHG
  /// What it tells when the file is not as long any more as when it was complete.
  package static let changed = ENOTUNIQ

  /// Gives it its name: 0 or an errno number, EEXIST when it is taken and not to be replaced.
  package func giveName(replacing: Bool) -> Int32 {
    if isLost { return Self.lost }
    if let completeByteCount, completeByteCount != byteCount { return Self.changed }
    while true {
      let number = unsafe AuricleMoveFileAt(folder.descriptor, partName, name, replacing)
      if number == EINTR { continue }
      if number == 0 { isUnnamed = false }
      return number
    }
  }

  /// Whether what has the hidden name is not this file any more; not so where its whole folder is gone.
  private var isLost: Bool {
    var own = stat()
    var named = stat()
    guard unsafe fstat(descriptor, &own) == 0 else { return false }
    guard unsafe fstatat(folder.descriptor, partName, &named, AT_SYMLINK_NOFOLLOW) == 0 else {
      return errno == ENOENT && folder.hasName
    }
    if own.st_ino == named.st_ino, own.st_dev == named.st_dev { return false }
    // Some file systems number files anew each time they are asked.
    return !isSame(as: partName)
  }

  /// Its length; -1 when it cannot be told.
  package var byteCount: Int {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : -1
  }

  /// Whether a file of its name is there that has the same bytes.
  package var isThereAlready: Bool { isSame(as: name) }

  private func isSame(as name: String) -> Bool {
    var hash: UInt64 = 0
    var count: UInt64 = 0
    guard unsafe AuricleXXH64File(descriptor, &hash, &count) == 0 else { return false }
    let own = StoredFile(byteCount: Int(clamping: count), checksum: hash)
    return StoredFile.of(folder: folder.descriptor, name: name) == own
  }

  /// Removes a file that was given its name.
  package func takeNameBack() { unsafe unlinkat(folder.descriptor, name, 0) }

  /// Takes over the permissions of the file that is to be replaced, and its owner and group as far as
  /// this process may give files away.
  package func takePermissions() {
    var status = stat()
    if unsafe fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
      status.st_mode & S_IFMT == S_IFREG
    {
      if fchown(descriptor, status.st_uid, status.st_gid) != 0 {
        _ = fchown(descriptor, uid_t.max, status.st_gid)
      }
      fchmod(descriptor, status.st_mode & 0o777)
    }
  }

  /// Removes the unfinished file that an earlier session of a run left, if it did.
  package static func removeLeftover(of name: String, run: String, in folder: OpenFolder) {
    unsafe unlinkat(folder.descriptor, Self.name(of: name, run: run, in: folder), 0)
  }

  private static func isTooLong(_ name: String, for folder: OpenFolder) -> Bool {
    // What any file system takes need not be asked for.
    name.utf8.count > 127 && name.utf8.count > folder.longestName
  }

  /// The hidden name of an unfinished file; long names are shortened to what the folder takes.
  package static func name(of name: String, run: String, in folder: OpenFolder) -> String {
    let whole = ".\(name).\(run).part"
    guard isTooLong(whole, for: folder) else { return whole }
    let bytes = Array(name.utf8)
    let hash = unsafe bytes.withUnsafeBytes { unsafe AuricleXXH64($0.baseAddress, $0.count) }
    let end = ".\(Hexadecimal.text(hash)).\(run).part"
    let room = min(160, max(0, folder.longestName - end.utf8.count - 1))
    let kept = String(decoding: name.utf8.prefix(room), as: UTF8.self).filter { $0 != "\u{FFFD}" }
    return ".\(kept)\(end)"
  }
}
