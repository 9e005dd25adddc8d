// Change notifications of folders from inotify.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem

/// Watches folders through inotify.
///
/// Context: control; one thread at a time.
final class FolderNotices {
  /// A notification.
  enum Notice {
    /// Something was created or completed at this path; `dir` is its folder relative to the watched one.
    case item(path: String, dir: String, isFolder: Bool)
    /// The queue overflowed, or a watched folder is gone.
    case lost
  }

  private let descriptor: Int32
  private var folders: [Int32: (path: String, dir: String)] = [:]
  /// Whether a folder could not be watched because there are too many.
  private(set) var isIncomplete = false

  /// Nil if inotify is not available.
  package init?() {
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Watches a folder, without its subfolders.
  package func listen(to path: String, dir: String) {
    let wanted =
      UInt32(IN_CREATE) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE_SELF)
      | UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR)
    let number = unsafe inotify_add_watch(descriptor, path, wanted)
    if number >= 0 { folders[number] = (path, dir) } else { isIncomplete = true }
  }

  /// The notifications since the last call.
  package func drain() -> [Notice] {
    var notices: [Notice] = []
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = retrying { unsafe read(descriptor, &bytes, bytes.count) }
      guard count > 0 else { return notices }
      var offset = 0
      // Watch, mask, cookie and length of the name: four bytes each, then the name.
      while offset + 16 <= count {
        let number = Int32(truncatingIfNeeded: Self.word(bytes, offset))
        let mask = UInt32(truncatingIfNeeded: Self.word(bytes, offset + 4))
        let length = Self.word(bytes, offset + 12)
        let end = min(offset + 16 + length, count)
        let name = bytes[(offset + 16)..<end].prefix { $0 != 0 }
        offset = end
        note(number, mask, FileNameText.text(name), &notices)
      }
    }
  }

  private func note(_ number: Int32, _ mask: UInt32, _ name: String, _ notices: inout [Notice]) {
    if mask & UInt32(IN_Q_OVERFLOW) != 0 {
      notices.append(.lost)
      return
    }
    guard let folder = folders[number] else { return }
    let ends = UInt32(IN_IGNORED) | UInt32(IN_MOVE_SELF) | UInt32(IN_UNMOUNT)
    if mask & ends != 0 {
      folders[number] = nil
      // A subfolder that is removed and created again is reported by its parent.
      if folder.dir.isEmpty || mask & UInt32(IN_IGNORED) == 0 { notices.append(.lost) }
      return
    }
    guard !name.isEmpty else { return }
    notices.append(
      .item(
        path: Path.joining(folder.path, name), dir: folder.dir,
        isFolder: mask & UInt32(IN_ISDIR) != 0))
  }

  private static func word(_ bytes: [UInt8], _ offset: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }
}

/// Properties of the disk that a folder is on.
enum FolderDisk {
  /// Whether other machines may change the folder without a notification; also if the processes that have
  /// a file open are unknown.
  static func isRemote(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return true }
    let device = UInt64(status.st_dev)
    let major = device >> 8 & 0xFFF | device >> 32 & ~0xFFF
    let minor = device & 0xFF | device >> 12 & ~0xFF
    guard let list = text(of: "/proc/self/mountinfo") else { return false }
    for line in list.split(separator: "\n") {
      // Id, parent, device, …, and after a dash the type.
      let words = line.split(separator: " ")
      guard words.count > 2, words[2] == "\(major):\(minor)",
        let dash = words.firstIndex(of: "-"), dash + 1 < words.count
      else { continue }
      let kind = words[dash + 1].split(separator: ".").first.map(String.init) ?? ""
      return remoteKinds.contains(kind)
    }
    return false
  }

  private static let remoteKinds: Set<String> = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "fuse", "9p", "ceph", "afs", "coda", "lustre", "gfs2",
    "ocfs2", "vboxsf", "virtiofs", "prl_fs", "glusterfs",
  ]

  private static func text(of path: String) -> String? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < 1 << 24 {
      let count = unsafe read(descriptor, &block, block.count)
      guard count > 0 else { break }
      bytes += block[0..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether another program has a file open for writing; false if unknown.
  static func isBeingWritten(_ path: String) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    // A read lease is granted only while nobody writes; it is released at once.
    let setLease: Int32 = 1024
    if fcntl(descriptor, setLease, Int32(F_RDLCK)) == 0 {
      _ = fcntl(descriptor, setLease, Int32(F_UNLCK))
      return false
    }
    return errno == EAGAIN
  }
}
