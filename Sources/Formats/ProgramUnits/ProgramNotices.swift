// Notices of programs that publish units: a host that started one waits for its entry.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem
import PublishedUnits

/// The system's notices of the folder of programs that run.
struct ProgramNotices: ~Copyable {
  private let descriptor: Int32

  /// Begins to watch; what happens from here on is not missed.
  init() {
    let made = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    if made >= 0, let folder = ProgramRegistry.nodeFolder {
      _ = unsafe inotify_add_watch(made, folder, UInt32(IN_MOVED_TO) | UInt32(IN_CREATE))
    }
    descriptor = made
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Waits for a change, or until a time; false where that is over.
  func wait(until end: ContinuousClock.Instant) -> Bool {
    let left = (end - .now) / .milliseconds(1)
    guard left > 0 else { return false }
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // A user may have no notices left: then the folder is looked at now and then.
    let time = descriptor >= 0 ? min(left + 1, 1000) : min(left + 1, 20)
    guard retrying({ unsafe poll(&entry, 1, Int32(time)) }) > 0 else { return true }
    var bytes = [UInt8](repeating: 0, count: 4096)
    while unsafe read(descriptor, &bytes, bytes.count) > 0 {}
    return true
  }
}
