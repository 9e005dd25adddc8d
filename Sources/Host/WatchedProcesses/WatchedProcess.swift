// A child process of this program that shows its parent which unit is at work.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
package import CHostSystem
import Glibc
import HostSystem
package import PlugInGuard

/// A running child with memory for its signs of life and a socket to it.
///
/// It ends with its parent, for any reason. Context: control.
@safe package final class WatchedProcess {
  /// The descriptors that the child has: its heartbeat, the socket to its parent, and memory for sound.
  package static let (heartbeatDescriptor, socketDescriptor, soundDescriptor):
    (Int32, Int32, Int32) = (3, 4, 5)

  /// The parent's end of the socket.
  package let socket: Int32
  /// The descriptor of the child's output; -1 where it prints to the parent's own streams.
  package let prints: Int32
  /// The number of the process.
  package let id: pid_t
  /// Readable when the process has ended.
  private let handle: Int32
  private let memory: UnsafeMutableRawPointer
  private var knownEnd: End?
  private var havePrintsEnded = false
  private var begunLine: [UInt8] = []
  private var printedCount = 0
  /// The most bytes of output that are read line by line.
  private static let mostReported = 16_384

  /// Starts a child.
  ///
  /// - Parameters:
  ///   - arguments: The words behind the program's name.
  ///   - output: The descriptor that is its standard output.
  ///   - keepsOutput: Whether its output is read here. It then leads a process group, so that signals of a terminal reach
  ///     the parent alone.
  ///   - sound: Shared memory that the child has as `soundDescriptor`; nil for none.
  /// - Throws: The system's exhausted resource.
  package init(
    arguments: [String], output: Int32 = STDOUT_FILENO, keepsOutput: Bool = false,
    sound: Int32? = nil
  ) throws(AuricleError) {
    let shared = AuricleMakeSharedMemory(AuricleHeartbeatSize())
    guard shared >= 0 else { throw systemError(errno, "make", "shared memory") }
    defer { close(shared) }
    let memory = unsafe mmap(
      nil, AuricleHeartbeatSize(), PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else {
      throw systemError(errno, "map", "shared memory")
    }
    var sockets: [Int32] = [-1, -1]
    var pipes: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &sockets) == 0,
      keepsOutput ? unsafe AuriclePrivatePipe(&pipes) == 0 : true
    else {
      let number = errno
      for descriptor in sockets where descriptor >= 0 { close(descriptor) }
      unsafe munmap(memory, AuricleHeartbeatSize())
      throw systemError(number, "make", "a socket")
    }
    var launch = ProcessLaunch("/proc/self/exe", arguments)
    launch.files = [
      (shared, Self.heartbeatDescriptor), (sockets[1], Self.socketDescriptor),
      (keepsOutput ? pipes[1] : output, STDOUT_FILENO),
      (keepsOutput ? pipes[1] : STDERR_FILENO, STDERR_FILENO),
    ]
    if !keepsOutput { launch.files.append((STDIN_FILENO, STDIN_FILENO)) }
    if let sound { launch.files.append((sound, Self.soundDescriptor)) }
    launch.leadsGroup = keepsOutput
    launch.hidesCrashes = true
    let (child, handle, error) = launch.startWithHandle()
    close(sockets[1])
    if keepsOutput { close(pipes[1]) }
    socket = sockets[0]
    prints = pipes[0]
    id = child
    self.handle = handle >= 0 || error != 0 ? handle : ProcessEnd.descriptor(of: child)
    unsafe self.memory = unsafe memory
    if keepsOutput { _ = fcntl(prints, F_SETFL, O_NONBLOCK) }
    guard error == 0 else {
      knownEnd = .exited(-1)
      throw systemError(error, "start", "a process for plug-ins")
    }
  }

  deinit {
    end(within: .zero)
    close(socket)
    if prints >= 0 { close(prints) }
    if handle >= 0 { close(handle) }
    unsafe munmap(memory, AuricleHeartbeatSize())
  }

  /// The end of the child.
  package enum End: Equatable {
    /// With an exit code.
    case exited(Int32)
    /// By a signal, with the system's words for it and the place: `Segmentation fault, in the function burst of gain.so`.
    case crashed(String)

    /// The predicate of a unit that caused it.
    package var text: String {
      switch self {
      case .exited(let code): "ended its process (exit \(code))"
      case .crashed(let signal): "crashed (\(signal))"
      }
    }
  }

  /// Whether it has ended; `wait` returns at once then.
  package var hasEnded: Bool {
    guard knownEnd == nil else { return true }
    var info = unsafe siginfo_t()
    let found = unsafe waitid(P_PID, id_t(id), &info, WEXITED | WNOHANG | WNOWAIT)
    return unsafe found != 0 || info.si_signo == SIGCHLD
  }

  /// Waits for its end until a time.
  ///
  /// - Parameter shouldStop: Asked ten times a second; true ends the waiting.
  /// - Returns: Whether it has ended.
  package func hasEnded(
    by deadline: ContinuousClock.Instant, shouldStop: () -> Bool = { false }
  ) -> Bool {
    while !hasEnded {
      let left = deadline - ContinuousClock.now
      guard left > .zero, !shouldStop() else { return false }
      var entry = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
      let milliseconds = min(left, .milliseconds(100)) / .milliseconds(1)
      _ = unsafe poll(&entry, 1, Int32(milliseconds.rounded(.up)))
    }
    return true
  }

  /// Waits for its end.
  package func wait() -> End { end(within: .seconds(86_400)) }

  /// Waits for its end, and after a time ends it with all that it started.
  @discardableResult package func end(within graceTime: Duration) -> End {
    if let knownEnd { return knownEnd }
    _ = hasEnded(by: .now + graceTime)
    // Its own children end with it; its number stays reserved until it is waited for.
    kill(-id, SIGKILL)
    kill(id, SIGKILL)
    var status: Int32 = 0
    retrying { unsafe waitpid(id, &status, 0) }
    let signal = status & 0x7F
    let end: End = signal == 0 ? .exited((status >> 8) & 0xFF) : .crashed(words(of: signal))
    knownEnd = end
    return end
  }

  /// The system's words for a signal, and the place where it struck.
  private func words(of signal: Int32) -> String {
    let name = unsafe strsignal(signal).map { unsafe String(cString: $0) } ?? "signal \(signal)"
    let place = unsafe CrashPlace(heartbeat: memory, signal: signal)
    return [name, place?.text].compactMap(\.self).joined(separator: ", ")
  }

  /// The phase that it shows, and a count of its signs of life.
  package var signs: (progress: UInt64, phase: WorkPhase) {
    var reading = AuricleHeartbeatReading()
    unsafe AuricleHeartbeatRead(memory, &reading)
    return (reading.progress, WorkPhase(rawValue: reading.phase) ?? .idle)
  }

  /// The name of the unit that is, or was at the end, at work; nil for none.
  package var unitAtWork: String? {
    var reading = AuricleHeartbeatReading()
    unsafe AuricleHeartbeatRead(memory, &reading)
    guard WorkPhase(rawValue: reading.phase)?.isOfUnit ?? false else { return nil }
    return unitName(reading.unit)
  }

  /// The name of the unit on whose thread it crashed; nil for none.
  package var crashedUnit: String? { unsafe unitName(AuricleHeartbeatCrashUnit(memory)) }

  private func unitName(_ number: Int32) -> String? {
    var name = [CChar](repeating: 0, count: 200)
    guard unsafe AuricleHeartbeatName(memory, number, &name, name.count) else { return nil }
    return String(
      decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The descriptors that are readable when it has sent or printed something, or does neither any more.
  package var sources: [Int32] { havePrintsEnded || prints < 0 ? [socket] : [socket, prints] }

  /// The whole lines that it printed since the last call, a few, because a flood helps nobody.
  package func newLines() -> [String] {
    guard prints >= 0 else { return [] }
    var block = [UInt8](repeating: 0, count: 65_536)
    var lines: [String] = []
    for _ in 0..<8 {
      let count = unsafe read(prints, &block, block.count)
      if count == 0 { havePrintsEnded = true }
      guard count > 0 else { break }
      printedCount += count
      guard printedCount <= Self.mostReported else { continue }
      begunLine += block[0..<count]
      let parts = begunLine.split(separator: 0x0A, omittingEmptySubsequences: false)
      begunLine = Array(parts.last ?? [])
      lines += parts.dropLast().map { String(String(decoding: $0, as: UTF8.self).prefix(300)) }
    }
    return lines.filter { $0.contains { !$0.isWhitespace } }
  }

  /// Has crashes of this process leave no core file. Context: control, in the child, once.
  package static func keepNoCore() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }

  /// Shows the parent the work of this process from here on. Context: control, in the child, once.
  package static func adoptHeartbeat() {
    let memory = unsafe mmap(
      nil, AuricleHeartbeatSize(), PROT_READ | PROT_WRITE, MAP_SHARED, heartbeatDescriptor, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { return }
    unsafe AuricleHeartbeatUse(memory)
    AuricleNoteCrashes()
    close(heartbeatDescriptor)
    // Programs that a plug-in starts have no socket to the parent.
    _ = fcntl(socketDescriptor, F_SETFD, FD_CLOEXEC)
  }
}
