// `auricle measure`: length and loudness of files.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioConversion
import AudioFiles
import AudioTypes
import AuricleHost
import RunReports

/// Measures files.
struct MeasureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "measure",
    abstract: "Tell duration, peak, RMS and loudness of audio files.",
    discussion: """
      Peak is the highest sample and RMS the root of the mean square over all channels, both in \
      dBFS. Loudness is integrated over the whole file by EBU R 128, in LUFS.

      EXAMPLES:
        auricle measure talk.wav out/talk.wav
        auricle measure --format json *.flac
      """)

  @Option(help: ArgumentHelp("Print a table, or one JSON array.", valueName: "text|json"))
  var format = OutputFormat.text

  @Argument(help: ArgumentHelp("Audio files.", valueName: "file"), completion: .anyFile)
  var files: [String]

  func run() throws {
    var measurements: [FileMeasurement] = []
    var failures: [AuricleError] = []
    for file in files {
      do {
        measurements.append(try FileMeasurement(of: file))
      } catch {
        StandardStreams.writeMessage("auricle: \(TerminalText.plain(error.message))")
        failures.append(error)
      }
    }
    if format == .json {
      try JSONResult.write(measurements)
    } else if !measurements.isEmpty {
      StandardStreams.writeResult(Self.table(measurements))
    }
    if let first = failures.first {
      throw ExitCode(
        files.count == 1 ? first.category.rawValue : AuricleError.Category.someFilesFailed.rawValue)
    }
  }

  private static func table(_ measurements: [FileMeasurement]) -> String {
    var table = TextTable([.left, .right, .right, .right, .right])
    table.add(["file", "duration", "peak dBFS", "RMS dBFS", "loudness LUFS"])
    for item in measurements {
      table.add([
        TerminalText.plain(item.path), Figures.duration(item.seconds),
        Figures.level(item.peakDecibels), Figures.level(item.rmsDecibels),
        item.integratedLoudness.map(Figures.level) ?? "none",
      ])
    }
    return table.text()
  }
}
