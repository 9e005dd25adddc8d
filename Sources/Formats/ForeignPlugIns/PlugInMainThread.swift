// The thread that plug-ins know as their main thread, and its loop.
// SPDX-License-Identifier: Apache-2.0

internal import CForeignPlugIns
internal import Glibc
internal import HostSystem
internal import PlugInGuard
internal import Synchronization

/// A plug-in in the loop of the main thread: its timers, descriptors and requests.
package protocol PlugInLoopMember: AnyObject, Sendable {
  /// The nanoseconds of the monotonic clock at which something is due; nil for never.
  ///
  /// Context: the main thread of plug-ins.
  var nextTime: UInt64? { get }

  /// The descriptors that it waits for, with bits of POLLIN, POLLOUT and POLLERR.
  ///
  /// Context: the main thread of plug-ins.
  var awaited: [(descriptor: Int32, events: Int16)] { get }

  /// Serves timers, descriptors and requests that are due.
  ///
  /// - Parameters:
  ///   - ready: Its descriptors that are ready, with their events.
  ///   - time: Nanoseconds of the monotonic clock.
  ///
  /// Context: the main thread of plug-ins.
  func turn(_ ready: [(descriptor: Int32, events: Int16)], time: UInt64)
}

/// The main thread of plug-ins: one in a process, from the first plug-in that needs it on.
///
/// Some formats call most functions of a plug-in on one thread, the same from its making to its end. It is
/// independent of the threads of the host's clients. The thread also runs timers, and waits for descriptors.
package enum PlugInMainThread {
  private static let loop = PlugInLoop()

  /// Whether this is the main thread of plug-ins.
  ///
  /// Context: any.
  package static var isCurrent: Bool { loop.isCurrent }

  /// The thread as `pthread_self` names it; 0 before it is needed.
  ///
  /// Context: any.
  package static var number: UInt64 { loop.thread.load(ordering: .acquiring) }

  /// The bell that has the loop turn, for `auricle_bell_ring`.
  ///
  /// Context: any.
  package static var bell: Int32 { loop.bell }

  /// Runs a body on the thread, and waits; on that thread itself, at once.
  ///
  /// Context: control; `PlugInLifeCycle.performOnMainThread` keeps other plug-ins waiting as well.
  package static func run<Value>(_ body: () -> Value) -> Value { loop.run(body) }

  /// Adds a plug-in to the loop until it is removed.
  ///
  /// Context: the main thread of plug-ins.
  package static func add(_ member: any PlugInLoopMember) { loop.add(member) }

  /// Removes a plug-in from the loop.
  ///
  /// Context: the main thread of plug-ins.
  package static func remove(_ member: any PlugInLoopMember) { loop.remove(member) }

  /// Makes the loop turn soon.
  ///
  /// Context: any but a render thread.
  package static func wake() { loop.wake() }

  /// Nanoseconds of the monotonic clock.
  ///
  /// Context: any.
  package static var time: UInt64 {
    var now = timespec()
    guard unsafe clock_gettime(CLOCK_MONOTONIC, &now) == 0 else { return 0 }
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
  }
}

/// A body that another thread runs while this one waits.
///
/// @unchecked Sendable because the thread that made it does nothing until the other is done with it.
@safe private final class LoopJob: @unchecked Sendable {
  private var body: (() -> Void)?
  private let done: UnsafeMutablePointer<sem_t>

  init(_ body: @escaping () -> Void) {
    self.body = body
    unsafe done = .allocate(capacity: 1)
    unsafe sem_init(done, 0, 0)
  }

  func run() {
    callBody()
    unsafe sem_post(done)
  }

  /// Calls the body and forgets it: nothing may hold it when the other thread continues.
  @inline(never) private func callBody() {
    body?()
    body = nil
  }

  func wait() { while unsafe sem_wait(done) != 0 {} }

  deinit {
    unsafe sem_destroy(done)
    unsafe done.deallocate()
  }
}

/// The loop of the thread.
///
/// @unchecked Sendable because the members are accessed on its thread alone.
private final class PlugInLoop: @unchecked Sendable {
  let bell = auricle_bell_make()
  let thread = Atomic<UInt64>(0)
  private let jobs = Mutex<[LoopJob]>([])
  private let isStarted = Mutex<Bool>(false)
  private var members: [any PlugInLoopMember] = []

  var isCurrent: Bool { thread.load(ordering: .acquiring) == UInt64(pthread_self()) }

  func run<Value>(_ body: () -> Value) -> Value {
    guard !isCurrent, start() else { return body() }
    let (phase, unit) = (Heartbeat.phase, Heartbeat.unit)
    var value: Value?
    withoutActuallyEscaping({ value = Heartbeat.during(phase, unit: unit) { body() } }) { body in
      let job = LoopJob(body)
      jobs.withLock { $0.append(job) }
      wake()
      job.wait()
    }
    // A watching parent sees the activity of this thread.
    Heartbeat.enter(phase, unit: unit)
    guard let value else { return body() }
    return value
  }

  func wake() { auricle_bell_ring(bell) }

  func add(_ member: any PlugInLoopMember) { members.append(member) }

  func remove(_ member: any PlugInLoopMember) { members.removeAll { $0 === member } }

  /// Starts the thread if it does not run; false where the system has none left.
  private func start() -> Bool {
    isStarted.withLock { isStarted in
      if isStarted { return true }
      guard let made = startThread({ [self] in turn() }) else { return false }
      thread.store(UInt64(made), ordering: .releasing)
      pthread_detach(made)
      isStarted = true
      return true
    }
  }

  private func turn() {
    unsafe auricle_name_thread("auricle-plugins")
    thread.store(UInt64(pthread_self()), ordering: .releasing)
    while true {
      let ready = waitForEvents()
      auricle_bell_stop(bell)
      for job in jobs.withLock({ jobs in
        defer { jobs = [] }
        return jobs
      }) { job.run() }
      let time = PlugInMainThread.time
      for member in members {
        let own = member.awaited.map(\.descriptor)
        member.turn(ready.filter { own.contains($0.descriptor) }, time: time)
      }
    }
  }

  /// Waits for the bell, a descriptor or the next time; the descriptors of members that are ready.
  private func waitForEvents() -> [(descriptor: Int32, events: Int16)] {
    var entries = [pollfd(fd: bell, events: Int16(POLLIN), revents: 0)]
    for member in members {
      entries += member.awaited.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
    }
    var wait: Int32 = -1
    if let next = members.compactMap(\.nextTime).min() {
      let now = PlugInMainThread.time
      wait = next <= now ? 0 : Int32(clamping: (next - now + 999_999) / 1_000_000)
    }
    guard unsafe poll(&entries, nfds_t(entries.count), wait) > 0 else { return [] }
    return entries.dropFirst().filter { $0.revents != 0 }.map { ($0.fd, $0.revents) }
  }
}
