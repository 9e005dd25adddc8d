// The thread of a file player: it reads ahead, and reports regions that ended.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox
import Glibc

extension FileFeeder {
  func startThread() {
    guard !hasThread, !isEnding else { return }
    var all = sigset_t(), before = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    let kept = unsafe Unmanaged.passRetained(self)
    let status = unsafe pthread_create(&thread, nil, Self.run, kept.toOpaque())
    hasThread = status == 0
    if hasThread { pthread_detach(thread) } else { unsafe kept.release() }
  }

  private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    guard let kept = unsafe $0 else { return nil }
    unsafe Unmanaged<FileFeeder>.fromOpaque(kept).takeRetainedValue().work()
    return nil
  }

  private func work() {
    unsafe pthread_mutex_lock(mutex)
    while true {
      sweep()
      if let end = unsafe ended.first {
        unsafe ended.removeFirst()
        unsafe pthread_mutex_unlock(mutex)
        unsafe Self.notify(end)
        unsafe pthread_mutex_lock(mutex)
        continue
      }
      if isEnding { break }
      if readOn() { continue }
      unsafe pthread_mutex_unlock(mutex)
      unsafe sem_wait(wake)
      unsafe pthread_mutex_lock(mutex)
    }
    isOver = true
    unsafe pthread_cond_broadcast(over)
    unsafe pthread_mutex_unlock(mutex)
  }

  private static func notify(_ end: Ended) {
    if let procedure = unsafe end.region.pointee.mCompletionProc {
      unsafe procedure(end.region.pointee.mCompletionProcUserData, end.region, end.status)
    }
    unsafe end.region.deallocate()
  }
}
