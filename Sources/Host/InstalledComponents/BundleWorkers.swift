// Processes that read bundles in parallel, each under a time limit.
// SPDX-License-Identifier: Apache-2.0

internal import AudioComponents
import Glibc
import HostSystem
import LV2Units
import PlugInGuard
import WatchedProcesses

/// Reads bundles in child processes: one that crashes or hangs loses its current bundle, and is replaced for
/// the rest.
package final class BundleWorkers {
  /// The word by which the program reads bundles.
  package static let command = "scan-bundles"

  /// The longest time between two signs of life of this process. Its readers have limits of their own.
  private static let signInterval = 1.0
  /// The limits of a bundle; the largest of 250 measured needs a fifth of a second.
  private let limits: ProcessLimits
  private let executable: String
  private let format: String
  private let paths: [String]
  private var next = 0
  private var outcomes: [BundleOutcome]
  private var workers: [Worker] = []

  /// One child and its present work.
  private struct Worker {
    let process: WatchedProcess
    /// Bundles sent to it and not answered yet, in order.
    var pending: [Int] = []
    var received: [UInt8] = []
  }

  /// The limits: seconds from the environment, or 20.
  static var standardLimits: ProcessLimits {
    let text = unsafe getenv("AURICLE_SCAN_SECONDS").map { unsafe String(cString: $0) }
    let seconds = text.flatMap { Int($0) } ?? 20
    return ProcessLimits(seconds: (1...3600).contains(seconds) ? Double(seconds) : 20)
  }

  /// - Parameters:
  ///   - executable: The `auricle` program.
  ///   - format: The format of the bundles.
  ///   - paths: Their folders, in the order in which they are begun.
  ///   - limits: The limits for each.
  init(_ executable: String, _ format: String, _ paths: [String], _ limits: ProcessLimits) {
    self.executable = executable
    self.format = format
    self.paths = paths
    self.limits = limits
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
    guard next < paths.count,
      let process = try? WatchedProcess(
        program: executable, arguments: [Self.command, format],
        output: .results(keepsErrors: false))
    else { return }
    var worker = Worker(process: process)
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
        retrying {
          unsafe send(worker.process.socket, raw.baseAddress, raw.count, Int32(MSG_NOSIGNAL))
        }
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
          unsafe send(worker.process.socket, raw.baseAddress, raw.count, Int32(MSG_NOSIGNAL))
        }
        guard count == line.count else { return }
        worker.pending.append(bundle)
      }
      next += 1
    }
  }

  private func step() {
    var entries = workers.map {
      pollfd(fd: $0.process.socket, events: Int16(POLLIN), revents: 0)
    }
    let nearest = workers.map { limits.seconds - $0.process.usedSeconds }.min() ?? 0
    // Those that wait for a processor have more time: they are asked again.
    let milliseconds = min(max(nearest, 0) + 0.02, Self.signInterval) * 1000
    _ = unsafe poll(&entries, nfds_t(entries.count), Int32(milliseconds))
    var kept: [Worker] = []
    var lost = 0
    for (index, entry) in entries.enumerated() {
      var worker = workers[index]
      if entry.revents != 0 {
        if receive(&worker) {
          kept.append(worker)
        } else {
          finish(worker, isLate: false)
          lost += 1
        }
      } else if worker.process.excess(of: limits) == nil {
        kept.append(worker)
      } else {
        finish(worker, isLate: true)
        lost += 1
      }
    }
    workers = kept
    for _ in 0..<lost { start() }
  }

  /// Reads the output of a worker; false at the end.
  private func receive(_ worker: inout Worker) -> Bool {
    guard let bytes = worker.process.receive() else { return false }
    worker.received += bytes
    while worker.received.count >= 4, let bundle = worker.pending.first {
      let size = worker.received[0..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
      guard worker.received.count >= 4 + size else { break }
      outcomes[bundle] = .read(Array(worker.received[4..<(4 + size)]))
      worker.received.removeFirst(4 + size)
      worker.pending.removeFirst()
      worker.process.beginWork()
    }
    feed(&worker)
    return !worker.pending.isEmpty
  }

  /// Ends a worker; its current bundle is to blame when requests are unanswered.
  private func finish(_ worker: Worker, isLate: Bool) {
    // It closes its socket a moment before it is over.
    let end = worker.process.end(within: isLate || worker.pending.isEmpty ? .zero : .seconds(1))
    guard let culprit = worker.pending.first else { return }
    outcomes[culprit] = .failed(
      isLate
        ? "reading it took longer than \(Int(limits.seconds)) s: it was stopped"
        : "reading it \(end.report)")
    for other in worker.pending.dropFirst() { requeue(other) }
  }

  /// Queues a bundle that waited behind another for a separate worker.
  private func requeue(_ bundle: Int) {
    let alone = BundleWorkers(executable, format, [paths[bundle]], limits).run()
    outcomes[bundle] = alone.first ?? .notTried
  }
}
