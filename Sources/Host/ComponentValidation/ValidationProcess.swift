// One process that checks a unit: its start, its reports, and its end where it uses too much of anything.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem
import Glibc
import HostSystem
import UnitValidation

/// The limits of all processes that check one unit.
package struct ValidationLimits: Sendable {
  /// Seconds of all of them together; those in which others had the processor are not counted.
  package var seconds = 60.0
  /// Bytes of memory.
  package var memory = 2 << 30
  /// Bytes that the unit prints.
  package var output = 1 << 20

  /// A minute, 2 GiB, 1 MiB.
  package init() {}
}

/// A process that checks a unit, and its reports.
final class ValidationProcess {
  /// The end of the process.
  enum End: Equatable {
    /// It reported that all is done.
    case finished
    /// It reported that nothing could be done.
    case refused(String)
    /// It left with a code and reported no end.
    case exited(Int32)
    case signalled(Int32)
    case timedOut
    case tooMuchMemory
    case tooMuchOutput
    case notStarted(Int32)
  }

  private let limits: ValidationLimits
  private let receive: (ValidationEvent) -> Void
  private let crash = CrashMemory()
  private var child: pid_t = 0
  /// Readable when the process has ended; -1 where the kernel has no handles of processes.
  private var handle: Int32 = -1
  private var begun: [UInt8] = []
  private var printed: [UInt8] = []
  private var printedCount = 0
  private var reported: End?
  /// The phase that was begun last, and its title.
  private(set) var phase = 0
  private(set) var title = "starting"
  /// The names of processes that the unit started, and that went on when this one had ended.
  private(set) var leftProcesses: [String] = []
  /// Seconds that it used, without those in which others had the processor.
  private(set) var usedSeconds = 0.0

  init(_ limits: ValidationLimits, receive: @escaping (ValidationEvent) -> Void) {
    self.limits = limits
    self.receive = receive
  }

  /// The last line that the unit printed; nil for none.
  var lastLine: String? {
    let lines = printed.split { $0 == 0x0A || $0 == 0x0D }
    guard let line = lines.last(where: { $0.contains { $0 > 0x20 } }) else { return nil }
    return String(String(decoding: line, as: UTF8.self).prefix(300))
  }

  /// The words for its crash by a signal.
  func words(of signal: Int32) -> String {
    crash?.words(of: signal) ?? "crashed with \(SignalName.text(signal))"
  }

  /// Runs it to its end. Context: control; it waits.
  func run(_ program: String, _ arguments: [String]) -> End {
    var results: [Int32] = [-1, -1]
    var prints: [Int32] = [-1, -1]
    guard unsafe AuriclePrivatePipe(&results) == 0 else { return .notStarted(errno) }
    guard unsafe AuriclePrivatePipe(&prints) == 0 else {
      results.forEach { close($0) }
      return .notStarted(errno)
    }
    var launch = ProcessLaunch(program, arguments)
    launch.files = [(results[1], STDOUT_FILENO), (prints[1], STDERR_FILENO)]
    // A separate group: processes that the unit starts end with it.
    launch.leadsGroup = true
    launch.hidesCrashes = true
    if let crash { launch.files.append(crash.file) }
    let (child, handle, error) = launch.startWithHandle()
    close(results[1])
    close(prints[1])
    defer { for end in [results[0], prints[0], handle] where end >= 0 { close(end) } }
    guard error == 0 else { return .notStarted(error) }
    (self.child, self.handle) = (child, handle)
    let early = listen(results[0], prints[0])
    if early != nil { kill(-child, SIGKILL) }
    var status: Int32 = 0
    retrying { unsafe waitpid(child, &status, 0) }
    if early == nil { leftProcesses = processesLeft() }
    kill(-child, SIGKILL)
    if let early { return early }
    let signal = status & 0x7F
    if signal != 0 { return .signalled(signal) }
    return reported ?? .exited((status >> 8) & 0xFF)
  }

  /// The processes of the group that outlive its leader; others have a moment to end with it.
  private func processesLeft() -> [String] {
    var names: [String] = []
    // The ends of processes that the unit started are no events here: they are no children of this process.
    for _ in 0..<50 {
      guard kill(-child, 0) == 0 else { return [] }
      names = ProcessFacts.names(ofGroup: child)
      if names.isEmpty { return [] }
      usleep(10_000)
    }
    return names
  }

  /// Reads until the results end; why the process is to be ended, or nil.
  private func listen(_ results: Int32, _ prints: Int32) -> End? {
    let start = ContinuousClock.now
    var entries = [results, prints].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      _ = unsafe poll(&entries, nfds_t(entries.count), 50)
      if entries[1].revents != 0 {
        let count = unsafe read(prints, &block, block.count)
        // A closed standard output is not polled again.
        if count <= 0 { entries[1].fd = -1 } else { notePrinted(block[..<count]) }
        if printedCount > limits.output { return .tooMuchOutput }
      }
      if entries[0].revents != 0 {
        let count = unsafe read(results, &block, block.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return closedEarly(start) }
        noteResults(block[..<count])
      }
      if reported == .finished { return hasEnded(within: 2) ? nil : .timedOut }
      if isLate(since: start) { return .timedOut }
      if ProcessFacts.memory(of: child, above: limits.memory) != nil { return .tooMuchMemory }
    }
  }

  /// Waits for a process that closed its results: it goes on for as long as it may, and no longer.
  private func closedEarly(_ start: ContinuousClock.Instant) -> End? {
    while !hasEnded(within: 0.02) {
      if isLate(since: start) { return .timedOut }
    }
    return nil
  }

  /// Whether the process is gone, or goes in so many seconds; it is left for `waitpid`.
  private func hasEnded(within seconds: Double) -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while !ChildProcess.hasEnded(child) {
      let left = (deadline - ContinuousClock.now) / .milliseconds(1)
      guard left > 0 else { return false }
      var entry = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&entry, 1, Int32(min(left, handle < 0 ? 20 : left).rounded(.up)))
    }
    return true
  }

  /// Whether its time is over: one that waits for the processor has more, up to twelve times as much.
  private func isLate(since start: ContinuousClock.Instant) -> Bool {
    let passed = (ContinuousClock.now - start) / .seconds(1)
    usedSeconds = max(usedSeconds, passed - (ProcessFacts.waitingTime(of: child) ?? 0))
    return usedSeconds > limits.seconds || passed > 12 * limits.seconds
  }

  private func notePrinted(_ bytes: ArraySlice<UInt8>) {
    printedCount += bytes.count
    printed += bytes
    if printed.count > 4096 { printed.removeFirst(printed.count - 4096) }
  }

  private func noteResults(_ bytes: ArraySlice<UInt8>) {
    begun += bytes
    while let end = begun.firstIndex(of: 0x0A) {
      let line = Array(begun[..<end])
      begun.removeFirst(end + 1)
      switch ValidationLine(line) {
      case .event(let event):
        if case .phase(let number, let name) = event { (phase, title) = (number, name) }
        receive(event)
      case .refused(let reason): reported = .refused(reason)
      case .end: reported = .finished
      case nil: break
      }
    }
    // A unit that found the descriptor and writes there is of no interest.
    if begun.count > 1 << 20 { begun = [] }
  }
}
