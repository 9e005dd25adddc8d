// A preset as canonical JSON: the form that is compared, hashed and read by other programs.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFiles
import HostSystem
import ResultSettings

extension ChainPreset {
  /// The preset in JSON on one line, the same text for every spelling of the same preset.
  ///
  /// Keys are sorted, optional settings are included, and numbers and units have one spelling. The text is
  /// itself a preset and reads back as an equal one.
  public var canonicalJSON: String { json.canonicalText }

  /// The canonical JSON with one value a line.
  public var indentedJSON: String { json.indentedCanonicalText }

  /// The canonical JSON with the original spelling of unit settings: the name of a value may resemble a
  /// quantity.
  public var spelledJSON: String {
    guard var members = json.membersByName, instruments.isEmpty else { return canonicalJSON }
    members["units"] = .array(
      entries.map { entry in
        guard case .unit(let unit) = entry else { return entry.json }
        return unit.spelledJSON
      })
    return JSONValue.object(members: members).canonicalText
  }

  private var json: JSONValue {
    var members: [String: JSONValue] =
      [
        "auricle": .number(Double(Self.formatVersion)),
        "name": .string(name),
        "description": .string(description),
        "author": .string(author),
        "license": .string(license),
        "tags": .array(tags.map(JSONValue.string)),
        "units": .array(entries.map(\.json)),
        "output": output.json,
      ].filter { $0.value != .string("") }
    if let version { members["version"] = .number(Double(version)) }
    if let inputLoudness {
      members["input"] = .object(
        members: ["loudness": .string("\(plainNumber(inputLoudness)) LUFS")])
    }
    if !instruments.isEmpty {
      members["instruments"] = .array(instruments.map(\.json))
      members["units"] = nil
    }
    if !bus.isEmpty { members["bus"] = .array(bus.map(\.json)) }
    if let isolate { members["isolate"] = .string(isolate) }
    if !controllers.isEmpty {
      members["midi"] = .object(
        members: Dictionary(
          controllers.map { ($0.name.value, .string($0.value.value)) }, uniquingKeysWith: { $1 }))
    }
    if !render.isEmpty { members["render"] = .array(render.map(\.json)) }
    return .object(members: members)
  }
}

extension InstrumentEntry {
  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = ["unit": .string(unit.unit.value)]
    if let label = unit.label { members["name"] = .string(label) }
    if let preset = unit.preset { members["preset"] = nameJSON(preset.value) }
    var settings: [String: JSONValue] = [:]
    for setting in unit.parameters {
      settings[setting.name.value] = settingJSON(setting.value.value)
    }
    members["set"] = .object(members: settings)
    if !channels.isEmpty { members["channels"] = .array(channels.map { .number(Double($0)) }) }
    if !tracks.isEmpty { members["tracks"] = .array(tracks.map { .number(Double($0)) }) }
    if !effects.isEmpty { members["effects"] = .array(effects.map(\.json)) }
    return .object(members: members)
  }
}

extension ChainEntry {
  fileprivate var json: JSONValue {
    switch self {
    case .unit(let unit): return unit.json
    case .parallel(let parallel):
      var members: [String: JSONValue] = [
        "parallel": .array(parallel.branches.map(\.json)),
        "bypass": bypassJSON(parallel.isBypassed, parallel.bypassProbability),
      ]
      if let label = parallel.label { members["name"] = .string(label.value) }
      return .object(members: members)
    case .noise(let noise): return noise.json
    }
  }
}

extension BranchEntry {
  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = [
      "gain": numberJSON(gainDecibels, randomGain, "dB"), "pan": .number(pan),
    ]
    if let label { members["name"] = .string(label.value) }
    if !entries.isEmpty { members["units"] = .array(entries.map(\.json)) }
    return .object(members: members)
  }
}

extension UnitEntry {
  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = [
      "unit": .string(unit.value),
      "bypass": bypassJSON(isBypassed, bypassProbability),
      "mix": numberJSON(mix, randomMix, ""),
    ]
    if let label { members["name"] = .string(label) }
    if let preset { members["preset"] = nameJSON(preset.value) }
    var settings: [String: JSONValue] = [:]
    for setting in parameters {
      settings[setting.name.value] = setting.random?.json ?? settingJSON(setting.value.value)
    }
    members["parameters"] = .object(members: settings)
    // Rare settings are written only if they are set.
    if !automation.isEmpty {
      var curves: [String: JSONValue] = [:]
      for entry in automation { curves[entry.name.value] = .array(entry.points.map(\.json)) }
      members["automation"] = .object(members: curves)
    }
    if !sideChains.isEmpty { members["sidechain"] = .array(sideChains.map(\.json)) }
    if let output { members["output"] = settingJSON(output.value) }
    return .object(members: members)
  }
}

