// `auricle file info`: the content of sound files.
// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import AuricleHost
import CommandOutput
import SoundFileReports

/// The parent of the commands about sound files as they are.
package struct FileCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "file", abstract: "Show what sound files hold.",
    discussion: """
      EXAMPLES:
        auricle file info song.m4a
      """,
    subcommands: [FileInfo.self])

  package init() {}
}

/// Describes files.
struct FileInfo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show format, packets, chunks, markers and tags of sound files.",
    discussion: """
      Nothing is decoded: the figures come from the container. Priming and remainder are the \
      frames that an encoder added before and after the sound; the cookie is data for the decoder. \
      Supported files are those of "auricle measure", such as WAVE, AIFF, CAF, M4A, FLAC, Ogg, \
      MP3, AC-3 and AMR.

      EXAMPLES:
        auricle file info song.m4a
        auricle file info *.caf --format json
        auricle file info talk.mp3 --packets
      """)

  @Option(help: ArgumentHelp("Print text, or one JSON array.", valueName: "text|json"))
  var format = OutputFormat.text

  @Flag(help: "List the packets, each with its offset and size in bytes.")
  var packets = false

  @Argument(
    help: ArgumentHelp("Sound files; - for standard input.", valueName: "file"),
    completion: .anyFile)
  var files: [String]

  func validate() throws { try StandardInput.checkOnce(in: files) }

  func run() throws {
    try FileDescriptions.write(files, as: format) {
      var report = try SoundFileReport(of: StandardInput.path(of: $0), listsPackets: packets)
      report.path = $0
      return report
    } text: {
      SoundFileText.text($0)
    } advised: {
      AuricleInstallation().advised($0)
    }
  }
}
