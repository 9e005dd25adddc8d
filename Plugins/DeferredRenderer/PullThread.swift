// The thread that pulls ahead of the render thread.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// The state that both threads share: the line, and the semaphore on which the pulling one waits.
@safe struct PullThread: ~Copyable {
  let line: UnsafeMutablePointer<DeferredLine>
  private let wake: UnsafeMutablePointer<sem_t>
  private let isEnding = Atomic(false)
  private var thread = pthread_t()
  private var runs = false

  init(_ line: UnsafeMutablePointer<DeferredLine>) {
    unsafe self.line = unsafe line
    unsafe wake = .allocate(capacity: 1)
    unsafe wake.initialize(to: sem_t())
    unsafe sem_init(wake, 0, 0)
  }

  deinit {
    unsafe sem_destroy(wake)
    unsafe wake.deallocate()
  }

  /// Starts the thread, of ordinary priority and without signals; false if there can be none. Context: control.
  static func start(_ shared: UnsafeMutablePointer<PullThread>) -> Bool {
    var all = sigset_t(), before = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    let status = unsafe pthread_create(&shared.pointee.thread, nil, run, shared)
    unsafe shared.pointee.runs = status == 0
    return status == 0
  }

  /// Ends the thread, once the pull that is under way is done. Context: control.
  mutating func end() {
    guard runs else { return }
    runs = false
    isEnding.store(true, ordering: .releasing)
    unsafe sem_post(wake)
    pthread_join(thread, nil)
  }

  /// Wakes the thread, as there may be work. Context: render.
  @_noLocks func post() {
    // Door out of checked code: a semaphore is raised without waiting.
    let wake = unsafe wake
    unsafe _unsafePerformance { _ = unsafe sem_post(wake) }
  }

  private func work() {
    while !isEnding.load(ordering: .acquiring) {
      unsafe sem_wait(wake)
      while !isEnding.load(ordering: .acquiring), unsafe line.pointee.pullAhead() {}
    }
  }

  private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    guard let shared = unsafe $0 else { return nil }
    unsafe shared.assumingMemoryBound(to: PullThread.self).pointee.work()
    return nil
  }
}
