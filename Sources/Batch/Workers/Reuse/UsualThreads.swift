// How many threads chains leave in any process, as pools of libraries do, and not only after some files.
// SPDX-License-Identifier: Apache-2.0

/// Learns from workers that were replaced because chains had leaked threads in them.
struct UsualThreads {
  /// How many are left in any worker.
  private(set) var count = 0
  /// How many more were left in workers after their first files.
  private var afterFirst: [Int] = []
  /// So many workers in a row show what is usual: bad files are few.
  private static let enough = 3

  /// Threads were left in a worker, so many more than is usual.
  mutating func note(_ left: Int, afterFirstFile: Bool) {
    guard afterFirstFile else {
      // The first file of this worker left none.
      afterFirst = []
      return
    }
    afterFirst.append(left)
    guard afterFirst.count >= Self.enough, let least = afterFirst.min() else { return }
    count += max(0, least)
    afterFirst = []
  }
}
