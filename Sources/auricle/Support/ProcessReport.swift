// What `auricle process` prints while it works and when it is done.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import BatchProcessing
import Foundation

/// Turns the events of a run into a progress display, result lines and messages.
struct ProcessReport {
  private let plan: BatchPlan
  private let format: OutputFormat
  private let isQuiet: Bool
  private var progress: ProgressDisplay
  private var toldNotes: Set<String> = []

  init(plan: BatchPlan, format: OutputFormat, isQuiet: Bool) {
    self.plan = plan
    self.format = format
    self.isQuiet = isQuiet
    let style: ProgressDisplay.Style =
      isQuiet ? .none : StandardStreams.errorIsTerminal ? .bar : .lines
    progress = ProgressDisplay(
      style: style, fileSizes: plan.files.map { FileSizes.bytes($0.input) })
  }

  mutating func handle(_ event: BatchEvent) {
    switch event {
    case .started(let index, let file):
      progress.advance(file: index, name: file.input, fraction: 0, seconds: 0)
    case .advanced(let index, let file, let fraction, let seconds):
      progress.advance(file: index, name: file.input, fraction: fraction, seconds: seconds)
    case .finished(let index, let result):
      progress.clear()
      print(result)
      progress.finish(file: index, name: result.input, seconds: result.outputDuration)
    case .failed(let index, let failure):
      progress.clear()
      print(failure)
      if index >= 0 { progress.finish(file: index, name: failure.input, seconds: 0) }
    }
  }

  mutating func finish(_ summary: BatchSummary) {
    progress.clear()
    guard !isQuiet || summary.wasInterrupted else { return }
    var text = ""
    if summary.wasInterrupted {
      let done = summary.doneCount
      text = "interrupted: \(done) of \(Figures.count(plan.files.count, "file", "files")) done"
    } else {
      text = "\(Figures.count(summary.doneCount, "file", "files")) done"
    }
    if !summary.failures.isEmpty { text += ", \(summary.failures.count) failed" }
    let elapsed = progress.elapsed
    if summary.doneCount > 0 {
      text += ": \(Figures.duration(summary.seconds)) of sound in \(Figures.duration(elapsed))"
      text += ", \(Figures.speed(summary.seconds / max(elapsed, 1e-6))) real time"
    }
    StandardStreams.writeMessage(text)
  }

  private mutating func print(_ result: FileResult) {
    if format == .json {
      try? JSONResult.writeLine(ResultLine(result))
    } else if !isQuiet {
      StandardStreams.writeResult(Self.line(result) + "\n")
    }
    guard !isQuiet else { return }
    // A thousand stereo files through one mono unit need one note, not a thousand.
    for note in result.notes where toldNotes.insert(note).inserted {
      StandardStreams.writeMessage("note: \(TerminalText.plain(note))")
    }
  }

  private func print(_ failure: FileFailure) {
    let message = TerminalText.plain(failure.error.message)
    let text =
      message.contains(failure.input) ? message : "\(TerminalText.plain(failure.input)): \(message)"
    StandardStreams.writeMessage("auricle: \(text)")
    if format == .json { try? JSONResult.writeLine(FailureLine(failure)) }
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

/// The sizes of files, by which progress is weighed.
enum FileSizes {
  static func bytes(_ path: String) -> Int64 {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.int64Value ?? 1
  }
}

/// A file that is done, as a JSON line.
private struct ResultLine: Encodable {
  struct Side: Encodable {
    var path: String
    var container: String
    var encoding: String
    var sampleRate: Double
    var channels: Int
    var frames: Int
    var seconds: Double
    var peakDecibels: Double?
    var rmsDecibels: Double?
  }

  var status = "done"
  var input: Side
  var output: Side
  var latencyFrames: Int
  var tailFrames: Int
  var notes: [String]
  var elapsedSeconds: Double

  init(_ result: FileResult) {
    input = Side(
      path: result.input, container: result.inputFormat.container.name,
      encoding: result.inputFormat.encoding.name, sampleRate: result.inputFormat.sampleRate,
      channels: result.inputFormat.channelCount, frames: result.inputFrameCount,
      seconds: result.inputDuration, peakDecibels: result.before.peakDecibels,
      rmsDecibels: result.before.rmsDecibels)
    output = Side(
      path: result.output, container: result.outputFormat.container.name,
      encoding: result.outputFormat.encoding.name, sampleRate: result.outputFormat.sampleRate,
      channels: result.outputFormat.channelCount, frames: result.outputFrameCount,
      seconds: result.outputDuration, peakDecibels: result.after.peakDecibels,
      rmsDecibels: result.after.rmsDecibels)
    latencyFrames = result.latencyFrameCount
    tailFrames = result.tailFrameCount
    notes = result.notes
    elapsedSeconds = result.elapsedSeconds
  }
}

/// A file that failed, as a JSON line.
private struct FailureLine: Encodable {
  struct Input: Encodable {
    var path: String
  }

  var status = "failed"
  var input: Input
  var error: String
  var category: String
  var code: Int32

  init(_ failure: FileFailure) {
    input = Input(path: failure.input)
    error = failure.error.message
    category = "\(failure.error.category)"
    code = failure.error.category.rawValue
  }
}
