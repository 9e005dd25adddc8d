// A validation as text for a terminal.
// SPDX-License-Identifier: Apache-2.0

package import ComponentValidation
import RunReports
package import UnitValidation

/// Writes outcomes as text.
package struct ValidationText {
  private let remedies: [String: String]

  /// - Parameter checks: All rules there are.
  package init(checks: [ValidationCheck]) {
    remedies = Dictionary(
      checks.map { ($0.id, $0.remedy) }, uniquingKeysWith: { first, _ in first })
  }

  /// One unit, as soon as it is done.
  package func text(_ outcome: ValidationOutcome) -> String {
    let plain = TerminalText.plain
    var text = "\(plain(outcome.name)) (\(plain(outcome.unit))): \(Self.verdict(outcome))\n"
    if let refusal = outcome.refusal { text += "  \(plain(refusal))\n" }
    for fault in Self.grouped(outcome.faults) {
      let place = Self.evidence(fault.fault)
      let more = fault.count > 1 ? " (and \(fault.count - 1) more of this)" : ""
      text += "  \(fault.fault.severity.rawValue) \(fault.fault.check): "
      text += "\(plain(fault.fault.message))\(more)\n"
      if !place.isEmpty { text += "    seen: \(plain(place))\n" }
      let remedy = fault.fault.remedy ?? remedies[fault.fault.check] ?? ""
      if !remedy.isEmpty { text += "    to do: \(plain(remedy))\n" }
    }
    return text
  }

  /// The last line.
  package static func summary(_ report: ValidationReport) -> String {
    let parts = report.totals.filter { $0.count > 0 }.map { verdict, count in
      verdict == .warnings ? "\(count) with warnings" : "\(count) \(verdict.rawValue)"
    }
    let count = report.outcomes.count
    return "\(count) \(count == 1 ? "unit" : "units"): \(parts.joined(separator: ", ")) "
      + "(level \(report.request.level), seed \(report.request.seed))\n"
  }

  /// The rules as columns.
  package static func list(_ checks: [ValidationCheck]) -> String {
    var table = TextTable([.left, .right, .left, .left])
    table.add(["CHECK", "LEVEL", "SEVERITY", "WHAT HOLDS"])
    for check in checks {
      table.add([check.id, "\(check.level)", check.severity.rawValue, check.rule])
    }
    return table.text(wrappedAt: TextTable.lineWidth)
  }

  private static func verdict(_ outcome: ValidationOutcome) -> String {
    let errors = outcome.faults.count { $0.severity == .error }
    let warnings = outcome.faults.count - errors
    let numbers = [(errors, "error"), (warnings, "warning")].filter { $0.0 > 0 }.map {
      "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")"
    }
    let time = "\((outcome.seconds * 10).rounded() / 10) s"
    switch outcome.verdict {
    case .passed: return "passed, \(time)"
    case .warnings: return "passed with \(numbers.joined(separator: ", ")), \(time)"
    case .failed: return "failed with \(numbers.joined(separator: ", ")), \(time)"
    case .notRun: return "not run"
    }
  }

  /// Faults of one rule, of which the first three are printed.
  static func grouped(_ faults: [UnitFault]) -> [(fault: UnitFault, count: Int)] {
    var counts: [String: Int] = [:]
    var found: [(fault: UnitFault, count: Int)] = []
    for fault in faults {
      counts[fault.check, default: 0] += 1
      if counts[fault.check, default: 0] <= 3 {
        found.append((fault, 1))
      } else if let place = found.lastIndex(where: { $0.fault.check == fault.check }) {
        found[place].count += 1
      }
    }
    return found
  }

  /// The observations, on a line.
  static func evidence(_ fault: UnitFault) -> String {
    fault.evidence.map { seen in
      switch seen.value {
      case .number(let number):
        // A whole number is written without a fraction.
        Int(exactly: number).map { "\(seen.name) \($0)" } ?? "\(seen.name) \(Float(number))"
      case .text(let text): "\(seen.name) \(text)"
      }
    }.joined(separator: ", ")
  }
}
