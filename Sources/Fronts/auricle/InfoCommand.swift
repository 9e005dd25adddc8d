// `auricle info`: all about one unit.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import AuricleHost
import CommandOutput
import Foundation
import RunReports

/// Describes a unit.
struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    _superCommandName: AuricleCommand.name,
    abstract: "Tell everything about one unit.",
    discussion: """
      Buses and formats, channels, parameters with range, default, unit and names of values, \
      presets with their banks, delay and tail; of an LV2 plug-in its features and user interfaces \
      too. An LV2 plug-in is described by its data files, and none of its code is run: a delay that \
      shows only when it runs is told once "auricle scan UNIT" has run it. Presets that only its code \
      tells (programs) and a native unit are asked for in a process apart, once until the unit \
      changes; one that crashes does no harm.

      EXAMPLES:
        auricle info aufx:dcmp:appl
        auricle info http://calf.sourceforge.net/plugins/Compressor
        auricle info "Calf Compressor" --format json
      """)

  @Option(help: ArgumentHelp("Print text, or one JSON object.", valueName: "text|json"))
  var format = OutputFormat.text

  @Argument(
    help: ArgumentHelp(
      "The unit: type:subtype:manufacturer, LV2 URI, or name if it is unique.", valueName: "unit"),
    completion: .units)
  var component: String

  func run() throws {
    let (report, problem) = try AuricleInstallation().describe(component)
    switch format {
    case .json: try JSONResult.write(report)
    case .text: StandardStreams.writeResult(UnitText.text(report))
    }
    guard let problem else { return }
    throw AuricleError(.unavailable, "\(TerminalText.plain(report.component.name)) \(problem)")
  }
}
