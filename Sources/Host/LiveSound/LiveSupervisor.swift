// The process beside a live chain: it knows the unit that crashed, and begins again where that is wanted.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import AuricleHost
import CHostSystem
import Glibc
import HostSystem
import PlugInGuard

/// Runs live sound in a child process of the same program.
///
/// Plug-ins share the process that renders: one that crashes takes it along. The child tells what it does through
/// shared memory, and what was changed over a socket.
public struct LiveSupervisor {
  /// The descriptors that the child gets: the heartbeat, and the socket for its state.
  static let (heartbeatDescriptor, stateDescriptor): (Int32, Int32) = (3, 4)

  /// The words behind the program's name for the child.
  private let arguments: [String]
  private let restarts: Bool
  private let shouldStop: () -> Bool
  private let tell: (String) -> Void
  /// What was changed, in order, each once.
  private var state: [(key: String, line: String)] = []

  /// Describes the child.
  ///
  /// - Parameters:
  ///   - arguments: The words behind the program's name for the child, which calls `LiveChild.run`.
  ///   - restarts: Whether it is begun again after a crash.
  ///   - shouldStop: Asked often; true ends the child.
  ///   - onMessage: Told what is worth a line.
  ///
  /// Context: any.
  public init(
    arguments: [String], restarts: Bool, shouldStop: @escaping () -> Bool,
    onMessage: @escaping (String) -> Void
  ) {
    self.arguments = arguments
    self.restarts = restarts
    self.shouldStop = shouldStop
    tell = onMessage
  }

  /// Runs the child until it ends, and again after a crash where that is wanted.
  ///
  /// - Returns: Its exit code.
  /// - Throws: `.software` with the unit that crashed; `.temporary` where no process can be started.
  ///
  /// Context: control.
  public mutating func run() throws(AuricleError) -> Int32 {
    // A crash must not leave the terminal as the child had set it.
    var terminal = termios()
    let hasTerminal = unsafe tcgetattr(STDIN_FILENO, &terminal) == 0
    var crashes: [ContinuousClock.Instant] = []
    while true {
      let (status, unit) = try runOnce()
      guard status & 0x7F != 0 else { return (status >> 8) & 0xFF }
      if hasTerminal { unsafe _ = tcsetattr(STDIN_FILENO, TCSANOW, &terminal) }
      let signal = status & 0x7F
      let name = unsafe strsignal(signal).map { unsafe String(cString: $0) } ?? "signal \(signal)"
      let what = "\(unit ?? "the chain") crashed (\(name))"
      let now = ContinuousClock.now
      crashes = crashes.filter { now - $0 < .seconds(10) } + [now]
      guard restarts, !shouldStop() else {
        throw AuricleError(
          .software, "\(what): leave it out, or have it begun again with --restart")
      }
      guard crashes.count <= Self.mostCrashes else {
        throw AuricleError(
          .software, "\(what), \(crashes.count) times in ten seconds: leave it out")
      }
      tell("\(what): it begins again")
    }
  }

  /// The most crashes in ten seconds after which it is begun again.
  private static let mostCrashes = 5

  /// Runs the child once; its status, and the unit that was at work at its end.
  private mutating func runOnce() throws(AuricleError) -> (Int32, String?) {
    let shared = AuricleMakeSharedMemory(AuricleHeartbeatSize())
    guard shared >= 0 else { throw systemError(errno, "make", "shared memory") }
    defer { close(shared) }
    let memory = unsafe mmap(
      nil, AuricleHeartbeatSize(), PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else {
      throw systemError(errno, "map", "shared memory")
    }
    defer { unsafe munmap(memory, AuricleHeartbeatSize()) }
    var sockets: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &sockets) == 0 else {
      throw systemError(errno, "make", "a socket")
    }
    defer { close(sockets[0]) }
    var launch = ProcessLaunch("/proc/self/exe", arguments)
    launch.files = [
      (STDIN_FILENO, STDIN_FILENO), (STDOUT_FILENO, STDOUT_FILENO),
      (STDERR_FILENO, STDERR_FILENO), (shared, Self.heartbeatDescriptor),
      (sockets[1], Self.stateDescriptor),
    ]
    let (child, error) = launch.start()
    close(sockets[1])
    guard error == 0 else { throw systemError(error, "start", "the process of the chain") }
    let replay = state.map(\.line).joined(separator: "\n")
    _ = FileTransfer.writeAll(Array((replay + "\n\n").utf8), to: sockets[0])
    let status = follow(child, sockets[0])
    var reading = AuricleHeartbeatReading()
    unsafe AuricleHeartbeatRead(memory, &reading)
    let isAtWork = WorkPhase(rawValue: reading.phase)?.isOfUnit ?? false
    return unsafe (status, isAtWork ? Self.name(memory, reading.unit) : nil)
  }

