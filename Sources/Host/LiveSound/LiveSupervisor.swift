// The process beside a live chain: it knows the unit that crashed, and begins again where that is wanted.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import AuricleHost
import Glibc
import HostSystem
import PlugInGuard
import WatchedProcesses

/// Runs live sound in a child process of the same program.
///
/// Plug-ins share the process that renders: one that crashes takes it along. The child tells what it does through
/// shared memory, and what was changed over a socket.
public struct LiveSupervisor {
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
      let (end, unit) = try runOnce()
      let signal: String
      switch end {
      case .exited(let code): return code
      case .crashed(let words): signal = words
      }
      if hasTerminal { unsafe _ = tcsetattr(STDIN_FILENO, TCSANOW, &terminal) }
      let what = "\(unit ?? "the chain") crashed (\(signal))"
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

  /// Runs the child once; how it ended, and the unit that was at work then.
  private mutating func runOnce() throws(AuricleError) -> (WatchedProcess.End, String?) {
    let child = try WatchedProcess(arguments: arguments)
    let replay = state.map(\.line).joined(separator: "\n")
    _ = FileTransfer.writeAll(Array((replay + "\n\n").utf8), to: child.socket)
    let end = follow(child)
    return (end, child.unitAtWork)
  }

  /// Notes what the child tells until it ends.
  private mutating func follow(_ child: WatchedProcess) -> WatchedProcess.End {
    var received: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4096)
    var hasAsked = false
    while true {
      if shouldStop(), !hasAsked {
        child.ask()
        hasAsked = true
      }
      var entry = pollfd(fd: child.socket, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&entry, 1, 100) > 0 else { continue }
      let count = unsafe read(child.socket, &block, block.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      received += block[0..<count]
      while let end = received.firstIndex(of: 0x0A) {
        note(String(decoding: received[..<end], as: UTF8.self))
        received.removeSubrange(...end)
      }
    }
    return child.wait()
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
    WatchedProcess.adoptHeartbeat()
    let lines = readState()
    // The device goes last: a path that cannot be used costs nobody a sound.
    let socket = try request.controlPath.map { path throws(AuricleError) in
      try ControlSocket(path: path)
    }
    let run = try LiveRun(request, installation.host, control) { command in
      guard let line = command.stateLine?.line else { return }
      _ = FileTransfer.writeAll(Array((line + "\n").utf8), to: WatchedProcess.socketDescriptor)
    }
    for line in lines {
      let answer = run.answer(line)
      if answer.hasPrefix("error") { control.say("'\(line)' cannot be done again: \(answer)") }
    }
    Heartbeat.enter(.idle, unit: Heartbeat.noUnit)
    return try run.go(socket: socket) { run.answer($0) }
  }

  /// The lines up to an empty one.
  private static func readState() -> [String] {
    var lines: [String] = []
    while let line = WatchedProcess.readText(upTo: 0x0A), !line.isEmpty { lines.append(line) }
    return lines
  }
}
