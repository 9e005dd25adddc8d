// A result on its way: `.NAME.RUN.part` beside its destination.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import CSystemSupport
import Glibc

/// An unfinished file; letting go of it removes it, unless it was named.
final class PartFile {
  /// The open file.
  let descriptor: Int32
  /// The folder it lies in.
  let folder: OpenFolder
  /// The name it is to get.
  let name: String
  private let partName: String
  private let slot: Int32
  private var isUnnamed = true

  /// Creates it anew; one that a process before left is removed.
  init(
    folder: OpenFolder, name: String, run: String, shownPath: String
  ) throws(AuricleError) {
    self.folder = folder
    self.name = name
    partName = Self.name(of: name, run: run)
    // Known before it is there, so that an interruption at any moment removes it.
    slot = unsafe AuriclePartFileRemember(Path.joining(folder.path, partName))
    var opened: Int32 = -1
    var reason: Int32 = 0
    for _ in 0..<4 {
      opened = unsafe openat(
        folder.descriptor, partName, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
      if opened >= 0 { break }
      reason = errno
      if reason == EINTR { continue }
      // The run's own: nobody else takes this name.
      guard reason == EEXIST, unsafe unlinkat(folder.descriptor, partName, 0) == 0 else { break }
    }
    descriptor = opened
    guard opened >= 0 else {
      isUnnamed = false
      throw systemError(reason, "write", shownPath)
    }
  }

  deinit {
    if isUnnamed { unsafe unlinkat(folder.descriptor, partName, 0) }
    AuriclePartFileForget(slot)
    if descriptor >= 0 { close(descriptor) }
  }

  /// Gives it its name: 0 or an errno number, EEXIST when it is taken and not to be replaced.
  func giveName(replacing: Bool) -> Int32 {
    while true {
      let number = unsafe AuricleMoveFileAt(folder.descriptor, partName, name, replacing)
      if number == EINTR { continue }
      if number == 0 { isUnnamed = false }
      return number
    }
  }

  /// Its length; -1 when it cannot be told.
  var byteCount: Int {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : -1
  }

  /// Whether a file of its name is there that has the same bytes.
  var isThereAlready: Bool {
    var hash: UInt64 = 0
    var count: UInt64 = 0
    guard unsafe AuricleXXH64File(descriptor, &hash, &count) == 0 else { return false }
    let own = StoredFile(byteCount: Int(clamping: count), checksum: hash)
    return StoredFile.of(folder: folder.descriptor, name: name) == own
  }

  /// Removes a file that was given its name.
  func takeNameBack() { unsafe unlinkat(folder.descriptor, name, 0) }

  /// Takes over the permissions of the file that is to be replaced, and its owner and group as far as
  /// this process may give files away.
  func takePermissions() {
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
  static func removeLeftover(of name: String, run: String, in folder: OpenFolder) {
    unsafe unlinkat(folder.descriptor, Self.name(of: name, run: run), 0)
  }

  /// The hidden name of an unfinished file; long names are shortened to what a folder takes.
  static func name(of name: String, run: String) -> String {
    let whole = ".\(name).\(run).part"
    guard whole.utf8.count > Int(NAME_MAX) else { return whole }
    let bytes = Array(name.utf8)
    let hash = unsafe bytes.withUnsafeBytes { unsafe AuricleXXH64($0.baseAddress, $0.count) }
    let kept = String(decoding: name.utf8.prefix(160), as: UTF8.self).filter { $0 != "\u{FFFD}" }
    return ".\(kept).\(Hexadecimal.text(hash)).\(run).part"
  }
}
