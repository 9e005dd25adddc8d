// The process that shows a plug-in's window, and the lines to and from it.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Glibc
import HostSystem

/// A running window: a crash or a hang of it costs nothing else.
///
/// Context: one control thread.
final class WindowProcess {
  private let socket: Int32
  private let process: pid_t
  /// Readable when the process has ended; -1 where the kernel has no handles of processes.
  private let handle: Int32
  private var received: [UInt8] = []
  private var unsent: [UInt8] = []
  private var hasEnded = false
  private var isWaitedFor = false
  /// The most bytes that wait for a window which reads nothing.
  private static let mostUnsent = 8 << 20

  /// Starts the program.
  ///
  /// - Throws: What the system has no more of.
  init(_ program: String, _ subject: WindowSubject, sampleRate: Double) throws(AuricleError) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw systemError(errno, "make", "a socket")
    }
    var launch = ProcessLaunch(
      program,
      [subject.format, subject.path, subject.identifier, subject.title, "\(Int(sampleRate))"])
    launch.files = [(ends[1], 3)]
    launch.leadsGroup = true
    let (child, handle, error) = launch.startWithHandle()
    close(ends[1])
    socket = ends[0]
    (process, self.handle) = (child, handle)
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    guard error == 0 else {
      isWaitedFor = true
      throw systemError(error, "start", program)
    }
  }

  deinit {
    close(socket)
    if !isWaitedFor { _ = end() }
    if handle >= 0 { close(handle) }
  }

  /// Whether the window reads nothing any more.
  var hangs: Bool { unsent.count > Self.mostUnsent }

  /// Sends a line, now or when the window reads.
  func send(_ line: String) {
    unsent += Array(line.utf8)
    unsent.append(0x0A)
    flush()
  }

  private func flush() {
    while !unsent.isEmpty {
      let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
      let count = unsafe Glibc.send(socket, unsent, unsent.count, flags)
      guard count > 0 else { return }
      unsent.removeFirst(count)
    }
  }

  /// Waits for lines, a time at most.
  ///
  /// - Returns: The lines; nil when the window is gone and all lines were read.
  func lines(within milliseconds: Int32) -> [String]? {
    guard !hasEnded else { return nil }
    let events = unsent.isEmpty ? POLLIN : POLLIN | POLLOUT
    var entry = pollfd(fd: socket, events: Int16(events), revents: 0)
    guard unsafe poll(&entry, 1, milliseconds) > 0 else { return [] }
    flush()
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe read(socket, &block, block.count)
      if count > 0 {
        received += block[0..<count]
        continue
      }
      hasEnded = count == 0 || (errno != EAGAIN && errno != EINTR)
      break
    }
    var parts = received.split(separator: 0x0A, omittingEmptySubsequences: false)
    received = Array(parts.removeLast())
    return parts.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Ends the process, and returns how it ended where it did by itself: nil for its regular end.
  func end() -> String? {
    guard !isWaitedFor else { return nil }
    isWaitedFor = true
    var status: Int32 = 0
    let limit = ContinuousClock.now + .seconds(2)
    var found: pid_t = 0
    while true {
      found = retrying { unsafe waitpid(process, &status, WNOHANG) }
      let left = (limit - ContinuousClock.now) / .milliseconds(1)
      guard found == 0, left > 0 else { break }
      var entry = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
      // Without a handle the end is no event.
      _ = unsafe poll(&entry, 1, Int32(min(left, handle < 0 ? 20 : left).rounded(.up)))
    }
    // What it started goes with it.
    kill(-process, SIGKILL)
    guard found == process else {
      kill(process, SIGKILL)
      retrying { unsafe waitpid(process, &status, 0) }
      return "hung"
    }
    let signal = status & 0x7F
    if signal != 0 { return "crashed (\(SignalName.text(signal)))" }
    let code = (status >> 8) & 0xFF
    return code == 0 ? nil : "ended its process (exit \(code))"
  }

  /// Ends the process at once.
  func abandon() { kill(process, SIGKILL) }
}
