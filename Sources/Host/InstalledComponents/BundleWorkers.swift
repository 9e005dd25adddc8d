// Processes that read bundles in parallel, each under a time limit.
// SPDX-License-Identifier: Apache-2.0

internal import AudioComponents
import CHostSystem
import Glibc
import HostSystem
import LV2Units
import PlugInGuard

/// Reads bundles in child processes: one that crashes or hangs loses its current bundle, and is replaced for
/// the rest.
package final class BundleWorkers {
  /// The word by which the program reads bundles.
  package static let command = "scan-bundles"

  /// The longest time between two signs of life of this process. Its readers have limits of their own.
  private static let signInterval = Duration.seconds(1)
  /// The time limit of a bundle, in CPU time when the machine is busy; the largest of 250 measured needs a
  /// fifth of a second.
  private let timeLimit: Duration
  private let executable: String
  private let format: String
  private let paths: [String]
  private var next = 0
  private var outcomes: [BundleOutcome]
  private var workers: [Worker] = []

  /// One child and its present work.
  private struct Worker {
    var process: pid_t
    var input: Int32
    var output: Int32
    let crash: CrashMemory?
    /// Bundles sent to it and not answered yet, in order.
    var pending: [Int] = []
    var received: [UInt8] = []
    var deadline: ContinuousClock.Instant
    /// Its CPU time when the current bundle was begun, and how often that got more time.
    var startSeconds = 0.0
    var extensionCount = 0
  }

  /// The limit from the environment, or 20 s.
  static var standardTimeLimit: Duration {
    let text = unsafe getenv("AURICLE_SCAN_SECONDS").map { unsafe String(cString: $0) }
    guard let seconds = text.flatMap({ Int($0) }), (1...3600).contains(seconds) else {
      return .seconds(20)
    }
    return .seconds(seconds)
  }

  /// - Parameters:
  ///   - executable: The `auricle` program.
  ///   - format: The format of the bundles.
  ///   - paths: Their folders, in the order in which they are begun.
  ///   - timeLimit: The limit for each.
  init(_ executable: String, _ format: String, _ paths: [String], _ timeLimit: Duration) {
    self.executable = executable
    self.format = format
    self.paths = paths
    self.timeLimit = timeLimit
    outcomes = Array(repeating: .notTried, count: paths.count)
  }

  /// Reads them all. Context: control.
  func run() -> [BundleOutcome] {
    let wanted = min(max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1), 8, (paths.count + 7) / 8)
    for _ in 0..<wanted { start() }
    Heartbeat.during(.prepare, unit: Heartbeat.noUnit) {
      while !workers.isEmpty {
        step()
        // A parent that watches sees it at work, however many bundles there are.
        Heartbeat.enter(.prepare, unit: Heartbeat.noUnit)
      }
    }
    return outcomes
  }

  private func start() {
    guard next < paths.count else { return }
    var (down, up): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    // A socket, which does not end a program with SIGPIPE when its reader has crashed.
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &down) == 0 else { return }
    guard unsafe AuriclePrivatePipe(&up) == 0 else {
      down.forEach { close($0) }
      return
    }
    var launch = ProcessLaunch(executable, [Self.command, format])
    launch.files = [(down[0], STDIN_FILENO), (up[1], STDOUT_FILENO)]
    let crash = CrashMemory()
    if let crash { launch.files.append(crash.file) }
    // Processes that a bundle's code starts end with it.
    launch.leadsGroup = true
    let (process, status) = launch.start()
    close(down[0])
    close(up[1])
    guard status == 0 else {
      close(down[1])
      close(up[0])
      return
    }
    var worker = Worker(
      process: process, input: down[1], output: up[0], crash: crash, deadline: .now + timeLimit)
    sendReadablePaths(worker)
    feed(&worker)
    workers.append(worker)
  }

  /// Sends the paths that the sandbox lets it read, and an empty line.
  private func sendReadablePaths(_ worker: Worker) {
    let lines = paths.filter { !$0.utf8.contains(0x0a) }.map { $0 + "\n" }.joined() + "\n"
    var left = Array(lines.utf8)[...]
    while !left.isEmpty {
      let count = unsafe left.withUnsafeBytes { raw in
        retrying { unsafe send(worker.input, raw.baseAddress, raw.count, Int32(MSG_NOSIGNAL)) }
      }
      // One that has ended is found when it is read from.
      guard count > 0 else { return }
      left = left.dropFirst(count)
    }
  }

  /// Keeps two bundles with a worker, so that it never waits for the next request.
  private func feed(_ worker: inout Worker) {
    while worker.pending.count < 2, next < paths.count {
      let bundle = next
      let line = Array((paths[bundle] + "\n").utf8)
      // A folder with a newline in its name cannot be requested: it is left to the caller.
      if !paths[bundle].utf8.contains(0x0a) {
        let count = unsafe line.withUnsafeBytes { raw in
          unsafe send(worker.input, raw.baseAddress, raw.count, Int32(MSG_NOSIGNAL))
        }
        guard count == line.count else { return }
        worker.pending.append(bundle)
      }
      next += 1
    }
  }

  private func step() {
    var entries = workers.map { pollfd(fd: $0.output, events: Int16(POLLIN), revents: 0) }
    let now = ContinuousClock.now
    let nearest = workers.map(\.deadline).min() ?? now
    let milliseconds = min(nearest - now, Self.signInterval) / .milliseconds(1)
    _ = unsafe poll(&entries, nfds_t(entries.count), Int32(max(milliseconds.rounded(.up), 0)))
    var kept: [Worker] = []
    var lost = 0
    for (index, entry) in entries.enumerated() {
      var worker = workers[index]
      if entry.revents != 0 {
        if receive(&worker) {
          kept.append(worker)
        } else {
          finish(worker, reason: nil)
          lost += 1
        }
      } else if ContinuousClock.now >= worker.deadline, extend(&worker) {
        kept.append(worker)
      } else if ContinuousClock.now >= worker.deadline {
        kill(-worker.process, SIGKILL)
        finish(
          worker,
          reason: "reading it took longer than \(timeLimit.components.seconds) s: it was stopped")
        lost += 1
      } else {
        kept.append(worker)
      }
    }
    workers = kept
    for _ in 0..<lost { start() }
  }

  /// Reads the output of a worker; false at the end.
  private func receive(_ worker: inout Worker) -> Bool {
    var block = [UInt8](repeating: 0, count: 65_536)
    let count = retrying { unsafe read(worker.output, &block, block.count) }
    guard count > 0 else { return false }
    worker.received += block[0..<count]
    while worker.received.count >= 4, let bundle = worker.pending.first {
      let size = worker.received[0..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
      guard worker.received.count >= 4 + size else { break }
      outcomes[bundle] = .read(Array(worker.received[4..<(4 + size)]))
      worker.received.removeFirst(4 + size)
      worker.pending.removeFirst()
      worker.deadline = .now + timeLimit
      worker.startSeconds = ChildProcess.activity(of: worker.process)?.seconds ?? 0
      worker.extensionCount = 0
    }
    feed(&worker)
    return !worker.pending.isEmpty
  }

  /// Extends the time of a worker that was ready to run but got less CPU time than the limit, because the
  /// machine is busy.
  private func extend(_ worker: inout Worker) -> Bool {
    guard worker.extensionCount < 11, let activity = ChildProcess.activity(of: worker.process),
      !activity.isAsleep,
      activity.seconds - worker.startSeconds < Double(timeLimit.components.seconds)
    else { return false }
    worker.extensionCount += 1
    worker.deadline = .now + timeLimit
    return true
  }

  /// Closes a worker; its current bundle is to blame when requests are unanswered.
  private func finish(_ worker: Worker, reason: String?) {
    close(worker.input)
    close(worker.output)
    var status: Int32 = 0
    retrying { unsafe waitpid(worker.process, &status, 0) }
    kill(-worker.process, SIGKILL)
    guard let culprit = worker.pending.first else { return }
    let signal = status & 0x7F
    outcomes[culprit] = .failed(
      reason
        ?? (signal == 0
          ? "reading it ended the process with code \((status >> 8) & 0xFF)"
          : "reading it "
            + (worker.crash?.words(of: signal) ?? "crashed with \(SignalName.text(signal))")))
    for other in worker.pending.dropFirst() { requeue(other) }
  }

  /// Queues a bundle that waited behind another for a separate worker.
  private func requeue(_ bundle: Int) {
    let alone = BundleWorkers(executable, format, [paths[bundle]], timeLimit).run()
    outcomes[bundle] = alone.first ?? .notTried
  }
}
