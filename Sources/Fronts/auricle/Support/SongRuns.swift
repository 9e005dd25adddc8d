// Runs songs and texts in child processes, and tells what became of each.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import CommandOutput
import Foundation
import RunReports
import SongRendering

/// What `render` and `say` do alike.
enum SongRuns {
  /// Renders all, each by this command with `--supervised` in a process of its own.
  ///
  /// - Parameters:
  ///   - all: The songs or texts, with their files.
  ///   - output: The file or folder that was named; a folder is made.
  ///   - files: What becomes of files that are there.
  ///   - jobs: How many at once.
  ///   - tellsResults: Whether each result has a line.
  /// - Throws: The exit code, after everything was told.
  static func run(
    _ all: [SongBatch.Item], into output: String, files: SongFileArguments, jobs: Int,
    tellsResults: Bool = true
  ) throws {
    let items = files.wanted(all)
    if items.count < all.count {
      tell("\(Figures.count(all.count - items.count, "file is", "files are")) there and left out")
    }
    if let first = items.first, first.output != output {
      try FileManager.default.createDirectory(
        atPath: (first.output as NSString).deletingLastPathComponent,
        withIntermediateDirectories: true)
    }
    // In front of what may follow a "--".
    let words = Array(CommandLine.arguments.dropFirst())
    let arguments = [words[0], "--supervised"] + words.dropFirst()
    var codes: [Int32] = []
    try SongBatch.run(
      items, arguments: arguments, jobs: jobs, shouldStop: { Interruption.isRequested },
      onRetry: { item, unit in
        tell("\(item.output): \(unit ?? "a unit") crashed: it is tried once more")
      },
      onEnd: { item, end, said in
        switch end {
        case .exited(let code):
          codes.append(code)
          if tellsResults { StandardStreams.writeResult(said) }
        case .crashed(let unit, let signal):
          codes.append(AuricleError.Category.software.rawValue)
          tell("\(item.output) is left out: \(unit ?? "a unit") crashed twice (\(signal))")
        }
      })
    if Interruption.isRequested { throw ExitCode(AuricleError.Category.interrupted.rawValue) }
    guard let first = codes.first(where: { $0 != 0 }) else { return }
    throw ExitCode(all.count == 1 ? first : AuricleError.Category.someFilesFailed.rawValue)
  }

  /// Tells the parent what was rendered, and the user what is worth a line. Context: a child.
  static func tell(_ outcome: SongOutcome, of request: SongRequest) {
    for (path, peak) in [(request.output, outcome.peak)] + outcome.stems {
      let level = peak > 0 ? Figures.level(20 * log10(peak)) + " dBFS" : "silent"
      SongBatch.tell(
        "\(TerminalText.plain(path))  \(Figures.duration(outcome.seconds))  peak \(level)\n")
    }
    for note in outcome.notes {
      StandardStreams.writeMessage("note: \(TerminalText.plain(note))")
    }
  }

  private static func tell(_ text: String) {
    StandardStreams.writeMessage("auricle: \(TerminalText.plain(text))")
  }
}
