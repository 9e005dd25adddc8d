// A preset as text for people: description, units, settings and defaults.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioUnits
import ResultSettings

extension ChainPreset {
  /// The preset as text for people, as written; it need not match the installed units.
  ///
  /// - Parameter heading: The text after the name, such as the file.
  ///
  /// Context: any.
  public func renderedText(heading: String = "") -> String {
    let body = bodyLines { number, entry in
      var lines = [entry.headLine(number: number, unit: entry.unit.value)]
      if let preset = entry.preset { lines.append("     preset  \(preset.value)") }
      lines += columns(entry.parameters.map { [$0.name.value, $0.value.value] })
      return lines + entry.flowLines
    }
    return (headLines(heading) + body + endLines).joined(separator: "\n") + "\n"
  }

  /// The chain with its branches; `describe` returns the lines of a unit.
  fileprivate func bodyLines(_ describe: (Int, UnitEntry) -> [String]) -> [String] {
    var lines: [String] = []
    var number = 0
    func add(_ entries: [ChainEntry], depth: Int) {
      let pad = String(repeating: "  ", count: depth)
      for entry in entries {
        switch entry {
        case .unit(let unit):
          number += 1
          lines.append("")
          lines += describe(number, unit).map { pad + $0 }
        case .parallel(let parallel):
          let name = parallel.label.map { "\($0.value): " } ?? ""
          let bypass = bypassText(parallel.isBypassed, parallel.bypassProbability)
          let state = bypass.map { "  (\($0))" } ?? ""
          lines += ["", "\(pad)\(name)parallel, \(parallel.branches.count) branches\(state)"]
          for (index, branch) in parallel.branches.enumerated() {
            lines.append("\(pad)- \(branch.headLine(number: index + 1))")
            add(branch.entries, depth: depth + 1)
          }
          lines += ["", "\(pad)end of parallel"]
        case .noise(let noise): lines += ["", "\(pad)\(noise.headLine)"]
        }
      }
    }
    add(entries, depth: 0)
    for instrument in instruments {
      number += 1
      lines.append("")
      lines += describe(number, instrument.unit)
      for (name, list) in [("channels", instrument.channels), ("tracks", instrument.tracks)]
      where !list.isEmpty {
        lines.append("     \(name)  \(list.map(String.init).joined(separator: ", "))")
      }
      add(instrument.effects, depth: 1)
    }
    if !bus.isEmpty {
      lines += ["", "behind all:"]
      add(bus, depth: 1)
    }
    return lines
  }

  /// The output settings as lines.
  fileprivate var endLines: [String] {
    var lines = output.lines
    for deliverable in render {
      let name = deliverable.name?.value ?? "file"
      lines.append("     \(name): \(deliverable.settings.fileText)")
    }
    return lines
  }

  fileprivate func headLines(_ heading: String) -> [String] {
    var lines = [heading.isEmpty ? name : "\(name)  (\(heading))"]
    for paragraph in description.split(separator: "\n") { lines.append("  \(paragraph)") }
    var facts: [String] = []
    if !author.isEmpty { facts.append("author \(author)") }
    if !license.isEmpty { facts.append("license \(license)") }
    if let version { facts.append("version \(version)") }
    if !tags.isEmpty { facts.append("tags \(tags.joined(separator: ", "))") }
    if !facts.isEmpty { lines.append("  \(facts.joined(separator: "; "))") }
    if let inputLoudness {
      lines += ["", "Input", "     loudness \(plainNumber(inputLoudness)) LUFS"]
    }
    return lines
  }
}

extension ResolvedChain {
  /// The preset as text for people with the units' names, measures, ranges and defaults.
  ///
  /// - Parameter heading: The text after the name, such as the file.
  ///
  /// Context: any.
  public func renderedText(heading: String = "") -> String {
    let body = preset.bodyLines { number, entry in
      let stage = stages[number - 1]
      var lines = [entry.headLine(number: number, unit: stage.component.name)]
      if entry.unit.value != stage.component.name { lines.append("     unit  \(entry.unit.value)") }
      if let preset = stage.preset { lines.append("     preset  \(preset.name)") }
      lines += columns(
        stage.parameters.enumerated().map { index, setting in
          let parameter = setting.parameter
          let random = stage.randoms.first { $0.index == index }
          return [
            parameter.name, random?.text(for: parameter) ?? parameter.text(for: setting.value),
            "default \(parameter.text(for: parameter.defaultValue))", parameter.rangeText,
          ]
        })
      let reported = stage.parameters.count + stage.automation.count
      let others = stage.allParameters.filter { $0.isWritable }.count - reported
      if others > 0 {
        let rest = stage.preset == nil ? "its default" : "the preset's value"
        lines.append("     \(others) more at \(rest)")
      }
      return lines + entry.flowLines
    }
    return (preset.headLines(heading) + body + preset.endLines).joined(separator: "\n") + "\n"
  }
}

