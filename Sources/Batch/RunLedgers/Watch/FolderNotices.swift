// What the system tells of changes below folders, where it can.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem

/// Listens to folders through inotify.
///
/// Context: control; one thread at a time.
final class FolderNotices {
  /// What was told.
  enum Notice {
    /// Something came into being or was completed under this path; `dir` is its folder below the
    /// one that is watched.
    case item(path: String, dir: String, isFolder: Bool)
    /// So much happened that not all was told, or a folder that was listened to is gone.
    case lost
  }

  private let descriptor: Int32
  private var folders: [Int32: (path: String, dir: String)] = [:]
  /// Whether a folder could not be listened to: there are too many.
  private(set) var isIncomplete = false

  /// Nil where the system has nothing of the kind.
  package init?() {
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Listens to a folder, not to those below it.
  package func listen(to path: String, dir: String) {
    let wanted =
      UInt32(IN_CREATE) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE_SELF)
      | UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR)
    let number = unsafe inotify_add_watch(descriptor, path, wanted)
    if number >= 0 { folders[number] = (path, dir) } else { isIncomplete = true }
  }

  /// What was told since the last call.
  package func take() -> [Notice] {
    var notices: [Notice] = []
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = retrying { unsafe read(descriptor, &bytes, bytes.count) }
      guard count > 0 else { return notices }
      var offset = 0
      // Number, what, a pair's number, length of the name: four bytes each, then the name.
      while offset + 16 <= count {
        let number = Int32(truncatingIfNeeded: Self.word(bytes, offset))
        let mask = UInt32(truncatingIfNeeded: Self.word(bytes, offset + 4))
        let length = Self.word(bytes, offset + 12)
        let end = min(offset + 16 + length, count)
        let name = bytes[(offset + 16)..<end].prefix { $0 != 0 }
        offset = end
        note(number, mask, String(decoding: name, as: UTF8.self), &notices)
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
      // One below that is removed and made again is told by the folder that it is in.
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

/// What is known of the disk that a folder is on.
enum FolderDisk {
  /// Whether other machines may change the folder without this one being told; so also where nobody
  /// can tell who has a file open.
  static func isRemote(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return true }
    let device = UInt64(status.st_dev)
    let major = device >> 8 & 0xFFF | device >> 32 & ~0xFFF
    let minor = device & 0xFF | device >> 12 & ~0xFF
    guard let list = text(of: "/proc/self/mountinfo") else { return false }
    for line in list.split(separator: "\n") {
      // Number, parent, device, …, and behind a lone dash the kind.
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

  /// Whether another program has a file open for writing; false where that cannot be told.
  static func isBeingWritten(_ path: String) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    // A lease for reading is given only while nobody writes; it is given back at once.
    let setLease: Int32 = 1024
    if fcntl(descriptor, setLease, Int32(F_RDLCK)) == 0 {
      _ = fcntl(descriptor, setLease, Int32(F_UNLCK))
      return false
    }
    return errno == EAGAIN
  }
}
