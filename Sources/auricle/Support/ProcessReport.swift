// What `auricle process` prints while it works and when it is done.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import BatchProcessing
import Foundation

/// Turns the events of a run into a progress display, result lines and messages.
struct ProcessReport {
  private let format: OutputFormat
  private let isQuiet: Bool
  private let fileCount: Int
  private let isSettled: (Int) -> Bool
  private var progress: ProgressDisplay
  private var toldNotes: Set<String> = []
  /// Records that wait for those before them, so that results are told in the order of the plan.
  private var waiting: [Int: FileRecord] = [:]
  private var nextIndex = 0
  private var blamed: [String: Int] = [:]
  /// Asked what the workers are at.
  weak var supervisor: Supervisor?
  /// Whether results are told line by line.
  var tellsResults = true

  /// How many records may wait for one before them.
  private static let mostWaiting = 64

  init(
    fileCount: Int, byteCount: Int, alreadyDone: RunState? = nil, format: OutputFormat,
    isQuiet: Bool
  ) {
    self.fileCount = fileCount
    self.format = format
    self.isQuiet = isQuiet
    isSettled = { alreadyDone?.isSettled($0) ?? false }
    let style: ProgressDisplay.Style =
      isQuiet ? .none : StandardStreams.errorIsTerminal ? .bar : .lines
    progress = ProgressDisplay(
      style: style, fileCount: fileCount, byteCount: byteCount,
      doneBefore: alreadyDone?.settledCount ?? 0)
  }

  mutating func handle(_ event: RunEvent) {
    switch event {
    case .units, .sandbox: break
    case .tick: progress.show(supervisor?.activities ?? [])
    case .said(let text): tell("a unit says: \(TerminalText.plain(text))")
    case .note(let text): tell("note: \(TerminalText.plain(text))")
    case .retried(let record):
      tell(
        "note: \(TerminalText.plain(record.input)) is tried once more in a fresh process: "
          + TerminalText.plain(record.error?.message ?? ""))
    case .recorded(let record):
      progress.finish(
        bytes: record.inputByteCount, seconds: record.result?.outputDuration ?? 0,
        failed: record.error != nil)
      waiting[record.index] = record
      flush(all: false)
    }
  }

  private mutating func tell(_ text: String) {
    guard !isQuiet else { return }
    progress.clear()
    StandardStreams.writeMessage(text)
  }

  /// Tells what is due.
  private mutating func flush(all: Bool) {
    while !waiting.isEmpty {
      while nextIndex < fileCount, isSettled(nextIndex) { nextIndex += 1 }
      if waiting[nextIndex] == nil {
        // One that takes long does not hold up the others for ever.
        guard all || waiting.count > Self.mostWaiting, let first = waiting.keys.min() else {
          return
        }
        nextIndex = first
      }
      if let record = waiting.removeValue(forKey: nextIndex) { print(record) }
      nextIndex += 1
    }
  }

  mutating func finish(_ summary: RunSummary, _ all: RunState? = nil, ledger: String? = nil) {
    flush(all: true)
    progress.clear()
    switch summary.end {
    case .refused(let refusal):
      StandardStreams.writeMessage(refusal.text)
      return
    case .stopped(let error):
      StandardStreams.writeMessage("auricle: \(TerminalText.plain(error.message))")
    case .breaker(let unit):
      StandardStreams.writeMessage(
        "auricle: \(TerminalText.plain(unit)) failed with too many files in a row: stopped")
    case .finished, .interrupted: break
    }
    var isStopped = true
    if case .finished = summary.end { isStopped = false }
    guard !isQuiet || isStopped else { return }
    if fileCount > 1, !isQuiet, summary.failedCount > 0 || fileCount >= 10 {
      StandardStreams.writeRaw(table(summary, all))
    }
    StandardStreams.writeMessage(total(summary))
    if isStopped, let ledger {
      let folder = ledger.components(separatedBy: "/" + RunFolder.name).first ?? ledger
      StandardStreams.writeMessage("go on with: auricle process --resume \(folder)")
    }
  }

  private func total(_ summary: RunSummary) -> String {
    let done = summary.count(.done)
    var text: String
    switch summary.end {
    case .finished: text = "\(Figures.count(done, "file", "files")) done"
    case .interrupted:
      text = "interrupted: \(done) of \(Figures.count(fileCount, "file", "files")) done"
    default: text = "stopped: \(done) of \(Figures.count(fileCount, "file", "files")) done"
    }
    if summary.failedCount > 0 { text += ", \(summary.failedCount) failed" }
    if summary.count(.skipped) > 0 { text += ", \(summary.count(.skipped)) skipped" }
    let elapsed = progress.elapsed
    if done > 0 {
      text += ": \(Figures.duration(summary.seconds)) of sound in \(Figures.duration(elapsed))"
      text += ", \(Figures.speed(summary.seconds / max(elapsed, 1e-6))) real time"
    }
    return text
  }

  /// The end of a run as a table.
  private func table(_ summary: RunSummary, _ all: RunState?) -> String {
    var table = TextTable([.left, .right, .left])
    for status in FileRecord.Status.allCases {
      let count = summary.count(status)
      let total = all?.counts[status] ?? count
      guard total > 0 || count > 0 else { continue }
      table.add([status.rawValue, "\(count)", total > count ? "\(total) in the whole run" : ""])
    }
    for (unit, count) in blamed.sorted(by: { $0.value > $1.value }).prefix(5) {
      table.add(["", "\(count)", "by \(TerminalText.plain(unit))"])
    }
    return table.text(indent: "  ")
  }

  // MARK: Records

  private mutating func print(_ record: FileRecord) {
    if let unit = record.blame?.unit { blamed[unit, default: 0] += 1 }
    if format == .json { StandardStreams.writeResult(record.json.compactText + "\n") }
    progress.clear()
    switch record.status {
    case .done:
      guard !isQuiet, let result = record.result else { return }
      if format == .text, tellsResults { StandardStreams.writeResult(Self.line(result) + "\n") }
      // A thousand stereo files through one mono unit need one note, not a thousand.
      for note in result.notes where toldNotes.count < 1000 && toldNotes.insert(note).inserted {
        StandardStreams.writeMessage("note: \(TerminalText.plain(note))")
      }
      for damage in result.toleratedDamage {
        StandardStreams.writeMessage(
          "note: \(TerminalText.plain(result.input)) is damaged and was taken as far as it goes: "
            + TerminalText.plain(damage))
      }
    case .skipped:
      if format == .text, !isQuiet {
        StandardStreams.writeMessage("\(TerminalText.plain(record.output)) exists: skipped")
      }
    case .failed, .quarantined:
      let message = TerminalText.plain(record.error?.message ?? "failed")
      let input = TerminalText.plain(record.input)
      let text = message.contains(input) ? message : "\(input): \(message)"
      StandardStreams.writeMessage("auricle: \(text)")
    }
  }

  private static func line(_ result: FileResult) -> String {
    var text = "\(TerminalText.plain(result.output))  \(Figures.duration(result.outputDuration))"
    text += "  peak \(Figures.level(result.before.peakDecibels)) → "
    text += "\(Figures.level(result.after.peakDecibels)) dBFS"
    text += "  RMS \(Figures.level(result.before.rmsDecibels)) → "
    text += "\(Figures.level(result.after.rmsDecibels)) dBFS"
    return text
  }
}
