// The open descriptors of a process, which code of a plug-in may close by mistake.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The descriptors that are open at one moment, with copies of them.
///
/// Context: control.
@safe public struct OpenDescriptors: ~Copyable {
  private struct Entry {
    var number: Int32
    var copy: Int32
    var device: dev_t
    var inode: ino_t
  }

  /// Numbers that copies have at least.
  private static let firstCopy: Int32 = 700
  private var entries: [Entry] = []

  /// Copies all descriptors that are open.
  public init() {
    guard let folder = unsafe opendir("/proc/self/fd") else { return }
    defer { unsafe closedir(folder) }
    let own = unsafe dirfd(folder)
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      guard let number = Int32(name), number != own, let place = Self.place(number) else {
        continue
      }
      let copy = fcntl(number, F_DUPFD_CLOEXEC, Self.firstCopy)
      guard copy >= 0 else { continue }
      entries.append(Entry(number: number, copy: copy, device: place.0, inode: place.1))
    }
  }

  deinit { for entry in entries { close(entry.copy) } }

  /// Restores the descriptors that are closed now, or lead to another file.
  ///
  /// - Returns: Their numbers, in order.
  public func putBack() -> [Int32] {
    var closed: [Int32] = []
    for entry in entries {
      if let place = Self.place(entry.number), place == (entry.device, entry.inode) { continue }
      dup2(entry.copy, entry.number)
      closed.append(entry.number)
    }
    return closed.sorted()
  }

  private static func place(_ number: Int32) -> (dev_t, ino_t)? {
    var status = stat()
    return unsafe fstat(number, &status) == 0 ? (status.st_dev, status.st_ino) : nil
  }
}