extension UnitEntry {
  fileprivate var spelledJSON: JSONValue {
    guard var members = json.membersByName else { return json }
    var settings: [String: JSONValue] = [:]
    for setting in parameters {
      settings[setting.name.value] = setting.random?.json ?? .string(setting.value.value)
    }
    members["parameters"] = .object(members: settings)
    return .object(members: members)
  }
}

extension RandomSetting {
  fileprivate var json: JSONValue {
    switch self {
    case .range(let low, let high, let isLogarithmic):
      let ends = [settingJSON(low.value), settingJSON(high.value)]
      return .object(members: ["random": .array(isLogarithmic ? ends + [.string("log")] : ends)])
    case .choices(let values):
      return .object(members: ["choose": .array(values.map { settingJSON($0.value) })])
    case .folder(let path): return .object(members: ["folder": .string(path.value)])
    }
  }
}

extension AutomationPoint {
  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = [
      "at": .string(time.value.text), "value": settingJSON(value.value),
    ]
    if let curve { members["curve"] = .string(curve.value.rawValue) }
    return .object(members: members)
  }
}

extension SideChainEntry {
  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = ["gain": .string("\(plainNumber(gainDecibels)) dB")]
    switch source.value {
    case .input: members["from"] = .string(PresetKeys.inputWord)
    case .stage(let name): members["from"] = .string(name)
    case .file(let path):
      members["file"] = .string(path)
      members["loop"] = .boolean(loops)
    }
    if let bus { members["bus"] = settingJSON(bus.value) }
    if let output { members["output"] = settingJSON(output.value) }
    return .object(members: members)
  }
}

extension Deliverable {
  fileprivate var json: JSONValue {
    var members = settings.fileMembers(leavesOutDefaults: false)
    if let name { members["name"] = .string(name.value) }
    return .object(members: members)
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
    var members = fileMembers(leavesOutDefaults: true)
    members["tail"] = tailValue
    members["latency"] = .string(latency.rawValue)
    if let start { members["start"] = .string(start.presetText) }
    if let end { members["end"] = .string(end.presetText) }
    if let crop {
      var length = crop.presetJSON("s")
      if case .choices(let lengths) = crop, lengths.count == 1 {
        length = .string("\(plainNumber(lengths[0])) s")
      }
      members["crop"] = length
    }
    if !keepsMetadata { members["metadata"] = .string(PresetKeys.noneWord) }
    if let silenceThreshold {
      members["trim silence"] = .string("\(plainNumber(silenceThreshold)) dBFS")
    }
    return .object(members: members)
  }

  /// The settings of a file; an entry of `render` has all of them, since it may reset those of `output`.
  fileprivate func fileMembers(leavesOutDefaults: Bool) -> [String: JSONValue] {
    let same = JSONValue.string(PresetKeys.sameWord)
    var members: [String: JSONValue] = [
      "container": container.map { .string($0.value) } ?? same,
      "encoding": encoding.map { .string($0.value) } ?? same,
      "sample rate": sampleRate.map(JSONValue.number) ?? same,
    ]
    let none = JSONValue.string(PresetKeys.noneWord)
    let others: [(String, JSONValue?, JSONValue?)] = [
      ("resample quality", resampleQuality.map { .string($0.rawValue) }, nil),
      ("fade curve", fadeCurve.map { .string($0.rawValue) }, nil),
      ("bit rate", bitRate.map { $0.bitsPerSecond.map { .number(Double($0)) } ?? none }, same),
      ("channels", channelCount.map { .number(Double($0)) }, same),
      ("loudness", loudness.map { numberJSON($0, randomLoudness, "LUFS") }, none),
      ("dual mono", isDualMono ? .boolean(true) : nil, .boolean(false)),
      ("true peak", truePeak.map { .string("\(plainNumber($0)) dBTP") }, none),
      ("peak", peak.map { numberJSON($0, randomPeak, "dBFS") }, none),
      ("dither", dither.map { .string($0.rawValue) }, nil),
      ("fade in", fadeIn == 0 ? nil : .string("\(plainNumber(fadeIn)) s"), .string("0 s")),
      ("fade out", fadeOut == 0 ? nil : .string("\(plainNumber(fadeOut)) s"), .string("0 s")),
    ]
    for (key, value, standard) in others {
      if let value = value ?? (leavesOutDefaults ? nil : standard) { members[key] = value }
    }
    return members
  }
}

/// The name or number of a unit's preset: a name that resembles a quantity keeps its spelling.
private func nameJSON(_ text: String) -> JSONValue {
  if case .number(let number) = settingJSON(text), plainNumber(number) == text {
    return .number(number)
  }
  return .string(text)
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
