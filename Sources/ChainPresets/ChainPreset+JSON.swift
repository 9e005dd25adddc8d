// A preset as canonical JSON: the form that is compared, hashed and handed to other programs.
// SPDX-License-Identifier: Apache-2.0

extension ChainPreset {
  /// The preset in JSON on one line, the same text for every spelling of the same preset.
  ///
  /// Keys are sorted, settings a preset may leave out are there, and numbers and units are spelled
  /// one way. The text is itself a preset and reads back as an equal one.
  public var canonicalJSON: String { json.compactText }

  /// The canonical JSON with one value a line.
  public var indentedJSON: String { json.indentedText }

  private var json: JSONValue {
    .object(
      [
        "auricle": .number(Double(Self.formatVersion)),
        "name": .string(name),
        "description": .string(description),
        "author": .string(author),
        "license": .string(license),
        "tags": .array(tags.map(JSONValue.string)),
        "units": .array(units.map(\.json)),
        "output": output.json,
      ].filter { $0.value != .string("") })
  }
}

extension UnitEntry {
  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = [
      "unit": .string(unit.value),
      "bypass": .boolean(isBypassed),
      "mix": .number(mix),
    ]
    if let label { members["name"] = .string(label) }
    if let preset { members["preset"] = settingJSON(preset.value) }
    var settings: [String: JSONValue] = [:]
    for setting in parameters { settings[setting.name.value] = settingJSON(setting.value.value) }
    members["parameters"] = .object(settings)
    return .object(members)
  }
}

extension OutputSettings {
  fileprivate var json: JSONValue {
    let tailValue: JSONValue =
      switch tail {
      case .automatic: .string("auto")
      case .none: .string("none")
      case .keepLength: .string("keep-length")
      case .seconds(let seconds): .string("\(plainNumber(seconds)) s")
      }
    let same = PresetKeys.sameWord
    return .object([
      "tail": tailValue,
      "latency": .string(latency.rawValue),
      "container": .string(container?.value ?? same),
      "encoding": .string(encoding?.value ?? same),
      "sample rate": sampleRate.map(JSONValue.number) ?? .string(same),
    ])
  }
}

/// A setting's value: numbers and booleans as such, quantities and words as text.
private func settingJSON(_ text: String) -> JSONValue {
  if text == "true" { return .boolean(true) }
  if text == "false" { return .boolean(false) }
  switch Quantity.read(text) {
  case .quantity(let quantity):
    return quantity.unit == nil ? .number(quantity.value) : .string(quantity.description)
  default: return .string(text)
  }
}
