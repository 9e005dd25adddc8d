// The thread that sends messages later, and messages that could not be sent at once.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem
import Synchronization

/// A connection that is written to. All of it is used under the sender's lock.
final class PortOutlet: @unchecked Sendable {
  // @unchecked Sendable because its sender's lock guards the fields.
  let descriptor: Int32
  fileprivate(set) var isDead = false
  fileprivate var waiting: [[UInt8]] = []
  fileprivate var waitingBytes = 0
  /// A receiver that lets more wait is disconnected (bytes).
  fileprivate static let mostWaiting = 64 << 20

  /// The receiver of messages at once, where nothing is at the other end of a connection.
  fileprivate let direct: PacketTarget?

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    direct = nil
  }

  init(_ direct: PacketTarget) {
    descriptor = -1
    self.direct = direct
  }
}

/// Writes to connections in order, now or at a time.
final class PortSender: Sendable {
  private struct Planned {
    let time: UInt64
    let number: UInt64
    let key: String
    let outlet: PortOutlet
    let message: [UInt8]
  }
  private struct State {
    /// In the order of their times; of one time, in the order in which they came.
    var planned: [Planned] = []
    var count: UInt64 = 0
    var blocked: [PortOutlet] = []
    var isRunning = false
  }
  private let state = Mutex(State())
  private let waker = Waker()

  /// Sends messages now, after the due ones on the same connection.
  ///
  /// - Throws: `.send` where the receiver is gone.
  func send(_ messages: [[UInt8]], to outlet: PortOutlet) throws(MIDIError) {
    let (isDead, isBlocked) = state.withLock { state -> (Bool, Bool) in
      if !state.planned.isEmpty { Self.sendDue(&state) }
      for message in messages { Self.write(message, to: outlet, &state) }
      return (outlet.isDead, !outlet.waiting.isEmpty)
    }
    if isBlocked { try wakeThread() }
    if isDead { throw .send }
  }

  /// Sends a message at a host time (ns).
  func send(_ message: [UInt8], at time: UInt64, key: String, to outlet: PortOutlet)
    throws(MIDIError)
  {
    let isFirst = state.withLock { state -> Bool in
      let planned = Planned(
        time: time, number: state.count, key: key, outlet: outlet, message: message)
      state.count += 1
      var (low, high) = (0, state.planned.count)
      while low < high {
        let middle = (low + high) / 2
        if state.planned[middle].time <= time { low = middle + 1 } else { high = middle }
      }
      state.planned.insert(planned, at: low)
      return low == 0
    }
    if isFirst { try wakeThread() }
  }

  /// Forgets messages that wait; nil: for any endpoint.
  func flush(_ key: String?) {
    state.withLock { state in state.planned.removeAll { key == nil || $0.key == key } }
  }

  /// Nothing is written to a connection any more.
  func end(_ outlet: PortOutlet) {
    state.withLock { state in
      outlet.isDead = true
      outlet.waiting = []
      state.blocked.removeAll { $0 === outlet }
      state.planned.removeAll { $0.outlet === outlet }
    }
  }

  /// Waits until nothing is held up, at most so many milliseconds. Context: the end of a process.
  func drain(milliseconds: Int) {
    let deadline = ContinuousClock.now + .milliseconds(milliseconds)
    while true {
      let blocked = state.withLock { state -> [Int32] in
        Self.writeWaiting(&state)
        return state.blocked.map(\.descriptor)
      }
      let left = (deadline - ContinuousClock.now) / .milliseconds(1)
      guard !blocked.isEmpty, left > 0 else { return }
      var entries = blocked.map { pollfd(fd: $0, events: Int16(POLLOUT), revents: 0) }
      _ = unsafe poll(&entries, nfds_t(entries.count), Int32(left.rounded(.up)))
    }
  }

  private func wakeThread() throws(MIDIError) {
    let starts = state.withLock { state -> Bool in
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if starts {
      guard let thread = HostSystem.startThread({ [self] in run() }) else {
        state.withLock { $0.isRunning = false }
        throw .start
      }
      pthread_detach(thread)
    }
    waker.wake()
  }
}

extension PortSender {
  private static func write(_ message: [UInt8], to outlet: PortOutlet, _ state: inout State) {
    guard !outlet.isDead else { return }
    if let direct = outlet.direct {
      if let events = WireMessages.decode(message) { direct.receive(events) }
      return
    }
    if outlet.waiting.isEmpty {
      switch PortSocket.send(outlet.descriptor, message) {
      case 0: return
      case EAGAIN, ENOBUFS: break
      default:
        outlet.isDead = true
        return
      }
      state.blocked.append(outlet)
    }
    outlet.waiting.append(message)
    outlet.waitingBytes += message.count
    if outlet.waitingBytes > PortOutlet.mostWaiting {
      outlet.isDead = true
      outlet.waiting = []
      state.blocked.removeAll { $0 === outlet }
      // The other side reads the end of the connection; so does this one, and closes it.
      shutdown(outlet.descriptor, Int32(SHUT_RDWR))
    }
  }

  private static func sendDue(_ state: inout State) {
    let now = HostClock.now
    let due = state.planned.prefix { $0.time <= now }
    guard !due.isEmpty else { return }
    let list = Array(due)
    state.planned.removeFirst(list.count)
    for planned in list { write(planned.message, to: planned.outlet, &state) }
  }

  private static func writeWaiting(_ state: inout State) {
    for outlet in state.blocked {
      var done = 0
      while done < outlet.waiting.count {
        let status = PortSocket.send(outlet.descriptor, outlet.waiting[done])
        if status == EAGAIN || status == ENOBUFS { break }
        if status != 0 {
          outlet.isDead = true
          done = outlet.waiting.count
          break
        }
        outlet.waitingBytes -= outlet.waiting[done].count
        done += 1
      }
      outlet.waiting.removeFirst(done)
    }
    state.blocked.removeAll { $0.waiting.isEmpty }
  }

  private func run() {
    while true {
      let (next, blocked) = state.withLock { state -> (UInt64?, [Int32]) in
        Self.sendDue(&state)
        Self.writeWaiting(&state)
        return (state.planned.first?.time, state.blocked.map(\.descriptor))
      }
      var entries = [pollfd(fd: waker.reading, events: Int16(POLLIN), revents: 0)]
      for descriptor in blocked {
        entries.append(pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0))
      }
      let now = HostClock.now
      let left = next.map { $0 > now ? $0 - now : 0 }
      // Whole milliseconds can be interrupted; the rest of the last one is slept.
      let limit = left.map { Int32(min($0 / 1_000_000, 3_600_000)) } ?? -1
      let ready = unsafe poll(&entries, nfds_t(entries.count), limit)
      if ready == 0, let next, let left, left < 2_000_000 { HostClock.sleep(until: next) }
      if entries[0].revents != 0 { waker.clear() }
    }
  }
}

/// The clock of time stamps.
package enum HostClock {
  /// Nanoseconds of the monotonic clock.
  package static var now: UInt64 {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_MONOTONIC, &time) == 0 else { return 0 }
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Sleeps until a moment: the time of a message is what it waits for.
  static func sleep(until time: UInt64) {
    var moment = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
    unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, nil)
  }
}
