// Threads that are left when a chain is closed: what they do to the next file nobody knows.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Compares the threads of a worker between files with those that may be there.
///
/// These are its own, those that chains of this run leave in any process, and as many as chains that are
/// kept for the next file were found to have for themselves.
struct ThreadCensus {
  /// Threads of the process, without those of chains that are open.
  private let usual: Int
  /// How many a chain of a format has for itself, found when one was closed.
  private var own: [ChainFormat: Int] = [:]
  /// How many there were before the last chain was closed.
  private var openCount = 0
  /// Whether the chain of the last file is kept for another.
  var isKept = false
  /// How many there are that should not be; nil for none.
  private(set) var strangers: Int?

  /// So long threads that have been told to end may take, in microseconds, and how often it is looked.
  private static let pause: UInt32 = 2_000
  private static let looks = 25

  /// Looks at the process before its first file; `usualCount` threads more may be left by any chain.
  init(usualCount: Int) {
    usual = WorkerHealth.threadCount + usualCount
  }

  /// A file is begun.
  mutating func begin() {
    openCount = 0
    isKept = false
  }

  /// Whether a chain that was used has no threads that it was not found to have: else it is to be closed,
  /// so that they show.
  mutating func mayKeep(_ format: ChainFormat, beside kept: [ChainFormat]) -> Bool {
    openCount = WorkerHealth.threadCount
    return openCount <= expected(kept + [format])
  }

  /// Looks when a file is done and its chain is closed, or kept.
  mutating func look(after format: ChainFormat?, kept: [ChainFormat]) {
    let most = expected(kept)
    var count = WorkerHealth.threadCount
    for _ in 0..<Self.looks where count > most {
      usleep(Self.pause)
      count = WorkerHealth.threadCount
    }
    if let format, !isKept, openCount > count {
      own[format] = max(own[format] ?? 0, openCount - count)
    }
    // Usual ones are among those that are told.
    strangers = count > most ? count - most : nil
  }

  private func expected(_ kept: [ChainFormat]) -> Int {
    kept.reduce(usual) { $0 + (own[$1] ?? 0) }
  }
}
