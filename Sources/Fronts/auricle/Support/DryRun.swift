// `auricle process --dry-run`: the plan and the chain, looked at, with nothing written.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import BatchProcessing
import Foundation

/// Tells what a run would do.
struct DryRun {
  let session: BatchSession

  /// Prints the plan; `root` is the folder that results lie below.
  func go(_ request: PlanRequest, _ options: SupervisorOptions, root: String?) throws {
    let folder = try ScratchFolder()
    defer { folder.remove() }
    let plan = try DryPlan(request, at: folder.path + "/plan.jsonl", root: root)
    let trial = try ChainTrial(options: options, asksFigures: true) { Interruption.isRequested }
    if let refusal = trial.refusal {
      StandardStreams.writeMessage(refusal.text)
      throw ExitCode(refusal.category.rawValue)
    }
    var failure: AuricleError.Category?
    try plan.forEach { (entry) throws(AuricleError) in
      guard !Interruption.isRequested else { return }
      failure = entry.error?.category ?? failure
      switch session.format {
      case .json: StandardStreams.writeResult(Self.json(entry).compactText + "\n")
      case .text: StandardStreams.writeResult(Self.line(entry) + "\n")
      }
    }
    if Interruption.isRequested {
      throw AuricleError(.interrupted, "interrupted: not all files were told; nothing was done")
    }
    // What the run itself would end with: of many files, with "some failed".
    let category = plan.totals.fileCount > 1 ? failure.map { _ in .someFilesFailed } : failure
    defer { tell(plan.totals, trial, root) }
    if let category { throw ExitCode(category.rawValue) }
  }

  private func tell(_ totals: PlanTotals, _ trial: ChainTrial, _ root: String?) {
    guard !session.isQuiet else { return }
    for unit in trial.units {
      StandardStreams.writeMessage(
        "unit: \(TerminalText.plain(unit.name)) \(unit.version) "
          + "(\(TerminalText.plain(unit.identity)))")
    }
    if let figures = trial.figures { StandardStreams.writeMessage("chain: " + Self.words(figures)) }
    if let sandbox = trial.sandbox { StandardStreams.writeMessage("sandbox: \(sandbox)") }
    if let repeats = totals.repeats {
      StandardStreams.writeMessage("note: \(TerminalText.plain(repeats))")
    }
    if let report = session.run.report {
      StandardStreams.writeMessage(
        "note: a dry run does nothing that a report could tell of: "
          + "\(TerminalText.plain(report)) is not written")
    }
    let count = totals.fileCount - totals.failureCount - totals.skippedCount
    var text = "\(Figures.count(count, "file", "files")) would be done"
    if totals.skippedCount > 0 { text += ", \(totals.skippedCount) skipped" }
    if totals.failureCount > 0 { text += ", \(totals.failureCount) cannot be" }
    text += "; the inputs take \(Figures.bytes(totals.byteCount))"
    if let free = Self.freeSpace(root ?? ".") { text += ", \(Figures.bytes(free)) are free" }
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

  private static func freeSpace(_ path: String) -> Int? {
    var path = path
    while !FileManager.default.fileExists(atPath: path) {
      let parent = ParentFolder.of(path)
      if parent == path { break }
      path = parent
    }
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path)
    return (attributes?[.systemFreeSize] as? NSNumber)?.intValue
  }
}
