// A condition that threads wait for: a lock, and a bell that waiters notice a moment later at the latest.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Wakes a thread that waits.
///
/// @unchecked Sendable because the lock and the condition are made for threads.
@safe package final class ThreadSignal: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var count: UInt64 = 0

  /// Nothing rang yet.
  package init() {
    unsafe lock.initialize(to: pthread_mutex_t())
    unsafe condition.initialize(to: pthread_cond_t())
    unsafe pthread_mutex_init(lock, nil)
    unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(lock)
    unsafe condition.deallocate()
    unsafe lock.deallocate()
  }

  /// The number of rings: a comparison with an earlier one shows whether something changed since.
  package var mark: UInt64 {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    return count
  }

  /// Wakes all that wait. Context: any but a device's thread.
  package func ring() {
    unsafe pthread_mutex_lock(lock)
    count &+= 1
    unsafe pthread_cond_broadcast(condition)
    unsafe pthread_mutex_unlock(lock)
  }

  /// Waits until it was rung since a mark, at most so many milliseconds.
  package func wait(since mark: UInt64, milliseconds: Int) {
    var end = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &end)
    let nanoseconds = end.tv_nsec + milliseconds * 1_000_000
    end.tv_sec += nanoseconds / 1_000_000_000
    end.tv_nsec = nanoseconds % 1_000_000_000
    unsafe pthread_mutex_lock(lock)
    while count == mark {
      if unsafe pthread_cond_timedwait(condition, lock, &end) != 0 { break }
    }
    unsafe pthread_mutex_unlock(lock)
  }
}
