// `auricle list`: every unit that is installed.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuricleHost
import CommandOutput
import RunReports

/// Lists components.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    _superCommandName: AuricleCommand.name,
    abstract: "List the units that are installed.",
    discussion: """
      One line per unit: type, subtype, manufacturer, source (built-in, native, lv2, clap, vst3, \
      ladspa or program) and name. Types are aufx (effect), aumf (effect with MIDI), aumu \
      (instrument), augn (generator), aumi (MIDI processor), aumx (mixer), aufc (converter). \
      Codecs are listed only for the patterns adec (decoders) and aenc (encoders), units of sound \
      cards only for auou. No plug-in is opened.

      EXAMPLES:
        auricle list
        auricle list aufx --search reverb
        auricle list aufx:*:appl
        auricle list aenc
        auricle list --uris --search calf
        auricle list --format json
      """)

  @Argument(
    help: ArgumentHelp(
      "Only units of this type, subtype and manufacturer; * matches any.",
      valueName: "type[:subtype[:manufacturer]]"))
  var pattern: String?

  @Option(
    help: ArgumentHelp(
      "Only units with this text in their name, tags or URI, in any letter case.", valueName: "text"
    ))
  var search: String?

  @Flag(help: "Also print the URI of each unit, or type:subtype:manufacturer without one.")
  var uris = false

  @Option(help: ArgumentHelp("Print columns, or one JSON array.", valueName: "text|json"))
  var format = OutputFormat.text

  func check() {}

  func run() throws {
    // The first scan reads every plug-in, and is slow.
    let isFirst = !AuricleInstallation.hasCatalog && StandardStreams.errorIsTerminal
    if isFirst { StandardStreams.writeMessage("scanning the installed units for the first time …") }
    let installed = try AuricleInstallation().components(matching: pattern, search: search)
    if isFirst {
      let count = installed.components.count
      StandardStreams.writeMessage("found \(Figures.count(count, "unit", "units"))")
    }
    for problem in installed.problems {
      StandardStreams.writeMessage("auricle: \(TerminalText.plain(problem))")
    }
    let components = installed.components
    switch format {
    case .json: try JSONResult.write(components)
    case .text: StandardStreams.writeResult(table(components))
    }
    if components.isEmpty, format == .text {
      StandardStreams.writeMessage("auricle: no unit matches")
    }
  }

  private func table(_ components: [ComponentLine]) -> String {
    var table = TextTable(Array(repeating: .left, count: uris ? 6 : 5))
    for component in components {
      let cells = [
        component.type, component.subtype, component.manufacturer, component.source,
        TerminalText.plain(component.name),
      ]
      table.add(uris ? cells + [TerminalText.plain(component.uri ?? component.identity)] : cells)
    }
    return table.text(wrappedAt: TextTable.lineWidth)
  }
}
