// The thread that reads incoming messages, and calls their receivers.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem
import MIDIMessages
import MacSystem
import Synchronization

/// A connection that the thread serves, and closes.
final class PortSlot: Sendable {
  /// The treatment of incoming bytes.
  enum Duty: Sendable {
    /// Nothing comes; it is of use until the other side ends it.
    case held
    /// Its first message states its purpose.
    case greeting
    /// Packets, with their target.
    case packets(PacketTarget)
  }

  let descriptor: Int32
  let duty: Mutex<Duty>
  private let closed = Atomic<Bool>(false)
  /// Called on the thread before the connection is closed.
  let ended: @Sendable () -> Void

  init(_ descriptor: Int32, _ duty: Duty, ended: @escaping @Sendable () -> Void = {}) {
    self.descriptor = descriptor
    self.duty = Mutex(duty)
    self.ended = ended
  }

  var isClosed: Bool { closed.load(ordering: .acquiring) }
  func markClosed() { closed.store(true, ordering: .releasing) }
}

/// The receiver of the packets of a connection.
final class PacketTarget: Sendable {
  private let translator: Mutex<MIDITranslator>
  private let deliver: Mutex<@Sendable (MIDIEvents) -> Void>

  init(_ form: MIDIForm, _ deliver: @escaping @Sendable (MIDIEvents) -> Void) {
    translator = Mutex(MIDITranslator(to: form))
    self.deliver = Mutex(deliver)
  }

  func replace(_ call: @escaping @Sendable (MIDIEvents) -> Void) { deliver.withLock { $0 = call } }

  func receive(_ events: MIDIEvents) {
    let translated = translator.withLock { $0.translate(events) }
    guard !translated.isEmpty else { return }
    deliver.withLock(\.self)(translated)
  }
}

/// Polls all connections of a process. One a system; it runs until the process ends.
final class PortThread: Sendable {
  private struct State {
    var slots: [PortSlot] = []
    var listener: Int32?
    var current: PortSlot?
    var thread: pthread_t?
    var isRunning = false
  }

  private let state = Mutex(State())
  private let waker = Waker()
  private let progress = ThreadSignal()
  private let accepting = Mutex(())
  /// Called with each greeting; returns the duty of the connection, or nil to close it.
  private let greet: @Sendable (Greeting, Int32) -> PortSlot?

  init(_ greet: @escaping @Sendable (Greeting, Int32) -> PortSlot?) { self.greet = greet }

  /// Starts the thread, once.
  func start() throws(MIDIError) {
    let starts = state.withLock { state -> Bool in
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard starts else { return }
    guard let thread = HostSystem.startThread({ [self] in run() }) else {
      state.withLock { $0.isRunning = false }
      throw .start
    }
    state.withLock { $0.thread = thread }
    pthread_detach(thread)
  }

  /// Adds a listening socket, once.
  func listen(_ listener: Int32) {
    state.withLock { $0.listener = listener }
    waker.wake()
  }

  /// Adds a connection.
  func add(_ slot: PortSlot) {
    state.withLock { $0.slots.append(slot) }
    waker.wake()
  }

  /// Ends connections; when it returns, none of them makes a call any more.
  ///
  /// From a call of this thread it returns at once.
  func end(_ slots: [PortSlot]) {
    for slot in slots { slot.markClosed() }
    waker.wake()
    while true {
      let mark = progress.mark
      let isBusy = state.withLock { state in
        guard let current = state.current, let thread = state.thread,
          pthread_equal(thread, pthread_self()) == 0
        else { return false }
        return slots.contains { $0 === current }
      }
      guard isBusy else { return }
      progress.wait(since: mark, milliseconds: 50)
    }
  }

  /// Accepts peers that have connected and sent a greeting. Context: control, and the thread.
  func acceptAll() {
    accepting.withLock { _ in acceptWaiting() }
  }

  private func acceptWaiting() {
    guard let listener = state.withLock({ $0.listener }) else { return }
    while let made = PortSocket.accept(listener) {
      let slot = PortSlot(made, .greeting)
      state.withLock { $0.slots.append(slot) }
    }
    let waiting = state.withLock { state in
      state.slots.filter { slot in
        !slot.isClosed
          && slot.duty.withLock { duty in
            if case .greeting = duty { return true }
            return false
          }
      }
    }
    for slot in waiting { readGreeting(slot) }
  }

  /// Reads a greeting, if it is there, and assigns the connection its duty.
  private func readGreeting(_ slot: PortSlot) {
    slot.duty.withLock { duty in
      guard case .greeting = duty, !slot.isClosed else { return }
      let reading = unsafe withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) {
        unsafe PortSocket.receive(slot.descriptor, $0)
      }
      switch reading {
      case .nothing: return
      case .end: slot.markClosed()
      case .message(let bytes):
        // The descriptor has a new owner, or is closed by this slot.
        let copy = fcntl(slot.descriptor, F_DUPFD_CLOEXEC, 0)
        slot.markClosed()
        guard copy >= 0 else { return }
        guard let greeting = Greeting(bytes), let made = greet(greeting, copy) else {
          close(copy)
          return
        }
        state.withLock { $0.slots.append(made) }
      }
    }
  }
}

extension PortThread {
  private func run() {
    Self.raisePriority()
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: WireMessages.longest, alignment: 16)
    while true {
      let (slots, listener) = collect()
      var entries = [pollfd(fd: waker.reading, events: Int16(POLLIN), revents: 0)]
      entries.append(pollfd(fd: listener ?? -1, events: Int16(POLLIN), revents: 0))
      for slot in slots {
        entries.append(pollfd(fd: slot.descriptor, events: Int16(POLLIN), revents: 0))
      }
      guard unsafe poll(&entries, nfds_t(entries.count), -1) > 0 else { continue }
      if entries[0].revents != 0 { waker.clear() }
      if entries[1].revents != 0 { acceptAll() }
      for (index, slot) in slots.enumerated() where entries[index + 2].revents != 0 {
        unsafe serve(slot, memory)
      }
    }
  }

  /// Above programs, below the threads of devices, where the system lets this user have it.
  static func raisePriority() {
    var parameters = sched_param()
    parameters.sched_priority = 50
    unsafe pthread_setschedparam(pthread_self(), SCHED_RR, &parameters)
  }

  /// Closes connections that have ended, and returns the others.
  private func collect() -> ([PortSlot], Int32?) {
    let ended = state.withLock { state -> [PortSlot] in
      let ended = state.slots.filter(\.isClosed)
      state.slots.removeAll(where: \.isClosed)
      return ended
    }
    for slot in ended {
      slot.ended()
      close(slot.descriptor)
    }
    return state.withLock { ($0.slots, $0.listener) }
  }

  private func serve(_ slot: PortSlot, _ memory: UnsafeMutableRawBufferPointer) {
    switch slot.duty.withLock(\.self) {
    case .greeting: acceptAll()
    case .held:
      if case .nothing = unsafe PortSocket.receive(slot.descriptor, memory) { return }
      slot.markClosed()
    case .packets(let target):
      state.withLock { $0.current = slot }
      defer {
        state.withLock { $0.current = nil }
        progress.ring()
      }
      // Others have their turn after so many.
      for _ in 0..<64 where !slot.isClosed {
        switch unsafe PortSocket.receive(slot.descriptor, memory) {
        case .nothing: return
        case .end: return slot.markClosed()
        case .message(let bytes):
          if let events = WireMessages.decode(bytes) { target.receive(events) }
        }
      }
    }
  }
}
