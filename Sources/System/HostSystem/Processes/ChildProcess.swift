// Runs a program of our own with a time limit, and reports its end.
// SPDX-License-Identifier: Apache-2.0

package import CHostSystem
import Glibc

/// A child process: its standard output, and its end. Its standard error is thrown away.
package struct ChildProcess {
  /// The end of a child.
  package enum End: Equatable {
    case exited(Int32)
    case signalled(Int32)
    case timedOut
    case notStarted(Int32)
  }

  package var output: [UInt8]
  package var end: End

  /// Runs a program to its end, or to the time limit.
  ///
  /// - Parameters:
  ///   - path: The program.
  ///   - arguments: Its arguments, without its own name.
  ///   - timeLimit: The longest time that it may run.
  ///   - graceTime: The multiple of it for a child that is at work when its time is over, because the machine
  ///     may be busy with other things. One that waits gets no more.
  ///   - endsGroup: Whether it leads a process group, which ends with it.
  package static func run(
    _ path: String, _ arguments: [String], timeLimit: Duration, graceTime: Int = 1,
    endsGroup: Bool = false
  ) -> ChildProcess {
    var ends: [Int32] = [-1, -1]
    let failure = unsafe AuriclePrivatePipe(&ends)
    guard failure == 0 else { return .init(output: [], end: .notStarted(failure)) }
    var launch = ProcessLaunch(path, arguments)
    launch.files = [(ends[1], STDOUT_FILENO)]
    launch.leadsGroup = endsGroup
    let (child, handle, status) = launch.startWithHandle()
    close(ends[1])
    defer { if handle >= 0 { close(handle) } }
    guard status == 0 else {
      close(ends[0])
      return .init(output: [], end: .notStarted(status))
    }
    var deadline = ContinuousClock.now + timeLimit
    var (output, isComplete) = read(ends[0], of: child, handle, until: deadline)
    var rest = graceTime - 1
    while !isComplete, rest > 0, isAtWork(child, timeLimit) {
      rest -= 1
      deadline = ContinuousClock.now + timeLimit
      let (more, isOver) = read(ends[0], of: child, handle, until: deadline)
      output += more
      isComplete = isOver
    }
    close(ends[0])
    if !isComplete { kill(child, SIGKILL) }
    let end = wait(for: child, handle, until: deadline)
    if endsGroup { kill(-child, SIGKILL) }
    return .init(output: output, end: isComplete ? end : .timedOut)
  }

  /// Whether a child wants the processor and has not had it for as long as its time limit.
  private static func isAtWork(_ child: pid_t, _ timeLimit: Duration) -> Bool {
    guard let (isAsleep, seconds) = activity(of: child) else { return false }
    return !isAsleep && seconds < Double(timeLimit.components.seconds)
  }

  /// Whether a process sleeps, and the processor time it has had in seconds; nil when it is gone.
  package static func activity(of child: pid_t) -> (isAsleep: Bool, seconds: Double)? {
    let descriptor = unsafe open("/proc/\(child)/stat", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = unsafe Glibc.read(descriptor, &bytes, bytes.count)
    // The name in parentheses may hold anything; after it come the state and, 11 fields on, the times.
    guard count > 0, let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")) else {
      return nil
    }
    let fields = String(decoding: bytes[(end + 1)..<count], as: UTF8.self).split(separator: " ")
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
      return nil
    }
    // One that has ended does nothing either.
    return (
      ["S", "Z", "X"].contains(fields[0]),
      (user + system) / Double(max(sysconf(Int32(_SC_CLK_TCK)), 1))
    )
  }

  /// Reads to the end of the stream or of the child, since its own children may hold the stream open; false when
  /// the deadline came first.
  private static func read(
    _ descriptor: Int32, of child: pid_t, _ handle: Int32, until deadline: ContinuousClock.Instant
  ) -> ([UInt8], Bool) {
    var output: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      let left = milliseconds(until: deadline)
      guard left > 0 else { return (output, false) }
      var polls = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), poll(of: handle)]
      // Before the stream is found empty, or its last output would be lost.
      let isOver = hasEnded(child)
      let ready = retrying { unsafe Glibc.poll(&polls, 2, isOver ? 0 : wait(left, handle)) }
      guard ready >= 0 else { return (output, false) }
      guard polls[0].revents != 0 else {
        if isOver { return (output, true) }
        continue
      }
      let count = retrying { unsafe Glibc.read(descriptor, &block, block.count) }
      guard count > 0 else { return (output, true) }
      output += block[0..<count]
    }
  }

  /// The entry of a handle for `poll`, which passes over one that is not there.
  private static func poll(of handle: Int32) -> pollfd {
    pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
  }

  /// The time to the deadline in milliseconds, rounded up.
  private static func milliseconds(until deadline: ContinuousClock.Instant) -> Int64 {
    let left = deadline - ContinuousClock.now
    return left.components.seconds * 1000
      + (left.components.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
  }

  /// The longest wait of one poll: 50 ms without a handle, where the end of a child is no event.
  private static func wait(_ milliseconds: Int64, _ handle: Int32) -> Int32 {
    Int32(clamping: handle >= 0 ? milliseconds : min(milliseconds, 50))
  }

  /// Whether a child has ended, or is no child any more; it is left for `waitpid`.
  package static func hasEnded(_ child: pid_t) -> Bool {
    var info = unsafe siginfo_t()
    let found = unsafe waitid(P_PID, id_t(child), &info, WEXITED | WNOHANG | WNOWAIT)
    return unsafe found != 0 || info.si_signo == SIGCHLD
  }

  /// Waits for the end, and makes it come at the deadline.
  private static func wait(
    for child: pid_t, _ handle: Int32, until deadline: ContinuousClock.Instant
  ) -> End {
    var status: Int32 = 0
    while !hasEnded(child) {
      let left = milliseconds(until: deadline)
      guard left > 0 else {
        kill(child, SIGKILL)
        retrying { unsafe waitpid(child, &status, 0) }
        return .timedOut
      }
      var entry = poll(of: handle)
      retrying { unsafe Glibc.poll(&entry, 1, wait(left, handle)) }
    }
    guard retrying({ unsafe waitpid(child, &status, 0) }) == child else { return .exited(-1) }
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
  }
}
