// `auricle plugin dev`: builds, validates and tries a plug-in whenever one of its files changes.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import AuricleHost
import CommandOutput
import Glibc
import PluginProjects
import RunReports

/// Works along with an author.
struct PluginDev: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dev",
    abstract: "Build, validate and render a plug-in whenever a file changes.",
    discussion: """
      Works in the folder of a plug-in with a Makefile, as "plugin new" makes it: runs make, \
      validates the result, renders a sound through it into build/dev.wav, and shows its level \
      over time and in the previous round. Then it waits for the next change. Ctrl-C ends it.

      EXAMPLES:
        auricle plugin dev
        auricle plugin dev warm-tremolo --sample guitar.wav --level 3
        auricle plugin dev --once
      """)

  @Option(
    help: ArgumentHelp(
      "The test sound. Default: a sweep and bursts of noise.",
      valueName: "file"),
    completion: .anyFile)
  var sample: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The level of validation, 1 to 10. Default: 1.", valueName: "1...10"),
    transform: NumberRange.whole(1...10))
  var level = 1

  @Flag(help: "Run once; the exit code is 1 if something failed.")
  var once = false

  @Argument(
    help: ArgumentHelp("The folder of the plug-in.", valueName: "folder"), completion: .directory)
  var folder = "."

  func run() throws {
    let round = try DevelopmentRound(
      in: folder, program: try SDKPlaces().program, sample: sample, level: level)
    var files = ProjectFiles(in: folder)
    var before: FileMeasurement?
    while true {
      let isGood = try run(round, &before)
      if once {
        if !isGood { throw ExitCode(AuricleError.Category.someFilesFailed.rawValue) }
        return
      }
      StandardStreams.writeMessage("waiting for a change in \(TerminalText.plain(folder)) …")
      files = wait(from: files)
    }
  }

  /// Runs one round; a failure is reported, and the next change may mend it.
  private func run(_ round: DevelopmentRound, _ before: inout FileMeasurement?) throws -> Bool {
    do throws(AuricleError) {
      var last = before
      var failure: AuricleError?
      let isGood = try round.run { step in
        do throws(AuricleError) { try Self.notify(step, &last) } catch { failure = error }
      }
      before = last
      if let failure { throw failure }
      return isGood
    } catch {
      if once { throw error }
      StandardStreams.writeMessage("auricle: \(TerminalText.plain(error.message))")
      return false
    }
  }

  /// Waits until files have changed and are settled, and returns them.
  private func wait(from files: ProjectFiles) -> ProjectFiles {
    var seen = files
    while true {
      // Files that compilers write are settled when they stay the same for a time.
      usleep(300_000)
      let now = ProjectFiles(in: folder)
      if now == files || now != seen {
        seen = now
        continue
      }
      for (word, name) in now.changes(since: files) {
        Self.line(word, TerminalText.plain(name))
      }
      return now
    }
  }

  private static func line(_ word: String, _ text: String) {
    let padding = String(repeating: " ", count: max(10 - word.count, 1))
    StandardStreams.writeResult("\(word)\(padding)\(text)\n")
  }

  private static func notify(
    _ step: DevelopmentRound.Step, _ before: inout FileMeasurement?
  ) throws(AuricleError) {
    switch step {
    case .buildFailed: line("build", "failed")
    case .built(let bundle, let unit): line("built", "\(TerminalText.plain(bundle)), \(unit)")
    case .valid: line("valid", "yes")
    case .invalid: line("valid", "NO")
    case .notPlayed(let type): line("sample", "a unit of type \(type) has no input to play it into")
    case .renderingFailed: line("sample", "could not be rendered")
    case .played(let input, let output):
      let after = try FileMeasurement(of: output)
      try reportLevels(try FileMeasurement(of: input), after, before)
      before = after
    }
  }

  private static func reportLevels(
    _ input: FileMeasurement, _ output: FileMeasurement, _ before: FileMeasurement?
  ) throws(AuricleError) {
    line("sample", "\(TerminalText.plain(output.path)), \(Figures.duration(output.seconds))")
    line("in", try strip(input))
    line("out", try strip(output))
    guard let before else { return }
    let isSame =
      before.peakDecibels == output.peakDecibels && before.rmsDecibels == output.rmsDecibels
    let peak = Figures.level(before.peakDecibels)
    let rms = Figures.level(before.rmsDecibels)
    line("before", isSame ? "the same levels" : "peak \(peak) dBFS  RMS \(rms) dBFS")
  }

  /// The level over time as a row of blocks, 6 dB a step from -48 dBFS, and its figures.
  private static func strip(_ file: FileMeasurement) throws(AuricleError) -> String {
    let blocks = Array(" ▁▂▃▄▅▆▇█")
    let levels = try SampleSound.levels(of: file.path, parts: 40)
    let row = levels.map { blocks[min(max(Int(($0 + 54) / 6), 0), blocks.count - 1)] }
    return String(row) + "  peak \(Figures.level(file.peakDecibels)) dBFS"
      + "  RMS \(Figures.level(file.rmsDecibels)) dBFS"
  }
}
