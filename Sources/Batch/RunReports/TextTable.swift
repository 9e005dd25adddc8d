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

  /// The rows as lines, each ended by a newline, without blanks at its end.
  package func text(indent: String = "") -> String {
    let cellWidths = rows.map { $0.map { TextWidth.of($0) } }
    var widths = [Int](repeating: 0, count: alignments.count)
    for row in cellWidths {
      for (column, width) in row.enumerated() where column < widths.count {
        widths[column] = max(widths[column], width)
      }
    }
    // Bytes, because a blank is cut off a text more slowly than it is added.
    var bytes: [UInt8] = []
    for (row, rowWidths) in zip(rows, cellWidths) {
      let start = bytes.count
      bytes += indent.utf8
      for (column, cell) in row.enumerated() where column < widths.count {
        let padding = widths[column] - rowWidths[column]
        let isRight = alignments[column] == .right
        if isRight { Self.addBlanks(padding, to: &bytes) }
        bytes += cell.utf8
        guard column + 1 < row.count else { break }
        Self.addBlanks(isRight ? 2 : padding + 2, to: &bytes)
      }
      while bytes.count > start, bytes.last == Self.blank { bytes.removeLast() }
      bytes.append(UInt8(ascii: "\n"))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func addBlanks(_ count: Int, to bytes: inout [UInt8]) {
    for _ in 0..<count { bytes.append(blank) }
  }

  private static let blank = UInt8(ascii: " ")
}
