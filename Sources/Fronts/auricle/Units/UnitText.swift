// A unit's description as text.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AuricleHost
import RunReports

/// Formats a unit's description.
enum UnitText {
  static func text(_ report: UnitReport) -> String {
    let component = report.component
    var text = "\(TerminalText.plain(component.name))\n"
    var head = TextTable([.left, .left])
    head.add(["Identity", "\(component.type):\(component.subtype):\(component.manufacturer)"])
    head.add(["Version", component.version])
    head.add(["Source", component.source])
    if let uri = component.uri { head.add(["URI", TerminalText.plain(uri)]) }
    if let path = component.path { head.add(["Path", TerminalText.plain(path)]) }
    if !component.tags.isEmpty {
      head.add(["Tags", TerminalText.plain(component.tags.joined(separator: ", "))])
    }
    let summary = report.summary.split(separator: "\n").joined(separator: " ")
    if !summary.isEmpty { head.add(["About", TerminalText.plain(summary)]) }
    if let facts = report.plugIn { add(facts, to: &head) }
    addBuses(report, to: &head)
    if let behavior = report.behavior {
      let rate = Figures.value(Float(behavior.sampleRate))
      head.add([
        "Latency",
        "\(behavior.latencyFrames) frames (\(Figures.value(Float(behavior.latencySeconds * 1000))) ms)"
          + " at \(rate) Hz",
      ])
      head.add(["Tail", tail(behavior.tailSeconds)])
      for note in behavior.notes { head.add(["Note", TerminalText.plain(note)]) }
    } else if let uri = component.uri, report.wasOpened {
      // Only the plug-in itself knows, and describing it runs none of its code.
      let command = "auricle scan " + ShellWord.quoted(TerminalText.plain(uri))
      head.add(["Latency", "shown after \(command)"])
      head.add(["Tail", tail(nil)])
    }
    text += head.text(indent: "  ", wrappedAt: TextTable.lineWidth)
    if report.wasOpened { text += parameters(of: report) }
    text += texts(report.texts)
    text += presets(report.presets)
    return text
  }

  private static func addBuses(_ report: UnitReport, to head: inout TextTable) {
    for (name, buses) in [("Input", report.inputBuses), ("Output", report.outputBuses)] {
      for (index, bus) in buses.enumerated() {
        let title = bus.name.isEmpty || bus.name == name ? "" : TerminalText.plain(bus.name) + ": "
        head.add(["\(name) bus \(index)", title + bus.format])
      }
      if buses.isEmpty, report.wasOpened { head.add(["\(name)s", "none"]) }
    }
    if let pairs = report.channelCapabilities, !pairs.isEmpty {
      let words = pairs.map { pair in
        if pair == [-1, -1] { return "any number, as many out as in" }
        if pair == [-1, -2] || pair == [-2, -1] { return "any number in, any out" }
        return pair.map { $0 < 0 ? "any" : "\($0)" }.joined(separator: " in, ") + " out"
      }
      head.add(["Channels", words.joined(separator: "; ")])
    }
  }

  private static func tail(_ seconds: Double?) -> String {
    guard let seconds else { return "not reported: it lasts as long as there is sound" }
    return seconds.isFinite ? Figures.duration(seconds) : "endless"
  }

  private static func parameters(of report: UnitReport) -> String {
    let text =
      parameters(report.parameters, "Parameters")
      + parameters(report.inputParameters, "Parameters of each input bus")
      + parameters(report.outputParameters, "Parameters of each output bus")
    return text.isEmpty ? "\nNo parameters\n" : text
  }

  private static func parameters(_ parameters: [UnitReport.Parameter], _ title: String) -> String {
    guard !parameters.isEmpty else { return "" }
    let hasSymbols = parameters.contains { $0.symbol != nil }
    var table = TextTable([.right, .left, .left, .right, .left, .right, .right, .left])
    table.add([
      "id", "name", hasSymbols ? "symbol" : "", "from", "", "to", "default", "unit",
    ])
    for parameter in parameters {
      table.add([
        "\(parameter.id)", TerminalText.plain(parameter.name), parameter.symbol ?? "",
        Figures.value(parameter.minimum), "…", Figures.value(parameter.maximum),
        Figures.value(parameter.defaultValue),
        TerminalText.plain(parameter.unit) + (parameter.isWritable ? "" : " (read only)"),
      ])
    }
    var text = "\n\(title)\n" + table.text(indent: "  ")
    for parameter in parameters where !parameter.valueNames.isEmpty {
      let names = parameter.valueNames.map {
        "\(Figures.value($0.value)) \(TerminalText.plain($0.name))"
      }
      text += list(names, of: parameter.name)
    }
    return text
  }

