// Columns of text, aligned.
// SPDX-License-Identifier: Apache-2.0

/// Rows of cells that print with their columns aligned.
package struct TextTable {
  /// The alignment of a cell in its column.
  package enum Alignment {
    case left
    case right
  }

  private var rows: [[String]] = []
  private let alignments: [Alignment]

  /// A table of columns; the last one is never padded.
  package init(_ alignments: [Alignment]) {
    self.alignments = alignments
  }

  /// Whether it has no rows.
  package var isEmpty: Bool { rows.isEmpty }

  /// Adds a row.
  package mutating func add(_ cells: [String]) {
    rows.append(cells)
  }

  /// The rows as lines, each ended by a newline.
  package func text(indent: String = "") -> String {
    var widths = [Int](repeating: 0, count: alignments.count)
    for row in rows {
      for (column, cell) in row.enumerated() where column < widths.count {
        widths[column] = max(widths[column], TextWidth.of(cell))
      }
    }
    var text = ""
    for row in rows {
      var line = indent
      for (column, cell) in row.enumerated() where column < widths.count {
        let padding = String(repeating: " ", count: widths[column] - TextWidth.of(cell))
        line += alignments[column] == .right ? padding + cell : cell + padding
        if column + 1 < row.count { line += "  " }
      }
      while line.last == " " { line.removeLast() }
      text += line + "\n"
    }
    return text
  }
}
