// System calls that are called with a name as `FileNameText` has it.
// SPDX-License-Identifier: Apache-2.0
//
// A name of type `String` goes through these functions wherever this module is imported, with the system's own names,
// parameters and results. Context: control.

package import Glibc

/// `open`.
@unsafe @discardableResult package func open(_ path: String, _ flags: Int32) -> Int32 {
  unsafe path.withFileName { unsafe Glibc.open($0, flags) }
}

/// `open` of a file that may be made.
@unsafe @discardableResult package func open(_ path: String, _ flags: Int32, _ mode: mode_t)
  -> Int32
{
  unsafe path.withFileName { unsafe Glibc.open($0, flags, mode) }
}

/// `openat`.
@unsafe @discardableResult package func openat(_ folder: Int32, _ path: String, _ flags: Int32)
  -> Int32
{
  unsafe path.withFileName { unsafe Glibc.openat(folder, $0, flags) }
}

/// `openat` of a file that may be made.
@unsafe @discardableResult package func openat(
  _ folder: Int32, _ path: String, _ flags: Int32, _ mode: mode_t
) -> Int32 {
  unsafe path.withFileName { unsafe Glibc.openat(folder, $0, flags, mode) }
}

/// `stat`.
@unsafe @discardableResult package func stat(
  _ path: String, _ status: UnsafeMutablePointer<Glibc.stat>
) -> Int32 {
  unsafe path.withFileName { unsafe Glibc.fstatat(AT_FDCWD, $0, status, 0) }
}

/// `lstat`.
@unsafe @discardableResult package func lstat(
  _ path: String, _ status: UnsafeMutablePointer<Glibc.stat>
) -> Int32 {
  unsafe path.withFileName { unsafe Glibc.lstat($0, status) }
}

/// `fstatat`.
@unsafe @discardableResult package func fstatat(
  _ folder: Int32, _ path: String, _ status: UnsafeMutablePointer<Glibc.stat>, _ flags: Int32
) -> Int32 {
  unsafe path.withFileName { unsafe Glibc.fstatat(folder, $0, status, flags) }
}

/// `realpath`.
@unsafe @discardableResult package func realpath(
  _ path: String, _ target: UnsafeMutablePointer<CChar>?
) -> UnsafeMutablePointer<CChar>? {
  unsafe path.withFileName { unsafe Glibc.realpath($0, target) }
}

/// `readlink`.
@unsafe @discardableResult package func readlink(
  _ path: String, _ target: UnsafeMutablePointer<CChar>, _ count: Int
) -> Int {
  unsafe path.withFileName { unsafe Glibc.readlink($0, target, count) }
}

/// `access`.
@unsafe @discardableResult package func access(_ path: String, _ mode: Int32) -> Int32 {
  unsafe path.withFileName { unsafe Glibc.access($0, mode) }
}

/// `opendir`.
@unsafe @discardableResult package func opendir(_ path: String) -> OpaquePointer? {
  unsafe path.withFileName { unsafe Glibc.opendir($0) }
}

/// `mkdir`.
@unsafe @discardableResult package func mkdir(_ path: String, _ mode: mode_t) -> Int32 {
  unsafe path.withFileName { unsafe Glibc.mkdir($0, mode) }
}

/// `mkdirat`.
@unsafe @discardableResult package func mkdirat(_ folder: Int32, _ path: String, _ mode: mode_t)
  -> Int32
{
  unsafe path.withFileName { unsafe Glibc.mkdirat(folder, $0, mode) }
}

/// `rmdir`.
@unsafe @discardableResult package func rmdir(_ path: String) -> Int32 {
  unsafe path.withFileName { unsafe Glibc.rmdir($0) }
}

/// `unlink`.
@unsafe @discardableResult package func unlink(_ path: String) -> Int32 {
  unsafe path.withFileName { unsafe Glibc.unlink($0) }
}

/// `unlinkat`.
@unsafe @discardableResult package func unlinkat(
  _ folder: Int32, _ path: String, _ flags: Int32
) -> Int32 {
  unsafe path.withFileName { unsafe Glibc.unlinkat(folder, $0, flags) }
}

/// `rename`.
@unsafe @discardableResult package func rename(_ old: String, _ new: String) -> Int32 {
  unsafe old.withFileName { old in unsafe new.withFileName { unsafe Glibc.rename(old, $0) } }
}

/// `linkat`.
@unsafe @discardableResult package func linkat(
  _ folder: Int32, _ old: String, _ target: Int32, _ new: String, _ flags: Int32
) -> Int32 {
  unsafe old.withFileName { old in
    unsafe new.withFileName { unsafe Glibc.linkat(folder, old, target, $0, flags) }
  }
}

/// `inotify_add_watch`.
@unsafe @discardableResult package func inotify_add_watch(
  _ queue: Int32, _ path: String, _ events: UInt32
) -> Int32 {
  unsafe path.withFileName { unsafe Glibc.inotify_add_watch(queue, $0, events) }
}
