// Threads that are left when a chain is closed: what they do to the next file nobody knows.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Compares the threads of a worker between files with those that may be there: its own, and those that
/// chains of this run leave in any process.
struct LeakedThreads {
  private let usual: Int
  /// How many there are that should not be; nil for none.
  private(set) var count: Int?

  /// How long to wait for threads that were told to end, in microseconds, and how often.
  private static let pause: UInt32 = 2_000
  private static let mostPauses = 25

  /// Counts the threads of the process before its first file; any chain may leave `usualCount` more.
  init(usualCount: Int) {
    usual = WorkerHealth.threadCount + usualCount
  }

  /// Counts them when a file is done and its chain is closed.
  mutating func update() {
    var found = WorkerHealth.threadCount
    for _ in 0..<Self.mostPauses where found > usual {
      usleep(Self.pause)
      found = WorkerHealth.threadCount
    }
    count = found > usual ? found - usual : nil
  }
}
