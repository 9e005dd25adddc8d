// The bytes of a file of an instrument.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads whole files.
enum FileBytes {
  /// Returns the length of a file; nil for anything else. Context: control.
  static func size(of path: String) -> Int? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// The first bytes of a file, as many as there are; nil for one that cannot be read. Context: control.
  static func read(_ path: String, first count: Int) -> [UInt8]? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { memory, filled in
      filled = unsafe max(0, Glibc.read(file, memory.baseAddress, count))
    }
  }

  /// Returns the bytes of a file; nil if it is no file, unreadable, or longer than the limit. Context: control.
  static func read(_ path: String, most: Int) -> [UInt8]? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= most
    else { return nil }
    return unsafe [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { memory, count in
      while count < memory.count {
        let got = unsafe Glibc.read(
          file, memory.baseAddress.map { unsafe $0 + count }, memory.count - count)
        guard got > 0 else { break }
        count += got
      }
    }
  }
}
