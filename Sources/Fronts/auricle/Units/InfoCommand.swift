// `auricle info`: all about one unit.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import AuricleHost
import CommandOutput
import Foundation
import PluginCommands
import RunReports

/// Describes a unit.
struct InfoCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    _superCommandName: AuricleCommand.name,
    abstract: "Show one unit in detail.",
    discussion: """
      Shows buses and formats, channels, parameters with range, default, unit and value names, \
      presets with their banks, latency and tail, and the features and user interfaces of LV2 \
      plug-ins. An LV2 plug-in is described from its data files; its code does not run, so a \
      latency that is known only at run time is shown after "auricle scan UNIT". Native units, and \
      plug-ins whose presets are known to their code alone, are opened in a separate process; what \
      it reports is kept until they change.

      EXAMPLES:
        auricle info aufx:dcmp:appl
        auricle info http://calf.sourceforge.net/plugins/Compressor
        auricle info "Calf Compressor" --format json
      """)

  @Option(help: ArgumentHelp("Print text, or one JSON object.", valueName: "text|json"))
  var format = OutputFormat.text

  @OptionGroup var formatOfNames: UnitFormatArguments

  @Argument(
    help: ArgumentHelp(
      "The unit: type:subtype:manufacturer, LV2 URI, or name if it is unique.", valueName: "unit"),
    completion: .units)
  var component: String

  func check() throws { try formatOfNames.check(names: [component]) }

  func run() throws {
    let (report, problem) = try AuricleInstallation().describe(formatOfNames.named(component))
    switch format {
    case .json: try JSONResult.write(report)
    case .text: StandardStreams.writeResult(UnitText.text(report))
    }
    guard let problem else { return }
    throw AuricleError(.unavailable, "\(TerminalText.plain(report.component.name)) \(problem)")
  }
}
