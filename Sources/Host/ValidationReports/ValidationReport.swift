// The outcome of checking units: totals, and the rules behind the faults.
// SPDX-License-Identifier: Apache-2.0

package import ComponentValidation
package import UnitValidation

/// The outcomes of a validation, to be written in one form or another.
package struct ValidationReport: Sendable {
  /// The request of the check.
  package var request: ValidationRequest
  /// All units, in their order.
  package var outcomes: [ValidationOutcome]
  /// All rules there are.
  package var checks: [ValidationCheck]

  /// Puts outcomes together.
  package init(
    _ request: ValidationRequest, _ outcomes: [ValidationOutcome], checks: [ValidationCheck]
  ) {
    self.request = request
    self.outcomes = outcomes
    self.checks = checks
  }

  /// Counts the units of a verdict.
  package func count(_ verdict: ValidationOutcome.Verdict) -> Int {
    outcomes.count { $0.verdict == verdict }
  }

  /// The rule of an id; nil for none.
  func check(_ id: String) -> ValidationCheck? { checks.first { $0.id == id } }

  /// The verdicts in the order in which they are reported, with their counts.
  var totals: [(verdict: ValidationOutcome.Verdict, count: Int)] {
    [.passed, .warnings, .failed, .notRun].map { ($0, count($0)) }
  }
}