  private static func name(_ memory: UnsafeMutableRawPointer, _ unit: Int32) -> String? {
    var name = [CChar](repeating: 0, count: 200)
    guard unsafe AuricleHeartbeatName(memory, unit, &name, name.count) else { return nil }
    return String(
      decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Notes what the child tells until it ends.
  private mutating func follow(_ child: pid_t, _ socket: Int32) -> Int32 {
    var received: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4096)
    var hasAsked = false
    while true {
      if shouldStop(), !hasAsked {
        kill(child, SIGTERM)
        hasAsked = true
      }
      var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&entry, 1, 100) > 0 else { continue }
      let count = unsafe read(socket, &block, block.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      received += block[0..<count]
      while let end = received.firstIndex(of: 0x0A) {
        note(String(decoding: received[..<end], as: UTF8.self))
        received.removeSubrange(...end)
      }
    }
    var status: Int32 = 0
    retrying { unsafe waitpid(child, &status, 0) }
    return status
  }

  /// Keeps what leads to the child's present state. Another preset makes earlier values void.
  private mutating func note(_ line: String) {
    guard let (key, line) = try? LiveCommand(line: line).stateLine else { return }
    if key == "preset" { state.removeAll { !["gain", "bypass"].contains($0.key) } }
    state.removeAll { $0.key == key }
    state.append((key, line))
  }
}

/// Live sound in the child of a supervisor.
public enum LiveChild {
  /// Runs a chain; what it was changed to before a crash is done first.
  ///
  /// - Throws: As `AuricleInstallation.play`; `.badData` for a chain that follows a file.
  ///
  /// Context: control; returns when it is over.
  public static func run(
    _ request: LiveRequest, in installation: AuricleInstallation, control: PlayControl
  ) throws -> SoundOutcome {
    adoptHeartbeat()
    let lines = readState()
    _ = fcntl(LiveSupervisor.stateDescriptor, F_SETFD, FD_CLOEXEC)
    // The device goes last: a path that cannot be used costs nobody a sound.
    let socket = try request.controlPath.map { path throws(AuricleError) in
      try ControlSocket(path: path)
    }
    let run = try LiveRun(request, installation.host, control) { command in
      guard let line = command.stateLine?.line else { return }
      _ = FileTransfer.writeAll(Array((line + "\n").utf8), to: LiveSupervisor.stateDescriptor)
    }
    for line in lines {
      let answer = run.answer(line)
      if answer.hasPrefix("error") { control.say("'\(line)' cannot be done again: \(answer)") }
    }
    Heartbeat.enter(.idle, unit: Heartbeat.noUnit)
    return try run.go(socket: socket) { run.answer($0) }
  }

  private static func adoptHeartbeat() {
    let memory = unsafe mmap(
      nil, AuricleHeartbeatSize(), PROT_READ | PROT_WRITE, MAP_SHARED,
      LiveSupervisor.heartbeatDescriptor, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { return }
    unsafe AuricleHeartbeatUse(memory)
    close(LiveSupervisor.heartbeatDescriptor)
  }

  /// The lines up to an empty one.
  private static func readState() -> [String] {
    var lines: [String] = []
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while retrying({ unsafe read(LiveSupervisor.stateDescriptor, &byte, 1) }) == 1 {
      guard byte == 0x0A else {
        line.append(byte)
        continue
      }
      if line.isEmpty { break }
      lines.append(String(decoding: line, as: UTF8.self))
      line = []
    }
    return lines
  }
}
