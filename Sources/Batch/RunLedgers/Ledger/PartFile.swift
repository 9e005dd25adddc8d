// An unfinished result: `.NAME.RUN.part` beside its destination.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
package import AudioTypes
import CHostSystem
import FileRendering
import Glibc
package import HostSystem

/// An unfinished file, removed on deinit unless it was published.
package final class PartFile {
  /// The open file.
  package let descriptor: Int32
  /// The folder it lies in.
  package let folder: OpenFolder
  /// The name it is to get.
  package let name: String
  /// The name of its run.
  package let run: String
  private let partName: String
  private let slot: Int32
  private var isUnnamed = true
  /// Its length once it is complete; nil before. A unit in a worker may still write to it.
  package var completeByteCount: Int?

  /// Creates it; a leftover of an earlier process is removed.
  package convenience init(
    folder: OpenFolder, name: String, run: String, shownPath: String
  ) throws(AuricleError) {
    var number: Int32 = 0
    self.init(folder: folder, name: name, run: run, failure: &number)
    guard number == 0 else { throw systemError(number, "write", shownPath) }
  }

  /// The same without throwing: on failure, `failure` is set to an errno number and there is no file.
  package init(folder: OpenFolder, name: String, run: String, failure: inout Int32) {
    self.folder = folder
    self.name = name
    self.run = run
    partName = Self.name(of: name, run: run, in: folder)
    // Registered before it exists, so that an interruption at any moment removes it.
    slot = unsafe Path.joining(folder.path, partName).withFileName {
      unsafe AuriclePartFileRemember($0)
    }
    var opened: Int32 = -1
    // Checked in advance: the hidden name may be shorter.
    var reason: Int32 = Self.isTooLong(name, for: folder) ? ENAMETOOLONG : 0
    for _ in 0..<4 where reason != ENAMETOOLONG {
      opened = unsafe openat(
        folder.descriptor, partName, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
      if opened >= 0 { break }
      reason = errno
      if reason == EINTR { continue }
      // Unique to the run: no one else uses this name.
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

  /// The error of `publish` when another program has removed or replaced the unfinished file.
  package static let lost = EREMCHG
  /// The error of `publish` when the length has changed since the file was complete.
  package static let changed = ENOTUNIQ

  /// Renames it to its final name; 0 or an errno number, EEXIST when the name exists and is not to be
  /// replaced.
  package func publish(replacing: Bool) -> Int32 {
    if isLost { return Self.lost }
    if let completeByteCount, completeByteCount != byteCount { return Self.changed }
    while true {
      let number = unsafe partName.withFileName { part in
        unsafe name.withFileName {
          unsafe AuricleMoveFileAt(folder.descriptor, part, $0, replacing)
        }
      }
      if number == EINTR { continue }
      if number == 0 { isUnnamed = false }
      return number
    }
  }

  /// Whether the hidden name no longer leads to this file; false when its whole folder is gone.
  private var isLost: Bool {
    var own = stat()
    var named = stat()
    guard unsafe fstat(descriptor, &own) == 0 else { return false }
    guard unsafe fstatat(folder.descriptor, partName, &named, AT_SYMLINK_NOFOLLOW) == 0 else {
      return errno == ENOENT && folder.hasName
    }
    if own.st_ino == named.st_ino, own.st_dev == named.st_dev { return false }
    // Some file systems report new inode numbers on every call.
    return !isSame(as: partName)
  }

  /// Its length; -1 if unknown.
  package var byteCount: Int {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : -1
  }

  /// Whether a file with its final name exists and has the same bytes.
  package var isThereAlready: Bool { isSame(as: name) }

  private func isSame(as name: String) -> Bool {
    var hash: UInt64 = 0
    var count: UInt64 = 0
    guard unsafe AuricleXXH64File(descriptor, &hash, &count) == 0 else { return false }
    let own = StoredFile(byteCount: Int(clamping: count), checksum: hash)
    return StoredFile.of(folder: folder.descriptor, name: name) == own
  }

  /// Removes a published file; without effect when another program has replaced it.
  package func unpublish() {
    if leads(name) { unsafe unlinkat(folder.descriptor, name, 0) }
  }

  /// Whether a name in the folder leads to this file.
  private func leads(_ name: String) -> Bool {
    var own = stat()
    var named = stat()
    return unsafe fstat(descriptor, &own) == 0
      && fstatat(folder.descriptor, name, &named, AT_SYMLINK_NOFOLLOW) == 0
      && own.st_ino == named.st_ino && own.st_dev == named.st_dev
  }

  /// Adopts the attributes of the file to be replaced: owner, group and permissions, and of an input that its result
  /// replaces, extended attributes.
  ///
  /// - Returns: Notes of attributes that an input loses.
  package func adoptAttributes(isInput: Bool) -> [String] {
    var status = stat()
    guard unsafe fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return [] }
    let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let original = isInput ? unsafe openat(folder.descriptor, name, flags) : -1
    guard original >= 0 else {
      FileAttributes.copyOwner(of: status, to: descriptor)
      return []
    }
    defer { close(original) }
    return FileAttributes.copy(from: original, to: descriptor)
  }

  /// Removes the part file that an earlier session of a run may have left.
  package static func removeLeftover(of name: String, run: String, in folder: OpenFolder) {
    unsafe unlinkat(folder.descriptor, Self.name(of: name, run: run, in: folder), 0)
  }

  private static func isTooLong(_ name: String, for folder: OpenFolder) -> Bool {
    // Names that fit any file system need no query.
    name.utf8.count > 127 && FileNameText.bytes(name).count > folder.longestName
  }

  /// The hidden name of a part file; long names are shortened to the folder's limit.
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
