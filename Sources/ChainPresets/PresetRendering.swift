// A preset as text for people: what it is for, each unit, each setting beside its default.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioUnits

extension ChainPreset {
  /// The preset for people, as written: it need not fit what is installed.
  ///
  /// - Parameter heading: What to show behind the name, such as the file.
  ///
  /// Context: any.
  public func renderedText(heading: String = "") -> String {
    var lines = headLines(heading)
    for (index, entry) in units.enumerated() {
      lines += ["", entry.headLine(number: index + 1, unit: entry.unit.value)]
      if let preset = entry.preset { lines.append("     preset  \(preset.value)") }
      lines += columns(entry.parameters.map { [$0.name.value, $0.value.value] })
    }
    return (lines + output.lines).joined(separator: "\n") + "\n"
  }

  fileprivate func headLines(_ heading: String) -> [String] {
    var lines = [heading.isEmpty ? name : "\(name)  (\(heading))"]
    for paragraph in description.split(separator: "\n") { lines.append("  \(paragraph)") }
    var facts: [String] = []
    if !author.isEmpty { facts.append("author \(author)") }
    if !license.isEmpty { facts.append("license \(license)") }
    if !tags.isEmpty { facts.append("tags \(tags.joined(separator: ", "))") }
    if !facts.isEmpty { lines.append("  \(facts.joined(separator: "; "))") }
    return lines
  }
}

extension ResolvedChain {
  /// The preset for people with what the units tell: names, units, ranges and defaults.
  ///
  /// - Parameter heading: What to show behind the name, such as the file.
  ///
  /// Context: any.
  public func renderedText(heading: String = "") -> String {
    var lines = preset.headLines(heading)
    for (index, stage) in stages.enumerated() {
      let entry = preset.units[index]
      lines += ["", entry.headLine(number: index + 1, unit: stage.component.name)]
      if entry.unit.value != stage.component.name { lines.append("     unit  \(entry.unit.value)") }
      if let preset = stage.preset { lines.append("     preset  \(preset.name)") }
      lines += columns(
        stage.parameters.map { setting in
          let parameter = setting.parameter
          return [
            parameter.name, parameter.text(for: setting.value),
            "default \(parameter.text(for: parameter.defaultValue))", parameter.rangeText,
          ]
        })
      let others = stage.allParameters.filter { $0.isWritable }.count - stage.parameters.count
      if others > 0 {
        let rest = stage.preset == nil ? "its default" : "the preset's value"
        lines.append("     \(others) more at \(rest)")
      }
    }
    return (lines + output.lines).joined(separator: "\n") + "\n"
  }
}

extension UnitEntry {
  fileprivate func headLine(number: Int, unit: String) -> String {
    var line = "\(number)  \(label.map { "\($0): " } ?? "")\(unit)"
    if isBypassed { line += "  (bypassed)" }
    if mix != 1 { line += "  (mix \(plainNumber(mix * 100)) %)" }
    return line
  }
}

extension OutputSettings {
  fileprivate var lines: [String] {
    let tailText =
      switch tail {
      case .automatic: "auto"
      case .none: "none"
      case .keepLength: "keep-length"
      case .seconds(let seconds): "\(plainNumber(seconds)) s"
      }
    let same = PresetKeys.sameWord
    let rate = sampleRate.map { "\(plainNumber($0)) Hz" } ?? same
    return [
      "",
      "Output",
      "     tail \(tailText), latency \(latency.rawValue), container \(container?.value ?? same), "
        + "encoding \(encoding?.value ?? same), sample rate \(rate)",
    ]
  }
}

/// Rows of cells, each column as wide as its widest cell.
private func columns(_ rows: [[String]]) -> [String] {
  let count = rows.map(\.count).max() ?? 0
  let widths = (0..<count).map { column in
    rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
  }
  return rows.map { row in
    var line = "    "
    for (column, cell) in row.enumerated() {
      let isLast = column == row.count - 1
      let pad = isLast ? 0 : widths[column] - cell.count
      line += (column == 0 ? " " : "  ") + cell + String(repeating: " ", count: max(0, pad))
    }
    return line
  }
}
