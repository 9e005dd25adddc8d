// How far a run is: a bar on a terminal, plain lines elsewhere.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Shows files, percent, speed and time left on standard error.
struct ProgressDisplay {
  /// What is drawn.
  enum Style {
    case bar
    case lines
    case none
  }

  private let style: Style
  private let fileCount: Int
  /// The sizes of the files in bytes: what a file weighs before it is opened.
  private let weights: [Double]
  private let totalWeight: Double
  private let start = ContinuousClock.now
  private var lastDrawn: ContinuousClock.Instant?
  private var finishedCount = 0
  private var finishedWeight = 0.0
  private var finishedSeconds = 0.0
  private var isDrawn = false

  /// Prepares for files of these sizes.
  init(style: Style, fileSizes: [Int64]) {
    self.style = style
    fileCount = fileSizes.count
    weights = fileSizes.map { Double(max($0, 1)) }
    totalWeight = max(weights.reduce(0, +), 1)
  }

  /// Tells how far the current file is.
  mutating func advance(file index: Int, name: String, fraction: Double, seconds: Double) {
    guard style == .bar, isDue(.milliseconds(100)) else { return }
    let weight = finishedWeight + weights[index] * min(max(fraction, 0), 1)
    draw(name: name, fraction: weight / totalWeight, seconds: finishedSeconds + seconds)
  }

  /// Tells that a file is done or has failed; `seconds` of sound were made.
  mutating func finish(file index: Int, name: String, seconds: Double) {
    finishedCount += 1
    finishedWeight += weights[index]
    finishedSeconds += seconds
    let fraction = finishedWeight / totalWeight
    switch style {
    case .bar:
      if isDue(.milliseconds(100)) {
        draw(name: name, fraction: fraction, seconds: finishedSeconds)
      }
    case .lines:
      guard finishedCount < fileCount, isDue(.seconds(1)) else { return }
      StandardStreams.writeMessage(figures(fraction: fraction, seconds: finishedSeconds))
    case .none:
      break
    }
  }

  /// Takes the bar away, so that a line can be printed in its place.
  mutating func clear() {
    guard isDrawn else { return }
    StandardStreams.writeRaw("\r\u{1B}[K")
    isDrawn = false
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
    let percent = Int((fraction * 100).rounded(.down))
    var text = "\(finishedCount) of \(Figures.count(fileCount, "file", "files")), \(percent) %"
    if elapsed > 0.5 {
      text += ", \(Figures.speed(seconds / elapsed)) real time"
      if fraction > 0.01 { text += ", \(Figures.timeLeft(elapsed / fraction - elapsed)) left" }
    }
    return text
  }

  private mutating func draw(name: String, fraction: Double, seconds: Double) {
    let width = StandardStreams.terminalWidth
    let text = figures(fraction: fraction, seconds: seconds)
    let barWidth = max(10, min(30, width - text.count - 24))
    let filled = Int(Double(barWidth) * min(fraction, 1))
    let bar =
      String(repeating: "█", count: filled) + String(repeating: "░", count: barWidth - filled)
    var line = "\(bar) \(text)  \(TerminalText.plain(name))"
    if line.count > width - 1 { line = String(line.prefix(max(width - 2, 1))) + "…" }
    StandardStreams.writeRaw("\r\(line)\u{1B}[K")
    isDrawn = true
  }
}
