// A few lines at the end of a terminal that are drawn again and again in the same place.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RunReports

/// Lines on standard error that are replaced by the next ones.
struct TerminalCanvas {
  /// The columns that each line on the screen takes.
  private var drawn: [Int] = []

  /// Whether colours are wanted: not with `NO_COLOR` set to anything.
  static let hasColors = ProcessInfo.processInfo.environment["NO_COLOR"]?.isEmpty ?? true

  /// Whether the terminal is told to be one of UTF-8.
  static let hasUnicode: Bool = {
    let environment = ProcessInfo.processInfo.environment
    for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
      guard let value = environment[name], !value.isEmpty else { continue }
      let text = value.lowercased()
      return text.contains("utf-8") || text.contains("utf8")
    }
    return false
  }()

  /// Replaces what is drawn; lines are cut to the width of the terminal, and there are never more
  /// of them than it has.
  mutating func draw(_ lines: [Line]) {
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

  /// Takes everything away, so that lines can be printed in its place.
  mutating func clear() {
    guard !drawn.isEmpty else { return }
    StandardStreams.writeRaw(home + "\u{1B}[J")
    drawn = []
  }

  /// A line, with what colours it.
  struct Line {
    var text: String
    /// The number of a colour; nil for none.
    var style: String?

    init(_ text: String, style: String? = nil) {
      self.text = text
      self.style = TerminalCanvas.hasColors ? style : nil
    }
  }

  /// Where the drawing begins. A terminal that was made narrower has broken its lines into several.
  private var home: String {
    let width = max(StandardStreams.terminalWidth, 1)
    let rows = drawn.reduce(0) { $0 + max(1, ($1 + width - 1) / width) }
    return rows > 1 ? "\r\u{1B}[\(rows - 1)A" : "\r"
  }
}
