// Checks components in processes of their own: one that crashes or hangs costs the phase it was at.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import UnitValidation
import WatchedProcesses

/// Checks components by means of the `auricle` program.
package struct ComponentValidator: Sendable {
  /// The word that has the program check a unit.
  package static let command = "validate-unit"

  private let program: String
  private let limits: ValidationLimits

  /// Makes a validator.
  ///
  /// - Parameter program: The `auricle` program of the same build.
  ///
  /// Context: any.
  package init(program: String, limits: ValidationLimits = ValidationLimits()) {
    self.program = program
    self.limits = limits
  }

  /// Checks a unit to the end: after a crash the phases that are left are tried in another process.
  ///
  /// - Parameter name: "Maker: Unit".
  ///
  /// Context: control; it waits.
  package func check(_ call: ValidationCall, name: String) -> ValidationOutcome {
    let start = ContinuousClock.now
    var outcome = ValidationOutcome(name: name, unit: call.unit, path: call.path)
    var call = call
    var crashCount = 0
    // All processes of a unit share its time.
    var left = limits
    while true {
      var events: [ValidationEvent] = []
      let process = ValidationProcess(left) { events.append($0) }
      let end = process.run(program, [Self.command, call.text])
      left.seconds -= process.usedSeconds
      events.forEach { outcome.note($0) }
      if let name = process.leftProcesses.first, call.request.wants(.threads) {
        let count = process.leftProcesses.count
        outcome.faults.append(
          UnitFault(
            .threads,
            "\(count == 1 ? "a process" : "\(count) processes") that it started (\(name)) "
              + "\(count == 1 ? "goes" : "go") on after its last instance is closed",
            [.count("processes", count)], remedy: "end processes in Close, and wait for them"))
      }
      guard let fault = Self.fault(of: process, end, limits) else {
        outcome.refusal = Self.refusal(end)
        break
      }
      outcome.faults.append(fault)
      crashCount += 1
      // A slow unit is slow again; one that cannot be opened cannot be asked for anything else.
      guard fault.check != ValidationCheck.hang.id, process.phase > 0, crashCount < 4,
        left.seconds > 0
      else { break }
      call.request.skippedPhases.formUnion(0...process.phase)
      call.request.isBlocked = outcome.faults.contains {
        ValidationCheck.named($0.check)?.blocks == true
      }
    }
    outcome.seconds = (ContinuousClock.now - start) / .seconds(1)
    return outcome
  }

  /// Why nothing was checked; nil when all was.
  private static func refusal(_ end: ValidationProcess.End) -> String? {
    switch end {
    case .refused(let reason): reason
    case .notStarted(let reason): reason
    default: nil
    }
  }

  /// The rule that a process broke by its end; nil for none.
  private static func fault(
    of process: ValidationProcess, _ end: ValidationProcess.End, _ limits: ValidationLimits
  ) -> UnitFault? {
    let phase = "while \(process.title)"
    var evidence = [UnitFault.Evidence("phase", .text(process.title))]
    if let line = process.lastLine {
      evidence.append(UnitFault.Evidence("printed", .text(line)))
    }
    switch end {
    case .finished, .refused, .notStarted: return nil
    case .ended(.crashed(let signal, let place)):
      let end = WatchedProcess.End.crashed(signal, place)
      return UnitFault(
        .crash, "it \(end.report) \(phase)",
        [UnitFault.Evidence("signal", .number(Double(signal)))] + evidence)
    case .ended(.exited(let code)):
      return UnitFault(
        .exit, "it ended its process with code \(code) \(phase)",
        [UnitFault.Evidence("code", .number(Double(code)))] + evidence)
    case .exceeded(.seconds):
      return UnitFault(
        .hang, "it does not end within \(limits.seconds) s \(phase)", evidence)
    case .exceeded(.memory):
      return UnitFault(
        .memory, "it takes more than \(limits.memory >> 20) MiB of memory \(phase)", evidence)
    case .exceeded(.output):
      return UnitFault(
        .output, "it prints more than \(limits.output >> 10) KiB \(phase)", evidence)
    }
  }
}
