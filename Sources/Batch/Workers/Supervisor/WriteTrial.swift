// Tests by writing a file whether a place can be written to.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Glibc
import HostSystem

/// Writes into nameless files and closes them again. Context: control; it waits for the disk.
enum WriteTrial {
  /// Bytes written when room is in doubt: as much as a worker writes at once, and more.
  private static let roomCount = 1 << 20
  private static let usualCount = 1 << 16
  /// A disk with less room than this, in bytes, counts as full.
  private static let leastRoom: UInt64 = 4 << 20

  /// Whether bytes can be written to a new file and reach the disk.
  ///
  /// - Parameters:
  ///   - isOfRoom: Whether the room on the disk is in doubt.
  ///   - make: Makes the file, which is closed here; if it throws, the place cannot be written to.
  static func succeeds(isOfRoom: Bool, make: () throws(AuricleError) -> Int32) -> Bool {
    let file: Int32
    do throws(AuricleError) { file = try make() } catch { return false }
    defer { close(file) }
    if isOfRoom, !hasRoom(file) { return false }
    guard writes(isOfRoom ? roomCount : usualCount, into: file) else { return false }
    return [0, EINVAL, ENOTSUP].contains(FileTransfer.synchronize(file))
  }

  private static func hasRoom(_ file: Int32) -> Bool {
    var status = statvfs()
    guard unsafe fstatvfs(file, &status) == 0 else { return true }
    return UInt64(status.f_bavail) * UInt64(status.f_frsize) >= leastRoom
  }

  private static func writes(_ total: Int, into file: Int32) -> Bool {
    // Random, because some file systems compress repeated data.
    var generator = SystemRandomNumberGenerator()
    let block = (0..<usualCount / 8).map { _ in generator.next() }
    return unsafe block.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return false }
      var done = 0
      while done < total {
        let place = done % bytes.count
        let count = retrying {
          unsafe pwrite(file, base + place, bytes.count - place, off_t(done))
        }
        guard count > 0 else { return false }
        done += count
      }
      return true
    }
  }
}
