// `auricle validate`: checks units, each in a separate process.
// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import AudioTypes
import AuricleHost
import CommandOutput
import ComponentValidation
import Foundation
import UnitValidation
import ValidationReports

/// Checks units.
package struct ValidateCommand: CheckedCommand {
  package static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Check that units conform to the audio unit contract.",
    discussion: """
      Each unit is checked in a separate process, in the sandbox of runs: a unit that crashes, \
      hangs, exits, exhausts memory or floods the output fails, and the others are still checked. \
      Every rule has a name (--list-checks), a level, and a severity: hosts refuse units with \
      errors; warnings should be fixed. A level includes all lower ones; 5 needs seconds for a \
      unit, 10 about a minute. Random values depend on --seed alone.

      Exits with 0 when there are no errors, with 1 when a unit failed, and with 2 when a unit \
      could not be checked.

      EXAMPLES:
        auricle validate aufx:lpas:appl
        auricle validate --path build/Warm.component --level 10
        auricle validate --lv2 --format json --report lv2.html > lv2.json
        auricle validate aufx:demo:Demo --only sound --seed 7
      """)

  package init() {}

  /// The format of the results.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
    case junit
  }

  @Flag(help: "Check every unit that is installed.")
  var all = false

  @Flag(name: .customLong("lv2"), help: "Check every LV2 plug-in that is installed.")
  var allLV2 = false

  @Option(
    help: ArgumentHelp(
      "Check all units of a bundle. Repeat for more.",
      valueName: "bundle"))
  var path: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The level of checks, 1 to 10. Default: 5.", valueName: "1...10"),
    transform: NumberRange.whole(1...10))
  var level = 5

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The seed of random values. Default: 1.", valueName: "number"),
    transform: NumberRange.whole(0...UInt64.max))
  var seed: UInt64 = 1

  @Option(
    help: ArgumentHelp(
      "Check one rule, or all with this prefix: --only state. Repeat for more.",
      valueName: "check"),
    completion: .custom { _, _, _ in AuricleInstallation.validationChecks.map(\.id) })
  var only: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The time limit of a unit. Default: 60.", valueName: "seconds"),
    transform: NumberRange.decimal(0.1...86_400, "seconds"))
  var timeout = 60.0

  @Option(
    help: ArgumentHelp("Print text, one JSON object, or JUnit's XML.", valueName: "text|json|junit")
  )
  var format = Format.text

  @Flag(help: "List the rules, and check nothing.")
  var listChecks = false

  @Option(help: ArgumentHelp("Also write the results as a web page.", valueName: "page.html"))
  var report: String?

  @OptionGroup var formatOfNames: UnitFormatArguments

  @Argument(
    help: ArgumentHelp(
      "Units: type:subtype:manufacturer, LV2 URI, or name if it is unique.", valueName: "unit"))
  var units: [String] = []

  package func check() throws {
    try formatOfNames.check(names: units)
    let isNamed = all || allLV2 || !path.isEmpty || !units.isEmpty
    guard isNamed || listChecks else {
      throw ValidationError("Name units, or --path, --lv2, --all or --list-checks.")
    }
    if let report, !report.lowercased().hasSuffix(".html"), !report.lowercased().hasSuffix(".htm") {
      throw ValidationError(
        "--report writes a web page: end its name in .html, not '\(report)'.")
    }
    for word in only
    where !AuricleInstallation.validationChecks.contains(where: { $0.isMeant(by: word) }) {
      throw ValidationError("There is no check '\(word)': see auricle validate --list-checks.")
    }
  }

  package func run() throws {
    let checks = AuricleInstallation.validationChecks
    if listChecks {
      let list = format == .json ? ValidationReport.json(checks) : ValidationText.list(checks)
      return StandardStreams.writeResult(list)
    }
    if let report { try ValidationReport.checkPlace(of: report) }
    let text = ValidationText(checks: checks)
    let isText = format == .text
    let wanted = wanted
    let outcomes: [ValidationOutcome]
    do throws(AuricleError) {
      outcomes = try AuricleInstallation().validate(wanted) { outcome in
        if isText { StandardStreams.writeResult(text.text(outcome)) }
      }
    } catch {
      let advised = AuricleInstallation().advised(error) ?? error
      StandardStreams.writeMessage("auricle: \(advised.message)")
      throw ExitCode(2)
    }
    let result = ValidationReport(wanted.request, outcomes, checks: checks)
    switch format {
    case .text: StandardStreams.writeResult(ValidationText.summary(result))
    case .json: StandardStreams.writeResult(result.json)
    case .junit: StandardStreams.writeResult(result.junit)
    }
    if let report { try result.writePage(to: report) }
    if result.count(.notRun) > 0 { throw ExitCode(2) }
    if result.count(.failed) > 0 { throw ExitCode(1) }
  }

  private var wanted: UnitsToValidate {
    var wanted = UnitsToValidate()
    wanted.units = units.map(formatOfNames.named)
    wanted.paths = path
    wanted.isAll = all
    wanted.isAllLV2 = allLV2
    wanted.request.level = level
    wanted.request.seed = seed
    wanted.request.only = only
    wanted.limits.seconds = timeout
    return wanted
  }
}
