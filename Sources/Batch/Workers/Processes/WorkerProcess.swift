// A worker process: starts, messages, observes and ends it.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CHostSystem
import Glibc
import HostSystem
import RealtimeSupport

/// A worker process.
@safe final class WorkerProcess: WorkerHandle {
  let id: pid_t
  let channel: WorkerChannel
  /// The read end of its output.
  let output: Int32
  /// Readable when the process has ended; -1 where the kernel has no handles of processes.
  private let handle: Int32
  private let memory: UnsafeMutableRawPointer
  private var printed: [UInt8] = []
  private var begunLine: [UInt8] = []
  private var printedCount = 0
  private var hasEnded = false

  /// Starts a worker.
  init(program: String, arguments: [String]) throws(AuricleError) {
    func refuse(_ what: String, _ number: Int32) -> AuricleError {
      // The system may have the resource later.
      let isShort = [EMFILE, ENFILE, EAGAIN, ENOMEM].contains(number)
      return AuricleError(
        isShort ? .temporary : .software,
        "no worker can be started: \(what): \(systemReason(number))")
    }
    var sockets: [Int32] = [-1, -1]
    var pipes: [Int32] = [-1, -1]
    let shared = AuricleMakeSharedMemory(AuricleHeartbeatSize())
    guard shared >= 0 else { throw refuse("shared memory", errno) }
    let memory = unsafe mmap(
      nil, AuricleHeartbeatSize(), PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else {
      throw refuse("shared memory", errno)
    }
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &sockets) == 0 else { throw refuse("socket", errno) }
    guard unsafe pipe(&pipes) == 0 else { throw refuse("pipe", errno) }
    // A worker that does not read must not block its supervisor for ever.
    var graceTime = timeval(tv_sec: 20, tv_usec: 0)
    unsafe setsockopt(
      sockets[0], SOL_SOCKET, SO_SNDTIMEO, &graceTime, socklen_t(MemoryLayout<timeval>.size))
    // Moved away from the descriptors they get in the worker.
    let theirs = [sockets[1], shared, pipes[1]].map { descriptor in
      let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, WorkerChannel.heartbeatDescriptor + 1)
      Glibc.close(descriptor)
      return moved
    }
    defer { for descriptor in theirs where descriptor >= 0 { Glibc.close(descriptor) } }
    guard !theirs.contains(-1) else { throw refuse("open files", EMFILE) }
    _ = fcntl(pipes[0], F_SETFD, FD_CLOEXEC)
    _ = fcntl(pipes[0], F_SETFL, O_NONBLOCK)

