// A chain as the text of a preset, with the stage and the key of every line.
// SPDX-License-Identifier: Apache-2.0

import HostSystem

/// Writes a chain as YAML, and knows what each line is about.
struct ChainText {
  /// The subject of a line.
  struct Place: Equatable {
    var stage: String?
    var branch: String?
    var key: String?

    var json: JSONValue {
      .members([
        ("stage", stage.map(JSONValue.string)), ("branch", branch.map(JSONValue.string)),
        ("key", key.map(JSONValue.string)),
      ])
    }
  }

  /// The differences from the chain as it is saved.
  struct Options: Equatable {
    /// The folder that relative paths are relative to, to be written in full; nil to leave them.
    var folder: String?
    /// Whether parameters are left out.
    var leavesOutParameters = false
    /// Whether the chain alone is written, without levels and formats of files.
    var leavesOutFiles = false
  }

  private(set) var text = ""
  /// The text without values of parameters.
  private(set) var structure = ""
  private(set) var places: [Place] = []
  private var place = Place()
  private let options: Options

  /// Writes a chain.
  init(_ state: ChainState, _ options: Options = Options()) {
    self.options = options
    line("auricle: 1")
    field("name", .string(state.name.isEmpty ? "Untitled" : state.name))
    for (key, value) in [
      ("description", state.description), ("author", state.author), ("license", state.license),
    ] where !value.isEmpty { field(key, .string(value)) }
    if let version = state.version { field("version", JSONValue(version)) }
    if !state.tags.isEmpty { field("tags", .array(state.tags.map(JSONValue.string))) }
    if let loudness = state.inputLoudness, !options.leavesOutFiles {
      field("input", .members([("loudness", .string("\(Self.number(loudness)) LUFS"))]))
    }
    if !state.others.contains(where: { $0.key == "instruments" }) {
      place.key = "units"
      write(state.entries, key: "units", depth: 0)
    }
    place = Place()
    for member in state.others where !(options.leavesOutFiles && member.key == "render") {
      field(member.key, member.value)
    }
    if !state.output.isEmpty, !options.leavesOutFiles { field("output", .object(state.output)) }
  }

  /// The subject of a line, counted from 1.
  func place(ofLine line: Int) -> Place? {
    places.indices.contains(line - 1) ? places[line - 1] : nil
  }

  private mutating func line(_ content: String, isValue: Bool = false) {
    text += content + "\n"
    if !isValue { structure += content + "\n" }
    places.append(place)
  }

  private mutating func field(_ key: String, _ value: JSONValue, depth: Int = 0) {
    if place.stage == nil, place.branch == nil { place.key = key }
    line(String(repeating: "  ", count: depth) + "\(Self.scalar(key)): \(Self.flow(value))")
  }

  private mutating func write(_ entries: [ChainStage], key: String, depth: Int) {
    let pad = String(repeating: "  ", count: depth)
    guard !entries.isEmpty else { return line("\(pad)\(key): []") }
    line("\(pad)\(key):")
    for entry in entries {
      let outer = place
      place = Place(stage: entry.id)
      write(entry, depth: depth + 1)
      place = outer
    }
  }

  private mutating func write(_ stage: ChainStage, depth: Int) {
    let first = String(repeating: "  ", count: depth) + "- "
    switch stage.kind {
    case .unit(let unit):
      place.key = "unit"
      line(first + "unit: \(Self.scalar(unit.unit))")
      write(unit, of: stage, depth: depth + 1)
    case .parallel(let branches):
      place.key = "parallel"
      line(first + "parallel:")
      for branch in branches {
        let outer = place
        place = Place(stage: stage.id, branch: branch.id, key: "gain")
        write(branch, depth: depth + 2)
        place = outer
      }
      member("name", stage.name.map(JSONValue.string), depth + 1)
      member("bypass", stage.bypass, depth + 1)
    case .noise(let members):
      place.key = "noise"
      let noise = members.first { $0.key == "noise" }?.value ?? .object([])
      line(first + "noise: \(Self.flow(inFull(noise)))")
      for other in members where other.key != "noise" { member(other.key, other.value, depth + 1) }
      member("name", stage.name.map(JSONValue.string), depth + 1)
      member("bypass", stage.bypass, depth + 1)
    }
  }

