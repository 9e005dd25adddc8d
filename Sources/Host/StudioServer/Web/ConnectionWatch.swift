// Bounds for connections: how many there are, and how long one may take to ask or to listen.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem
import FlyingFox
import FlyingSocks
import Glibc
import HostSystem
import Synchronization

/// A pool of sockets that ends connections which keep the server waiting, and the longest idle ones of too many.
///
/// FlyingFox waits without end for a request and for a client that reads nothing, and its work grows with the square
/// of a line. Every wait goes through its pool of sockets: this one notes them, also the listener's, behind which the
/// connections are that were accepted. Its thread looks after them once a second, and sleeps while no connection waits
/// for more than a page's socket.
final class ConnectionWatch: AsyncSocketPool {
  /// Seconds for a request or its body, for an idle connection, and for a client that reads nothing; and the most
  /// connections.
  struct Limits: Sendable {
    var request = 20.0
    var idle = 60.0
    var sending = 30.0
    var connections = 256
    /// The most bytes in front of the body of a request, about.
    var headBytes = 32 << 10
  }

  private enum Stage {
    /// It may send a request.
    case asking
    /// It sends the body of a request.
    case sendingBody
    /// Its request is being answered.
    case answering
    /// It is a page's socket.
    case upgraded
  }

  private struct Connection {
    /// -1 until it waits for the first time: for a request that came at once nothing waits.
    var descriptor: Int32
    var stage = Stage.asking
    var since: ContinuousClock.Instant
    /// When a write began to wait; nil while none does.
    var sendingSince: ContinuousClock.Instant?
    var hasAsked = false
    /// Bytes that had been read when the stage began.
    var read = 0
  }

  private struct State {
    /// Connections by the port of the client.
    var connections: [UInt16: Connection] = [:]
    var isClosed = false
  }

  private let base: any AsyncSocketPool
  private let limits: Limits
  private let state = Mutex(State())
  /// The port that is listened on; 0 until then.
  private let ownPort = Atomic<UInt16>(0)
  /// Whether connections may have been accepted that are not noted.
  private let hasAccepted = Atomic<Bool>(false)
  private let wakeUp = WakeUp()

  init(limits: Limits) {
    base = HTTPServer.defaultPool()
    self.limits = limits
  }

  func prepare() async throws { try await base.prepare() }

  func run() async throws {
    let thread = startThread { [self] in watch() }
    if let thread { pthread_detach(thread) }
    defer {
      state.withLock { $0.isClosed = true }
      wakeUp.signal()
    }
    try await base.run()
  }

