// The worker extension, offline: jobs run when the cycle that asked for them ends.
// SPDX-License-Identifier: Apache-2.0

internal import CLilv
internal import Glibc

/// Jobs a plug-in asked for, and the answers to them, in order.
///
/// What is scheduled during `run` is worked off right after it on the same thread, and its responses
/// are delivered before the next `run`: the same result every time. Waiting for a job is right
/// offline; a host against a clock needs a thread for them instead, which takes this queue's place.
@safe struct LV2WorkQueue {
  /// The plug-in's side; nil until it is instantiated, or without a worker interface.
  var interface: UnsafePointer<LV2_Worker_Interface>?
  var instance: LV2_Handle?
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

  /// Takes a job.
  mutating func schedule(_ size: UInt32, _ body: UnsafeRawPointer?) -> LV2_Worker_Status {
    unsafe requests.append(size, body) ? LV2_WORKER_SUCCESS : LV2_WORKER_ERR_NO_SPACE
  }

  /// Takes an answer.
  mutating func respond(_ size: UInt32, _ body: UnsafeRawPointer?) -> LV2_Worker_Status {
    unsafe responses.append(size, body) ? LV2_WORKER_SUCCESS : LV2_WORKER_ERR_NO_SPACE
  }

  /// Whether there is nothing to do but the plug-in's `end_run`.
  var isIdle: Bool { @_noLocks get { requests.isEmpty && responses.isEmpty } }

  /// Works off all jobs and delivers all answers.
  ///
  /// `queue` is where this value lives; plug-ins call back into it meanwhile.
  static func drain(_ queue: UnsafeMutablePointer<LV2WorkQueue>) {
    guard let interface = unsafe queue.pointee.interface,
      let instance = unsafe queue.pointee.instance
    else { return }
    // Answers may ask for further jobs; a bound, because a plug-in may do so for ever.
    for _ in 0..<1024 {
      if unsafe queue.pointee.isIdle { return }
      unsafe swap(&queue.pointee.requests, &queue.pointee.active)
      var job = unsafe queue.pointee.active.first
      while let message = job {
        if let work = unsafe interface.pointee.work {
          unsafe _ = work(instance, respondToWork, queue, message.size, message.body)
        }
        job = unsafe queue.pointee.active.next(after: message)
      }
      unsafe queue.pointee.active.removeAll()
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
}

/// What a plug-in calls to schedule a job: the handle is the queue.
let scheduleWork:
  @convention(c) (UnsafeMutableRawPointer?, UInt32, UnsafeRawPointer?) -> LV2_Worker_Status = {
    handle, size, body in
    guard let handle = unsafe handle else { return LV2_WORKER_ERR_UNKNOWN }
    let queue = unsafe handle.assumingMemoryBound(to: LV2WorkQueue.self)
    return unsafe queue.pointee.schedule(size, body)
  }

private let respondToWork:
  @convention(c) (UnsafeMutableRawPointer?, UInt32, UnsafeRawPointer?) -> LV2_Worker_Status = {
    handle, size, body in
    guard let handle = unsafe handle else { return LV2_WORKER_ERR_UNKNOWN }
    let queue = unsafe handle.assumingMemoryBound(to: LV2WorkQueue.self)
    return unsafe queue.pointee.respond(size, body)
  }

/// Messages one after the other in memory that keeps its size between uses.
@safe struct LV2MessageBuffer {
  /// One message: where it is in the buffer, and its body, aligned to 8 bytes.
  @safe struct Message {
    var offset: Int
    var size: UInt32
    var body: UnsafeRawPointer
  }

  private static let limit = 64 << 20
  private var memory: UnsafeMutableRawPointer?
  private var used = 0
  private var capacity = 0

  init() {}

  var isEmpty: Bool { @_noLocks get { used == 0 } }

  mutating func append(_ size: UInt32, _ body: UnsafeRawPointer?) -> Bool {
    let needed = 8 + (Int(size) + 7) & ~7
    if used + needed > capacity {
      let wanted = max(4096, max(capacity * 2, used + needed))
      guard wanted <= LV2MessageBuffer.limit, let grown = unsafe realloc(memory, wanted) else {
        return false
      }
      unsafe memory = grown
      capacity = wanted
    }
    guard let memory = unsafe memory else { return false }
    unsafe (memory + used).storeBytes(of: size, as: UInt32.self)
    if size > 0, let body = unsafe body {
      unsafe (memory + used + 8).copyMemory(from: body, byteCount: Int(size))
    }
    used += needed
    return true
  }

  var first: Message? { message(at: 0) }

  func next(after message: Message) -> Message? {
    self.message(at: message.offset + 8 + (Int(message.size) + 7) & ~7)
  }

  private func message(at offset: Int) -> Message? {
    guard offset < used, let memory = unsafe memory else { return nil }
    let size = unsafe (memory + offset).load(as: UInt32.self)
    return unsafe Message(offset: offset, size: size, body: UnsafeRawPointer(memory + offset + 8))
  }

  mutating func removeAll() { used = 0 }

  mutating func free() {
    unsafe Glibc.free(memory)
    unsafe memory = nil
    used = 0
    capacity = 0
  }
}
