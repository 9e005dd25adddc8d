// One process that checks a unit: its start, its reports, and its end where it uses too much of anything.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Glibc
import HostSystem
import UnitValidation
import WatchedProcesses

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

  /// The same for one process.
  var limits: ProcessLimits {
    var limits = ProcessLimits(seconds: seconds)
    (limits.memory, limits.output) = (memory, output)
    return limits
  }
}

/// A process that checks a unit, and its reports.
final class ValidationProcess {
  /// The end of the process.
  enum End: Equatable {
    /// It reported that all is done.
    case finished
    /// It reported that nothing could be done.
    case refused(String)
    /// It ended and reported no end.
    case ended(WatchedProcess.End)
    case exceeded(ProcessLimits.Excess)
    /// No process can be started, for a reason.
    case notStarted(String)
  }

  private let limits: ValidationLimits
  private let receive: (ValidationEvent) -> Void
  private var begun: [UInt8] = []
  private var reported: End?
  /// The phase that was begun last, and its title.
  private(set) var phase = 0
  private(set) var title = "starting"
  /// The names of processes that the unit started, and that went on when this one had ended.
  private(set) var leftProcesses: [String] = []
  /// Seconds that it used, without those in which others had the processor.
  private(set) var usedSeconds = 0.0
  /// The last line that the unit printed; nil for none.
  private(set) var lastLine: String?

  init(_ limits: ValidationLimits, receive: @escaping (ValidationEvent) -> Void) {
    self.limits = limits
    self.receive = receive
  }

  /// Runs it to its end. Context: control; it waits.
  func run(_ program: String, _ arguments: [String]) -> End {
    let child: WatchedProcess
    do throws(AuricleError) {
      child = try WatchedProcess(
        program: program, arguments: arguments, output: .results(keepsErrors: true))
    } catch {
      return .notStarted(error.message)
    }
    var excess = child.collect(limits.limits) { bytes in
      noteResults(bytes[...])
      return reported != .finished
    }
    // One that has reported all has a moment to end.
    if excess == nil, !child.hasEnded(by: .now + .seconds(2)) { excess = .seconds }
    usedSeconds = child.usedSeconds
    _ = child.newLines()
    lastLine = child.lastLine
    if excess == nil { leftProcesses = processesLeft(by: child.id) }
    let end = child.end(within: .zero)
    if let excess { return .exceeded(excess) }
    if case .crashed = end { return .ended(end) }
    return reported ?? .ended(end)
  }

  /// The processes of a group that outlive its leader, which has ended; others have a moment to end with it.
  private func processesLeft(by leader: pid_t) -> [String] {
    var names: [String] = []
    // The ends of processes that the unit started are no events here: they are no children of this process.
    for _ in 0..<50 {
      names = ProcessFacts.names(ofGroup: leader)
      if names.isEmpty { return [] }
      usleep(10_000)
    }
    return names
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
