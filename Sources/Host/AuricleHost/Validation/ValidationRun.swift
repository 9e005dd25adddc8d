// Checks units side by side, each in a separate process.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
package import AudioTypes
package import ComponentValidation
import Foundation
import InstalledComponents
import Synchronization
package import UnitValidation

/// Which units are to be checked, and how.
package struct UnitsToValidate: Sendable {
  /// Names of units: identities, URIs, names that only one has.
  package var units: [String] = []
  /// Paths of bundles, all of whose units are checked.
  package var paths: [String] = []
  /// Whether all units in use are checked.
  package var isAll = false
  /// Whether all LV2 plug-ins are checked.
  package var isAllLV2 = false
  /// The checks of each.
  package var request = ValidationRequest()
  /// The limits of each.
  package var limits = ValidationLimits()
  /// The number that are checked side by side; nil for as many as there are processors.
  package var jobCount: Int?

  /// Nothing.
  package init() {}
}

extension AuricleInstallation {
  /// All rules that are checked, in their order.
  package static var validationChecks: [ValidationCheck] {
    ValidationCheck.all + InstalledFormats(shippedFolder: nil).all.flatMap(\.checks)
  }

  /// Checks units in separate processes.
  ///
  /// - Parameter receive: Receives the outcome of each unit when it is done, in the order in which they
  ///   were named; on any thread, one at a time.
  /// - Returns: All outcomes, in that order.
  /// - Throws: `.unavailable` when a unit that is named is not there, or when there are none.
  ///
  /// Context: control; it may be slow.
  package func validate(
    _ wanted: UnitsToValidate, receive: @escaping @Sendable (ValidationOutcome) -> Void = { _ in }
  ) throws(AuricleError) -> [ValidationOutcome] {
    let targets = ValidationTargets(host)
    var found: [ValidationTargets.Target] = []
    var broken: [ValidationOutcome] = []
    for name in wanted.units { found.append(try targets.named(name)) }
    for path in wanted.paths {
      let (units, problems) = targets.bundle(path)
      guard !units.isEmpty || !problems.isEmpty else {
        throw AuricleError(
          .noInput, "\(path) is no bundle of units: name a .component or .lv2 folder")
      }
      found += units
      broken += Self.outcomes(of: path, problems)
    }
    if wanted.isAll {
      found += targets.all()
    } else if wanted.isAllLV2 {
      found += targets.all(ofFormat: "lv2")
    }
    guard !found.isEmpty || !broken.isEmpty else {
      throw AuricleError(.unavailable, "no unit is installed that can be checked")
    }
    broken.forEach(receive)
    return broken + check(found, targets, wanted, receive)
  }

  /// The faults of a bundle as a whole.
  private static func outcomes(of path: String, _ problems: [String]) -> [ValidationOutcome] {
    guard !problems.isEmpty else { return [] }
    var outcome = ValidationOutcome(
      name: path.split(separator: "/").last.map(String.init) ?? path, unit: path, path: path)
    outcome.faults = problems.map { UnitFault(.bundle, $0) }
    return [outcome]
  }

  private func check(
    _ found: [ValidationTargets.Target], _ targets: ValidationTargets, _ wanted: UnitsToValidate,
    _ receive: @escaping @Sendable (ValidationOutcome) -> Void
  ) -> [ValidationOutcome] {
    let validator = ComponentValidator(program: host.executable, limits: wanted.limits)
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount =
      wanted.jobCount ?? ProcessInfo.processInfo.activeProcessorCount
    let results = OrderedOutcomes(count: found.count, receive: receive)
    let duplicates = wanted.request.wants(.duplicate) ? targets.duplicates(among: found) : [:]
    for (index, target) in found.enumerated() {
      let call = ValidationCall(
        unit: ValidationTargets.unit(target.component), path: target.path, wanted.request)
      let name = target.component.name
      let path = target.component.location.path
      let others = (duplicates[target.component.triple] ?? []).filter { $0 != path }
      queue.addOperation {
        var outcome = validator.check(call, name: name)
        outcome.path = path
        for other in others {
          outcome.faults.append(
            UnitFault(
              .duplicate, "\(other) has a unit of the same identity",
              [UnitFault.Evidence("path", .text(other))]))
        }
        results.set(index, outcome)
      }
    }
    queue.waitUntilAllOperationsAreFinished()
    return results.all
  }
}

/// Outcomes that come in any order, reported in that of their units.
private final class OrderedOutcomes: Sendable {
  private let outcomes: Mutex<(all: [ValidationOutcome?], reportedCount: Int)>
  private let receive: @Sendable (ValidationOutcome) -> Void

  init(count: Int, receive: @escaping @Sendable (ValidationOutcome) -> Void) {
    outcomes = Mutex((Array(repeating: nil, count: count), 0))
    self.receive = receive
  }

  func set(_ index: Int, _ outcome: ValidationOutcome) {
    outcomes.withLock { state in
      state.all[index] = outcome
      while state.reportedCount < state.all.count, let next = state.all[state.reportedCount] {
        receive(next)
        state.reportedCount += 1
      }
    }
  }

  var all: [ValidationOutcome] { outcomes.withLock { $0.all.compactMap(\.self) } }
}
