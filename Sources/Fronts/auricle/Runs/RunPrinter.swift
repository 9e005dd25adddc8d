// The reports of a run on their way to standard output and standard error.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import AuricleHost
import CommandOutput
import RunReports

/// A printer of a run's reports, which exits with the run's code.
final class RunPrinter {
  private let format: OutputFormat
  private let isQuiet: Bool
  private let isVerbose: Bool
  private var report: ProcessReport?
  /// Whether results are printed line by line.
  var printsResults = true
  /// The files and folders that the run is for, as they were named.
  var inputs: [String] = []
  /// Whether the end of a run without failures is printed in a line.
  var printsTotal = true

  init(format: OutputFormat, isQuiet: Bool, isVerbose: Bool = false) {
    self.format = format
    self.isQuiet = isQuiet
    self.isVerbose = isVerbose
  }

  /// A run that is printed, until Ctrl-C.
  var control: RunControl {
    RunControl(shouldStop: { Interruption.isRequested }, onUpdate: { self.print($0) })
  }

  /// Leaves with the exit code of a run, unless it is 0.
  func end(_ outcome: RunOutcome) throws {
    if outcome.exitCode != 0 { throw ExitCode(outcome.exitCode) }
  }

  private func print(_ update: RunUpdate) {
    switch update {
    case .message(let text):
      if !isQuiet { StandardStreams.writeMessage(TerminalText.plain(text)) }
    case .began(let start):
      var report = ProcessReport(start, format: format, isQuiet: isQuiet)
      report.showsResults = printsResults
      report.showsTotal = printsTotal
      report.showsAllFigures = isVerbose
      report.begin()
      self.report = report
    case .event(let event): report?.handle(event)
    case .progress(let activities): report?.show(activities)
    case .ended(let outcome): report?.finish(outcome)
    case .warning(let error):
      // To be asked to stop is no failure.
      let name = error.category == .interrupted ? "" : "auricle: "
      StandardStreams.writeMessage(name + TerminalText.plain(error.message))
    case .refused(let error):
      if format == .json { EventLines(isBrief: isQuiet).refused(error, inputs: inputs) }
    }
  }
}
