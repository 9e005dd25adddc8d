// How far a run is: a bar and the file of each worker on a terminal, plain lines elsewhere.
// SPDX-License-Identifier: Apache-2.0

import BatchProcessing
import Foundation

/// Shows files, failures, percent, speed and time left on standard error.
struct ProgressDisplay {
  /// What is drawn.
  enum Style {
    case bar
    case lines
    case none
  }

  private let style: Style
  private let fileCount: Int
  private let byteCount: Double
  private let doneBefore: Int
  private let start = ContinuousClock.now
  private var lastDrawn: ContinuousClock.Instant?
  private var finishedCount = 0
  private var failedCount = 0
  private var finishedBytes = 0.0
  private var finishedSeconds = 0.0
  private var drawnLines = 0

  /// Workers whose files are shown.
  private static let mostShown = 8

  /// Prepares for so many files and bytes; `doneBefore` of the files were done by an earlier session.
  init(style: Style, fileCount: Int, byteCount: Int, doneBefore: Int = 0) {
    self.style = style
    self.fileCount = fileCount
    self.byteCount = max(Double(byteCount), 1)
    self.doneBefore = doneBefore
  }

  /// Tells that a file is accounted for; `seconds` of sound were made.
  mutating func finish(bytes: Int, seconds: Double, failed: Bool) {
    finishedCount += 1
    if failed { failedCount += 1 }
    finishedBytes += Double(bytes)
    finishedSeconds += seconds
    guard style == .lines, doneBefore + finishedCount < fileCount, isDue(.seconds(1)) else {
      return
    }
    StandardStreams.writeMessage(
      figures(fraction: finishedBytes / byteCount, seconds: finishedSeconds))
  }

  /// Draws what the workers are at.
  mutating func show(_ activities: [WorkerActivity]) {
    guard style == .bar, isDue(.milliseconds(100)) else { return }
    // Bytes of what is under way are not known here: a file counts by its fraction of a mean one.
    let mean = byteCount / Double(max(fileCount, 1))
    let part = activities.reduce(0) { $0 + ($1.fraction ?? 0) * mean }
    let seconds = activities.reduce(finishedSeconds) { $0 + $1.seconds }
    draw(activities, fraction: min((finishedBytes + part) / byteCount, 1), seconds: seconds)
  }

  /// Takes the display away, so that a line can be printed in its place.
  mutating func clear() {
    guard drawnLines > 0 else { return }
    StandardStreams.writeRaw(home + "\u{1B}[J")
    drawnLines = 0
    lastDrawn = nil
  }

  /// Time since the start, in seconds.
  var elapsed: Double {
    let parts = (ContinuousClock.now - start).components
    return Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
  }

  private mutating func isDue(_ interval: Duration) -> Bool {
    let now = ContinuousClock.now
    if let lastDrawn, now - lastDrawn < interval { return false }
    lastDrawn = now
    return true
  }

  private func figures(fraction: Double, seconds: Double) -> String {
    let elapsed = elapsed
    let percent = Int((min(fraction, 1) * 100).rounded(.down))
    let done = doneBefore + finishedCount
    var text = "\(done) of \(Figures.count(fileCount, "file", "files")), \(percent) %"
    if failedCount > 0 { text += ", \(failedCount) failed" }
    if elapsed > 0.5 {
      text += ", \(Figures.speed(seconds / elapsed)) real time"
      if fraction > 0.01 { text += ", \(Figures.timeLeft(elapsed / fraction - elapsed)) left" }
    }
    return text
  }

  /// Where the display begins.
  private var home: String {
    drawnLines > 1 ? "\r\u{1B}[\(drawnLines - 1)A" : "\r"
  }

  private mutating func draw(_ activities: [WorkerActivity], fraction: Double, seconds: Double) {
    let width = StandardStreams.terminalWidth
    let text = figures(fraction: fraction, seconds: seconds)
    let barWidth = max(10, min(30, width - text.count - 4))
    let filled = Int(Double(barWidth) * min(fraction, 1))
    let bar =
      String(repeating: "█", count: filled) + String(repeating: "░", count: barWidth - filled)
    var lines = ["\(bar) \(text)"]
    for activity in activities.prefix(Self.mostShown) {
      let percent =
        activity.fraction.map { String(format: "%3d %%", Int($0 * 100)) } ?? "     "
      lines.append("  \(percent)  \(TerminalText.plain(activity.input))")
    }
    if activities.count > Self.mostShown {
      lines.append("         and \(activities.count - Self.mostShown) more")
    }
    let shown = lines.map { line in
      (line.count > width - 1 ? String(line.prefix(max(width - 2, 1))) + "…" : line) + "\u{1B}[K"
    }
    StandardStreams.writeRaw(home + shown.joined(separator: "\n") + "\u{1B}[J")
    drawnLines = lines.count
  }
}