  private mutating func write(_ unit: UnitStage, of stage: ChainStage, depth: Int) {
    member("name", stage.name.map(JSONValue.string), depth)
    member("preset", unit.preset.map { JSONValue.string(fileInFull($0)) }, depth)
    if !unit.parameters.isEmpty, !options.leavesOutParameters {
      place.key = "parameters"
      line(String(repeating: "  ", count: depth) + "parameters:", isValue: true)
      for setting in unit.parameters {
        place.key = "parameters.\(setting.name)"
        var value = setting.value
        if let text = value.text { value = .string(fileInFull(text)) }
        line(
          String(repeating: "  ", count: depth + 1)
            + "\(Self.scalar(setting.name)): \(Self.settingText(value))", isValue: true)
      }
    }
    member("automation", unit.automation, depth)
    if !unit.sideChains.isEmpty {
      member("sidechain", .array(unit.sideChains.map(inFull)), depth)
    }
    member("output", unit.output.map(JSONValue.string), depth)
    member("bypass", stage.bypass, depth)
    if unit.mix != 1 { member("mix", unit.mix, depth) }
  }

  private mutating func write(_ branch: ChainBranch, depth: Int) {
    let pad = String(repeating: "  ", count: depth)
    line(
      "\(pad)- gain: \(Self.flow(branch.gain.number.map { .string("\(Self.number($0)) dB") } ?? branch.gain))"
    )
    member("name", branch.name.map(JSONValue.string), depth + 1)
    if branch.pan != 0 { member("pan", JSONValue(branch.pan), depth + 1) }
    if !branch.entries.isEmpty { write(branch.entries, key: "units", depth: depth + 1) }
  }

  private mutating func member(_ key: String, _ value: JSONValue?, _ depth: Int) {
    guard let value, !(key == "bypass" && value == false) else { return }
    place.key = key
    line(String(repeating: "  ", count: depth) + "\(key): \(Self.flow(value))")
  }

  // MARK: Paths

  /// A path of a file that is there, in full where it is relative to the folder of the preset.
  private func fileInFull(_ text: String) -> String {
    guard let folder = options.folder, !text.isEmpty, !Path.isFromRoot(text), !text.hasPrefix("~"),
      text.contains("/") || text.contains("."),
      FileIdentity.of(Path.joining(folder, text)) != nil
    else { return text }
    return Path.joining(folder, text)
  }

  /// `file` and `folder` of noise and side chains in full.
  private func inFull(_ value: JSONValue) -> JSONValue {
    guard case .object(let members) = value else { return value }
    return .object(
      members.map { member in
        guard ["file", "folder"].contains(member.key), let text = member.value.text,
          let folder = options.folder, !Path.isFromRoot(text), !text.hasPrefix("~")
        else { return member }
        return JSONValue.Member(member.key, .string(Path.joining(folder, text)))
      })
  }

  // MARK: Scalars

  /// A number without more digits than it needs.
  static func number(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? "\(value)"
  }

  /// A value on one line.
  private static func flow(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): scalar(text)
    case .array(let list): "[" + list.map(flow).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.map { "\(scalar($0.key)): \(flow($0.value))" }.joined(separator: ", ") + "}"
    default: value.compactText
    }
  }

  /// The value of a parameter; a number needs no quotation marks, as all values are read as texts.
  private static func settingText(_ value: JSONValue) -> String {
    if let text = value.text, let first = text.first, first.isASCII, first.isNumber || first == "-",
      Double(text) != nil
    {
      return text
    }
    return flow(value)
  }

  /// A text in YAML: in quotation marks where it could be taken for something else.
  private static func scalar(_ text: String) -> String {
    let isPlain =
      !text.isEmpty && text.first != " " && text.last != " "
      && text.unicodeScalars.allSatisfy {
        ($0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0)))
          || " ._/+%-".unicodeScalars.contains($0)
      }
      && !(text.hasPrefix("-") && !(text.dropFirst().first?.isNumber ?? false))
      && !"%+./".contains(text.first ?? " ")
      && !["true", "false", "null", "yes", "no", "on", "off", "y", "n", "~", "inf", "nan"]
        .contains(text.lowercased())
    return isPlain && Double(text) == nil ? text : JSONValue.string(text).compactText
  }
}
