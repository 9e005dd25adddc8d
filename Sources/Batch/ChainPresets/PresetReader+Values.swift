// Reading single values of a preset: texts, words, times, rates.
// SPDX-License-Identifier: Apache-2.0

import ResultSettings

extension PresetReader {
  /// A text of any length, without the white space around it.
  mutating func text(_ node: PresetNode, key: String) -> String? {
    guard case .scalar(let text, let isPlain) = node.content else {
      add("\(quoted(key)) must be text, not \(node.kindName)", at: node.position)
      return nil
    }
    if isPlain {
      if isNullWord(text) {
        add(noValue(key: key, text), at: node.position)
        return nil
      }
      if isForeignBoolean(text) || text == "true" || text == "false" || parseNumber(text) != nil {
        let kind = parseNumber(text) == nil ? "a boolean" : "a number"
        add(
          "\(quoted(key)) must be text; \(quoted(text)) is read as \(kind): put it in quotes",
          at: node.position)
        return nil
      }
    }
    return trimmingSpaces(text)
  }

  /// A text of one line that is not empty.
  mutating func line(_ node: PresetNode, key: String) -> String? {
    guard let text = text(node, key: key) else { return nil }
    if text.isEmpty {
      add("\(quoted(key)) is empty", at: node.position)
      return nil
    }
    if text.unicodeScalars.contains(where: isLineBreak) {
      add("\(quoted(key)) must be one line", at: node.position)
      return nil
    }
    if text.unicodeScalars.count > 1000 {
      add("\(quoted(key)) is longer than 1000 characters", at: node.position)
      return nil
    }
    return text
  }

  mutating func tail(_ node: PresetNode) -> TailPolicy? {
    guard case .scalar(let text, _) = node.content else {
      add("'tail' takes one value, not \(node.kindName)", at: node.position)
      return nil
    }
    switch trimmingSpaces(text) {
    case "auto": return .automatic
    case "none": return TailPolicy.none
    case "keep-length": return .keepLength
    default: break
    }
    let form = "'tail' is \(alternatives(PresetKeys.tailWords + ["a time such as 2.5 s"]))"
    switch Quantity.read(text) {
    case .quantity(let quantity) where quantity.unit == nil || quantity.unit?.kind == .time:
      guard (0...86_400).contains(quantity.basicValue) else {
        add(
          "'tail' lies between 0 s and 86400 s; \(quantity.description) is outside",
          at: node.position)
        return nil
      }
      return .seconds(quantity.basicValue)
    case .notANumber:
      add(form + suggestion(for: text, in: PresetKeys.tailWords), at: node.position)
    default:
      add("\(form), not \(quoted(text))", at: node.position)
    }
    return nil
  }

  mutating func latency(_ node: PresetNode) -> LatencyPolicy? {
    if case .scalar(let text, _) = node.content {
      if let latency = LatencyPolicy(rawValue: text) { return latency }
      let near = suggestion(for: text, in: PresetKeys.latencyWords)
      add("'latency' is compensate or keep, not \(quoted(text))\(near)", at: node.position)
    } else {
      add("'latency' is compensate or keep, not \(node.kindName)", at: node.position)
    }
    return nil
  }

  /// The name of a container or an encoding, `nil` for that of the input.
  mutating func formatName(_ node: PresetNode, key: String) -> Located<String>? {
    guard let name = line(node, key: key)?.lowercased(), name != PresetKeys.sameWord else {
      return nil
    }
    return Located(name, at: node.position)
  }

  mutating func sampleRate(_ node: PresetNode) -> Double? {
    let form = "'sample rate' is same, or a rate such as 48000 or 44.1 kHz"
    guard case .scalar(let text, _) = node.content else {
      add("\(form), not \(node.kindName)", at: node.position)
      return nil
    }
    if text == PresetKeys.sameWord { return nil }
    guard case .quantity(let quantity) = Quantity.read(text),
      quantity.unit == nil || quantity.unit?.kind == .frequency
    else {
      add("\(form), not \(quoted(text))", at: node.position)
      return nil
    }
    guard OutputSettings.sampleRates.contains(quantity.basicValue) else {
      add(
        "'sample rate' lies between 1 kHz and 768 kHz; \(quantity.description) is outside",
        at: node.position)
      return nil
    }
    return quantity.basicValue
  }
}
