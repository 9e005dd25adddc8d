// `auricle tag`: writes how loud files are into their tags.
// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import AudioTypes
public import AuricleHost
import CommandOutput
import RunReports

/// Writes tags into files whose sound stays as it is.
package struct TagCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "tag",
    abstract: "Write loudness tags; the sound is not changed.",
    discussion: """
      --replaygain writes the gains that bring a file, and its album, to -18 LUFS (ReplayGain \
      2.0), and their true peaks, into FLAC, Ogg Vorbis, MP3, M4A, WAV and AIFF files. Opus files \
      get R128_TRACK_GAIN and R128_ALBUM_GAIN instead, for -23 LUFS (RFC 7845). Every file is \
      copied, and the copy is compared with it sample by sample before it replaces the file. Older \
      gains are removed from every tag of a file: APEv2, RVA2, lower case. Owner, permissions and \
      extended attributes are kept.

      EXAMPLES:
        auricle tag --replaygain --recursive music/
        auricle tag --replaygain --album tag --dry-run *.flac
      """)

  package init() {}

  @Flag(help: "Write ReplayGain tags; R 128 tags in Opus files.")
  var replaygain = false

  @Option(
    help: ArgumentHelp(
      "Group files into albums by folder, or by the album tag.",
      valueName: GainTagging.Album.allCases.map(\.rawValue).joined(separator: "|")))
  var album = GainTagging.Album.folder

  @Flag(name: .shortAndLong, help: "Search subfolders.")
  var recursive = false

  @Flag(name: [.customShort("n"), .long], help: "Measure and print, and write nothing.")
  var dryRun = false

  @Flag(help: "Skip files whose tags are correct.")
  var skipExisting = false

  @Option(help: ArgumentHelp("Print a table, or JSON lines.", valueName: "text|json"))
  var format = OutputFormat.text

  @Argument(help: ArgumentHelp("Audio files and folders.", valueName: "file"), completion: .file())
  var files: [String]

  package func validate() throws {
    guard replaygain else { throw ValidationError("Say what to write: --replaygain.") }
    if files.contains("-") {
      throw ValidationError("Tags are written into files, not to standard input.")
    }
  }

  package func run() throws {
    var tagging = GainTagging(inputs: files)
    tagging.album = album
    tagging.isRecursive = recursive
    tagging.isDryRun = dryRun
    tagging.skipsExisting = skipExisting
    var tagged: [GainTags] = []
    var failures: [AuricleError] = []
    try tagging.run { outcome in
      switch outcome {
      case .tagged(let tags):
        tagged.append(tags)
        for note in tags.notes {
          StandardStreams.writeMessage("note: \(TerminalText.plain(tags.path)): \(note)")
        }
        if format == .json { try JSONResult.writeLine(tags) }
      case .failed(let error):
        StandardStreams.writeMessage("auricle: \(TerminalText.plain(error.message))")
        failures.append(error)
      }
    }
    if format == .text, !tagged.isEmpty { StandardStreams.writeResult(Self.table(tagged)) }
    if let first = failures.first {
      throw ExitCode(
        tagged.isEmpty && failures.count == 1
          ? first.category.rawValue : AuricleError.Category.someFilesFailed.rawValue)
    }
  }

  private static func table(_ tagged: [GainTags]) -> String {
    var table = TextTable([.left] + Array(repeating: .right, count: 5))
    table.add([
      "file", "loudness LUFS", "gain dB", "true peak dBTP", "album gain dB", "album peak dBTP",
    ])
    for item in tagged {
      table.add([
        TerminalText.plain(item.path), Figures.level(item.track.loudness),
        Figures.level(item.track.gainDecibels), Figures.level(item.track.truePeakDecibels),
        item.album.map { Figures.level($0.gainDecibels) } ?? "none",
        item.album.map { Figures.level($0.truePeakDecibels) } ?? "none",
      ])
    }
    let skipped = tagged.filter(\.isSkipped).count
    return table.text()
      + (skipped > 0
        ? "\n\(skipped) of \(tagged.count) had these tags already: left as they are\n" : "")
  }
}

extension GainTagging.Album: ExpressibleByArgument {}
