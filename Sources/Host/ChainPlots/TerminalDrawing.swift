// A picture made of characters: dots of Braille patterns for curves, half blocks for maps.
// SPDX-License-Identifier: Apache-2.0

/// The abilities of a terminal.
public struct TerminalAbilities: Sendable {
  /// Columns of characters.
  public var columns = 80
  /// Whether its characters are those of Unicode.
  public var hasUnicode = true
  /// Whether it shows colours.
  public var hasColors = false

  /// A terminal of 80 columns.
  public init() {}
}

/// Draws a figure as lines of text.
struct TerminalDrawing {
  private let figure: PlotFigure
  private let terminal: TerminalAbilities
  private static let rows = 18
  private static let margin = 8
  private var columns: Int { max(20, min(terminal.columns, 110) - Self.margin - 1) }

  init(_ figure: PlotFigure, _ terminal: TerminalAbilities) {
    self.figure = figure
    self.terminal = terminal
  }

  /// The lines: title, picture with its axes, names of curves.
  var text: String {
    let body = figure.map.map(mapLines) ?? curveLines
    var lines = [figure.title]
    let ticks = figure.y.ticks(about: 6)
    for (row, line) in body.enumerated() {
      let tick = ticks.first { Self.row(figure.y.place($0.value)) == row }
      lines.append(Self.right(tick?.text ?? "") + (terminal.hasUnicode ? " │" : " |") + line)
    }
    lines += [bottom, figure.x.label.padded(toMiddleOf: columns, after: Self.margin)]
    if figure.curves.count > 1 {
      lines += figure.curves.enumerated().map { colored("\(mark($0)) \($1.name)", $0) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func row(_ place: Double) -> Int {
    Int(((1 - place) * Double(rows - 1)).rounded())
  }

  private static func right(_ text: String) -> String {
    String(repeating: " ", count: max(0, margin - 2 - text.count)) + text
  }

  /// The values of the first axis, each in the middle under its place, where there is room.
  private var bottom: String {
    var line = [Character](repeating: " ", count: Self.margin + columns + 4)
    var free = 0
    for tick in figure.x.ticks(about: max(2, columns / 10)) {
      let middle = Self.margin + Int((figure.x.place(tick.value) * Double(columns - 1)).rounded())
      let start = middle - tick.text.count / 2
      guard start >= free, start + tick.text.count <= line.count else { continue }
      for (offset, character) in tick.text.enumerated() { line[start + offset] = character }
      free = start + tick.text.count + 1
    }
    return String(line).trimmingEnd
  }

  // MARK: Curves

  private var curveLines: [String] {
    // Dots two by four a character with Unicode, one without.
    let (wide, high) = terminal.hasUnicode ? (2, 4) : (1, 1)
    var cells = [(dots: UInt8, curve: Int)](repeating: (0, -1), count: columns * Self.rows)
    func set(_ x: Int, _ y: Int, _ curve: Int) {
      guard (0..<columns * wide).contains(x), (0..<Self.rows * high).contains(y) else { return }
      let cell = (y / high) * columns + x / wide
      cells[cell].dots |= Self.dot(x % wide, y % high)
      cells[cell].curve = curve
    }
    for (index, curve) in figure.curves.enumerated() {
      var last: (Int, Int)?
      for (x, y) in zip(curve.x, curve.y) {
        let place = min(max(figure.y.place(y), -1), 2)
        let point = (
          Int(figure.x.place(x) * Double(columns * wide - 1)),
          Int(((1 - place) * Double(Self.rows * high - 1)).rounded())
        )
        let from = last ?? point
        let steps = max(1, abs(point.0 - from.0), abs(point.1 - from.1))
        for step in 0...steps {
          set(
            from.0 + (point.0 - from.0) * step / steps, from.1 + (point.1 - from.1) * step / steps,
            index)
        }
        last = point
      }
    }
    return (0..<Self.rows).map { row in
      (0..<columns).map { column in
        let cell = cells[row * columns + column]
        guard cell.curve >= 0 else { return " " }
        let braille = Unicode.Scalar(UInt32(0x2800) + UInt32(cell.dots)).map(String.init)
        return colored(terminal.hasUnicode ? braille ?? " " : mark(cell.curve), cell.curve)
      }.joined().trimmingEnd
    }
  }

  /// The bit of a dot in a Braille pattern: columns of three, the fourth row behind.
  private static func dot(_ x: Int, _ y: Int) -> UInt8 {
    y == 3 ? (x == 0 ? 0x40 : 0x80) : 1 << UInt8(y + 3 * x)
  }

  private func mark(_ curve: Int) -> String {
    terminal.hasUnicode ? "━" : ["*", "+", "o", "x"][curve % 4]
  }

  private func colored(_ text: String, _ curve: Int) -> String {
    guard terminal.hasColors, figure.curves.count > 1 else { return text }
    return "\u{1B}[\([36, 33, 32, 35][curve % 4])m\(text)\u{1B}[0m"
  }

  // MARK: Maps

  private func mapLines(_ map: PlotFigure.Map) -> [String] {
    let high = terminal.hasUnicode && terminal.hasColors ? 2 : 1
    func level(_ column: Int, _ row: Int) -> Int {
      let (first, last) = (
        row * map.rows / (Self.rows * high), (row + 1) * map.rows / (Self.rows * high) - 1
      )
      let place = (2 * column + 1) * map.columns / (2 * columns)
      let loudest = (first...max(first, last)).map { map.levels[$0 * map.columns + place] }.max()
      return min(15, max(0, Int((1 - (loudest ?? map.floor) / map.floor) * 16)))
    }
    return (0..<Self.rows).map { row in
      (0..<columns).map { column in
        guard high == 2 else {
          let shades = terminal.hasUnicode ? Array(" ░▒▓█") : Array(" .:*#")
          return String(shades[min(4, level(column, row) * 5 / 16)])
        }
        let (a, b) = (
          MapColors.sixteen[level(column, 2 * row)], MapColors.sixteen[level(column, 2 * row + 1)]
        )
        return "\u{1B}[38;2;\(a.0);\(a.1);\(a.2);48;2;\(b.0);\(b.1);\(b.2)m▀"
      }.joined() + (high == 2 ? "\u{1B}[0m" : "")
    }
  }
}

extension String {
  fileprivate var trimmingEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }

  fileprivate func padded(toMiddleOf columns: Int, after margin: Int) -> String {
    String(repeating: " ", count: margin + max(0, (columns - count) / 2)) + self
  }
}