  func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
    let descriptor = socket.file.rawValue
    guard let port = Self.peerPort(descriptor) else {
      // The listener has no peer.
      Self.sendAtOnce(descriptor)
      ownPort.store(Self.port(descriptor, isPeer: false) ?? 0, ordering: .relaxed)
      hasAccepted.store(true, ordering: .relaxed)
      wakeUp.signal()
      return try await base.suspendSocket(socket, untilReadyFor: events)
    }
    let isSending = events.contains(.write)
    note(port, descriptor, isSending: isSending)
    defer { if isSending { state.withLock { $0.connections[port]?.sendingSince = nil } } }
    try await base.suspendSocket(socket, untilReadyFor: events)
  }

  /// Enters a wait; with too many connections the one that is idle longest ends.
  private func note(_ port: UInt16, _ descriptor: Int32, isSending: Bool) {
    let now = ContinuousClock.now
    let surplus = state.withLock { state -> (UInt16, Int32)? in
      if state.connections[port]?.descriptor == -1 {
        state.connections[port]?.descriptor = descriptor
      } else if state.connections[port]?.descriptor != descriptor {
        state.connections[port] = Connection(descriptor: descriptor, since: now)
      }
      if isSending { state.connections[port]?.sendingSince = now }
      guard state.connections.count > limits.connections else { return nil }
      let idle = state.connections.filter { $0.value.stage == .asking && $0.key != port }
        .min { $0.value.since < $1.value.since }
      guard let idle else { return nil }
      state.connections[idle.key] = nil
      return (idle.key, idle.value.descriptor)
    }
    if let surplus { Self.end(surplus.1, of: surplus.0) }
    wakeUp.signal()
  }

  // MARK: Requests

  /// Notes that a request has come, whose body follows.
  func began(_ port: UInt16?) {
    guard let port else { return }
    state.withLock { state in
      let known = state.connections[port]
      if known.map({ $0.descriptor >= 0 && Self.peerPort($0.descriptor) == port }) != true {
        state.connections[port] = Connection(descriptor: -1, since: ContinuousClock.now)
      }
    }
    change(port) {
      $0.stage = .sendingBody
      $0.hasAsked = true
    }
  }

  /// Notes that a request is there as a whole.
  func received(_ port: UInt16?) { change(port) { $0.stage = .answering } }

  /// Notes that a request was answered.
  func answered(_ port: UInt16?) {
    change(port) { $0.stage = .asking }
    guard let port else { return }
    // One that never waited is noted when it waits for its next request.
    state.withLock { state in
      if state.connections[port]?.descriptor == -1 { state.connections[port] = nil }
    }
  }

  /// Notes that a connection is a page's socket from now on.
  func upgraded(_ port: UInt16?) { change(port) { $0.stage = .upgraded } }

  /// Notes the end of a page's socket.
  func ended(_ port: UInt16?) {
    guard let port else { return }
    state.withLock { $0.connections[port] = nil }
  }

  /// Reads nothing more of a connection; its answer is still sent.
  func finish(_ port: UInt16?) {
    guard let port, let descriptor = state.withLock({ $0.connections[port]?.descriptor }),
      Self.peerPort(descriptor) == port
    else { return }
    shutdown(descriptor, Int32(SHUT_RD))
  }

  private func change(_ port: UInt16?, _ body: (inout Connection) -> Void) {
    guard let port else { return }
    let now = ContinuousClock.now
    state.withLock { state in
      guard var connection = state.connections[port] else { return }
      body(&connection)
      connection.since = now
      connection.read = Self.read(connection.descriptor)
      state.connections[port] = connection
    }
  }

  // MARK: The thread

  private func watch() {
    while true {
      let (isClosed, isBusy) = state.withLock { state in
        (
          state.isClosed,
          state.connections.values.contains { $0.stage != .upgraded || $0.sendingSince != nil }
        )
      }
      if isClosed { return }
      // Without anybody to wait for it sleeps until a connection comes.
      wakeUp.wait(milliseconds: isBusy ? 1000 : -1)
      if hasAccepted.exchange(false, ordering: .relaxed) { noteAccepted() }
      if isBusy { endLate() }
    }
  }

  /// Notes accepted connections: one whose client sends without a pause is never waited for.
  private func noteAccepted() {
    let own = ownPort.load(ordering: .relaxed)
    for name in FolderListing.names(in: "/proc/self/fd") {
      guard let descriptor = Int32(name), let port = Self.peerPort(descriptor),
        Self.port(descriptor, isPeer: false) == own
      else { continue }
      let now = ContinuousClock.now
      state.withLock { state in
        if state.connections[port] == nil {
          state.connections[port] = Connection(descriptor: descriptor, since: now)
        }
      }
    }
  }

  private func endLate() {
    let now = ContinuousClock.now
    let late = state.withLock { state -> [(UInt16, Int32, Int)] in
      for (port, connection) in state.connections
      where connection.descriptor >= 0 && Self.peerPort(connection.descriptor) != port {
        state.connections[port] = nil
      }
      return state.connections.compactMap { port, connection in
        if let sending = connection.sendingSince, now - sending > .seconds(limits.sending) {
          return (port, connection.descriptor, SHUT_RDWR)
        }
        if connection.stage == .sendingBody {
          // Its answer is a refusal, which is still sent.
          let isLate = now - connection.since > .seconds(limits.request)
          return isLate ? (port, connection.descriptor, SHUT_RD) : nil
        }
        guard connection.stage == .asking else { return nil }
        if Self.read(connection.descriptor) - connection.read > limits.headBytes {
          return (port, connection.descriptor, SHUT_RDWR)
        }
        let limit = connection.hasAsked ? limits.idle : limits.request
        return now - connection.since > .seconds(limit)
          ? (port, connection.descriptor, SHUT_RDWR) : nil
      }
    }
    for (port, descriptor, how) in late { Self.end(descriptor, of: port, how) }
  }

  /// The bytes that were read from a connection; 0 where the system does not count them.
  private static func read(_ descriptor: Int32) -> Int {
    var unread: Int32 = 0
    var facts = [UInt8](repeating: 0, count: 256)
    var length = socklen_t(facts.count)
    let (place, size) = (128, MemoryLayout<UInt64>.size)
    guard unsafe getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &facts, &length) == 0,
      Int(length) >= place + size,
      unsafe ioctl(descriptor, UInt(FIONREAD), &unread) == 0
    else { return 0 }
    let received = unsafe facts.withUnsafeBytes {
      unsafe $0.loadUnaligned(fromByteOffset: place, as: UInt64.self)
    }
    return Int(received) - Int(unread)
  }

  /// Has what a listener accepts send each piece at once.
  ///
  /// FlyingFox writes the head of an answer before its body. The body would wait until the browser confirmed the head, which
  /// it delays by 40 ms.
  private static func sendAtOnce(_ listener: Int32) {
    var isOn: Int32 = 1
    _ = unsafe setsockopt(
      listener, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Ends a connection, if the number is still its own.
  private static func end(_ descriptor: Int32, of port: UInt16, _ how: Int = SHUT_RDWR) {
    guard peerPort(descriptor) == port else { return }
    shutdown(descriptor, Int32(how))
    guard how == SHUT_RDWR else { return }
    // Whatever has come already would still be read.
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while unsafe recv(descriptor, &block, block.count, Int32(MSG_DONTWAIT)) > 0 {}
  }

  /// The port of the other end of a connection; nil for another file.
  private static func peerPort(_ descriptor: Int32) -> UInt16? { port(descriptor, isPeer: true) }

  /// The port of an end of a connection.
  private static func port(_ descriptor: Int32, isPeer: Bool) -> UInt16? {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe isPeer
          ? getpeername(descriptor, $0, &length) : getsockname(descriptor, $0, &length)
      }
    }
    guard status == 0, address.sin_family == sa_family_t(AF_INET) else { return nil }
    return UInt16(bigEndian: address.sin_port)
  }
}

/// A bell that another thread waits for.
final class WakeUp: Sendable {
  /// The descriptor that is readable when it has rung.
  let number: Int32
  private let writing: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    _ = unsafe AuriclePrivatePipe(&ends)
    (number, writing) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  deinit {
    close(number)
    close(writing)
  }

  /// Rings.
  func signal() {
    var byte: UInt8 = 1
    _ = unsafe write(writing, &byte, 1)
  }

  /// Waits for a ring, at most so long; -1 for ever. Returns whether it rang.
  @discardableResult func wait(milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&entry, 1, milliseconds) > 0 else { return false }
    var block = [UInt8](repeating: 0, count: 256)
    while unsafe read(number, &block, block.count) == block.count {}
    return true
  }
}
