// The folder of this user for sockets and locks of one boot, under a name that nobody can occupy.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The folder of this user for files that live as long as the system runs.
///
/// `$XDG_RUNTIME_DIR` where it is set. Else a folder in `/tmp` with a random name: another user cannot make it first. The
/// name is recorded in a folder of the user, for each boot of each computer, since computers may share home folders.
package enum RuntimeFolder {
  /// The path; made where it is missing. Nil without a home folder that can be written to.
  ///
  /// - Parameters:
  ///   - temporary: The folder for the random name.
  ///   - variable: Returns a variable of the environment.
  ///
  /// Context: control.
  package static func path(
    in temporary: String = "/tmp", variable: (String) -> String? = environmentVariable
  ) -> String? {
    func place(_ name: String) -> String? {
      variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    if let own = place("XDG_RUNTIME_DIR") { return own }
    guard let base = place("XDG_STATE_HOME") ?? place("HOME").map({ $0 + "/.local/state" }),
      let record = recordPath(in: base)
    else { return nil }
    let lock = unsafe open(record + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { return nil }
    defer { close(lock) }
    // A home folder without locks: two processes that begin at once may get two folders.
    _ = retrying { flock(lock, LOCK_EX) }
    if let known = recorded(record), isOwn(known) { return known }
    for _ in 0..<8 {
      let made = "\(temporary)/auricle-\(randomName())"
      guard unsafe mkdir(made, 0o700) == 0 else {
        if errno == EEXIST { continue }
        return nil
      }
      guard CacheFile.store(Array(made.utf8), at: record, kind: kind) else {
        unsafe rmdir(made)
        return nil
      }
      return made
    }
    return nil
  }

  private static let kind = "AuRunDir"

  /// The recorded name; nil without one.
  private static func recorded(_ record: String) -> String? {
    CacheFile.contents(of: record, kind: kind).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether a folder belongs to this user alone; made anew where a cleaner has removed it.
  private static func isOwn(_ folder: String) -> Bool {
    unsafe mkdir(folder, 0o700)
    var status = stat()
    return unsafe lstat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      && status.st_uid == geteuid() && status.st_mode & 0o077 == 0
  }

  /// The file with the name: `~/.local/state/auricle/runtime-BOOT`, in a folder of this user alone.
  private static func recordPath(in base: String) -> String? {
    guard
      let boot = try? FileDescriptor(opening: "/proc/sys/kernel/random/boot_id"),
      let bytes = FileTransfer.readAll(boot.number, limit: 64)
    else { return nil }
    let folder = base + "/auricle"
    do { try FolderMaker.make(base) } catch { return nil }
    unsafe mkdir(folder, 0o700)
    var status = stat()
    guard unsafe lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_uid == geteuid(), unsafe chmod(folder, 0o700) == 0
    else { return nil }
    let name = String(decoding: bytes, as: UTF8.self).filter { $0.isHexDigit || $0 == "-" }
    return "\(folder)/runtime-\(name)"
  }

  private static func randomName() -> String {
    let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")
    var random = SystemRandomNumberGenerator()
    return String((0..<16).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] })
  }

  /// A variable of the environment; nil where it is not set.
  package static func environmentVariable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}
