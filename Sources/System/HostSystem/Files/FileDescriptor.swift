// An open file: one owner, closed once, read and written whole.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Glibc

/// The owner of an open file of the system.
///
/// Context: control.
package struct FileDescriptor: ~Copyable {
  /// The number of the open file.
  package let number: Int32

  /// Owns an open file.
  package init(owning number: Int32) { self.number = number }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - flags: The flags of `open`; `O_CLOEXEC` is added.
  ///   - mode: The permissions of a file that is made.
  /// - Throws: The failure of the system, with the action that failed.
  package init(
    opening path: String, _ flags: Int32 = O_RDONLY, mode: mode_t = 0o666
  ) throws(AuricleError) {
    let found = retrying { unsafe open(path, flags | O_CLOEXEC, mode) }
    guard found >= 0 else {
      throw systemError(errno, flags & O_ACCMODE == O_RDONLY ? "read" : "write", path)
    }
    number = found
  }

  /// Opens a file; nil when that cannot be done, for any reason.
  package init?(ifReadable path: String, _ flags: Int32 = O_RDONLY) {
    let found = retrying { unsafe open(path, flags | O_CLOEXEC) }
    guard found >= 0 else { return nil }
    number = found
  }

  deinit { _ = close(number) }

  /// Passes the open file to a new owner, which closes it.
  package consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }
}

/// Whole reads and writes of open files that are owned elsewhere.
///
/// Context: control.
package enum FileTransfer {
  /// Reads to the end of a file, or as many bytes as `limit` says; nil when reading fails, with `errno` set.
  package static func readAll(_ descriptor: Int32, limit: Int = .max) -> [UInt8]? {
    // Most files that are read whole are short, and memory that is cleared first costs more than they do.
    var size = min(max(limit, 1), 1 << 12)
    var bytes: [UInt8] = []
    while bytes.count < limit {
      let wanted = min(size, limit - bytes.count)
      var count = 0
      let part = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { block, filled in
        count = retrying { unsafe Glibc.read(descriptor, block.baseAddress, wanted) }
        filled = max(count, 0)
      }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      if bytes.isEmpty { bytes = part } else { bytes += part }
      size = min(2 * size, 1 << 16)
    }
    return bytes
  }

  /// Fills memory from the file's position.
  ///
  /// - Returns: The bytes that were read: fewer than asked for only at the end of the file or where reading fails.
  package static func read(
    _ descriptor: Int32, into memory: UnsafeMutableRawBufferPointer
  ) -> Int {
    var done = 0
    while done < memory.count {
      let count = retrying {
        unsafe Glibc.read(descriptor, memory.baseAddress?.advanced(by: done), memory.count - done)
      }
      guard count > 0 else { break }
      done += count
    }
    return done
  }

  /// Writes all bytes at the file's position.
  ///
  /// - Returns: 0, or the error number; a disk without room is `ENOSPC`.
  package static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    var done = 0
    while done < bytes.count {
      let count = retrying {
        unsafe write(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
      }
      guard count > 0 else { return count == 0 ? ENOSPC : errno }
      done += count
    }
    return 0
  }

  /// Writes all bytes at the file's position.
  ///
  /// - Returns: 0, or the error number.
  package static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    unsafe bytes.withUnsafeBytes { unsafe writeAll($0, to: descriptor) }
  }

  /// Writes all bytes at an offset.
  ///
  /// - Returns: 0, or the error number.
  package static func writeAll(_ bytes: [UInt8], to descriptor: Int32, at offset: Int) -> Int32 {
    unsafe bytes.withUnsafeBytes { unsafe writeAll($0, to: descriptor, at: offset) }
  }

  /// Writes all bytes at an offset.
  ///
  /// - Returns: 0, or the error number.
  package static func writeAll(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int
  ) -> Int32 {
    var done = 0
    while done < bytes.count {
      let count = retrying {
        unsafe pwrite(
          descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done,
          off_t(offset + done))
      }
      guard count > 0 else { return count == 0 ? ENOSPC : errno }
      done += count
    }
    return 0
  }

  /// Brings a file to the disk.
  ///
  /// - Returns: 0, or the error number.
  package static func synchronize(_ descriptor: Int32) -> Int32 {
    retrying { fsync(descriptor) } == 0 ? 0 : errno
  }
}
