// Lines at the end of a terminal that are redrawn in place.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RunReports

/// Lines on standard error that are replaced by the next ones.
package struct TerminalCanvas {
  /// The width of each line on the screen.
  private var drawn: [Int] = []

  /// An empty drawing.
  package init() {}

  /// Whether colours are wanted: not with `NO_COLOR` set to anything.
  package static let hasColors = ProcessInfo.processInfo.environment["NO_COLOR"]?.isEmpty ?? true

  /// Whether the locale says that the terminal is UTF-8.
  package static let hasUnicode: Bool = {
    let environment = ProcessInfo.processInfo.environment
    for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
      guard let value = environment[name], !value.isEmpty else { continue }
      let text = value.lowercased()
      return text.contains("utf-8") || text.contains("utf8")
    }
    return false
  }()

  /// Redraws; lines are truncated to the terminal's width, and limited to its height.
  package mutating func draw(_ lines: [Line]) {
    let width = max(StandardStreams.terminalWidth - 1, 1)
    let height = max(StandardStreams.terminalHeight - 1, 1)
    var text = home
    var widths: [Int] = []
    for line in lines.prefix(height) {
      let shown = TextWidth.cut(line.text, to: width)
      widths.append(TextWidth.of(shown))
      if widths.count > 1 { text += "\n" }
      text += line.style.map { "\u{1B}[\($0)m\(shown)\u{1B}[0m" } ?? shown
      text += "\u{1B}[K"
    }
    StandardStreams.writeRaw(text + "\u{1B}[J")
    drawn = widths
  }

  /// Clears the drawing, so that lines can be printed in its place.
  package mutating func clear() {
    guard !drawn.isEmpty else { return }
    StandardStreams.writeRaw(home + "\u{1B}[J")
    drawn = []
  }

  /// A line with its colour.
  package struct Line {
    package var text: String
    /// The number of a colour; nil for none.
    package var style: String?

    package init(_ text: String, style: String? = nil) {
      self.text = text
      self.style = TerminalCanvas.hasColors ? style : nil
    }
  }

  /// Moves to the start of the drawing. A terminal that became narrower has wrapped its lines.
  private var home: String {
    let width = max(StandardStreams.terminalWidth, 1)
    let rows = drawn.reduce(0) { $0 + max(1, ($1 + width - 1) / width) }
    return rows > 1 ? "\r\u{1B}[\(rows - 1)A" : "\r"
  }
}
