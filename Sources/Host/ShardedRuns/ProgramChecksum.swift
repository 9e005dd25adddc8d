// The checksum of the program, which every shard compares: read once for as long as its file is the same.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CHostSystem
import Glibc
import HostSystem

/// Checksums of programs.
package enum ProgramChecksum {
  private static let kind = "AuProg01"

  /// XXH64 of a program; 0 when it cannot be read.
  ///
  /// - Parameter cacheFolder: Where it is kept for the next process; nil to read the program every time.
  ///
  /// Context: control.
  package static func of(_ program: String, cacheFolder: String?) -> UInt64 {
    let descriptor = unsafe open(program, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return 0 }
    // A file that is written anew has another time of change, which nobody can set.
    let state = [
      program, "\(status.st_dev)", "\(status.st_ino)", "\(status.st_size)",
      "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)",
      "\(status.st_ctim.tv_sec).\(status.st_ctim.tv_nsec)",
    ].joined(separator: "\n")
    let place = cacheFolder.map { "\($0)/programs/\(CacheFile.name(for: program)).bin" }
    if let place, let kept = CacheFile.contents(of: place, kind: kind).flatMap({ JSONValue($0) }),
      kept["state"]?.text == state, let sum = kept["sum"]?.text.flatMap(Hexadecimal.number)
    {
      return sum
    }
    var sum: UInt64 = 0
    var count: UInt64 = 0
    guard unsafe AuricleXXH64File(descriptor, &sum, &count) == 0 else { return 0 }
    if let place {
      let json = JSONValue.members([
        ("state", .string(state)), ("sum", .string(Hexadecimal.text(sum))),
      ])
      CacheFile.store(Array(json.compactText.utf8), at: place, kind: kind)
    }
    return sum
  }
}
