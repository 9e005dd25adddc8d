// A thread that writes the logs of plug-ins that render in real time.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import Glibc
internal import HostSystem
internal import LV2Bundles
internal import Synchronization

/// Writes the log of one instance on a separate thread.
@safe final class LV2LogWriter: Sendable {
  nonisolated(unsafe) private let semaphore: UnsafeMutablePointer<sem_t>
  private let log = Mutex<(@Sendable () -> Void)?>(nil)

  init() {
    unsafe semaphore = unsafe LV2LogThread.shared.semaphore
    LV2LogThread.shared.add(self)
  }

  /// Sets the function that writes the log.
  func setLog(_ flush: @escaping @Sendable () -> Void) { log.withLock { $0 = flush } }

  /// Wakes the thread to write the log. Context: any; it neither waits nor allocates.
  func wake() { unsafe auricle_wake(semaphore) }

  /// Ends it: nothing is written afterwards.
  func end() {
    LV2LogThread.shared.remove(self)
    log.withLock { $0 = nil }
  }

  fileprivate func run() { log.withLock { $0 }?() }
}

/// The one thread that writes the logs of all instances; it waits until it is woken.
@safe private final class LV2LogThread: @unchecked Sendable {
  static let shared = LV2LogThread()
  let semaphore: UnsafeMutablePointer<sem_t>
  private let writers = Mutex<[LV2LogWriter]>([])

  private init() {
    unsafe semaphore = .allocate(capacity: 1)
    unsafe sem_init(semaphore, 0, 0)
    if let thread = startThread({ self.work() }) { pthread_detach(thread) }
  }

  func add(_ writer: LV2LogWriter) { writers.withLock { $0.append(writer) } }

  func remove(_ writer: LV2LogWriter) { writers.withLock { $0.removeAll { $0 === writer } } }

  private func work() {
    while true {
      while unsafe sem_wait(semaphore) != 0 {}
      for writer in writers.withLock({ $0 }) { writer.run() }
    }
  }
}
