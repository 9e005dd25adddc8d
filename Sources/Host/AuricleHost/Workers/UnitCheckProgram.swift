// Checks a unit in a separate process, in the sandbox of workers, for a process that reports on it.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import ComponentValidation
import Foundation
import Glibc
import HostSystem
import InstalledComponents
import UnitValidation
import Workers

/// Reports the course of a check in lines of JSON, each before the unit's code may crash.
enum UnitCheckProgram {
  /// Performs a `ValidationCall` from its text; returns the exit code.
  static func run(_ text: String, results: Int32) -> Int32 {
    alarm(4 * 3600)
    func report(_ line: ValidationLine) {
      _ = ScratchFolder.write(Array((line.text + "\n").utf8)[...], to: results)
    }
    guard let call = ValidationCall(text: text) else {
      report(.refused("the task of the check cannot be read: install the whole program again"))
      return AuricleError.Category.software.rawValue
    }
    let host = HostPlaces()
    do throws(AuricleError) {
      let found = try ValidationTargets(host).component(named: call.unit, in: call.path)
      WorkerSandbox.enterForReport(
        readablePaths: host.readablePaths(for: [found.component]), memoryLimit: 3 << 30)
      let checks = host.formats.format(named: found.component.origin.format)?.checks ?? []
      check(found, checks.filter(call.request.wants), call.request) { report(.event($0)) }
      report(.end)
      return 0
    } catch {
      report(.refused(error.message))
      return error.category.rawValue
    }
  }

  private static func check(
    _ target: ValidationTargets.Target, _ formatChecks: [ValidationCheck],
    _ request: ValidationRequest,
    report: @escaping (ValidationEvent) -> Void
  ) {
    let component = target.component
    let catalog = target.catalog as? any CheckedCatalog
    let threadCount = threads
    let realtimeClaim = catalog?.realtimeClaim(of: component)
    UnitValidation.run(
      request, ownsProcess: true, make: { () throws(AuricleError) in try component.instantiate() },
      report: { event in
        guard let realtimeClaim, case .fault(var fault) = event, fault.check.hasPrefix("realtime."),
          fault.check != ValidationCheck.cost.id
        else { return report(event) }
        fault.severity = .error
        fault.message += ", although it is declared \(realtimeClaim)"
        report(.fault(fault))
      })
    waitForThreads(threadCount, request, report)
    let number = UnitValidation.phaseCount + 1
    guard let catalog, !formatChecks.isEmpty, !request.skippedPhases.contains(number) else {
      return
    }
    report(.phase(number, UnitValidation.phaseTitle(ofFormat: catalog.formatName)))
    let wanted = Set(formatChecks.map(\.id))
    for fault in catalog.faults(of: component) where wanted.contains(fault.check) {
      report(.fault(fault))
    }
  }

  /// The number of threads of this process, without the main thread of plug-ins, which stays.
  ///
  /// Threads that a plug-in makes there begin with its name, too.
  private static var threads: Int {
    let numbers = FolderListing.names(in: "/proc/self/task")
    let hasMainThread = numbers.contains { number in
      let name = try? String(contentsOfFile: "/proc/self/task/\(number)/comm", encoding: .utf8)
      return name?.hasPrefix("auricle-plugins") == true
    }
    return numbers.count - (hasMainThread ? 1 : 0)
  }

  /// Waits a moment where a unit left threads: they may crash when its instances are gone.
  private static func waitForThreads(
    _ before: Int, _ request: ValidationRequest, _ report: (ValidationEvent) -> Void
  ) {
    let number = UnitValidation.phaseCount + 2
    guard threads > before, !request.skippedPhases.contains(number) else { return }
    report(.phase(number, "waiting for threads that it left"))
    // The end of a thread that another program made is no event.
    for _ in 0..<50 where threads > before { usleep(10_000) }
  }
}
