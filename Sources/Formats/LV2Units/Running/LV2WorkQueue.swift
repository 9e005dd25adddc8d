// The worker extension: jobs that a plug-in must not do while it renders, and their answers.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import ForeignPlugIns
internal import Glibc
internal import LV2Bundles
internal import RealtimeSupport
internal import Synchronization

/// Jobs that a plug-in scheduled, and their answers, in order.
///
/// Offline, jobs scheduled during `run` are done right after it on the same thread, and their answers are
/// delivered before the next `run`: the same result every time. In real time, jobs go to a thread through a
/// lock-free ring, and answers return through another.
@safe struct LV2WorkQueue: ~Copyable {
  /// The plug-in's side; nil until it is instantiated, or without a worker interface.
  var interface: UnsafePointer<LV2_Worker_Interface>?
  var instance: LV2_Handle?
  /// The ends of the rings that belong to the render thread; nil offline.
  var realtime: LV2RealtimeWork?
  /// The thread that is in `run`, to recognize jobs from other threads; 0 for none.
  let runningThread = Atomic<UInt>(0)
  /// Jobs done in `drain` that the plug-in reported as failed.
  var failureCount = 0
  private var requests = LV2MessageBuffer()
  private var active = LV2MessageBuffer()
  private var responses = LV2MessageBuffer()

  init() {}

  /// Frees the buffers.
  mutating func free() {
    requests.free()
    active.free()
    responses.free()
  }

  /// Receives a job: without waiting on the render thread, on others for the next `drain`.
  mutating func schedule(_ size: UInt32, _ body: UnsafeRawPointer?) -> LV2_Worker_Status {
    if let realtime, runningThread.load(ordering: .relaxed) == RenderClock.thread() {
      return unsafe realtime.schedule(size, body)
    }
    return unsafe requests.append(size, body) ? LV2_WORKER_SUCCESS : LV2_WORKER_ERR_NO_SPACE
  }

  /// Receives an answer on a control thread.
  mutating func respond(_ size: UInt32, _ body: UnsafeRawPointer?) -> LV2_Worker_Status {
    unsafe responses.append(size, body) ? LV2_WORKER_SUCCESS : LV2_WORKER_ERR_NO_SPACE
  }

  /// Whether there is nothing to do except the plug-in's `end_run`.
  var isIdle: Bool { @_noLocks get { requests.isEmpty && responses.isEmpty } }

  /// Does all jobs and delivers all answers.
  ///
  /// `queue` is the address of this value; plug-ins call back into it meanwhile.
  @inline(never) static func drain(_ queue: UnsafeMutablePointer<LV2WorkQueue>) {
    guard let interface = unsafe queue.pointee.interface,
      let instance = unsafe queue.pointee.instance
    else { return }
    // Answers may schedule further jobs; bounded, because a plug-in may do so for ever.
    for _ in 0..<1024 {
      if unsafe queue.pointee.isIdle { return }
      unsafe swap(&queue.pointee.requests, &queue.pointee.active)
      FreshMemory.during { unsafe doJobs(of: queue, interface, instance) }
      unsafe queue.pointee.active.removeAll()
      unsafe deliver(queue)
    }
  }

  private static func doJobs(
    of queue: UnsafeMutablePointer<LV2WorkQueue>,
    _ interface: UnsafePointer<LV2_Worker_Interface>, _ instance: LV2_Handle
  ) {
    guard let work = unsafe interface.pointee.work else { return }
    var job = unsafe queue.pointee.active.first
    while let message = job {
      let status = unsafe work(instance, respondToWork, queue, message.size, message.body)
      if status != LV2_WORKER_SUCCESS { unsafe queue.pointee.failureCount += 1 }
      job = unsafe queue.pointee.active.next(after: message)
    }
  }

  /// Delivers pending answers. Context: control, while nothing else runs the instance.
  static func deliver(_ queue: UnsafeMutablePointer<LV2WorkQueue>) {
    guard let interface = unsafe queue.pointee.interface,
      let instance = unsafe queue.pointee.instance
    else { return }
    unsafe swap(&queue.pointee.responses, &queue.pointee.active)
    var answer = unsafe queue.pointee.active.first
    while let message = answer {
      if let receive = unsafe interface.pointee.work_response {
        unsafe _ = receive(instance, message.size, message.body)
      }
      answer = unsafe queue.pointee.active.next(after: message)
    }
    unsafe queue.pointee.active.removeAll()
  }
}

/// A function that receives a job or an answer.
typealias LV2WorkFunction =
  @convention(c) (UnsafeMutableRawPointer?, UInt32, UnsafeRawPointer?) -> LV2_Worker_Status

/// The plug-in's callback to schedule a job: the handle is the queue.
let scheduleWork: LV2WorkFunction = { handle, size, body in
  guard let handle = unsafe handle else { return LV2_WORKER_ERR_UNKNOWN }
  let queue = unsafe handle.assumingMemoryBound(to: LV2WorkQueue.self)
  return unsafe queue.pointee.schedule(size, body)
}

/// The plug-in's callback to schedule a job while its state is restored: the job is done at once.
let scheduleRestoringWork: LV2WorkFunction = { handle, size, body in
  guard let handle = unsafe handle else { return LV2_WORKER_ERR_UNKNOWN }
  let queue = unsafe handle.assumingMemoryBound(to: LV2WorkQueue.self)
  guard let work = unsafe queue.pointee.interface?.pointee.work else {
    return LV2_WORKER_ERR_UNKNOWN
  }
  unsafe queue.pointee.realtime?.beginWork()
  defer { unsafe queue.pointee.realtime?.endWork() }
  return unsafe work(queue.pointee.instance, respondToWork, queue, size, body)
}

private let respondToWork: LV2WorkFunction = { handle, size, body in
  guard let handle = unsafe handle else { return LV2_WORKER_ERR_UNKNOWN }
  let queue = unsafe handle.assumingMemoryBound(to: LV2WorkQueue.self)
  return unsafe queue.pointee.respond(size, body)
}
