// Reads a parameter's random value: `{random: [200 Hz, 2 kHz, log]}`.
// SPDX-License-Identifier: Apache-2.0

import ResultSettings

extension PresetReader {
  /// Reads the value of a parameter: a value, or a random setting.
  mutating func parameter(_ key: Located<String>, _ node: PresetNode) -> ParameterSetting? {
    guard case .mapping(let pairs) = node.content else {
      return setting(node, key: key.value).map {
        ParameterSetting(name: key, value: Located($0, at: node.position))
      }
    }
    guard let (kind, value) = kind(of: node, pairs, among: PresetKeys.random) else { return nil }
    let found: RandomSetting? =
      switch kind {
      case "random": range(value)
      case "choose": choices(value)
      default: located(value, key: kind).map(RandomSetting.folder)
      }
    guard let random = found else { return nil }
    return ParameterSetting(
      name: key, value: Located(random.text, at: node.position), random: random)
  }

  /// The one key that names the distribution of a random value.
  private mutating func kind(
    of node: PresetNode, _ pairs: [(key: Located<String>, value: PresetNode)], among keys: [String]
  ) -> (kind: String, value: PresetNode)? {
    for (key, _) in pairs where !keys.contains(key.value) {
      unknown(key, among: keys, in: "a random value")
    }
    let known = pairs.filter { keys.contains($0.key.value) }
    guard let (kind, value) = known.first, known.count == 1 else {
      let files = keys.contains("folder") ? ", or {folder: PATH} for a file" : ""
      let few = "a random value is {random: [LOW, HIGH]} or {choose: [A, B]}\(files)"
      add(known.isEmpty ? few : "\(few), not several", at: node.position)
      return nil
    }
    return (kind.value, value)
  }

  /// Reads a number of the host, or its distribution: `{random: [-12 dB, 0 dB]}`.
  ///
  /// - Parameter read: Reads one number; nil for one that was reported as wrong.
  mutating func number(
    _ node: PresetNode, _ read: (inout PresetReader, PresetNode) -> Double?
  ) -> (value: Double, random: RandomNumber?)? {
    guard case .mapping(let pairs) = node.content else {
      return read(&self, node).map { ($0, nil) }
    }
    guard let (kind, value) = kind(of: node, pairs, among: PresetKeys.randomNumber) else {
      return nil
    }
    guard kind == "random" else {
      guard let items = items(ofChoice: value) else { return nil }
      let random = RandomNumber.choices(items.compactMap { read(&self, $0) })
      return (random.middle, random)
    }
    guard let (low, high, isLogarithmic) = ends(ofRange: value), let first = read(&self, low),
      let last = read(&self, high)
    else { return nil }
    if first > last || isLogarithmic && first <= 0 {
      add(
        first > last
          ? "the range goes downwards; write the lower value first"
          : "a logarithmic range lies above zero", at: low.position)
      return nil
    }
    let random = RandomNumber.range(low: first, high: last, isLogarithmic: isLogarithmic)
    return (random.middle, random)
  }

  private mutating func range(_ node: PresetNode) -> RandomSetting? {
    guard let (lowNode, highNode, isLogarithmic) = ends(ofRange: node),
      let low = setting(lowNode, key: "random"), let high = setting(highNode, key: "random")
    else { return nil }
    return .range(
      low: Located(low, at: lowNode.position), high: Located(high, at: highNode.position),
      isLogarithmic: isLogarithmic)
  }

  /// The ends of `[LOW, HIGH]` or `[LOW, HIGH, log]`.
  private mutating func ends(
    ofRange node: PresetNode
  ) -> (low: PresetNode, high: PresetNode, isLogarithmic: Bool)? {
    let form = "'random' takes [LOW, HIGH] or [LOW, HIGH, log]"
    guard case .sequence(let items) = node.content, (2...3).contains(items.count) else {
      add("\(form), such as [200 Hz, 2 kHz, log]", at: node.position)
      return nil
    }
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
    return (items[0], items[1], isLogarithmic)
  }

  private mutating func choices(_ node: PresetNode) -> RandomSetting? {
    guard let items = items(ofChoice: node) else { return nil }
    return .choices(
      items.compactMap { item in
        setting(item, key: "choose").map { Located($0, at: item.position) }
      })
  }

  private mutating func items(ofChoice node: PresetNode) -> [PresetNode]? {
    if case .sequence(let items) = node.content, !items.isEmpty { return items }
    add("'choose' takes a list of values such as [Low Pass, High Pass]", at: node.position)
    return nil
  }
}
