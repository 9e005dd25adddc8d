// `auricle midi list`: the MIDI endpoints of all programs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import CommandOutput
import MIDIMessages
import MIDIPorts
import RunReports

/// Lists sources and destinations.
struct MIDIList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the MIDI sources and destinations of all programs.",
    discussion: """
      Lists the virtual endpoints that programs have made with Core MIDI's functions, and the \
      ports of the kernel's sequencer, which are keyboards and other programs. Each line has the \
      direction, the name, the number, the version of MIDI, and the program or port. Private \
      endpoints are listed only here.

      EXAMPLES:
        auricle midi list
        auricle midi list --format json
      """)

  @Option(help: ArgumentHelp("Print columns, or one JSON array.", valueName: "text|json"))
  var format = OutputFormat.text

  func run() throws {
    let reports = try Self.records().map(EndpointReport.init)
    switch format {
    case .json: try JSONResult.write(reports)
    case .text:
      StandardStreams.writeResult(Self.table(reports))
      if reports.isEmpty {
        StandardStreams.writeMessage("auricle: no program has a MIDI source or destination now")
      }
    }
  }

  private static func records() throws -> [EndpointRecord] {
    try MIDISystem.forPeople().registry.endpoints()
  }

  private static func table(_ reports: [EndpointReport]) -> String {
    var table = TextTable([.left, .left, .right, .left, .left])
    for report in reports {
      table.add([
        report.kind, TerminalText.plain(report.name), "\(report.uniqueID)",
        "MIDI \(report.midiVersion)",
        TerminalText.plain("\(report.client) (\(report.place))")
          + (report.isPrivate ? ", private" : ""),
      ])
    }
    return table.text()
  }
}

/// One endpoint, as JSON has it.
private struct EndpointReport: Encodable {
  let kind: String
  let name: String
  let uniqueID: Int32
  let midiVersion: String
  let speaks: String
  let client: String
  /// The process of a program with Core MIDI.
  let process: Int?
  /// Where the sequencer has it.
  let sequencerPort: String?
  let isPrivate: Bool

  var place: String {
    process.map { "process \($0)" } ?? "sequencer \(sequencerPort ?? "")"
  }

  init(_ record: EndpointRecord) {
    kind = record.isSource ? "source" : "destination"
    name = record.name
    uniqueID = record.uniqueID
    switch record.form {
    case .bytes: (midiVersion, speaks) = ("1.0", "bytes")
    case .universal1: (midiVersion, speaks) = ("1.0", "universal packets")
    case .universal2: (midiVersion, speaks) = ("2.0", "universal packets")
    }
    client = record.client
    process = record.pid == 0 ? nil : record.pid
    if case .text(let port)? = record.properties[PropertyName.sequencerPort] {
      sequencerPort = port
    } else {
      sequencerPort = nil
    }
    isPrivate = record.isPrivate
  }
}
