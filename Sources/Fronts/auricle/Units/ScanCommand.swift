// `auricle scan`: scans the installed units, and reports new, missing, changed, broken and blocked ones.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import AuricleHost
import CommandOutput
import Foundation
import PluginCommands
import RunReports

/// Scans components.
struct ScanCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Scan the installed units; report what is new, gone, changed, broken or blocked.",
    discussion: """
      Every command scans when something has changed on disk; this one reports the changes since \
      the last scan. LV2 bundles are read, and native components opened, in separate processes \
      with a time limit. A unit that crashes or hangs there is blocked: it is not opened again \
      until it changes or is unblocked.

      Named units are opened and run for a moment, and the result of each is reported; --open does \
      so for all, and a plain scan for LV2 plug-ins whose binary seems unable to load.

      Exits with 0 when nothing is broken or blocked, else with 1.

      EXAMPLES:
        auricle scan
        auricle scan --force --format json
        auricle scan http://lv2plug.in/plugins/eg-amp
        auricle scan --unblock aufx:demo:Demo
      """)

  @Flag(help: "Ignore the cache: read and open everything again, including blocked units.")
  var force = false

  @Flag(help: "Open and run every unit for a moment, to find those that do not work.")
  var open = false

  @Flag(help: "Unblock the named units, or all.")
  var unblock = false

  @Option(help: ArgumentHelp("Print text, or one JSON object.", valueName: "text|json"))
  var format = OutputFormat.text

  @OptionGroup var formatOfNames: UnitFormatArguments

  @Argument(
    help: ArgumentHelp(
      "Units to open or unblock: type:subtype:manufacturer, LV2 URI, or name.",
      valueName: "unit"), completion: .units)
  var components: [String] = []

  func check() throws {
    try formatOfNames.check(names: components)
    if unblock, force || open {
      throw ValidationError(
        "--unblock has no other option: it neither reads nor opens anything.")
    }
  }

  func run() throws {
    let host = AuricleInstallation()
    if unblock { return try letIn(host) }
    var request = ScanRequest()
    request.isForced = force
    request.opensAll = open
    request.components = components.map(formatOfNames.named)
    let report = try host.scan(request)
    switch format {
    case .json: try JSONResult.write(report)
    case .text: ScanText.write(report)
    }
    if !report.isInOrder { throw ExitCode(AuricleError.Category.someFilesFailed.rawValue) }
  }

  /// Unblocks units.
  private func letIn(_ host: AuricleInstallation) throws {
    let entries = try host.unblock(components.map(formatOfNames.named))
    if format == .json { return try JSONResult.write(["unblocked": entries]) }
    for entry in entries {
      StandardStreams.writeResult("unblocked  \(TerminalText.plain(entry.unit))\n")
    }
    if entries.isEmpty { StandardStreams.writeMessage("auricle: nothing of that is blocked") }
  }
}
