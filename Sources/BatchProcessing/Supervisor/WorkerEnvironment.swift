// What a worker's environment says beside the supervisor's own.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The variables a worker is started with, for `posix_spawn`: the supervisor's, with settings for the
/// runtimes in it.
@unsafe struct WorkerEnvironment: ~Copyable {
  /// Ends with nil. What is in front of `ownCount` is freed with this.
  private(set) var entries: [UnsafeMutablePointer<CChar>?]
  private let ownCount: Int

  init() {
    // A crash is told in one sentence; the Swift runtime's own account of it would take seconds.
    let backtrace = "SWIFT_BACKTRACE="
    // With a stock of freed blocks for each thread, the allocator hands out what it did not fill: a
    // plug-in that reads memory it never set would hear the files before. It fills with zeros.
    let tunables = "GLIBC_TUNABLES="
    var given = ""
    var inherited: [UnsafeMutablePointer<CChar>?] = unsafe []
    var entry = unsafe environ
    while let text = unsafe entry.pointee {
      if unsafe strncmp(text, tunables, tunables.utf8.count) == 0 {
        given = unsafe String(cString: text + tunables.utf8.count) + ":"
      } else if unsafe strncmp(text, backtrace, backtrace.utf8.count) != 0 {
        unsafe inherited.append(text)
      }
      unsafe entry += 1
    }
    let allocator = "glibc.malloc.tcache_count=0:glibc.malloc.perturb=255"
    let own = unsafe [
      strdup(backtrace + "enable=no"), strdup(tunables + given + allocator),
    ]
    unsafe ownCount = own.count
    unsafe entries = own + inherited + [nil]
  }

  deinit {
    for index in unsafe 0..<ownCount { unsafe free(entries[index]) }
  }
}
