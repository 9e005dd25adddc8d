// `auricle measure`: length and loudness of files.
// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import AudioConversion
import AudioFiles
import AudioTypes
import AuricleHost
import CommandOutput
import RunReports

/// Measures files.
package struct MeasureCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "measure",
    abstract: "Tell duration, peak, RMS and loudness of audio files.",
    discussion: """
      Peak is the highest sample and RMS the root of the mean square over all channels, both in \
      dBFS; true peak is the highest value between samples, eight times oversampled, in dBTP. \
      Loudness is integrated over the whole file by EBU R 128, in LUFS; momentary and short-term \
      are the loudest 0.4 s and 3 s, and range is the loudness range by EBU Tech 3342, in LU.

      EXAMPLES:
        auricle measure talk.wav out/talk.wav
        auricle measure --format json *.flac
      """)

  package init() {}

  @Option(help: ArgumentHelp("Print a table, or one JSON array.", valueName: "text|json"))
  var format = OutputFormat.text

  @Flag(help: "Take one channel for as loud as it is from two loudspeakers: 3 LU more.")
  var dualMono = false

  @Argument(help: ArgumentHelp("Audio files.", valueName: "file"), completion: .anyFile)
  var files: [String]

  package func run() throws {
    var measurements: [FileMeasurement] = []
    var failures: [AuricleError] = []
    for file in files {
      do {
        measurements.append(try FileMeasurement(of: file, isDualMono: dualMono))
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
    var table = TextTable([.left] + Array(repeating: .right, count: 8))
    table.add([
      "file", "duration", "peak dBFS", "true peak dBTP", "RMS dBFS", "loudness LUFS", "range LU",
      "momentary LUFS", "short-term LUFS",
    ])
    for item in measurements {
      table.add([
        TerminalText.plain(item.path), Figures.duration(item.seconds),
        Figures.level(item.peakDecibels), Figures.level(item.truePeakDecibels),
        Figures.level(item.rmsDecibels), item.integratedLoudness.map(Figures.level) ?? "none",
        item.loudnessRange.map(Figures.level) ?? "none",
        item.maximumMomentary.map(Figures.level) ?? "none",
        item.maximumShortTerm.map(Figures.level) ?? "none",
      ])
    }
    return table.text()
  }
}
