// `auricle config`: the user's defaults, and where each value comes from.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuricleHost
import CommandOutput
import RunReports

/// Shows the configuration.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Show the defaults of options, and the file that sets them.",
    discussion: """
      The file is $XDG_CONFIG_HOME/auricle/config.yaml (~/.config/auricle/config.yaml), with one \
      'name: value' per line:

        jobs: 4
        loudness: -16
        preset: podcast-voice
        device: hw:1,0
        colours: false

      Options on the command line, environment variables (AURICLE_DEVICE, NO_COLOR) and the plan \
      of a resumed run override the file. --no-config, before or after any command, ignores it; so \
      do the Python package, shards and workers.

      EXAMPLES:
        auricle config
        auricle config --show
        auricle process --no-config --preset podcast-voice --output out/ talks/
      """)

  @Flag(help: "Show where each value comes from: the file and line, a variable, or the default.")
  var show = false

  @Option(help: ArgumentHelp("Print text, or one JSON object.", valueName: "text|json"))
  var format = OutputFormat.text

  /// The document of `--format json`.
  private struct Document: Encodable {
    var path: String?
    var settings: [UserConfiguration.Entry]
  }

  func run() throws {
    let configuration = try UserConfiguration()
    let entries = configuration.entries
    if format == .json {
      return try JSONResult.write(Document(path: configuration.path, settings: entries))
    }
    var table = TextTable([.left, .left, .left])
    for entry in entries {
      table.add([
        entry.key, TerminalText.plain(entry.value ?? "-"),
        show ? TerminalText.plain(entry.origin) : entry.purpose,
      ])
    }
    StandardStreams.writeResult(table.text())
    if let path = configuration.path {
      StandardStreams.writeMessage("the file is \(TerminalText.plain(path))")
    }
  }
}
