// Running a program, with its output and its end.
// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Glibc

/// The end of a program, and its output.
public struct ProcessResult: Sendable {
  /// The exit code; nil if a signal ended it.
  public var exitCode: Int32?
  /// The signal that ended it; nil if it exited.
  public var signal: Int32?
  /// True if it was killed because its time was up.
  public var timedOut: Bool
  /// The text on standard output.
  public var standardOutput: String
  /// The text on standard error.
  public var standardError: String

  /// Everything, for a test's message.
  public var summary: String {
    let end = exitCode.map { "exit code \($0)" } ?? "signal \(signal ?? 0)"
    return "\(end)\(timedOut ? " (timed out)" : "")\n--- output\n\(standardOutput)"
      + "\n--- errors\n\(standardError)"
  }
}

/// A program that could not be started.
public struct ProcessStartError: Error, CustomStringConvertible {
  /// The program that could not be started, and why.
  public let description: String
}

/// A running program, in a separate process group.
///
/// Output goes to files rather than pipes, so that no test can hang on a full pipe or on a
/// grandchild that keeps one open.
public final class ChildProcess {
  /// The process id.
  public let id: pid_t
  private let folder: TemporaryFolder
  private var ended: (status: Int32, timedOut: Bool)?
  /// A descriptor that is readable once the program has ended; -1 in old C libraries.
  private let endDescriptor: Int32

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - executable: Path, or a name looked up in `PATH`.
  ///   - arguments: Without the program's name.
  ///   - environment: Added to the environment of the tests; a nil value removes a variable.
  ///   - folder: Where it runs; nil for the folder of the tests.
  ///   - input: The contents of standard input.
  public init(
    _ executable: String, _ arguments: [String] = [], environment: [String: String?] = [:],
    in workingFolder: String? = nil, input: Data = Data()
  ) throws {
    guard executable.contains("/") || Self.listedPrograms.contains(executable) else {
      throw ProcessStartError(
        description: "\(executable) has no line in Scripts/programs.txt: add it with its package")
    }
    folder = try TemporaryFolder("auricle-process")
    try folder.write(input, to: "in")
    var variables = ProcessInfo.processInfo.environment
    // A machine's plug-ins of these formats are there for tests that name them.
    for name in ["CLAP_PATH", "LADSPA_PATH", "VST3_PATH"] { variables[name] = "/nowhere" }
    for (name, value) in environment { variables[name] = value }

    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, folder("in"), O_RDONLY, 0)
    let writing = O_WRONLY | O_CREAT | O_TRUNC
    unsafe posix_spawn_file_actions_addopen(&actions, 1, folder("out"), writing, 0o600)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, folder("err"), writing, 0o600)
    // Files that other tests happen to have open are none of its business: a program, or a file that
    // is watched until nobody writes to it, would be held open by it for as long as it runs.
    _ = unsafe Self.addClosingFrom?(&actions, 3)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    unsafe sigemptyset(&none)
    var all = sigset_t()
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    // env changes the folder: the C function that does is not visible to Swift.
    let command = (workingFolder.map { ["env", "-C", $0] } ?? []) + [executable] + arguments
    let words = unsafe command.map { unsafe strdup($0) } + [nil]
    let settings = unsafe variables.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
    defer { unsafe (words + settings).forEach { unsafe free($0) } }
    var child: pid_t = 0
    let status = unsafe posix_spawnp(&child, command[0], &actions, &attributes, words, settings)
    guard status == 0 else {
      throw ProcessStartError(
        description: "\(executable) does not start: \(unsafe String(cString: strerror(status)))")
    }
    id = child
    endDescriptor = Self.openProcess?(child, 0) ?? -1
  }

  /// The programs that have a package in `Scripts/programs.txt`.
  private static let listedPrograms = Set(
    ((try? String(contentsOfFile: Places.inPackage("Scripts/programs.txt"), encoding: .utf8)) ?? "")
      .split(separator: "\n").filter { !$0.hasPrefix("#") }
      .compactMap { $0.split(separator: " ").first.map(String.init) })

  /// `posix_spawn_file_actions_addclosefrom_np`, which Swift does not see; nil in old C libraries.
  private static let addClosingFrom = unsafe dlsym(
    nil, "posix_spawn_file_actions_addclosefrom_np"
  ).map { unsafe unsafeBitCast($0, to: AddClosing.self) }

  /// `pidfd_open`, which Swift does not see; nil in old C libraries.
  private static let openProcess = unsafe dlsym(nil, "pidfd_open").map {
    unsafe unsafeBitCast($0, to: (@convention(c) (pid_t, UInt32) -> Int32).self)
  }

  private typealias AddClosing =
    @convention(c) (
      UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32
    ) -> Int32

  deinit {
    if ended == nil {
      kill(-id, SIGKILL)
      var status: Int32 = 0
      unsafe waitpid(id, &status, 0)
    }
    if endDescriptor >= 0 { close(endDescriptor) }
  }

  /// Sends a signal to the program and its children.
  public func send(signal: Int32) {
    if ended == nil { kill(-id, signal) }
  }

  /// The text on standard output so far.
  public var standardOutput: String { contents("out") }

  /// The text on standard error so far.
  public var standardError: String { contents("err") }

  /// True while it runs.
  public var isRunning: Bool {
    poll()
    return ended == nil
  }

  /// The processes that it started itself, and that still run.
  public var workers: [pid_t] {
    let tasks = "/proc/\(id)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    return threads.flatMap { thread in
      let list = FileManager.default.contents(atPath: "\(tasks)/\(thread)/children") ?? Data()
      return String(decoding: list, as: UTF8.self).split(separator: " ").compactMap { pid_t($0) }
    }
  }

  /// Waits until a condition on its state holds, as long as it runs.
  ///
  /// - Returns: Whether it came true; not when the program ended first, or the time was up.
  public func waits(until condition: () throws -> Bool) rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(Self.timeLimitSeconds)
    while try !condition() {
      guard isRunning, ContinuousClock.now < deadline else { return try condition() }
      rest(milliseconds: OtherPrograms.pause)
    }
    return true
  }

  /// The time limit of a program in seconds, unless a test sets another. Only a hang lasts so long,
  /// on any busy machine.
  public static let timeLimitSeconds = 1800.0

  /// Waits until it ends; kills it when the time is up.
  public func wait(timeLimitSeconds: Double = timeLimitSeconds) -> ProcessResult {
    let deadline = ContinuousClock.now + .seconds(timeLimitSeconds)
    poll()
    while ended == nil {
      if ContinuousClock.now > deadline {
        kill(-id, SIGKILL)
        var status: Int32 = 0
        unsafe waitpid(id, &status, 0)
        ended = (status, true)
        break
      }
      // The end interrupts it, but for old C libraries.
      rest(milliseconds: endDescriptor < 0 ? OtherPrograms.pause : 1000)
      poll()
    }
    let (status, timedOut) = ended ?? (0, false)
    let ending = status & 0x7F
    return ProcessResult(
      exitCode: ending == 0 ? (status >> 8) & 0xFF : nil, signal: ending == 0 ? nil : ending,
      timedOut: timedOut, standardOutput: standardOutput, standardError: standardError)
  }

  private func poll() {
    guard ended == nil else { return }
    var status: Int32 = 0
    if unsafe waitpid(id, &status, WNOHANG) == id { ended = (status, false) }
  }

  /// Rests for a time, or until the program ends.
  private func rest(milliseconds: Int32) {
    var end = pollfd(fd: endDescriptor, events: Int16(POLLIN), revents: 0)
    unsafe _ = Glibc.poll(&end, 1, milliseconds)
  }

  private func contents(_ name: String) -> String {
    let data = FileManager.default.contents(atPath: folder(name)) ?? Data()
    return String(decoding: data, as: UTF8.self)
  }
}

/// Runs a program to its end.
///
/// - Parameters: as `ChildProcess.init`.
///   - timeLimitSeconds: It is killed after so long.
public func runProcess(
  _ executable: String, _ arguments: [String] = [], environment: [String: String?] = [:],
  in workingFolder: String? = nil, input: Data = Data(),
  timeLimitSeconds: Double = ChildProcess.timeLimitSeconds
) throws -> ProcessResult {
  let child = try ChildProcess(
    executable, arguments, environment: environment, in: workingFolder, input: input)
  return child.wait(timeLimitSeconds: timeLimitSeconds)
}

/// Runs the built command line program to its end.
///
/// - Parameters: as `runProcess`.
public func runAuricle(
  _ arguments: [String], environment: [String: String?] = [:], in workingFolder: String? = nil,
  input: Data = Data(), timeLimitSeconds: Double = ChildProcess.timeLimitSeconds
) throws -> ProcessResult {
  try runProcess(
    Places.auricle, arguments, environment: environment, in: workingFolder, input: input,
    timeLimitSeconds: timeLimitSeconds)
}
