// A child process of this program that shows its parent which unit is at work.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
package import CHostSystem
import Glibc
package import HostSystem
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
  let handle: Int32
  private let memory: UnsafeMutableRawPointer
  private var knownEnd: End?
  private var havePrintsEnded = false
  private var begunLine: [UInt8] = []
  private var lastPrinted: [UInt8] = []
  /// The bytes that it printed until now.
  package private(set) var printedCount = 0
  /// The beginning of its present work, and the seconds that it had waited for a processor by then.
  var workStart = ContinuousClock.now
  var waitedBefore = 0.0
  /// The most bytes of output that are read line by line.
  private static let mostReported = 16_384

  /// Where a child prints. One that has no stream of its parent leads a process group, so that signals of a terminal reach
  /// the parent alone.
  package enum Output {
    /// To the parent's own streams, its standard output to a descriptor.
    case descriptor(Int32)
    /// To the parent, which reads it.
    case kept
    /// Its standard output is the socket, for its results; the parent reads its standard error, or nobody does.
    case results(keepsErrors: Bool)

    /// Whether the parent reads what it prints.
    var isKept: Bool {
      switch self {
      case .descriptor: false
      case .kept: true
      case .results(let keepsErrors): keepsErrors
      }
    }

    /// Adds the streams of a child, with the ends that it has of a pipe to its parent and of the socket.
    func add(to launch: inout ProcessLaunch, prints: Int32, socket: Int32) {
      if isKept { launch.files.append((prints, STDERR_FILENO)) }
      launch.leadsGroup = true
      switch self {
      case .descriptor(let number):
        launch.files += [
          (number, STDOUT_FILENO), (STDERR_FILENO, STDERR_FILENO), (STDIN_FILENO, STDIN_FILENO),
        ]
        launch.leadsGroup = false
      case .kept: launch.files.append((prints, STDOUT_FILENO))
      case .results: launch.files.append((socket, STDOUT_FILENO))
      }
    }
  }

  /// Starts a child.
  ///
  /// - Parameters:
  ///   - program: The `auricle` program of the same build.
  ///   - arguments: The words behind the program's name.
  ///   - output: Where it prints.
  ///   - sound: Shared memory that the child has as `soundDescriptor`; nil for none.
  /// - Throws: The system's exhausted resource.
  package init(
    program: String = "/proc/self/exe", arguments: [String],
    output: Output = .descriptor(STDOUT_FILENO), sound: Int32? = nil
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
      output.isKept ? unsafe AuriclePrivatePipe(&pipes) == 0 : true
    else {
      let number = errno
      for descriptor in sockets where descriptor >= 0 { close(descriptor) }
      unsafe munmap(memory, AuricleHeartbeatSize())
      throw systemError(number, "make", "a socket")
    }
    var launch = ProcessLaunch(program, arguments)
    launch.files = [(shared, Self.heartbeatDescriptor), (sockets[1], Self.socketDescriptor)]
    if let sound { launch.files.append((sound, Self.soundDescriptor)) }
    output.add(to: &launch, prints: pipes[1], socket: sockets[1])
    launch.hidesCrashes = true
    let (child, handle, error) = launch.startWithHandle()
    close(sockets[1])
    if output.isKept { close(pipes[1]) }
    socket = sockets[0]
    prints = pipes[0]
    id = child
    self.handle = handle >= 0 || error != 0 ? handle : ProcessEnd.descriptor(of: child)
    unsafe self.memory = unsafe memory
    if output.isKept { _ = fcntl(prints, F_SETFL, O_NONBLOCK) }
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
    /// By a signal, and the place where it struck, as far as it is known.
    case crashed(Int32, CrashPlace?)

    /// The predicate of a unit that caused it: `crashed (Segmentation fault, in the function burst of gain.so)`.
    package var text: String {
      switch self {
      case .exited(let code): "ended its process (exit \(code))"
      case .crashed(let signal, let place):
        "crashed (\([Self.words(for: signal), place?.text].compactMap(\.self).joined(separator: ", ")))"
      }
    }

    /// The same with the signal's name: `crashed with SIGSEGV in the function burst of gain.so`.
    package var report: String {
      switch self {
      case .exited(let code): "ended its process with code \(code)"
      case .crashed(let signal, let place):
        ["crashed with \(SignalName.text(signal))", place?.text].compactMap(\.self)
          .joined(separator: " ")
      }
    }

    /// The system's words for a signal.
    private static func words(for signal: Int32) -> String {
      unsafe strsignal(signal).map { unsafe String(cString: $0) } ?? "signal \(signal)"
    }
  }

  /// Whether it has ended; `wait` returns at once then.
  package var hasEnded: Bool {
    knownEnd != nil || ChildProcess.hasEnded(id)
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
    // A program that has its children waited for by the system knows no more.
    let isKnown = retrying({ unsafe waitpid(id, &status, 0) }) == id
    let signal = status & 0x7F
    let end: End =
      !isKnown
      ? .exited(-1)
      : signal == 0
        ? .exited((status >> 8) & 0xFF)
        : unsafe .crashed(signal, CrashPlace(heartbeat: memory, signal: signal))
    knownEnd = end
    return end
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
      lastPrinted = Array((lastPrinted + block[0..<count]).suffix(4096))
      guard printedCount <= Self.mostReported else { continue }
      begunLine += block[0..<count]
      let parts = begunLine.split(separator: 0x0A, omittingEmptySubsequences: false)
      begunLine = Array(parts.last ?? [])
      lines += parts.dropLast().map { String(String(decoding: $0, as: UTF8.self).prefix(300)) }
    }
    return lines.filter { $0.contains { !$0.isWhitespace } }
  }

  /// The last line that it printed; nil for none.
  package var lastLine: String? {
    let lines = lastPrinted.split { $0 == 0x0A || $0 == 0x0D }
    guard let line = lines.last(where: { $0.contains { $0 > 0x20 } }) else { return nil }
    return String(String(decoding: line, as: UTF8.self).prefix(300))
  }

  /// Has crashes of this process leave no core file. Context: control, in the child, once.
  package static func keepNoCore() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }

  /// Shows the parent, where there is one, the work of this process from here on. Context: control, in the child, once.
  package static func adoptHeartbeat() {
    var status = stat()
    // A file of the user's may have the number: only memory without a name, of this size, is the parent's.
    guard unsafe fstat(heartbeatDescriptor, &status) == 0, status.st_nlink == 0,
      status.st_size == off_t(AuricleHeartbeatSize())
    else { return }
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
