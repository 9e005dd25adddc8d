// Reads figures and words of `output` and `render`: levels, times, channels, words from a list.
// SPDX-License-Identifier: Apache-2.0

import ResultSettings

extension PresetReader {
  mutating func version(_ node: PresetNode) -> Int? {
    let form = "'version' is a whole number from 1"
    guard case .scalar(let text, _) = node.content else {
      add("\(form), not \(node.kindName)", at: node.position)
      return nil
    }
    guard let number = parseNumber(text), let version = Int(exactly: number),
      (1...999_999).contains(version)
    else {
      add("\(form), not \(quoted(text))", at: node.position)
      return nil
    }
    return version
  }

  mutating func channelCount(_ node: PresetNode) -> Int? {
    let form = "'channels' is same, mono, stereo, or a number from 1 to 64"
    guard case .scalar(let text, _) = node.content else {
      add("\(form), not \(node.kindName)", at: node.position)
      return nil
    }
    switch trimmingSpaces(text) {
    case PresetKeys.sameWord: return nil
    case "mono": return 1
    case "stereo": return 2
    default: break
    }
    if let number = parseNumber(text), let count = Int(exactly: number), (1...64).contains(count) {
      return count
    }
    add("\(form), not \(quoted(text))", at: node.position)
    return nil
  }

  /// A level in the unit named or in dB; `nil` for `none`.
  mutating func level(
    _ node: PresetNode, key: String, unit: String, within range: ClosedRange<Double>
  ) -> Double? {
    let form = "\(quoted(key)) is none, or a level such as \(unit == "LUFS" ? "-16" : "-1") \(unit)"
    guard case .scalar(let text, _) = node.content else {
      add("\(form), not \(node.kindName)", at: node.position)
      return nil
    }
    if trimmingSpaces(text) == PresetKeys.noneWord { return nil }
    let value: Double
    switch Quantity.read(text) {
    case .quantity(let quantity) where quantity.unit == nil || quantity.unit?.kind == .level:
      value = quantity.value
    case .unknownUnit(let number, let written) where written.lowercased() == unit.lowercased():
      value = number
    default:
      add("\(form), not \(quoted(text))", at: node.position)
      return nil
    }
    guard range.contains(value) else {
      let limits = "\(plainNumber(range.lowerBound)) and \(plainNumber(range.upperBound)) \(unit)"
      add(
        "\(quoted(key)) lies between \(limits); \(trimmingSpaces(text)) is outside",
        at: node.position)
      return nil
    }
    return value
  }

  /// A level, or its distribution.
  mutating func drawnLevel(
    _ node: PresetNode, key: String, unit: String, within range: ClosedRange<Double>
  ) -> (value: Double?, random: RandomNumber?) {
    guard case .mapping = node.content else {
      return (level(node, key: key, unit: unit, within: range), nil)
    }
    let drawn = number(node) { reader, node in
      let count = reader.diagnostics.count
      let level = reader.level(node, key: key, unit: unit, within: range)
      if level == nil, reader.diagnostics.count == count {
        reader.add("a level that is drawn is a number of \(unit), not none", at: node.position)
      }
      return level
    }
    return (drawn?.value, drawn?.random)
  }

  mutating func dither(_ node: PresetNode) -> DitherKind? {
    let form = "'dither' is \(alternatives(PresetKeys.ditherWords))"
    guard case .scalar(let text, _) = node.content else {
      add("\(form), not \(node.kindName)", at: node.position)
      return nil
    }
    if let dither = DitherKind(rawValue: text) { return dither }
    if text.lowercased() == "tpdf" { return .triangular }
    let near = suggestion(for: text, in: PresetKeys.ditherWords)
    add("\(form), not \(quoted(text))\(near)", at: node.position)
    return nil
  }

  /// One of a few words.
  mutating func word(
    _ node: PresetNode, key: String, among words: [String]
  ) -> String? {
    let form = "\(quoted(key)) is \(alternatives(words))"
    guard case .scalar(let text, _) = node.content else {
      add("\(form), not \(node.kindName)", at: node.position)
      return nil
    }
    let plain = String(text.lowercased().map { $0 == " " || $0 == "_" ? "-" : $0 })
    if words.contains(plain) { return plain }
    add("\(form), not \(quoted(text))\(suggestion(for: text, in: words))", at: node.position)
    return nil
  }

  /// The silence threshold; `true` for the default.
  mutating func silence(_ node: PresetNode) -> Double? {
    if case .scalar(let text, _) = node.content {
      switch trimmingSpaces(text).lowercased() {
      case "true": return OutputSettings.usualSilence
      case "false": return nil
      default: break
      }
    }
    return level(node, key: "trim silence", unit: "dBFS", within: -150...0)
  }

  mutating func time(
    _ node: PresetNode, key: String, upTo longest: Double
  ) -> Double? {
    let form = "\(quoted(key)) is a time such as 20 ms"
    guard case .scalar(let text, _) = node.content else {
      add("\(form), not \(node.kindName)", at: node.position)
      return nil
    }
    guard case .quantity(let quantity) = Quantity.read(text),
      quantity.unit == nil || quantity.unit?.kind == .time
    else {
      add("\(form), not \(quoted(text))", at: node.position)
      return nil
    }
    guard (0...longest).contains(quantity.basicValue) else {
      add(
        "\(quoted(key)) lies between 0 s and \(plainNumber(longest)) s; \(quantity.description) is outside",
        at: node.position)
      return nil
    }
    return quantity.basicValue
  }

  /// A gain in dB.
  mutating func decibels(
    _ node: PresetNode, key: String, within range: ClosedRange<Double>
  ) -> Double? {
    let form = "\(quoted(key)) is a number of decibels such as -6 dB"
    guard case .scalar(let text, _) = node.content else {
      add("\(form), not \(node.kindName)", at: node.position)
      return nil
    }
    guard case .quantity(let quantity) = Quantity.read(text),
      quantity.unit == nil || quantity.unit?.kind == .level
    else {
      add("\(form), not \(quoted(text))", at: node.position)
      return nil
    }
    guard range.contains(quantity.value) else {
      add(
        "\(quoted(key)) lies between \(plainNumber(range.lowerBound)) dB and "
          + "\(plainNumber(range.upperBound)) dB; \(quantity.description) is outside",
        at: node.position)
      return nil
    }
    return quantity.value
  }
}
