// Long system exclusive messages, sent as fast as their destination wants them.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem
package import MIDIMessages
import Synchronization

/// Requests by destination; each destination has a thread while it has some.
package final class SysExQueue: Sendable {
  /// A part of a message.
  package struct Piece: Sendable {
    package let events: MIDIEvents
    package let byteCount: Int
    /// Notes that it was sent.
    package let sent: @Sendable () -> Void

    /// A part of a message.
    package init(events: MIDIEvents, byteCount: Int, sent: @escaping @Sendable () -> Void) {
      self.events = events
      self.byteCount = byteCount
      self.sent = sent
    }
  }

  /// The next piece, of about so many bytes; nil at the end, and when it was cancelled.
  package typealias Next = @Sendable (Int) -> Piece?

  private struct Request: Sendable {
    let next: Next
    let completed: @Sendable () -> Void
  }
  private let requests = Mutex<[MIDIRef: [Request]]>([:])

  init() {}

  func add(
    _ destination: MIDIRef, _ system: MIDISystem, _ next: @escaping Next,
    _ completed: @escaping @Sendable () -> Void
  ) throws(MIDIError) {
    let starts = requests.withLock { requests -> Bool in
      let isFirst = requests[destination] == nil
      requests[destination, default: []].append(Request(next: next, completed: completed))
      return isFirst
    }
    guard starts else { return }
    let thread = HostSystem.startThread { [self] in run(destination, system) }
    guard let thread else {
      requests.withLock { $0[destination] = nil }
      throw .start
    }
    pthread_detach(thread)
  }

  private func run(_ destination: MIDIRef, _ system: MIDISystem) {
    while true {
      let request = requests.withLock { requests -> Request? in
        guard let first = requests[destination]?.first else {
          requests[destination] = nil
          return nil
        }
        requests[destination]?.removeFirst()
        return first
      }
      guard let request else { return }
      var due = HostClock.now
      while true {
        let speed = Self.speed(destination, system)
        // A hundred times a second; more than the room of a packet never.
        guard let piece = request.next(min(max(speed / 100, 1), 16_384)) else { break }
        // Nobody is there any more: the message ends here.
        guard (try? system.send(to: destination, piece.events)) != nil else { break }
        piece.sent()
        due += UInt64(piece.byteCount) * 1_000_000_000 / UInt64(speed)
        let now = HostClock.now
        // The speed of the message is what it waits for.
        if due > now { usleep(UInt32(min(due - now, 1_000_000_000) / 1000)) }
      }
      request.completed()
    }
  }

  /// The speed of a destination (bytes a second).
  private static func speed(_ destination: MIDIRef, _ system: MIDISystem) -> Int {
    guard case .integer(let speed)? = try? system.property(destination, PropertyName.maxSysExSpeed),
      speed > 0
    else { return 3125 }
    return Int(speed)
  }
}

extension MIDISystem {
  /// Sends a message piece by piece, on a separate thread.
  package func sendSysEx(
    to destination: MIDIRef, _ next: @escaping SysExQueue.Next,
    completed: @escaping @Sendable () -> Void
  ) throws(MIDIError) {
    guard let record = record(destination) else { throw .endpoint }
    guard !record.isSource else { throw .endpointType }
    try longMessages.add(destination, self, next, completed)
  }
}
