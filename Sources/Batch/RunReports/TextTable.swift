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

  /// The longest line of a result, in columns.
  package static let lineWidth = 100

  /// The rows as lines, each ended by a newline, without blanks at its end.
  ///
  /// - Parameter width: The columns at which the last cell of a row is wrapped; nil leaves rows whole.
  package func text(indent: String = "", wrappedAt width: Int? = nil) -> String {
    if let width { return wrapped(at: width - TextWidth.of(indent)).text(indent: indent) }
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

  /// The same table, with a further row for each line of a last cell that is too long.
  private func wrapped(at width: Int) -> TextTable {
    let last = alignments.count - 1
    var start = 0
    for column in 0..<last {
      start += 2 + (rows.map { column < $0.count ? TextWidth.of($0[column]) : 0 }.max() ?? 0)
    }
    // Beside wide columns a wrapped cell would be a word a line.
    guard width - start >= 20 else { return self }
    var table = TextTable(alignments)
    for row in rows {
      guard row.count > last else {
        table.add(row)
        continue
      }
      for (index, line) in TextWidth.lines(row[last], width: width - start).enumerated() {
        table.add((index == 0 ? Array(row.dropLast()) : Array(repeating: "", count: last)) + [line])
      }
    }
    return table
  }

  private static func addBlanks(_ count: Int, to bytes: inout [UInt8]) {
    for _ in 0..<count { bytes.append(blank) }
  }

  private static let blank = UInt8(ascii: " ")
}
