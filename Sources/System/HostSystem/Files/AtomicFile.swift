// A file that appears under its name only when it is complete: the life of `.NAME.part`.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
import CHostSystem
import Glibc

/// A file written beside its destination as `.NAME.part`, and renamed when it is complete.
///
/// A link goes on naming the file that it leads to. A lock during writing separates a file in use
/// from one that a dead process left. Until `commit` nothing appears under the destination's name; `cancel`,
/// or the release of the object, removes the unfinished file.
///
/// Context: control. Not to be shared between threads.
@safe public final class AtomicFile {
  /// The path that the file is to have, unchanged.
  public let path: String
  /// The path it has until it is complete.
  public let partPath: String
  /// The open file.
  public let descriptor: Int32
  /// Whether a file that is there already is replaced.
  public let overwrite: Bool

  /// The path that is renamed to: for a link the file that it leads to.
  private let place: String
  private var slot: Int32 = -1
  private var isOpen = true

  /// Creates the unfinished file.
  ///
  /// Errors: `inputOutput` when the destination exists and `overwrite` is false, or is no regular file.
  /// The same when its folder is missing or not writable, or when another process writes the same file.
  public init(path: String, overwrite: Bool) throws(AuricleError) {
    self.path = path
    self.overwrite = overwrite
    place = try Self.target(of: path, overwrite: overwrite)
    let (folder, name) = Self.split(place)
    guard !name.isEmpty, name != ".", name != ".." else {
      throw AuricleError(
        .usage, status: FileStatus.unsupportedType, "\(path) does not name a file to write")
    }
    let existing = try Self.existingMode(place, path, overwrite: overwrite)
    let fullFolder = try Self.resolve(folder, for: path)
    partPath = fullFolder + (fullFolder.hasSuffix("/") ? "" : "/") + Self.partName(name)
    descriptor = try Self.create(partPath, for: path)
    // Without an entry only an interruption leaves it behind: the lock still shows that it is abandoned.
    slot = unsafe partPath.withFileName { unsafe AuriclePartFileRemember($0) }
    if let existing { fchmod(descriptor, existing) }
  }

  deinit {
    cancel()
  }

  /// Brings the file to the disk and renames it.
  ///
  /// Errors: `inputOutput`; the unfinished file is removed then, and the former file stays.
  public func commit() throws(AuricleError) {
    guard isOpen else { return }
    let number = FileTransfer.synchronize(descriptor)
    guard number == 0 else { throw fail(number) }
    let moved = unsafe partPath.withFileName { part in
      unsafe place.withFileName { unsafe AuricleMoveFile(part, $0, overwrite) }
    }
    guard moved == 0 else {
      cancel()
      if moved == EEXIST { throw Self.alreadyThere(path) }
      throw systemError(moved, "write", path)
    }
    AuriclePartFileForget(slot)
    isOpen = false
    close(descriptor)
    Self.synchronizeFolder(Self.split(partPath).folder)
  }

  /// Removes the unfinished file; does nothing after `commit`.
  public func cancel() {
    guard isOpen else { return }
    isOpen = false
    unsafe unlink(partPath)
    AuriclePartFileForget(slot)
    close(descriptor)
  }

  private func fail(_ number: Int32) -> AuricleError {
    cancel()
    return systemError(number, "write", path)
  }

  package static func alreadyThere(_ path: String) -> AuricleError {
    AuricleError(
      .inputOutput, status: FileStatus.duplicateName,
      "\(path) is there already and is not overwritten")
  }
}

extension AtomicFile {
  /// The folder and the name of a path.
  ///
  /// Context: any.
  package static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    let folder = String(path[..<slash])
    return (folder.isEmpty ? "/" : folder, String(path[path.utf8.index(after: slash)...]))
  }

  /// The hidden name of an unfinished file; long names are shortened to the folder's limit.
  ///
  /// Context: any.
  public static func partName(_ name: String) -> String {
    let whole = ".\(name).part"
    guard whole.utf8.count > Int(NAME_MAX) else { return whole }
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let kept = String(decoding: name.utf8.prefix(200), as: UTF8.self).filter { $0 != "\u{FFFD}" }
    return ".\(kept).\(String(hash, radix: 36)).part"
  }

  /// The file that a path names: for a link the one that it leads to.
  private static func target(of path: String, overwrite: Bool) throws(AuricleError) -> String {
    guard overwrite, FileIdentity.isLink(path) else { return path }
    guard !DescriptorLink.isOne(path), let real = FileIdentity.realPath(path) else {
      throw AuricleError(
        .inputOutput, status: FileStatus.duplicateName,
        "cannot write \(path): it is a link that leads to no file; name another file")
    }
    return real
  }

  /// The permissions of the file that is to be replaced; nil when there is none.
  ///
  /// - Parameters:
  ///   - place: The file.
  ///   - path: The path for messages.
  private static func existingMode(
    _ place: String, _ path: String, overwrite: Bool
  ) throws(AuricleError) -> mode_t? {
    var status = stat()
    guard unsafe lstat(place, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw systemError(errno, "write", path)
    }
    if status.st_mode & S_IFMT == S_IFDIR {
      throw AuricleError(
        .inputOutput, status: FileStatus.duplicateName, "cannot write \(path): it is a folder")
    }
    guard overwrite else { throw alreadyThere(path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw AuricleError(
        .inputOutput, status: FileStatus.duplicateName,
        "cannot write \(path): it is no regular file (a pipe, a socket or a device); name another file"
      )
    }
    return status.st_mode & 0o777
  }

  /// The absolute path of the folder, so that a change of the current folder does no harm.
  private static func resolve(_ folder: String, for path: String) throws(AuricleError) -> String {
    guard let full = unsafe realpath(folder, nil) else { throw systemError(errno, "write", path) }
    defer { unsafe free(full) }
    return unsafe FileNameText.text(cString: full)
  }

  /// Creates the unfinished file and locks it; one that a dead process left is replaced.
  private static func create(_ part: String, for path: String) throws(AuricleError) -> Int32 {
    for _ in 0..<8 {
      let descriptor = unsafe open(
        part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
      if descriptor >= 0 {
        // A file system without locks: the exclusive creation has to do.
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
        return descriptor
      }
      guard errno == EEXIST else { throw systemError(errno, "write", path) }
      try removeStale(part, for: path)
    }
    throw busy(path)
  }

  /// Removes an unfinished file that no process holds any more.
  private static func removeStale(_ part: String, for path: String) throws(AuricleError) {
    let descriptor = unsafe open(part, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return }
      throw AuricleError(
        .inputOutput, status: FileStatus.permissions,
        "cannot write \(path): \(part) is in the way (\(systemReason(errno)))", cause: .errno(errno)
      )
    }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw AuricleError(
        .inputOutput, status: FileStatus.duplicateName,
        "cannot write \(path): \(part) is in the way and is no regular file")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw busy(path) }
    // Locked now: remove it only if the name still means this very file.
    var named = stat()
    if unsafe lstat(part, &named) == 0, named.st_ino == status.st_ino,
      named.st_dev == status.st_dev
    {
      unsafe unlink(part)
    }
  }

  private static func busy(_ path: String) -> AuricleError {
    AuricleError(
      .temporary, status: FileStatus.duplicateName,
      "cannot write \(path): another job is writing it now")
  }

  /// Brings the names in a folder to the disk; some file systems cannot, which is no failure.
  ///
  /// Context: control.
  public static func synchronizeFolder(_ path: String) {
    let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    _ = fsync(folder)
    close(folder)
  }
}
