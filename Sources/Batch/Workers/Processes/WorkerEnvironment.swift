// The environment of a worker: the supervisor's, with more settings.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem

/// The variables a worker is started with: the supervisor's, with settings for the
/// runtimes in it.
@unsafe struct WorkerEnvironment: ~Copyable {
  /// Terminated by nil. The first `ownCount` strings are freed with this object.
  private var entries: [UnsafeMutablePointer<CChar>?]
  private let ownCount: Int

  init() {
    // A crash is reported in one sentence; the Swift runtime's backtrace would need seconds.
    let backtrace = "SWIFT_BACKTRACE="
    // Blocks from a thread's cache would be handed out without being zeroed. Memory also stays with the
    // process from one chain to the next, which otherwise costs a tenth of a second in 20 files.
    let tunables = "GLIBC_TUNABLES="
    var supplied = ""
    var inherited: [UnsafeMutablePointer<CChar>?] = unsafe []
    var entry = unsafe environ
    while let text = unsafe entry.pointee {
      if unsafe strncmp(text, tunables, tunables.utf8.count) == 0 {
        supplied = unsafe String(cString: text + tunables.utf8.count) + ":"
      } else if unsafe strncmp(text, backtrace, backtrace.utf8.count) != 0 {
        unsafe inherited.append(text)
      }
      unsafe entry += 1
    }
    let allocator = ["tcache_count=0", "mmap_threshold=33554432", "trim_threshold=134217728"]
    let own = unsafe [
      strdup(backtrace + "enable=no"),
      strdup(tunables + supplied + allocator.map { "glibc.malloc." + $0 }.joined(separator: ":")),
    ]
    unsafe ownCount = own.count
    unsafe entries = own + inherited + [nil]
  }

  /// Starts a program with it.
  borrowing func start(
    _ launch: ProcessLaunch
  ) -> (process: pid_t, handle: Int32, error: Int32) {
    var launch = launch
    unsafe launch.environment = entries
    return launch.startWithHandle()
  }

  deinit {
    for index in unsafe 0..<ownCount { unsafe free(entries[index]) }
  }
}