  private static func texts(_ texts: [UnitReport.Text]) -> String {
    guard !texts.isEmpty else { return "" }
    var table = TextTable([.left, .left, .left, .left, .left])
    table.add(["name", "symbol", "values", "default", ""])
    for text in texts {
      table.add([
        TerminalText.plain(text.name), TerminalText.plain(text.symbol), values(of: text),
        [text.defaultValue, text.unit].compactMap(\.self).filter { !$0.isEmpty }
          .joined(separator: " "), text.isWritable ? "" : "(read only)",
      ])
    }
    let long = texts.filter(hasLongList).map { text in
      list((text.values ?? []).map(TerminalText.plain), of: text.name)
    }
    return "\nSettings\n" + table.text(indent: "  ") + long.joined()
  }

  /// Whether the values of a setting are listed below the table, where they have room.
  private static func hasLongList(_ text: UnitReport.Text) -> Bool {
    text.kind == "choice" && TextWidth.of((text.values ?? []).joined(separator: ", ")) > 30
  }

  /// The names of values, below a table.
  private static func list(_ names: [String], of name: String) -> String {
    let lines = TextWidth.lines(names.joined(separator: ", "), width: TextTable.lineWidth - 4)
    return "\n  Values of \(TerminalText.plain(name))\n" + lines.map { "    \($0)\n" }.joined()
  }

  private static func values(of text: UnitReport.Text) -> String {
    switch text.kind {
    case "path": return "path of a file"
    case "number":
      let range = [text.minimum, text.maximum].compactMap { $0 }.map(Figures.value)
      return range.joined(separator: " to ") + (text.unit.map { $0.isEmpty ? "" : " " + $0 } ?? "")
    case "choice":
      let values = (text.values ?? []).map(TerminalText.plain)
      return hasLongList(text) ? "\(values.count) names, below" : values.joined(separator: ", ")
    case "switch": return "true or false"
    default: return "text"
    }
  }

  private static func presets(_ presets: [UnitReport.Preset]) -> String {
    guard !presets.isEmpty else { return "" }
    var text = ""
    // Presets are grouped by bank, those without a bank first.
    var banks: [String?] = []
    for preset in presets where !banks.contains(preset.bank) { banks.append(preset.bank) }
    banks.sort { ($0 ?? "") < ($1 ?? "") }
    for bank in banks {
      var table = TextTable([.right, .left, .left, .left])
      for preset in presets where preset.bank == bank {
        table.add([
          preset.number.map(String.init) ?? "", TerminalText.plain(preset.name),
          preset.source == "user" ? "user" : "",
          TerminalText.plain(preset.uri ?? (preset.number == nil ? preset.path ?? "" : "")),
        ])
      }
      text += "\nPresets" + (bank.map { " of bank \(TerminalText.plain($0))" } ?? "") + "\n"
      text += table.text(indent: "  ")
    }
    return text
  }

  private static func add(_ facts: PlugInFacts, to head: inout TextTable) {
    func short(_ uri: String) -> String {
      let words = uri.split(whereSeparator: { "#/:".contains($0) }).map(String.init)
      guard let last = words.last else { return TerminalText.plain(uri) }
      // Many extensions are called "interface": the previous word distinguishes them.
      guard last.lowercased() == "interface", words.count > 1 else {
        return TerminalText.plain(last)
      }
      return TerminalText.plain("\(words[words.count - 2]):\(last)")
    }
    head.add(["Bundle", TerminalText.plain(facts.bundle)])
    for (title, uris) in [
      ("Requires", facts.requiredFeatures), ("Can use", facts.optionalFeatures),
      ("Interfaces", facts.extensions),
    ] where !uris.isEmpty {
      head.add([title, uris.map(short).joined(separator: ", ")])
    }
    if !facts.userInterfaces.isEmpty {
      let kinds = facts.userInterfaces.map { $0.isEmpty ? "of an unknown kind" : short($0) }
      head.add(["Editor", "\(kinds.joined(separator: ", ")): auricle show opens it"])
    }
    if facts.midiInputs + facts.midiOutputs > 0 {
      head.add(["MIDI", "\(facts.midiInputs) in, \(facts.midiOutputs) out"])
    }
    if let voices = facts.voices { head.add(["Voices", "up to \(voices)"]) }
    if let names = facts.keyNames {
      let words = names.map { name in
        let place = (name.key.map { "\($0)" } ?? "all") + (name.channel.map { "/\($0)" } ?? "")
        return "\(place) \(TerminalText.plain(name.name))"
      }
      head.add(["Keys", words.joined(separator: ", ")])
    }
    if facts.controlVoltageInputs + facts.controlVoltageOutputs > 0 {
      head.add(["CV", "\(facts.controlVoltageInputs) in, \(facts.controlVoltageOutputs) out"])
    }
  }
}
