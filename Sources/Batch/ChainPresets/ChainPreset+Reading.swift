// Reads a preset's tree into the model: every key is checked, and all mistakes are reported at once.
// SPDX-License-Identifier: Apache-2.0

import ResultSettings

extension ChainPreset {
  /// Reads a preset from its text.
  ///
  /// - Parameters:
  ///   - text: YAML in the restricted form of the preset guide, or JSON.
  ///   - name: The file's name for diagnostics.
  /// - Throws: All mistakes in the text at once.
  ///
  /// Context: control.
  public init(text: String, name: String = "preset") throws(PresetErrors) {
    try self.init(source: PresetSource(name: name, bytes: Array(text.utf8)))
  }

  /// Reads a preset from a checked text.
  ///
  /// - Throws: All mistakes in the text at once.
  ///
  /// Context: control.
  public init(source: PresetSource) throws(PresetErrors) {
    let (root, diagnostics) = PresetNode.read(source)
    guard let root else { throw PresetErrors(diagnostics) }
    var reader = PresetReader(source: source, diagnostics: diagnostics)
    let preset = reader.document(root)
    guard reader.diagnostics.isEmpty else {
      var errors = PresetErrors(reader.diagnostics)
      errors.readable = preset
      throw errors
    }
    self = preset
  }
}

/// Reads nodes and collects diagnostics.
struct PresetReader {
  let source: PresetSource
  var diagnostics: [PresetDiagnostic]

  mutating func add(_ message: String, at position: SourcePosition) {
    guard diagnostics.count < PresetErrors.maximumCount else { return }
    diagnostics.append(PresetDiagnostic(message, at: position, in: source))
  }

  mutating func document(_ root: PresetNode) -> ChainPreset {
    var preset = ChainPreset(name: "")
    preset.source = source
    guard case .mapping(let pairs) = root.content else {
      add(
        "a preset is a mapping that starts with 'auricle: 1', not \(root.kindName)",
        at: root.position)
      return preset
    }
    guard checkVersion(pairs, root.position) else { return preset }
    requireKeys(PresetKeys.requiredInDocument, in: pairs, of: "the preset", at: root.position)
    for (key, value) in pairs {
      switch key.value {
      case "auricle": break
      case "name": preset.name = line(value, key: "name") ?? ""
      case "description": preset.description = text(value, key: "description") ?? ""
      case "author": preset.author = line(value, key: "author") ?? ""
      case "license": preset.license = line(value, key: "license") ?? ""
      case "version": preset.version = version(value)
      case "tags": preset.tags = tags(value)
      case "units": preset.entries = entries(value, depth: 0)
      case "instruments": preset.instruments = instruments(value)
      case "bus": preset.bus = entries(value, depth: 0)
      case "midi":
        preset.controllers = entries(
          value, form: "'midi' must be a mapping such as {74: Filter cutoff}"
        ) { reader, name, value in
          reader.located(value, key: name.value).map { ParameterSetting(name: name, value: $0) }
        }
      case "isolate": preset.isolate = isolation(value)
      case "input": preset.inputLoudness = inputLoudness(value)
      case "output": preset.output = output(value)
      case "render": break
      default: unknown(key, among: PresetKeys.document, in: "a preset")
      }
    }
    let asking = ["units", "instruments", "output", "render"]
    if !pairs.contains(where: { asking.contains($0.key.value) }) {
      add(
        "the preset has no 'units', no 'output' and no 'render': it asks for nothing",
        at: root.position)
    }
    // Deliverables start from the settings of `output`, which may follow later in the text.
    if let list = pairs.first(where: { $0.key.value == "render" }) {
      preset.render = render(list.value, output: preset.output)
    }
    checkInstruments(of: preset, at: root.position)
    for problem in preset.structureProblems() where diagnostics.count < PresetErrors.maximumCount {
      diagnostics.append(problem)
    }
    return preset
  }

  private mutating func isolation(_ value: PresetNode) -> String? {
    guard let text = line(value, key: "isolate") else { return nil }
    guard PresetKeys.isolation.contains(text) else {
      add("'isolate' is chain, unit or none, not \(quoted(text))", at: value.position)
      return nil
    }
    return text
  }

  /// Reads the format version; `false` when the rest cannot be understood.
  private mutating func checkVersion(
    _ pairs: [(key: Located<String>, value: PresetNode)], _ start: SourcePosition
  ) -> Bool {
    guard let index = pairs.firstIndex(where: { $0.key.value == "auricle" }) else {
      add("the first key must be 'auricle: 1', the version of the format", at: start)
      return true
    }
    let (key, value) = pairs[index]
    guard case .scalar(let text, true) = value.content, let version = parseNumber(text) else {
      add("'auricle' is the version of the format and must be 1", at: value.position)
      return true
    }
    guard version == Double(ChainPreset.formatVersion) else {
      let isNewer = version > Double(ChainPreset.formatVersion)
      add(
        isNewer
          ? "format version \(plainNumber(version)) is newer than this program reads, which is 1"
          : "there is no format version \(plainNumber(version)); write 'auricle: 1'",
        at: value.position)
      return false
    }
    if index > 0, let position = key.position {
      add("'auricle: 1' must be the first key", at: position)
    }
    return true
  }

  mutating func requireKeys(
    _ required: [String], in pairs: [(key: Located<String>, value: PresetNode)], of what: String,
    at position: SourcePosition
  ) {
    for name in required where name != "auricle" && !pairs.contains(where: { $0.key.value == name })
    {
      add("\(what) has no key \(quoted(name))", at: position)
    }
  }

  mutating func unknown(_ key: Located<String>, among known: [String], in what: String) {
    let near = suggestion(for: key.value, in: known)
    let hint =
      near.isEmpty ? "; the keys of \(what) are \(alternatives(known, joinedBy: "and"))" : near
    if let position = key.position {
      add("unknown key \(quoted(key.value)) in \(what)\(hint)", at: position)
    }
  }

  private mutating func tags(_ node: PresetNode) -> [String] {
    guard case .sequence(let items) = node.content else {
      add(
        "'tags' must be a list of words such as [voice, podcast], not \(node.kindName)",
        at: node.position)
      return []
    }
    return items.compactMap { line($0, key: "tags") }
  }
}
