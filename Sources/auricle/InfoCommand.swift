// `auricle info`: all about one unit.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioComponents
import AudioTypes
import Foundation

/// Describes a unit.
struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Tell everything about one unit.",
    discussion: """
      Buses and formats, channels, parameters with range, default, unit and names of values, \
      presets, delay and tail. The unit is opened and run for a moment in a process of its own, \
      because many units know their delay only then; a unit that crashes does no harm.

      EXAMPLES:
        auricle info aufx:dcmp:appl
        auricle info http://calf.sourceforge.net/plugins/Compressor
        auricle info "Calf Compressor" --format json
      """)

  @Option(help: ArgumentHelp("Print text, or one JSON object.", valueName: "text|json"))
  var format = OutputFormat.text

  @Argument(
    help: ArgumentHelp(
      "The unit: type:subtype:manufacturer, LV2 URI, or name if it is unique.", valueName: "unit"))
  var component: String

  func run() throws {
    let host = Host()
    let component = try host.makeRegistry().resolve(component)
    // The child is given the identity, so that both speak of the same unit.
    let child = ChildProcess.run(
      host.executable, ["inspect-unit", component.location.uri ?? component.triple],
      timeLimit: .seconds(10))
    let reports = Self.reports(child.output)
    let report = reports.last ?? UnitReport(component)
    switch format {
    case .json: try JSONResult.write(report)
    case .text: StandardStreams.writeResult(UnitText.text(report))
    }
    guard let problem = Self.problem(child, stage: reports.count) else { return }
    throw AuricleError(.unavailable, "\(TerminalText.plain(component.name)) \(problem)")
  }

  /// The lines that came whole.
  private static func reports(_ output: [UInt8]) -> [UnitReport] {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return output.split(separator: UInt8(ascii: "\n")).compactMap {
      try? decoder.decode(UnitReport.self, from: Data($0))
    }
  }

  /// What went wrong, as the end of a sentence; nil when all went well.
  private static func problem(_ child: ChildProcess, stage: Int) -> String? {
    let action = stage < 2 ? "was opened" : "ran"
    switch child.end {
    case .exited(0): return nil
    case .signalled(let signal):
      return "crashed with \(ChildProcess.signalName(signal)) while it \(action)"
    case .timedOut: return "was still busy after 10 s while it \(action): it was stopped"
    case .notStarted(let code):
      return "could not be opened: no process could be started (error \(code))"
    case .exited(let code):
      // The child's sentence is its last line of output, when it had one.
      if let text = lastWords(child.output) { return "failed while it \(action): \(text)" }
      return "ended its process with code \(code) while it \(action)"
    }
  }

  private static func lastWords(_ output: [UInt8]) -> String? {
    guard let line = output.split(separator: UInt8(ascii: "\n")).last,
      let words = try? JSONDecoder().decode(InspectFailure.self, from: Data(line))
    else { return nil }
    return words.error
  }
}

/// Why an inspection failed, as its last line tells.
struct InspectFailure: Codable {
  var error: String
}
