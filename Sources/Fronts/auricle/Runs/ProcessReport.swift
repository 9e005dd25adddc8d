// The output of `auricle process` while it works and when it is done.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import AuricleHost
import CommandOutput
import FileRendering
import Foundation
import RunLedgers
import RunReports
import Workers

/// Turns the events of a run into a progress display, result lines and messages.
struct ProcessReport {
  private let context: RunContext
  private let format: OutputFormat
  private let isQuiet: Bool
  private let before: RunTally
  private let isSettled: (Int) -> Bool
  private let meter: ProgressMeter
  private var progress: ProgressDisplay
  private var events: EventLines
  /// The number of files of each note.
  private var notes: [String: Int] = [:]
  /// Records that wait for earlier ones, so that results are reported in the order of the plan.
  private var waiting: [Int: FileRecord] = [:]
  private var nextIndex = 0
  /// Whether results are reported line by line.
  var showsResults = true
  /// Whether results are reported with all levels and their format.
  var showsAllFigures = false
  /// Whether the end of a run that was not stopped is reported in a line.
  var showsTotal = true
  /// Whether results are reported in the order of the plan: not where files keep coming.
  private let keepsOrder: Bool

  /// The number of notes that are distinguished, and of notes of several files that are printed at the end.
  private static let (mostNotes, mostRepeatedNotes) = (1000, 12)

  /// The number of records that may wait for an earlier one.
  private static let mostWaiting = 64

  /// Prepares the report of a run.
  init(_ start: RunStart, format: OutputFormat, isQuiet: Bool) {
    context = start.context
    self.format = format
    self.isQuiet = isQuiet
    let before = start.before
    isSettled = { before?.isSettled($0) ?? false }
    self.before = before?.tally ?? RunTally()
    meter = start.meter
    keepsOrder = start.fileCount != nil
    let style: ProgressDisplay.Style =
      isQuiet ? .none : StandardStreams.errorIsTerminal ? .bar : .lines
    progress = ProgressDisplay(style: style, meter: meter)
    events = EventLines(isBrief: isQuiet)
  }

  /// Reports that the run begins.
  func begin() {
    if format == .json { events.begin(context, meter, before: before) }
  }

  mutating func handle(_ event: RunEvent) {
    switch event {
    case .units, .sideFiles, .sandbox, .tick: break
    case .reuse(let verdict):
      if format == .json { events.reuse(verdict) }
    case .started(let index, let input):
      if format == .json { events.started(index, input) }
    case .said(let text):
      if format == .json { events.note("said", text) }
      notify("a unit says: \(TerminalText.plain(text))")
    case .note(let text):
      if format == .json { events.note("note", text) }
      notify("note: \(TerminalText.plain(text))")
    case .retried(let record):
      if format == .json { events.retried(record) }
      notify(
        "note: \(TerminalText.plain(record.input)) is tried once more in a fresh process: "
          + TerminalText.plain(record.error?.message ?? ""))
    case .recorded(let record):
      if keepsOrder {
        waiting[record.index] = record
        flush(all: false)
      } else {
        print(record)
      }
    }
  }

  /// Shows the present work of the workers.
  mutating func show(_ activities: [WorkerActivity]) {
    progress.show(activities)
    if format == .json { events.progress(meter, activities) }
  }

  private mutating func notify(_ text: String) {
    guard !isQuiet else { return }
    progress.clear()
    StandardStreams.writeMessage(text)
  }

  /// Prints the results that are due.
  private mutating func flush(all: Bool) {
    while !waiting.isEmpty {
      while isSettled(nextIndex) { nextIndex += 1 }
      if waiting[nextIndex] == nil {
        // A slow one does not hold up the others for ever.
        guard all || waiting.count > Self.mostWaiting, let first = waiting.keys.min() else {
          return
        }
        nextIndex = first
      }
      if let record = waiting.removeValue(forKey: nextIndex) { print(record) }
      nextIndex += 1
    }
  }

