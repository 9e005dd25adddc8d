// The thread that does a plug-in's jobs while it renders.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import Glibc
internal import HostSystem
internal import LV2Bundles
internal import RealtimeSupport
internal import Synchronization

/// The render thread's ends of a work thread's rings. Copies share them.
@safe struct LV2RealtimeWork {
  fileprivate let requests: SPSCRingProducer
  fileprivate let responses: SPSCRingConsumer
  fileprivate let semaphore: UnsafeMutablePointer<sem_t>
  fileprivate let mutex: UnsafeMutablePointer<pthread_mutex_t>
  /// The buffer of an answer; as large as the ring.
  fileprivate let answer: UnsafeMutableRawPointer

  /// Enqueues a job. Context: render.
  @_noLocks func schedule(_ size: UInt32, _ body: UnsafeRawPointer?) -> LV2_Worker_Status {
    guard requests.availableToWrite >= 4 + Int(size) else { return LV2_WORKER_ERR_NO_SPACE }
    var length = size
    unsafe _ = requests.write(&length, count: 4)
    if size > 0, let body = unsafe body { unsafe _ = requests.write(body, count: Int(size)) }
    unsafe auricle_wake(semaphore)
    return LV2_WORKER_SUCCESS
  }

  /// Delivers received answers to the plug-in. Context: render.
  @_noLocks func deliver(_ worker: UnsafePointer<LV2_Worker_Interface>, _ handle: LV2_Handle) {
    var length: UInt32 = 0
    // An answer is written completely before its length becomes visible.
    while responses.availableToRead >= 4, unsafe responses.read(into: &length, count: 4) {
      unsafe _ = responses.read(into: answer, count: Int(length))
      unsafe auricle_lv2_work_response(worker, handle, length, answer)
    }
  }

  /// Only one job is done at a time, on any thread. Context: control.
  func beginWork() { unsafe pthread_mutex_lock(mutex) }
  /// Ends the section of `beginWork`.
  func endWork() { unsafe pthread_mutex_unlock(mutex) }
}

/// Owns the thread of one instance, which ends before the owner is freed.
@safe final class LV2WorkThread {
  private let loop: LV2WorkLoop
  private let thread: pthread_t

  /// The render thread's ends.
  var ends: LV2RealtimeWork { loop.ends }

  /// Starts the thread for a queue whose interface and instance are set; nil on failure.
  init?(_ queue: UnsafeMutablePointer<LV2WorkQueue>) {
    unsafe loop = LV2WorkLoop(queue)
    // The thread retains the loop, not its owner, which would never be freed otherwise.
    guard let made = startThread({ [loop] in loop.run() }) else { return nil }
    thread = made
  }

  deinit {
    loop.stop()
    pthread_join(thread, nil)
  }
}

/// The loop of the thread, and the rings of its instance.
///
/// @unchecked Sendable because the thread uses only its ends of the rings, `stops` and the queue's fixed
/// fields.
@safe private final class LV2WorkLoop: @unchecked Sendable {
  private static let capacity = 256 << 10
  private let requests = SPSCRing(minimumCapacity: LV2WorkLoop.capacity)
  private let responses = SPSCRing(minimumCapacity: LV2WorkLoop.capacity)
  private let job: UnsafeMutableRawPointer
  private let stops = Atomic<Bool>(false)
  private let queue: UnsafeMutablePointer<LV2WorkQueue>
  /// The render thread's ends.
  let ends: LV2RealtimeWork

  init(_ queue: UnsafeMutablePointer<LV2WorkQueue>) {
    unsafe self.queue = unsafe queue
    unsafe job = .allocate(byteCount: LV2WorkLoop.capacity, alignment: 16)
    let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    unsafe sem_init(semaphore, 0, 0)
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
    unsafe ends = LV2RealtimeWork(
      requests: requests.producer, responses: responses.consumer, semaphore: semaphore,
      mutex: mutex, answer: .allocate(byteCount: LV2WorkLoop.capacity, alignment: 16))
  }

  deinit {
    unsafe sem_destroy(ends.semaphore)
    unsafe ends.semaphore.deallocate()
    unsafe pthread_mutex_destroy(ends.mutex)
    unsafe ends.mutex.deallocate()
    unsafe ends.answer.deallocate()
    unsafe job.deallocate()
  }

  /// Ends the thread after its current job.
  func stop() {
    stops.store(true, ordering: .releasing)
    unsafe sem_post(ends.semaphore)
  }

  /// Does jobs until it is stopped.
  func run() {
    while true {
      while unsafe sem_wait(ends.semaphore) != 0 {}
      if stops.load(ordering: .acquiring) { return }
      var length: UInt32 = 0
      guard unsafe requests.consumer.read(into: &length, count: 4) else { continue }
      // The rest of the job may still be missing.
      while unsafe !requests.consumer.read(into: job, count: Int(length)) { sched_yield() }
      guard let work = unsafe queue.pointee.interface?.pointee.work else { continue }
      ends.beginWork()
      unsafe _ = work(
        queue.pointee.instance, respondFromThread, Unmanaged.passUnretained(self).toOpaque(),
        length, job)
      ends.endWork()
    }
  }

  /// Sends an answer to the render thread.
  func respond(_ size: UInt32, _ body: UnsafeRawPointer?) -> LV2_Worker_Status {
    guard responses.producer.availableToWrite >= 4 + Int(size) else {
      return LV2_WORKER_ERR_NO_SPACE
    }
    // One write, so that the reader never sees a length without its body.
    return unsafe withUnsafeTemporaryAllocation(byteCount: 4 + Int(size), alignment: 16) { bytes in
      guard let start = bytes.baseAddress else { return LV2_WORKER_ERR_UNKNOWN }
      unsafe start.storeBytes(of: size, as: UInt32.self)
      if size > 0, let body = unsafe body {
        unsafe (start + 4).copyMemory(from: body, byteCount: Int(size))
      }
      return unsafe responses.producer.write(start, count: 4 + Int(size))
        ? LV2_WORKER_SUCCESS : LV2_WORKER_ERR_NO_SPACE
    }
  }
}

private let respondFromThread: LV2WorkFunction = { handle, size, body in
  guard let handle = unsafe handle else { return LV2_WORKER_ERR_UNKNOWN }
  return unsafe Unmanaged<LV2WorkLoop>.fromOpaque(handle).takeUnretainedValue()
    .respond(size, body)
}
