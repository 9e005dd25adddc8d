// Reading a unit of a chain: the component, its preset, its parameters, bypass and mix.
// SPDX-License-Identifier: Apache-2.0

import ResultSettings

extension PresetReader {
  mutating func unit(_ node: PresetNode) -> UnitEntry? {
    guard case .mapping(let pairs) = node.content else {
      add(
        "an entry of 'units' is written '- unit: NAME', not as \(node.kindName)", at: node.position)
      return nil
    }
    requireKeys(PresetKeys.requiredInUnit, in: pairs, of: "the entry", at: node.position)
    var entry = UnitEntry(unit: "")
    for (key, value) in pairs {
      switch key.value {
      case "unit":
        entry.unit = Located(line(value, key: "unit") ?? "", at: value.position)
      case "name": entry.name = located(value, key: "name")
      case "preset":
        entry.preset = setting(value, key: "preset").map { Located($0, at: value.position) }
      case "parameters": entry.parameters = parameters(value)
      case "automation": entry.automation = automation(value)
      case "sidechain": entry.sideChains = sideChains(value)
      case "output": entry.output = busName(value, key: "output")
      case "bypass": (entry.isBypassed, entry.bypassProbability) = bypass(value)
      case "mix":
        let mix = number(value) { $0.part($1, key: "mix") }
        entry.mix = mix?.value ?? 1
        entry.randomMix = mix?.random
      default:
        unknown(key, among: PresetKeys.unit + ["parallel", "noise"], in: "an entry of 'units'")
      }
    }
    return entry
  }

  private mutating func parameters(_ node: PresetNode) -> [ParameterSetting] {
    entries(node, form: "'parameters' must be a mapping such as {threshold: -20 dB}") {
      $0.parameter($1, $2)
    }
  }

  /// A mapping of parameters' names to something, each entry read on its own.
  mutating func entries<Entry>(
    _ node: PresetNode, form: String,
    _ entry: (inout PresetReader, Located<String>, PresetNode) -> Entry?
  ) -> [Entry] {
    guard case .mapping(let pairs) = node.content else {
      add("\(form), not \(node.kindName)", at: node.position)
      return []
    }
    return pairs.compactMap { key, value in
      if trimmingSpaces(key.value).isEmpty, let position = key.position {
        add("a parameter's name is empty", at: position)
        return nil
      }
      return entry(&self, key, value)
    }
  }

  /// A number, a number with a unit, a boolean or a word: any single scalar.
  mutating func setting(_ node: PresetNode, key: String) -> String? {
    guard case .scalar(let text, let isPlain) = node.content else {
      add("\(quoted(key)) takes one value, not \(node.kindName)", at: node.position)
      return nil
    }
    let value = trimmingSpaces(text)
    if value.isEmpty || (isPlain && isNullWord(value)) {
      add(noValue(key: key, value), at: node.position)
      return nil
    }
    return value
  }

  mutating func boolean(_ node: PresetNode, key: String) -> Bool? {
    if case .scalar(let text, true) = node.content {
      if text == "true" { return true }
      if text == "false" { return false }
      if isForeignBoolean(text) {
        add(
          "\(quoted(key)) is either true or false, written so, not \(quoted(text))",
          at: node.position)
        return nil
      }
    }
    add("\(quoted(key)) must be true or false, not \(node.kindName)", at: node.position)
    return nil
  }

  /// A part of a whole, 0 to 1.
  mutating func part(_ node: PresetNode, key: String) -> Double? {
    let form = "\(quoted(key)) is a part from 0 to 1 or from 0 % to 100 %"
    guard case .scalar(let text, _) = node.content else {
      add("\(form), not \(node.kindName)", at: node.position)
      return nil
    }
    guard case .quantity(let quantity) = Quantity.read(text) else {
      add("\(form), not \(quoted(text))", at: node.position)
      return nil
    }
    let mix: Double
    switch quantity.unit?.kind {
    case nil: mix = quantity.value
    case .percent: mix = quantity.value / 100
    default:
      add("\(form), not \(quoted(text))", at: node.position)
      return nil
    }
    guard (0...1).contains(mix) else {
      let hint =
        quantity.unit == nil && mix > 1 && mix <= 100
        ? "; did you mean '\(plainNumber(quantity.value)) %'?" : ""
      add("\(form); \(quantity.description) is outside\(hint)", at: node.position)
      return nil
    }
    return mix
  }
}
