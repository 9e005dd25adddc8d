// A thread that notices what happens at descriptors of other processes: messages, and their end.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem
import Glibc
import HostSystem
import Synchronization

/// Calls handlers when descriptors become readable or are hung up, on one thread that lives as long as the process.
package final class LinkMonitor: Sendable {
  /// The monitor of this process.
  package static let shared = LinkMonitor()

  /// Called on the monitor's thread; false ends the watching.
  package typealias Handler = @Sendable () -> Bool

  private struct State {
    /// The handlers, each with the number of its watching.
    var handlers: [Int32: (number: UInt64, call: Handler)] = [:]
    var lastNumber: UInt64 = 0
    var tasks: [@Sendable () -> Void] = []
    var isStarted = false
  }

  private let state = Mutex(State())
  /// Readable when there is something new to watch or to do.
  private let bell: Int32
  private let hammer: Int32

  /// Makes a monitor; its thread is started when there is something to do.
  package init() {
    var ends: [Int32] = [-1, -1]
    _ = unsafe AuriclePrivatePipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    (bell, hammer) = (ends[0], ends[1])
  }

  /// Has a handler called whenever a descriptor is readable or hung up.
  ///
  /// Context: control.
  package func watch(_ descriptor: Int32, _ handler: @escaping Handler) {
    change { state in
      state.lastNumber += 1
      state.handlers[descriptor] = (state.lastNumber, handler)
    }
  }

  /// Ends the watching of a descriptor; a call of its handler may still run.
  ///
  /// Context: control.
  package func forget(_ descriptor: Int32) { change { $0.handlers[descriptor] = nil } }

  /// Has something done on the monitor's thread, which outlives the caller's: processes that it starts end with it.
  ///
  /// Context: control.
  package func run(_ task: @escaping @Sendable () -> Void) { change { $0.tasks.append(task) } }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      guard !state.isStarted else { return }
      guard let thread = startThread({ self.serve() }) else { return }
      pthread_detach(thread)
      state.isStarted = true
    }
    var stroke: UInt8 = 1
    // A bell that rings already is enough.
    _ = unsafe write(hammer, &stroke, 1)
  }

  private func serve() {
    while true {
      let (handlers, tasks) = state.withLock { state in
        defer { state.tasks = [] }
        return (state.handlers, state.tasks)
      }
      for task in tasks { task() }
      var entries = [pollfd(fd: bell, events: Int16(POLLIN), revents: 0)]
      entries += handlers.keys.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard unsafe poll(&entries, nfds_t(entries.count), -1) > 0 else { continue }
      if entries[0].revents != 0 {
        var strokes = [UInt8](repeating: 0, count: 64)
        while unsafe read(bell, &strokes, strokes.count) == strokes.count {}
      }
      for entry in entries.dropFirst() where entry.revents != 0 {
        // One that was forgotten meanwhile has no say any more.
        let handler = state.withLock { $0.handlers[entry.fd] }
        guard let handler, !handler.call() else { continue }
        // It may be watched anew by now.
        state.withLock { state in
          if state.handlers[entry.fd]?.number == handler.number { state.handlers[entry.fd] = nil }
        }
      }
    }
  }
}
