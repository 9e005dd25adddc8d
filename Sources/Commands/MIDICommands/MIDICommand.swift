// `auricle midi`: the content of MIDI files, and programs with MIDI endpoints.
// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import CommandOutput
import MIDIFiles

/// The parent of the commands about MIDI.
package struct MIDICommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "midi", abstract: "Show MIDI files and endpoints.",
    discussion: """
      EXAMPLES:
        auricle midi info song.mid
        auricle midi list
        auricle midi network --invite studio.local
      """,
    subcommands: [MIDIInfo.self, MIDIList.self, MIDINetworkCommand.self])

  package init() {}
}

/// Describes MIDI files.
struct MIDIInfo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show tracks, channels, programs, tempos and markers of MIDI files.",
    discussion: """
      Reads standard MIDI files of formats 0, 1 and 2, and RIFF files (.rmi). A fault that \
      does not prevent reading is shown as a problem.

      EXAMPLES:
        auricle midi info song.mid
        auricle midi info *.mid --format json
      """)

  @Option(help: ArgumentHelp("Print text, or one JSON array.", valueName: "text|json"))
  var format = OutputFormat.text

  @Argument(
    help: ArgumentHelp("MIDI files; - for standard input.", valueName: "file"), completion: .anyFile
  )
  var files: [String]

  func validate() throws { try StandardInput.checkOnce(in: files) }

  func run() throws {
    try FileDescriptions.write(files, as: format) {
      var report = try MIDIFileReport(path: StandardInput.path(of: $0))
      report.path = $0
      return report
    } text: {
      MIDIFileText.text($0)
    }
  }
}
