// `auricle midi info`: what MIDI files hold.
// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import AudioTypes
import CommandOutput
import MIDIFiles
import RunReports

/// The parent of the commands about MIDI.
package struct MIDICommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "midi", abstract: "Tell what MIDI files hold.",
    discussion: """
      EXAMPLES:
        auricle midi info song.mid
      """,
    subcommands: [MIDIInfo.self])

  package init() {}
}

/// Describes MIDI files.
struct MIDIInfo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Tell tracks, channels, programs, tempos and markers of MIDI files.",
    discussion: """
      Read are standard MIDI files of formats 0, 1 and 2, also in RIFF files (.rmi). What is wrong in a \
      file and can be read all the same is told as a problem.

      EXAMPLES:
        auricle midi info song.mid
        auricle midi info *.mid --format json
      """)

  @Option(help: ArgumentHelp("Print text, or one JSON array.", valueName: "text|json"))
  var format = OutputFormat.text

  @Argument(help: ArgumentHelp("MIDI files.", valueName: "file"), completion: .anyFile)
  var files: [String]

  func run() throws {
    var reports: [MIDIFileReport] = []
    var failures: [AuricleError] = []
    for file in files {
      do throws(AuricleError) {
        let report = try MIDIFileReport(path: file)
        reports.append(report)
        if format == .text {
          if reports.count > 1 { StandardStreams.writeResult("\n") }
          StandardStreams.writeResult(MIDIFileText.text(report))
        }
      } catch {
        StandardStreams.writeMessage("auricle: \(TerminalText.plain(error.message))")
        failures.append(error)
      }
    }
    if format == .json { try JSONResult.write(reports) }
    if let first = failures.first {
      throw ExitCode(
        files.count == 1 ? first.category.rawValue : AuricleError.Category.someFilesFailed.rawValue)
    }
  }
}
