// The progress of a run: a bar and the file of each worker on a terminal, lines now and then elsewhere.
// SPDX-License-Identifier: Apache-2.0

import AuricleHost
import CommandOutput
import Foundation
import RunReports
import Workers

/// Shows files, failures, percent, speed and time left on standard error.
struct ProgressDisplay {
  /// The style of the display.
  enum Style {
    case bar
    case lines
    case none
  }

  private let style: Style
  private let meter: ProgressMeter
  private var canvas = TerminalCanvas()
  private var lastDrawn: ContinuousClock.Instant?
  /// When the next line is due, in seconds from the start.
  private var nextLine = 5.0

  private var lastLine = ""

  /// Workers whose files are shown.
  private static let mostShown = 16

  init(style: Style, meter: ProgressMeter) {
    self.style = style
    self.meter = meter
  }

  /// Shows the progress and the present work of the workers, if it is time.
  mutating func show(_ activities: [WorkerActivity]) {
    switch style {
    case .none: return
    case .lines:
      // After 5 s, 15 s, 45 s, then every minute: a log of a night stays readable.
      guard meter.elapsed >= nextLine else { return }
      nextLine = meter.elapsed + min(nextLine * 2, 60)
      let line = figures(meter.reading(activities)).joined(separator: ", ")
      // Nothing comes into a watched folder for hours.
      guard line != lastLine else { return }
      lastLine = line
      StandardStreams.writeMessage(line)
    case .bar:
      let now = ContinuousClock.now
      if let lastDrawn, now - lastDrawn < .milliseconds(100) { return }
      lastDrawn = now
      draw(activities)
    }
  }

  /// Removes the display, so that a line can be printed in its place.
  mutating func clear() {
    canvas.clear()
    lastDrawn = nil
  }

  /// The figures to show, the most important first but for the percent.
  private func figures(_ reading: ProgressMeter.Reading) -> [String] {
    var parts: [String] = []
    if let fileCount = meter.fileCount {
      parts.append("\(reading.doneCount) of \(Figures.count(fileCount, "file", "files"))")
      parts.append("\(Int((reading.fraction * 100).rounded(.down))) %")
    } else {
      parts.append(Figures.count(reading.doneCount, "file", "files"))
    }
    if reading.failedCount > 0 { parts.append("\(reading.failedCount) failed") }
    if let speed = reading.speed { parts.append("\(Figures.speed(speed)) real time") }
    if let left = reading.secondsLeft { parts.append("\(Figures.timeLeft(left)) left") }
    return parts
  }

  private mutating func draw(_ activities: [WorkerActivity]) {
    let width = max(StandardStreams.terminalWidth - 1, 1)
    let reading = meter.reading(activities)
    var lines = [
      TerminalCanvas.Line(
        head(figures(reading), reading.fraction, width),
        style: reading.failedCount > 0 ? "33" : "32")
    ]
    let room = max(0, min(Self.mostShown, StandardStreams.terminalHeight - 3))
    for activity in activities.prefix(room) {
      let percent = activity.fraction.map { String(format: "%3d %%", Int($0 * 100)) } ?? "  … %"
      let path = TerminalText.plain(activity.input)
      let line = width < 24 ? " " : "  \(percent)  "
      lines.append(
        TerminalCanvas.Line(
          line + TextWidth.cutFront(path, to: max(width - TextWidth.of(line), 1))))
    }
    if activities.count > room, room > 0 {
      lines.append(TerminalCanvas.Line("         and \(activities.count - room) more"))
    }
    canvas.draw(lines)
  }

  /// The bar and the figures; where there is no room, figures from the end are left out, then the
  /// bar.
  private func head(_ figures: [String], _ fraction: Double, _ width: Int) -> String {
    var parts = figures
    func text() -> String { parts.joined(separator: ", ") }
    guard meter.fileCount != nil else { return text() }
    while parts.count > 1, TextWidth.of(text()) > width { parts.removeLast() }
    let room = min(30, width - TextWidth.of(text()) - 1)
    guard room >= 8 else { return text() }
    let filled = Int(Double(room) * min(max(fraction, 0), 1))
    let (full, empty) = TerminalCanvas.hasUnicode ? ("█", "░") : ("#", "-")
    return String(repeating: full, count: filled)
      + String(repeating: empty, count: room - filled) + " " + text()
  }
}