extension UnitEntry {
  fileprivate func headLine(number: Int, unit: String) -> String {
    var line = "\(number)  \(label.map { "\($0): " } ?? "")\(unit)"
    if let bypass = bypassText(isBypassed, bypassProbability) { line += "  (\(bypass))" }
    let percent = { (part: Double) in "\(plainNumber(part * 100)) %" }
    if mix != 1 || randomMix != nil {
      line += "  (mix \(randomMix?.text(percent) ?? percent(mix)))"
    }
    return line
  }

  /// Side chains, automation, and the output bus.
  fileprivate var flowLines: [String] {
    var lines: [String] = []
    for sideChain in sideChains {
      let source =
        switch sideChain.source.value {
        case .input: "input"
        case .stage(let name): name
        case .file(let path): sideChain.loops ? "\(path), looped" : path
        }
      var line = "     sidechain  \(source)"
      if let output = sideChain.output { line += " output \(output.value)" }
      if let bus = sideChain.bus { line += " into bus \(bus.value)" }
      if sideChain.gainDecibels != 0 { line += ", \(plainNumber(sideChain.gainDecibels)) dB" }
      lines.append(line)
    }
    for entry in automation {
      var steps = entry.points.prefix(8).map { point in
        let curve = point.curve.map { " (\($0.value.rawValue))" } ?? ""
        return "\(point.time.value.text) \(point.value.value)\(curve)"
      }
      if entry.points.count > 8 { steps.append("… \(entry.points.count) points") }
      lines.append("     \(entry.name.value) over time  \(steps.joined(separator: ", "))")
    }
    if let output { lines.append("     output bus  \(output.value)") }
    return lines
  }
}

extension NoiseEntry {
  /// The head of an addition, in a line.
  fileprivate var headLine: String {
    let place =
      switch source.value {
      case .file(let path): path
      case .folder(let path): "one of the files in \(path)"
      }
    let decibels = { (ratio: Double) in "\(plainNumber(ratio)) dB" }
    var line = label.map { "\($0.value): " } ?? ""
    line += "noise, \(place), snr \(randomRatio?.text(decibels) ?? decibels(ratioDecibels))"
    if let bypass = bypassText(isBypassed, bypassProbability) { line += "  (\(bypass))" }
    return line
  }
}

/// Whether the signal passes by, or how likely that is; nil when it does not.
private func bypassText(_ isBypassed: Bool, _ probability: Double?) -> String? {
  probability.map { "bypassed with a probability of \(plainNumber($0 * 100)) %" }
    ?? (isBypassed ? "bypassed" : nil)
}

extension BranchEntry {
  fileprivate func headLine(number: Int) -> String {
    var line = label?.value ?? "branch \(number)"
    if entries.isEmpty { line += ", dry" }
    let decibels = { (gain: Double) in "\(plainNumber(gain)) dB" }
    if gainDecibels != 0 || randomGain != nil {
      line += ", \(randomGain?.text(decibels) ?? decibels(gainDecibels))"
    }
    if pan != 0 { line += ", pan \(plainNumber(pan))" }
    return line
  }
}

extension ResolvedRandom {
  fileprivate func text(for parameter: UnitParameter) -> String {
    switch source {
    case .range(let low, let high, let isLogarithmic):
      let ends = "\(parameter.text(for: low)) to \(parameter.text(for: high))"
      return "random \(ends)\(isLogarithmic ? ", log" : "")"
    case .choices(let values):
      return "one of \(values.map(parameter.text(for:)).joined(separator: ", "))"
    }
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
    var ends = "tail \(tailText), latency \(latency.rawValue)"
    if let start { ends += ", start \(start.presetText)" }
    if let end { ends += ", end \(end.presetText)" }
    if let crop { ends += ", crop \(crop.text { "\(plainNumber($0)) s" })" }
    if let silenceThreshold { ends += ", trim silence \(plainNumber(silenceThreshold)) dBFS" }
    if !keepsMetadata { ends += ", metadata none" }
    return ["", "Output", "     \(ends), \(fileText)"]
  }

  /// The settings of the file, without settings that follow the input.
  fileprivate var fileText: String {
    let same = PresetKeys.sameWord
    let rate = sampleRate.map { "\(plainNumber($0)) Hz" } ?? same
    var parts = [
      "container \(container?.value ?? same)", "encoding \(encoding?.value ?? same)",
      "sample rate \(rate)",
    ]
    if let bitRate {
      parts.append("bit rate \(bitRate.bitsPerSecond.map { "\($0)" } ?? PresetKeys.noneWord)")
    }
    if let channelCount { parts.append("channels \(channelCount)") }
    let levels = { (level: Double) in plainNumber(level) }
    if let loudness {
      parts.append("loudness \(randomLoudness?.text(levels) ?? levels(loudness)) LUFS")
    }
    if isDualMono { parts.append("dual mono") }
    if let truePeak { parts.append("true peak \(plainNumber(truePeak)) dBTP") }
    if let peak { parts.append("peak \(randomPeak?.text(levels) ?? levels(peak)) dBFS") }
    if let dither { parts.append("dither \(dither.rawValue)") }
    if fadeIn > 0 { parts.append("fade in \(plainNumber(fadeIn)) s") }
    if fadeOut > 0 { parts.append("fade out \(plainNumber(fadeOut)) s") }
    return parts.joined(separator: ", ")
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
