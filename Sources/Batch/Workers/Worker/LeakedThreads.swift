// Counts threads that are left when a chain is closed, which might affect the next file.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Compares the threads of a worker between files with those expected: its own, and those that chains of this
/// run leave in any process.
struct LeakedThreads {
  private let usual: Int
  /// How many there are too many; nil for none.
  private(set) var count: Int?

  /// How long to wait for ending threads, in microseconds, and how often.
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
      usleep(Self.pause)
      found = WorkerHealth.threadCount
    }
    count = found > usual ? found - usual : nil
  }
}
