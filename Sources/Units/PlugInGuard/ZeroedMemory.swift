// Memory that is zero when glibc's allocator hands it out.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem
import Synchronization

/// Filling of memory from glibc's allocator with zeros, for the whole process.
///
/// A thread's stock of freed blocks is not filled; a process that wants none of it is started with
/// `glibc.malloc.tcache_count=0` in `GLIBC_TUNABLES`.
///
/// Context: control; any thread.
public enum ZeroedMemory {
  private struct Users: ~Copyable {
    /// The number of users that want it.
    var count = 0
    /// Whether the process wants it for good.
    var isForGood = false
  }

  private static let users = Mutex(Users())

  /// From now on memory is zero, until `end` is called as often.
  public static func begin() {
    users.withLock { users in
      if users.count == 0 { AuricleZeroMemory(true) }
      users.count += 1
    }
  }

  /// Ends the need of one caller of `begin`.
  public static func end() {
    users.withLock { users in
      users.count -= 1
      if users.count == 0 { AuricleZeroMemory(false) }
    }
  }

  /// From now on memory is zero for as long as the process lives.
  public static func beginForGood() {
    begin()
    users.withLock { $0.isForGood = true }
  }

  /// Runs a body without zeros that is no plug-in's work, or only frees memory. The allocator would also
  /// fill freed memory, and the whole free rest behind each block that grows. Only where the process as
  /// a whole is the one user of zeros.
  public static func pausing<Value>(_ body: () -> Value) -> Value {
    let mayPause = users.withLock { $0.isForGood && $0.count == 1 }
    if mayPause { AuricleZeroMemory(false) }
    defer { if mayPause { AuricleZeroMemory(true) } }
    return body()
  }
}
