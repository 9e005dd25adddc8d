// Learns how many threads chains leave in any process, such as the thread pools of libraries.
// SPDX-License-Identifier: Apache-2.0

/// Learns from workers that were replaced because chains had leaked threads in them.
struct UsualThreads {
  /// The number of threads left in any worker.
  private(set) var count = 0
  /// The numbers of further threads left in workers after their first files.
  private var afterFirst: [Int] = []
  /// The number of workers in a row that prove a usual number: bad files are few.
  private static let enough = 3

  /// Notes how many threads more than usual were left in a worker.
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
