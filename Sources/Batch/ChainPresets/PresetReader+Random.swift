// Reads a parameter's random value: `{random: [200 Hz, 2 kHz, log]}`.
// SPDX-License-Identifier: Apache-2.0

extension PresetReader {
  /// Reads the value of a parameter: a value, or a random setting.
  mutating func parameter(_ key: Located<String>, _ node: PresetNode) -> ParameterSetting? {
    guard case .mapping(let pairs) = node.content else {
      return setting(node, key: key.value).map {
        ParameterSetting(name: key, value: Located($0, at: node.position))
      }
    }
    for (key, _) in pairs where !PresetKeys.random.contains(key.value) {
      unknown(key, among: PresetKeys.random, in: "a random value")
    }
    let known = pairs.filter { PresetKeys.random.contains($0.key.value) }
    guard let (kind, value) = known.first, known.count == 1 else {
      let few = "a random value is {random: [LOW, HIGH]} or {choose: [A, B]}"
      add(known.isEmpty ? few : "\(few), not both", at: node.position)
      return nil
    }
    guard let random = kind.value == "random" ? range(value) : choices(value) else { return nil }
    return ParameterSetting(
      name: key, value: Located(random.text, at: node.position), random: random)
  }

  private mutating func range(_ node: PresetNode) -> RandomSetting? {
    let form = "'random' takes [LOW, HIGH] or [LOW, HIGH, log]"
    guard case .sequence(let items) = node.content, (2...3).contains(items.count) else {
      add("\(form), such as [200 Hz, 2 kHz, log]", at: node.position)
      return nil
    }
    guard let low = setting(items[0], key: "random"), let high = setting(items[1], key: "random")
    else { return nil }
    var isLogarithmic = false
    if items.count == 3 {
      guard case .scalar(let word, _) = items[2].content, PresetKeys.randomWords.contains(word)
      else {
        add(
          "\(form); the last word is \(alternatives(PresetKeys.randomWords))", at: items[2].position
        )
        return nil
      }
      isLogarithmic = word == "log"
    }
    return .range(
      low: Located(low, at: items[0].position), high: Located(high, at: items[1].position),
      isLogarithmic: isLogarithmic)
  }

  private mutating func choices(_ node: PresetNode) -> RandomSetting? {
    guard case .sequence(let items) = node.content, !items.isEmpty else {
      add("'choose' takes a list of values such as [Low Pass, High Pass]", at: node.position)
      return nil
    }
    return .choices(
      items.compactMap { item in
        setting(item, key: "choose").map { Located($0, at: item.position) }
      })
  }
}
