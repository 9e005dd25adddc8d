// A picture as SVG.
// SPDX-License-Identifier: Apache-2.0

import AudioPictures

/// The colours of a picture.
public enum PlotTheme: String, Sendable, CaseIterable {
  /// Dark lines on white.
  case light
  /// Light lines on black.
  case dark
  /// As the page or the system that shows it: for SVG.
  case auto
}

/// Draws a figure as an SVG document of 800 × 450 that needs no other file.
struct SVGDrawing {
  private let figure: PlotFigure
  private let theme: PlotTheme
  private static let (width, height) = (800.0, 450.0)
  private static let frame = (left: 66.0, top: 54.0, right: 784.0, bottom: 398.0)

  init(_ figure: PlotFigure, theme: PlotTheme) {
    self.figure = figure
    self.theme = theme
  }

  /// The document.
  var text: String {
    let title = Self.escaped(figure.title)
    let shown = Self.escaped(Self.cut(figure.title, to: 72))
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 450" width="800" height="450" role="img">
      <title>\(title)</title>
      <style>\(style)</style>
      <clipPath id="frame"><rect x="66" y="54" width="718" height="344"/></clipPath>
      <rect class="paper" width="800" height="450"/>
      <text class="title" x="66" y="24">\(shown)</text>
      \(map)\(grid)
      <rect class="box" x="66" y="54" width="718" height="344"/>
      \(labels)
      \(curves)\(legend)</svg>

      """
  }

  // MARK: Colours

  private struct Colors {
    var paper, ink, grid, reference: String
    var curves: [String]

    static let light = Colors(
      paper: "#ffffff", ink: "#24292f", grid: "#d8dee4", reference: "#8c959f",
      curves: ["#0072b2", "#d55e00", "#00845f", "#a3407f"])
    static let dark = Colors(
      paper: "#0d1117", ink: "#e6edf3", grid: "#30363d", reference: "#7d8590",
      curves: ["#56b4e9", "#e69f00", "#3fcf9f", "#e58fc0"])

    var rules: String {
      """
      .paper{fill:\(paper)}text{fill:\(ink)}.grid{stroke:\(grid)}.box{stroke:\(ink)}\
      .reference{stroke:\(reference)}
      """
        + curves.enumerated().map { ".c\($0.offset){stroke:\($0.element)}" }.joined()
    }
  }

  private var style: String {
    let common = """
      text{font:13px "DejaVu Sans",Verdana,sans-serif}.title{font-size:16px;font-weight:bold}\
      .grid,.box{fill:none;stroke-width:1}.curve{fill:none;stroke-width:2;stroke-linejoin:round}\
      .reference{fill:none;stroke-dasharray:6 4}.middle{text-anchor:middle}.end{text-anchor:end}
      """
    switch theme {
    case .light: return common + Colors.light.rules
    case .dark: return common + Colors.dark.rules
    case .auto:
      return common + Colors.light.rules
        + "@media (prefers-color-scheme:dark){\(Colors.dark.rules)}"
    }
  }

  // MARK: Parts

  private func across(_ value: Double) -> Double {
    Self.frame.left + figure.x.place(value) * (Self.frame.right - Self.frame.left)
  }

  private func down(_ value: Double) -> Double {
    Self.frame.bottom - figure.y.place(value) * (Self.frame.bottom - Self.frame.top)
  }

  private var grid: String {
    guard figure.map == nil else { return "" }
    let lines =
      figure.x.ticks().map { "M\(Self.number(across($0.value))) 54V398" }
      + figure.y.ticks().map { "M66 \(Self.number(down($0.value)))H784" }
    return "<path class=\"grid\" d=\"\(lines.joined())\"/>"
  }

  private var labels: String {
    var lines = figure.x.ticks().map { tick in
      "<text class=\"middle\" x=\"\(Self.number(across(tick.value)))\" y=\"416\">\(tick.text)</text>"
    }
    lines += figure.y.ticks().map { tick in
      "<text class=\"end\" x=\"60\" y=\"\(Self.number(down(tick.value) + 4.5))\">\(tick.text)</text>"
    }
    lines.append(
      "<text class=\"middle\" x=\"425\" y=\"438\">\(Self.escaped(figure.x.label))</text>")
    lines.append(
      "<text class=\"middle\" x=\"16\" y=\"226\" transform=\"rotate(-90 16 226)\">"
        + "\(Self.escaped(figure.y.label))</text>")
    return lines.joined(separator: "\n")
  }

  private var curves: String {
    var lines: [String] = []
    if let reference = figure.reference {
      lines.append("<path class=\"reference\" d=\"\(path(reference))\"/>")
    }
    for (index, curve) in figure.curves.enumerated() {
      lines.append("<path class=\"curve c\(index % 4)\" d=\"\(path(curve))\"/>")
    }
    guard !lines.isEmpty else { return "" }
    return "<g clip-path=\"url(#frame)\">\n\(lines.joined(separator: "\n"))\n</g>\n"
  }

  private func path(_ curve: PlotFigure.Curve) -> String {
    // Far outside of the frame, all is alike.
    let points = zip(curve.x, curve.y).map {
      (x: across($0), y: min(max(down($1), -1000), 2000))
    }
    return PathThinning.kept(points).map {
      "\(Self.number(points[$0].x)) \(Self.number(points[$0].y))"
    }.joined(separator: "L").prefixed("M")
  }

  /// Names under the title, where there are several curves.
  private var legend: String {
    guard figure.curves.count > 1 else { return "" }
    var place = 66.0
    let room = 86 / figure.curves.count
    return figure.curves.enumerated().map { index, curve in
      let start = place
      let name = Self.cut(curve.name, to: max(4, room - 4))
      place += 38 + 7.6 * Double(name.count)
      return """
        <path class="curve c\(index % 4)" d="M\(Self.number(start)) 41h20"/>\
        <text x="\(Self.number(start + 26))" y="45">\(Self.escaped(name))</text>

        """
    }.joined()
  }

  /// The map as an image, and the colours of its levels.
  private var map: String {
    guard let map = figure.map else { return "" }
    let colors = MapColors.sixteen
    let indices = map.levels.map { level in
      UInt8(min(15, max(0, Int((1 - level / map.floor) * 16))))
    }
    let png = IndexedPicture(width: map.columns, height: map.rows, pixels: indices)
      .png(colors.map { ($0.0, $0.1, $0.2, 255) })
    return """
      <image x="66" y="54" width="718" height="344" preserveAspectRatio="none" \
      href="data:image/png;base64,\(Base64.text(png))"/>

      """
  }

  // MARK: Text

  /// A coordinate with one decimal place.
  private static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(Double(tenths) / 10)"
  }

  /// Cuts a text to the space.
  private static func cut(_ text: String, to count: Int) -> String {
    text.count > count ? text.prefix(count - 1) + "…" : text
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}

/// Leaves out points that a straight line passes closer to than can be seen.
enum PathThinning {
  /// The indices of the points that stay.
  static func kept(_ points: [(x: Double, y: Double)]) -> [Int] {
    guard var start = points.indices.first else { return [] }
    var kept = [start]
    for end in points.indices.dropFirst(2) {
      let (a, b) = (points[start], points[end])
      let isStraight =
        end - start < 60 && b.x > a.x
        && ((start + 1)..<end).allSatisfy { index in
          let wanted = a.y + (b.y - a.y) * (points[index].x - a.x) / (b.x - a.x)
          return abs(points[index].y - wanted) < 0.12
        }
      guard !isStraight else { continue }
      start = end - 1
      kept.append(start)
    }
    if points.count > 1 { kept.append(points.count - 1) }
    return kept
  }
}

extension String {
  fileprivate func prefixed(_ start: String) -> String { isEmpty ? "" : start + self }
}

/// Colours from nothing to full level, equal steps of lightness.
enum MapColors {
  static let sixteen: [(UInt8, UInt8, UInt8)] = [
    (0, 0, 4), (11, 7, 36), (32, 12, 74), (59, 9, 100), (87, 16, 110), (112, 25, 110),
    (137, 34, 106), (163, 43, 97), (187, 55, 84), (209, 71, 67), (229, 92, 48), (243, 120, 25),
    (250, 151, 8), (250, 187, 32), (241, 224, 92), (252, 255, 164),
  ]
}
