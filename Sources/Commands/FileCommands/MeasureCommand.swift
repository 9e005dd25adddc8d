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
    abstract: "Measure duration, peak, RMS and loudness of audio files.",
    discussion: """
      Peak is the highest sample and RMS the root of the mean square over all channels, both in \
      dBFS; true peak is the highest value between samples, eight times oversampled, in dBTP. \
      Loudness is integrated over the whole file by EBU R 128, in LUFS; range is the loudness \
      range by EBU Tech 3342, in LU. --verbose adds the loudest momentary (0.4 s) and short-term \
      (3 s) loudness. JSON has all values.

      EXAMPLES:
        auricle measure talk.wav out/talk.wav
        auricle measure --format json *.flac
        ffmpeg -i talk.mkv -f wav - | auricle measure -
      """)

  package init() {}

  @Option(help: ArgumentHelp("Print a table, or one JSON array.", valueName: "text|json"))
  var format = OutputFormat.text

  @Flag(help: "Measure one channel as dual mono: 3 LU louder.")
  var dualMono = false

  @Flag(name: .shortAndLong, help: "Also print momentary and short-term loudness.")
  var verbose = false

  @Argument(
    help: ArgumentHelp("Audio files; - for standard input.", valueName: "file"),
    completion: .anyFile)
  var files: [String]

  package func validate() throws { try StandardInput.checkOnce(in: files) }

  package func run() throws {
    var measurements: [FileMeasurement] = []
    var failures: [AuricleError] = []
    for file in files {
      do throws(AuricleError) {
        var found = try FileMeasurement(
          of: StandardInput.path(of: file), isDualMono: dualMono)
        found.path = file
        measurements.append(found)
      } catch {
        let advised = AuricleInstallation().advised(error) ?? error
        let error = StandardInput.named(advised, argument: file)
        StandardStreams.writeMessage("auricle: \(TerminalText.plain(error.message))")
        failures.append(error)
      }
    }
    if format == .json {
      try JSONResult.write(measurements)
    } else if !measurements.isEmpty {
      StandardStreams.writeResult(Self.table(measurements, isVerbose: verbose))
    }
    if let first = failures.first {
      throw ExitCode(
        files.count == 1 ? first.category.rawValue : AuricleError.Category.someFilesFailed.rawValue)
    }
  }

  private static func table(_ measurements: [FileMeasurement], isVerbose: Bool) -> String {
    let titles = [
      "file", "duration", "loudness LUFS", "range LU", "peak dBTP", "peak dBFS", "RMS dBFS",
    ]
    let more = isVerbose ? ["momentary LUFS", "short-term LUFS"] : []
    var table = TextTable(
      [.left] + Array(repeating: .right, count: titles.count + more.count - 1))
    table.add(titles + more)
    for item in measurements {
      let loudest = [item.maximumMomentary, item.maximumShortTerm].map {
        $0.map(Figures.level) ?? "none"
      }
      table.add(
        [
          TerminalText.plain(item.path), Figures.duration(item.seconds),
          item.integratedLoudness.map(Figures.level) ?? "none",
          item.loudnessRange.map(Figures.level) ?? "none", Figures.level(item.truePeakDecibels),
          Figures.level(item.peakDecibels), Figures.level(item.rmsDecibels),
        ] + (isVerbose ? loudest : []))
    }
    return table.text()
  }
}
