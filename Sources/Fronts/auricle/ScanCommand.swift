// `auricle scan`: scans what is installed, and reports what is new, gone, changed, broken or blocked.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import AuricleHost
import CommandOutput
import Foundation
import RunReports

/// Scans components.
struct ScanCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Read what is installed, and say what is new, gone, changed, broken or blocked.",
    discussion: """
      Every other command does this by itself when something has changed on disk; this one tells \
      about it, compared to the scan before. LV2 bundles are read, and native components opened, in \
      processes apart with a time limit: what crashes or hangs there costs nothing but itself. Such a \
      unit is blocked, which means that it is not opened any more, until it changes or is unblocked.

      With names, those units are opened and run for a moment, and it tells of them alone, also that one \
      is in order; with --open, all are opened. An LV2 plug-in whose binary looks as if it could not be \
      loaded is opened in any case.

      The exit code is 0 when nothing is broken or blocked, else 1.

      EXAMPLES:
        auricle scan
        auricle scan --force --format json
        auricle scan http://lv2plug.in/plugins/eg-amp
        auricle scan --unblock aufx:demo:Demo
      """)

  @Flag(help: "Read and try everything anew, whatever is remembered, blocked units too.")
  var force = false

  @Flag(help: "Open and run every unit for a moment, LV2 plug-ins too, to find what does not work.")
  var open = false

  @Flag(help: "Let units be used that are blocked: those named, or all.")
  var unblock = false

  @Option(help: ArgumentHelp("Print text, or one JSON object.", valueName: "text|json"))
  var format = OutputFormat.text

  @Argument(
    help: ArgumentHelp(
      "Units to open, or to unblock: type:subtype:manufacturer, LV2 URI, or name.",
      valueName: "unit"), completion: .units)
  var components: [String] = []

  func check() throws {
    if unblock, force || open {
      throw ValidationError("--unblock stands alone: it neither reads nor opens anything.")
    }
  }

  func run() throws {
    let host = AuricleInstallation()
    if unblock { return try letIn(host) }
    var request = ScanRequest()
    request.isForced = force
    request.opensAll = open
    request.components = components
    let report = try host.scan(request)
    switch format {
    case .json: try JSONResult.write(report)
    case .text: ScanText.write(report)
    }
    if !report.isInOrder { throw ExitCode(AuricleError.Category.someFilesFailed.rawValue) }
  }

  /// Unblocks units.
  private func letIn(_ host: AuricleInstallation) throws {
    let entries = try host.unblock(components)
    if format == .json { return try JSONResult.write(["unblocked": entries]) }
    for entry in entries {
      StandardStreams.writeResult("unblocked  \(TerminalText.plain(entry.unit))\n")
    }
    if entries.isEmpty { StandardStreams.writeMessage("auricle: nothing of that is blocked") }
  }
}
