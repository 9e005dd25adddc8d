// The distribution of the loudness of inputs and results, as a drawing in the page.
// SPDX-License-Identifier: Apache-2.0

import RunLedgers

/// Two rows of bars over one scale, before and after.
struct LoudnessChart {
  let before: LevelHistogram
  let after: LevelHistogram
  /// The requested loudness, in LUFS; nil for none.
  let target: Double?

  private static let (width, height, mostBins) = (380, 52, 38)
  /// The room beside the rows for their names.
  private static let gutter = 48

  /// The drawing; empty where fewer than two results have a loudness.
  var svg: String {
    guard after.count > 1, let range = joined else { return "" }
    // Steps of a tenth of a dB, or as many of them as leave room for all bars.
    let (least, most) = (
      Int((range.lowerBound * 10).rounded()), Int((range.upperBound * 10).rounded())
    )
    let step = [1, 2, 5, 10, 20, 50, 100].first { (most - least) / $0 < Self.mostBins } ?? 500
    let start = Int((Double(least) / Double(step)).rounded(.down)) * step
    let count = (most - start) / step + 1
    func place(_ level: Double) -> Double {
      (level * 10 - Double(start)) / Double(step) * Double(Self.width) / Double(count)
    }
    var text =
      "<svg class=\"chart\" viewBox=\"-\(Self.gutter) 0 \(Self.gutter + Self.width) 142\" role=\"img\" "
      + "aria-label=\"\(label)\">"
    let bins = [before, after].map { $0.bins(from: start, step: step, count: count) }
    // One scale for both, or a single file would resemble a hundred.
    let highest = bins.joined().max() ?? 1
    // Counts are drawn last, so that no line crosses them.
    var counts = ""
    for (row, histogram) in [before, after].enumerated() {
      let base = 58 + row * 62
      let name = row == 0 ? "before" : "after"
      text += bars(bins[row], of: highest, base, name, counts: &counts) { place in
        HTMLRow.level(Double(start + place * step) / 10)
      }
      if let median = histogram.median {
        let x = Figures.short(place(median + Double(step) / 20))
        text += "<path class=\"median\" d=\"M\(x) \(base - Self.height)V\(base)\"/>"
      }
      text += "<text x=\"-\(Self.gutter)\" y=\"\(base - 2)\">\(name)</text>"
    }
    if let target, target * 10 >= Double(start), place(target) <= Double(Self.width) {
      let x = Figures.short(place(target + Double(step) / 20))
      text += "<path class=\"target\" d=\"M\(x) 6V120\"/>"
    }
    text += counts
    let (low, high) = (Double(start) / 10, Double(start + count * step) / 10)
    text += "<text x=\"0\" y=\"136\">\(HTMLRow.level(low))</text>"
    text +=
      "<text x=\"\(Self.width)\" y=\"136\" text-anchor=\"end\">\(HTMLRow.level(high)) LUFS</text>"
    let lines =
      target == nil
      ? "The line is the median." : "The line is the median, the dashed one the target."
    return text + "</svg><p class=\"quiet\">Files by loudness. \(lines)</p>"
  }

  /// Draws bars.
  ///
  /// - Parameters:
  ///   - most: The count of the highest bar of the whole drawing.
  ///   - counts: The drawing of counts, to which those of the bars are added.
  ///   - level: The loudness at which a bar begins, as text.
  private func bars(
    _ bins: [Int], of most: Int, _ base: Int, _ name: String, counts: inout String,
    level: (Int) -> String
  ) -> String {
    let width = Double(Self.width) / Double(bins.count)
    var text = "<path class=\"base\" d=\"M0 \(base).5H\(Self.width)\"/>"
    for (place, count) in bins.enumerated() where count > 0 {
      let height = max(1.5, Double(count) / Double(max(most, 1)) * Double(Self.height - 12))
      let left = Double(place) * width
      text += "<rect class=\"\(name)\" x=\"\(Figures.short(Double(place) * width + 0.5))\" "
      text += "y=\"\(Figures.short(Double(base) - height))\" "
      text += "width=\"\(Figures.short(max(width - 1, 1)))\" height=\"\(Figures.short(height))\">"
      text += "<title>\(level(place)) LUFS: \(Figures.count(count, "file", "files"))</title></rect>"
      // Where a bar has room for its number.
      if width >= Double(7 * String(count).count + 2) {
        counts += "<text class=\"count\" x=\"\(Figures.short(left + width / 2))\" "
        counts +=
          "text-anchor=\"middle\" y=\"\(Figures.short(Double(base) - height - 2))\">\(count)</text>"
      }
    }
    return text
  }

  private var joined: ClosedRange<Double>? {
    guard let after = after.range else { return nil }
    guard let before = before.range else { return after }
    return min(before.lowerBound, after.lowerBound)...max(before.upperBound, after.upperBound)
  }

  /// The drawing in words.
  private var label: String {
    func words(_ name: String, _ histogram: LevelHistogram) -> String? {
      guard let range = histogram.range, let median = histogram.median else { return nil }
      return "\(name) from \(Figures.level(range.lowerBound)) to "
        + "\(Figures.level(range.upperBound)) LUFS, median \(Figures.level(median))"
    }
    return "Loudness "
      + [words("before", before), words("after", after)].compactMap(\.self).joined(separator: "; ")
  }
}
