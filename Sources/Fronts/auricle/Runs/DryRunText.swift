// `auricle process --dry-run`: the plan and the chain in words, with nothing written.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import AuricleHost
import CommandOutput
import Foundation
import HostSystem
import RunLedgers
import RunReports
import Workers

/// The text of a run's plan.
struct DryRunText {
  let format: OutputFormat
  let isQuiet: Bool
  /// The report that is asked for.
  let report: String?

  /// Prints the plan; exits with the code that the run itself would have.
  func write(_ result: DryRunResult) throws {
    var failure: AuricleError.Category?
    try result.forEach { (entry) throws(AuricleError) in
      guard !Interruption.isRequested else { return }
      failure = entry.error?.category ?? failure
      switch format {
      case .json: StandardStreams.writeResult(Self.json(entry).compactText + "\n")
      case .text: StandardStreams.writeResult(Self.line(entry) + "\n")
      }
    }
    if Interruption.isRequested {
      throw AuricleError(
        .interrupted, "interrupted: not all files were listed, and nothing was done")
    }
    // With many files the category is "some failed".
    let category = result.totals.fileCount > 1 ? failure.map { _ in .someFilesFailed } : failure
    if !isQuiet { notify(result) }
    if let category { throw ExitCode(category.rawValue) }
  }

  private func notify(_ result: DryRunResult) {
    for unit in result.units {
      StandardStreams.writeMessage(
        "unit: \(TerminalText.plain(unit.name)) \(unit.version) "
          + "(\(TerminalText.plain(unit.identity)))")
    }
    if let figures = result.figures {
      StandardStreams.writeMessage("chain: " + Self.words(figures))
    }
    if let sandbox = result.sandbox { StandardStreams.writeMessage("sandbox: \(sandbox)") }
    let totals = result.totals
    if let repeats = totals.repeats {
      StandardStreams.writeMessage("note: \(TerminalText.plain(repeats))")
    }
    if let report {
      StandardStreams.writeMessage(
        "note: a dry run has nothing to report: "
          + "\(TerminalText.plain(report)) is not written")
    }
    let count = totals.fileCount - totals.failureCount - totals.skippedCount
    var text = "\(Figures.count(count, "file", "files")) would be done"
    if totals.skippedCount > 0 { text += ", \(totals.skippedCount) skipped" }
    if totals.failureCount > 0 { text += ", \(totals.failureCount) cannot be" }
    text += "; the inputs take \(Figures.bytes(totals.byteCount))"
    if let free = result.freeByteCount { text += ", \(Figures.bytes(free)) are free" }
    StandardStreams.writeMessage(text)
  }

  /// `12.0 ms late, rings on for 2.50 s at most (stereo at 48 kHz)`.
  private static func words(_ figures: ChainFigures) -> String {
    let latency = figures.latency * 1000
    let late = latency == 0 ? "no delay" : String(format: "%.1f ms late", latency)
    let tail =
      switch figures.tail {
      case nil: "how long it rings on shows when it runs"
      case .some(let seconds) where seconds == .infinity: "rings on for ever"
      case .some(let seconds) where seconds > 0: "rings on for \(Figures.duration(seconds)) at most"
      case .some: "no tail"
      }
    return "\(late), \(tail) (stereo at 48 kHz)"
  }

  private static func line(_ entry: PlanEntry) -> String {
    let input = TerminalText.plain(entry.input)
    if let error = entry.error { return "\(input): \(TerminalText.plain(error.message))" }
    let output = entry.outputs.map { TerminalText.plain($0) }.joined(separator: ", ")
    if entry.isSkipped {
      return "\(input): \(output)\(entry.output == entry.input ? ".bak" : "") exists: skipped"
    }
    let kept = entry.kept.isEmpty ? "" : " (\(entry.kept.count) of them exist and stay)"
    return "\(input) → \(output)\(kept)"
  }

  private static func json(_ entry: PlanEntry) -> JSONValue {
    .members([
      ("status", entry.error != nil ? "failed" : entry.isSkipped ? "skipped" : "planned"),
      ("index", JSONValue(entry.index)), ("input", .members([("path", .string(entry.input))])),
      (
        "output",
        entry.output.isEmpty ? nil : .members([("path", .string(entry.output))])
      ),
      (
        "otherOutputs",
        entry.others.isEmpty
          ? nil : .array(entry.others.map { .members([("path", .string($0))]) })
      ),
      ("variant", entry.variant.map(JSONValue.init)),
      ("inputBytes", JSONValue(entry.byteCount)),
      ("error", (entry.error?.message).map(JSONValue.string)),
    ])
  }
}
