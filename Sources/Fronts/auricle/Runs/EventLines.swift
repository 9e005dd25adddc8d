// `auricle process --format json`: events, one object a line (docs/json-output.md).
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AuricleHost
import CommandOutput
import Foundation
import HostSystem
import RunLedgers
import RunReports
import Workers

/// Writes the events of a run to standard output.
struct EventLines {
  /// Whether only files are reported.
  let isBrief: Bool
  private var lastProgress = 0.0
  private var lastCount = 0

  init(isBrief: Bool) { self.isBrief = isBrief }

  /// A run begins, or goes on.
  func begin(_ context: RunContext, _ meter: ProgressMeter, before: RunTally) {
    write(
      "run",
      [
        ("run", context.run.map(JSONValue.string)), ("tool", .string(AuricleVersion.text)),
        ("preset", context.presetName.map(JSONValue.string)),
        ("output", context.output.map(JSONValue.string)),
        ("ledger", context.ledger.map(JSONValue.string)),
        ("files", meter.fileCount.map(JSONValue.init)),
        ("accountedFor", JSONValue(before.fileCount)),
        ("inputBytes", context.byteCount.map(JSONValue.init)),
        ("jobs", JSONValue(context.workerCount)),
      ])
  }

  /// A worker begins with a file.
  func started(_ index: Int, _ input: String) {
    write(
      "started", [("index", JSONValue(index)), ("input", .members([("path", .string(input))]))])
  }

  /// A file is tried once more.
  func retried(_ record: FileRecord) { write("retried", Self.fields(record)) }

  /// A file is accounted for.
  func file(_ record: FileRecord) {
    StandardStreams.writeResult(Self.line("file", Self.fields(record)))
  }

  /// Something that is of no file.
  func note(_ event: String, _ text: String) { write(event, [("text", .string(text))]) }

  /// Writes the reuse of chains between files.
  func reuse(_ verdict: ReuseVerdict) { write("reuse", verdict.members) }

  /// Writes the progress of the run, once a second.
  mutating func progress(_ meter: ProgressMeter, _ activities: [WorkerActivity]) {
    guard !isBrief, meter.elapsed >= lastProgress + 1 else { return }
    lastProgress = meter.elapsed
    let reading = meter.reading(activities)
    // Nothing comes into a watched folder for hours.
    if meter.fileCount == nil, activities.isEmpty, reading.doneCount == lastCount { return }
    lastCount = reading.doneCount
    write(
      "progress",
      [
        ("accountedFor", JSONValue(reading.doneCount)), ("failed", JSONValue(reading.failedCount)),
        ("files", meter.fileCount.map(JSONValue.init)),
        ("fraction", meter.fileCount == nil ? nil : JSONValue(reading.fraction)),
        ("elapsedSeconds", JSONValue(lastProgress)), ("speed", reading.speed.map(JSONValue.init)),
        ("secondsLeft", reading.secondsLeft.map(JSONValue.init)),
        (
          "workers",
          .array(
            activities.map {
              .members([
                ("index", JSONValue($0.index)), ("input", .members([("path", .string($0.input))])),
                ("fraction", $0.fraction.map(JSONValue.init)), ("seconds", JSONValue($0.seconds)),
              ])
            })
        ),
      ])
  }

  /// The end.
  func summary(
    _ summary: RunSummary, _ context: RunContext, _ meter: ProgressMeter, whole: RunTally,
    again: RunTally
  ) {
    let elapsed = meter.elapsed
    let seconds = meter.tally.outputSeconds
    // A refused run leaves no ledger.
    let isGone = context.ledger.map { FileIdentity.of($0) == nil } ?? false
    write(
      "summary",
      [
        ("state", .string(summary.end.name)), ("error", summary.end.reason.map(JSONValue.string)),
        ("files", meter.fileCount.map(JSONValue.init)),
        ("counts", RunOverview.counts(whole, of: meter.fileCount)),
        ("failures", RunOverview.failures(whole.failures(with: again))),
        ("seconds", JSONValue(seconds)),
        ("elapsedSeconds", JSONValue(elapsed)),
        ("speed", elapsed > 0 && meter.fileCount != nil ? JSONValue(seconds / elapsed) : nil),
        ("ledger", isGone ? nil : context.ledger.map(JSONValue.string)),
        ("report", isGone ? nil : context.report.map(JSONValue.string)),
        ("resume", context.resumeCommand(after: summary.end).map(JSONValue.string)),
      ])
  }

  /// The end of a run that did not come about: nothing was done.
  ///
  /// - Parameter inputs: The named files and folders. Where nothing has their names, each is accounted for.
  func refused(_ error: AuricleError, inputs: [String]) {
    var tally = RunTally()
    if case .unknownName(_, kind: .fileOrFolder)? = error.cause {
      for (index, input) in inputs.enumerated() {
        var record = FileRecord(index: index, status: .failed, input: input, output: "")
        record.error = FileIdentity.absence(of: input, .fileOrFolder)
        record.origin = .input
        tally.add(record)
        file(record)
      }
    }
    let state: JSONValue = error.category == .interrupted ? "interrupted" : "refused"
    write(
      "summary",
      [
        ("state", state), ("error", .string(error.message)),
        ("counts", RunOverview.counts(tally, of: nil)),
        ("failures", RunOverview.failures(tally.failures(with: RunTally()))),
        ("seconds", JSONValue(0.0)), ("elapsedSeconds", JSONValue(0.0)),
      ])
  }

  private static func fields(_ record: FileRecord) -> [(String, JSONValue?)] {
    (record.json.members ?? []).map { ($0.key, $0.value) }
      + [("reason", record.failureReason.map(JSONValue.string))]
  }

  private func write(_ event: String, _ members: [(String, JSONValue?)]) {
    guard !isBrief else { return }
    StandardStreams.writeResult(Self.line(event, members))
  }

  private static func line(_ event: String, _ members: [(String, JSONValue?)]) -> String {
    JSONValue.members([("event", .string(event))] + members).compactText + "\n"
  }
}