  /// Reports the end of the run.
  mutating func finish(_ outcome: RunOutcome) {
    let summary = outcome.summary
    flush(all: true)
    progress.clear()
    // A ledger that went away has no figures any more.
    let known = outcome.state.flatMap { $0.settledCount + $0.againTally.fileCount > 0 ? $0 : nil }
    let whole = known?.tally ?? meter.tally
    let again = known?.againTally ?? RunTally()
    if format == .json { events.summary(summary, context, meter, whole: whole, again: again) }
    switch summary.end {
    case .refused(let refusal):
      let advised = AuricleInstallation().advised(refusal)
      StandardStreams.writeMessage(advised.map { "auricle: \($0.message)" } ?? refusal.text)
      return
    case .stopped(let error):
      StandardStreams.writeMessage("auricle: \(TerminalText.plain(error.message))")
    case .breaker(let unit, let why):
      StandardStreams.writeMessage("auricle: \(TerminalText.plain("\(unit) \(why)")): stopped")
    case .finished, .interrupted: break
    }
    var isStopped = true
    if case .finished = summary.end { isStopped = false }
    guard !isQuiet && showsTotal || isStopped else { return }
    if !isQuiet { reportRepeatedNotes() }
    let fileCount = meter.fileCount ?? whole.fileCount + again.fileCount
    let hasFailures = summary.failedCount > 0 || failedBefore > 0
    if fileCount > 1, !isQuiet, isStopped || hasFailures || fileCount >= 10 {
      let table = EndTable(
        session: meter.tally, whole: whole, again: again, context: context,
        pendingCount: max(fileCount - whole.fileCount, 0))
      StandardStreams.writeRaw(table.text)
    }
    StandardStreams.writeMessage(total(outcome))
    if let command = context.resumeCommand(after: summary.end) {
      StandardStreams.writeMessage("go on with: \(command)")
    }
  }

  /// Files that failed in earlier sessions and are not tried again.
  private var failedBefore: Int {
    before.counts[.failed, default: 0] + before.counts[.quarantined, default: 0]
  }

  private func total(_ outcome: RunOutcome) -> String {
    let summary = outcome.summary
    let done = summary.count(.done)
    let files =
      meter.fileCount.map { " of \(Figures.count($0, "file", "files"))" }
      ?? (done == 1 ? " file" : " files")
    var text: String
    switch summary.end {
    case .finished: text = "\(Figures.count(done, "file", "files")) done"
    case .interrupted: text = "interrupted: \(done)\(files) done"
    default: text = "stopped: \(done)\(files) done"
    }
    if before.fileCount > 0 {
      text += " now, \(before.counts[.done, default: 0]) before"
      if failedBefore > 0 { text += " (\(failedBefore) failed before)" }
    }
    if summary.failedCount > 0 { text += ", \(summary.failedCount) failed" }
    if outcome.againCount > 0 {
      let which =
        outcome.againCount == summary.failedCount ? "" : "\(outcome.againCount) of them "
      text += " (\(which)to be tried again)"
    }
    if summary.count(.skipped) > 0 { text += ", \(summary.count(.skipped)) skipped" }
    if outcome.waitingCount > 0 {
      text += ", \(outcome.waitingCount) left for the next watch"
    }
    guard done > 0 else { return text }
    text += ": \(Figures.duration(summary.seconds)) of sound"
    // A watched folder is waited for most of the time.
    guard meter.fileCount != nil else { return text }
    let elapsed = meter.elapsed
    text += " in \(Figures.duration(elapsed))"
    return text + ", \(Figures.speed(summary.seconds / max(elapsed, 1e-6))) real time"
  }

  // MARK: Records

  private mutating func print(_ record: FileRecord) {
    if format == .json { events.file(record) }
    progress.clear()
    switch record.status {
    case .done:
      guard !isQuiet, let result = record.result else { return }
      if format == .text, showsResults {
        StandardStreams.writeResult(ResultLine.text(result, showsAll: showsAllFigures) + "\n")
      }
      for note in result.notes { notify(note, of: result.input) }
      for damage in result.toleratedDamage {
        StandardStreams.writeMessage(
          "note: \(TerminalText.plain(result.input)) is damaged and was read as far as possible: "
            + TerminalText.plain(damage))
      }
    case .skipped:
      if format == .text, !isQuiet {
        // In the place of its input its original has the other name.
        let name = record.output == record.input ? record.output + ".bak" : record.output
        StandardStreams.writeMessage("\(TerminalText.plain(name)) exists: skipped")
      }
    case .failed, .quarantined:
      let message = TerminalText.plain(record.error?.message ?? "failed")
      let input = TerminalText.plain(record.input)
      let text = message.contains(input) ? message : "\(input): \(message)"
      StandardStreams.writeMessage("auricle: \(text)")
    }
  }

  /// Reports a note of a file: a thousand stereo files through one mono unit need one, not a thousand.
  private mutating func notify(_ note: String, of input: String) {
    let kind = NoteKind.of(note)
    guard notes[kind] != nil || notes.count < Self.mostNotes else { return }
    notes[kind, default: 0] += 1
    guard notes[kind] == 1 else { return }
    let file = meter.fileCount == 1 ? "" : TerminalText.plain(input) + ": "
    StandardStreams.writeMessage("note: \(file)\(TerminalText.plain(note))")
  }

  /// Reports the number of files of each note with several.
  private func reportRepeatedNotes() {
    let repeated = notes.filter { $0.value > 1 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    for (note, count) in repeated.prefix(Self.mostRepeatedNotes) {
      StandardStreams.writeMessage("note of \(count) files: \(TerminalText.plain(note))")
    }
  }
}
