// A validation as JSON, and as JUnit's XML for build servers.
// SPDX-License-Identifier: Apache-2.0

import ComponentValidation
import HostSystem
package import UnitValidation

extension ValidationReport {
  /// One JSON document.
  package var json: String {
    JSONValue.members([
      ("level", JSONValue(request.level)), ("seed", .string("\(request.seed)")),
      (
        "totals",
        .object(totals.map { JSONValue.Member(Self.key($0.verdict), JSONValue($0.count)) })
      ),
      ("units", .array(outcomes.map(Self.value))),
    ]).indentedText + "\n"
  }

  private static func key(_ verdict: ValidationOutcome.Verdict) -> String {
    verdict == .notRun ? "notRun" : verdict.rawValue
  }

  private static func value(_ outcome: ValidationOutcome) -> JSONValue {
    .members([
      ("unit", .string(outcome.unit)), ("name", .string(outcome.name)),
      ("path", outcome.path.map(JSONValue.string)), ("verdict", .string(key(outcome.verdict))),
      ("reason", outcome.refusal.map(JSONValue.string)),
      ("seconds", JSONValue((outcome.seconds * 1000).rounded() / 1000)),
      ("faults", .array(outcome.faults.map(\.json))),
      (
        "figures",
        .array(
          outcome.figures.map { figure in
            .members([
              ("name", .string(figure.name)), ("value", JSONValue(figure.value)),
              ("unit", .string(figure.unit)),
            ])
          })
      ),
      ("phases", .array(outcome.phases.map(JSONValue.string))),
    ])
  }

  /// The rules as one JSON array.
  package static func json(_ checks: [ValidationCheck]) -> String {
    JSONValue.array(
      checks.map { check in
        .members([
          ("check", .string(check.id)), ("level", JSONValue(check.level)),
          ("severity", .string(check.severity.rawValue)), ("rule", .string(check.rule)),
          ("remedy", .string(check.remedy)),
        ])
      }
    ).indentedText + "\n"
  }

  /// JUnit's XML: a suite for each unit, a case for each rule.
  package var junit: String {
    let wanted = Set(checks.filter(request.wants).map(\.id))
    var suites = ""
    for outcome in outcomes {
      let failed = Set(outcome.faults.filter { $0.severity == .error }.map(\.check))
      let unit = Self.escaped("\(outcome.name) (\(outcome.unit))")
      let found = Set(outcome.faults.map(\.check))
      let cases = checks.filter { wanted.contains($0.id) || found.contains($0.id) }
        .map { check in
          let faults = outcome.faults.filter { $0.check == check.id }
          return Self.testCase(
            check, faults, unit, isSkipped: faults.isEmpty && !outcome.isChecked(check))
        }
      let time = (outcome.seconds * 1000).rounded() / 1000
      let refusal = outcome.refusal.map {
        "<testcase classname=\"\(unit)\" name=\"life.open\"><error message=\"\(Self.escaped($0))\"/></testcase>\n"
      }
      suites +=
        "<testsuite name=\"\(unit)\" tests=\"\(refusal == nil ? cases.count : 1)\" "
        + "failures=\"\(failed.count)\" errors=\"\(refusal == nil ? 0 : 1)\" time=\"\(time)\">\n"
        + (refusal ?? cases.joined()) + "</testsuite>\n"
    }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"auricle validate\">\n"
      + suites + "</testsuites>\n"
  }

  private static func testCase(
    _ check: ValidationCheck, _ faults: [UnitFault], _ unit: String, isSkipped: Bool
  ) -> String {
    let start = "<testcase classname=\"\(unit)\" name=\"\(check.id)\""
    if isSkipped { return start + "><skipped/></testcase>\n" }
    guard let first = faults.first else { return start + "/>\n" }
    let lines = faults.map { "\($0.message) [\(ValidationText.evidence($0))]" }
    var remedies: [String] = []
    for remedy in faults.map({ $0.remedy ?? check.remedy })
    where !remedy.isEmpty && !remedies.contains(remedy) {
      remedies.append(remedy)
    }
    let text = escaped((lines + remedies.map { "To do: " + $0 }).joined(separator: "\n"))
    if faults.contains(where: { $0.severity == .error }) {
      return start
        + "><failure message=\"\(escaped(first.message))\">\(text)</failure></testcase>\n"
    }
    return start + "><system-out>warning: \(text)</system-out></testcase>\n"
  }

  /// A text as XML and HTML write it; characters that XML does not have are question marks.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      default:
        let isAllowed = scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
        result.unicodeScalars.append(isAllowed && scalar.value < 0xFFFE ? scalar : "?")
      }
    }
    return result
  }
}