    var launch = ProcessLaunch(program, arguments)
    launch.files = [
      (theirs[2], STDOUT_FILENO), (theirs[2], STDERR_FILENO),
      (theirs[0], WorkerChannel.socketDescriptor), (theirs[1], WorkerChannel.heartbeatDescriptor),
    ]
    // A separate process group: Ctrl-C is for the supervisor.
    launch.leadsGroup = true
    let environment = unsafe WorkerEnvironment()
    let (child, handle, status) = unsafe environment.start(launch)
    channel = WorkerChannel(descriptor: sockets[0])
    output = pipes[0]
    (id, self.handle) = (child, handle)
    unsafe self.memory = memory
    guard status == 0 else {
      hasEnded = true
      throw refuse(program, status)
    }
  }

  deinit {
    end(afterWaiting: .zero)
    close(output)
    if handle >= 0 { close(handle) }
    unsafe munmap(memory, AuricleHeartbeatSize())
  }

  @discardableResult
  func send(_ message: WorkerMessage, descriptors: [Int32]) -> Bool {
    channel.send(message, descriptors: descriptors)
  }

  func receive() -> WorkerInput {
    do throws(WorkerChannel.Failure) {
      return .message(try channel.receive(waits: false, acceptsFiles: false).0)
    } catch {
      switch error {
      case .empty: return .nothing
      case .closed: return .closed
      case .garbled, .malformed: return .senseless
      }
    }
  }

  func usesMemory(above limit: Int) -> Bool { ProcessFacts.memory(of: id, above: limit) != nil }

  var reading: AuricleHeartbeatReading {
    var reading = AuricleHeartbeatReading()
    unsafe AuricleHeartbeatRead(memory, &reading)
    return reading
  }

  /// The name of a unit in its heartbeat; nil when there is none, or it is no valid name.
  func unitName(_ number: Int32) -> String? {
    var name = [CChar](repeating: 0, count: 200)
    guard unsafe AuricleHeartbeatName(memory, number, &name, name.count) else { return nil }
    let text = String(
      decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return Self.isUnitName(text) ? text : nil
  }

  var refusals: [RefusedPath] {
    var found: [RefusedPath] = []
    var path = [CChar](repeating: 0, count: 1024)
    var unit: Int32 = -1
    while let index = Int32(exactly: found.count),
      unsafe AuricleHeartbeatRefusal(memory, index, &unit, &path, path.count)
    {
      let text = String(
        decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      guard let name = unitName(unit), text.hasPrefix("/"), Self.isReadable(text) else { break }
      found.append(RefusedPath(unit: name, path: text))
    }
    return found
  }

  func crashPlace(signal: Int32) -> CrashPlace? {
    unsafe CrashPlace(heartbeat: memory, signal: signal)
  }

  /// Whether a text is a valid unit name: `Maker: Unit (type:subtype:manufacturer)`, or a truncated one.
  private static func isUnitName(_ text: String) -> Bool {
    guard isReadable(text) else { return false }
    return text.utf8.count > 150 || text.contains(" (") && text.hasSuffix(")")
  }

  private static func isReadable(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && $0.value != 0x7F && $0.value != 0xFFFD
    }
  }

  /// Reads its output, keeps the end of it, and discards the rest.
  ///
  /// - Returns: Its first whole lines; a few, because a flood helps nobody.
  func readOutput() -> [String] {
    var block = [UInt8](repeating: 0, count: 65_536)
    var lines: [String] = []
    for _ in 0..<8 {
      let count = unsafe read(output, &block, block.count)
      guard count > 0 else { break }
      printed += block[0..<count]
      printedCount += count
      guard printedCount <= Self.mostReported else {
        if printed.count > 2048 { printed.removeFirst(printed.count - 2048) }
        continue
      }
      begunLine += block[0..<count]
      let parts = begunLine.split(separator: 0x0A, omittingEmptySubsequences: false)
      begunLine = Array(parts.last ?? [])
      lines += parts.dropLast().map { String(String(decoding: $0, as: UTF8.self).prefix(300)) }
    }
    return lines.filter { $0.contains { !$0.isWhitespace } }
  }

  /// The most bytes of a worker's output that are reported.
  private static let mostReported = 16_384

  var lastLine: String? {
    let lines = printed.split { $0 == 0x0A || $0 == 0x0D }
    guard let line = lines.last(where: { $0.contains { $0 > 0x20 } }) else { return nil }
    return String(String(decoding: line, as: UTF8.self).prefix(300))
  }

  func forgetOutput() { printed = [] }

  @discardableResult
  func end(afterWaiting graceTime: Duration) -> WorkerEnd? {
    guard !hasEnded else { return nil }
    hasEnded = true
    var status: Int32 = 0
    let deadline = ContinuousClock.now + graceTime
    while true {
      let result = unsafe waitpid(id, &status, WNOHANG)
      if result == id { return WorkerEnd(status: status) }
      let left = (deadline - ContinuousClock.now) / .milliseconds(1)
      guard left > 0 else { break }
      var entry = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
      // Without a handle the end is no event.
      _ = unsafe poll(&entry, 1, Int32(min(left, handle < 0 ? 20 : left).rounded(.up)))
    }
    // The whole group: a plug-in may have started programs. Processes that left it are for
    // `OrphanReaper`.
    kill(-id, SIGKILL)
    kill(id, SIGKILL)
    retrying { unsafe waitpid(id, &status, 0) }
    let end = WorkerEnd(status: status)
    return end == .signalled(SIGKILL) && graceTime > .zero ? .closedFiles : end
  }
}
