// Counts threads that are left when a chain is closed, which might affect the next file.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A comparison of a worker's threads between files with the expected ones: its own, and any that chains of this
/// run leave in every process.
struct LeakedThreads {
  private let usual: Int
  /// The number of excess threads; nil for none.
  private(set) var count: Int?

  /// The time to wait for ending threads, in microseconds, and the number of waits.
  private static let pause: UInt32 = 2_000
  private static let mostPauses = 25

  /// Counts the threads of the process before its first file; any chain may leave `usualCount` more.
  init(usualCount: Int) {
    usual = WorkerHealth.threadCount + usualCount
  }

  /// Counts them after a file is done and its chain is closed.
  mutating func update() {
    var found = WorkerHealth.threadCount
    for _ in 0..<Self.mostPauses where found > usual {
      // The end of a thread that a plug-in made is no event.
      usleep(Self.pause)
      found = WorkerHealth.threadCount
    }
    count = found > usual ? found - usual : nil
  }
}
