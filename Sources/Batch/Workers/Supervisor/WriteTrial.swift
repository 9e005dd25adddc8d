// Whether files can be written at a place, found out by writing one.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Glibc
import HostSystem

/// Writes into files that no folder shows, and lets go of them again. Context: control; it waits for the
/// disk.
enum WriteTrial {
  /// What is written where room is in doubt, and where something else is, in bytes: as much as a worker
  /// writes at once, and more.
  private static let roomCount = 1 << 20
  private static let usualCount = 1 << 16
  /// A disk with less room than this, in bytes, counts as full.
  private static let leastRoom: UInt64 = 4 << 20

  /// Whether a new file takes some bytes and they reach the disk.
  ///
  /// - Parameters:
  ///   - isOfRoom: Whether it is in doubt that there is room.
  ///   - make: Makes the file, which is closed here; nothing can be written where it throws.
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
    // No two alike: some disks keep what repeats in little room.
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
