// The outcome of checking one unit.
// SPDX-License-Identifier: Apache-2.0

package import UnitValidation

/// The result of checking one unit.
package struct ValidationOutcome: Sendable {
  /// A figure of the unit.
  package struct Figure: Sendable, Hashable {
    /// Its name: "latency".
    package var name: String
    /// Its value.
    package var value: Double
    /// The unit of measurement: "s".
    package var unit: String
  }

  /// The sum of all results.
  package enum Verdict: String, Sendable {
    /// Every rule that was checked holds.
    case passed
    /// Only warnings were found.
    case warnings
    /// At least one error was found.
    case failed
    /// The unit could not be checked.
    case notRun = "not run"
  }

  /// "Maker: Unit".
  package var name: String
  /// Its identity: the format's name for it, or `type:subtype:manufacturer`.
  package var unit: String
  /// Its bundle; nil for one that is in none.
  package var path: String?
  /// Its faults.
  package var faults: [UnitFault] = []
  /// Its measured figures.
  package var figures: [Figure] = []
  /// Titles of the phases that were begun.
  package var phases: [String] = []
  /// Why it could not be checked; nil when it was.
  package var refusal: String?
  /// The time of the check (s).
  package var seconds = 0.0

  /// Nothing yet.
  package init(name: String, unit: String, path: String?) {
    self.name = name
    self.unit = unit
    self.path = path
  }

  /// The verdict of the results.
  package var verdict: Verdict {
    if refusal != nil { return .notRun }
    if faults.contains(where: { $0.severity == .error }) { return .failed }
    return faults.isEmpty ? .passed : .warnings
  }

  /// Whether the rule was checked, by a phase that ran or for every opened unit.
  package func isChecked(_ check: ValidationCheck) -> Bool {
    guard !phases.isEmpty else { return false }
    // The rules of a format are named after it.
    let group = String(check.id.prefix { $0 != "." })
    return UnitValidation.checksOfAllPhases.contains(check)
      || phases.contains(UnitValidation.phaseTitle(ofFormat: group))
      || phases.contains { UnitValidation.checks(ofPhase: $0).contains(check) }
  }

  /// Notes an event of a validation.
  package mutating func note(_ event: ValidationEvent) {
    switch event {
    case .phase(_, let title): phases.append(title)
    case .fault(let fault): faults.append(fault)
    case .figure(let name, let value, let unit):
      figures.removeAll { $0.name == name }
      figures.append(Figure(name: name, value: value, unit: unit))
    }
  }
}
