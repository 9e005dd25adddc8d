// Reading places in a file and bit rates: what they may look like, and what is wrong with them.
// SPDX-License-Identifier: Apache-2.0

extension PresetReader {
  /// A place such as `90`, `1.5 s`, `1:30`; with `-` before it, from the end.
  mutating func place(_ node: PresetNode, key: String) -> OutputSettings.Place? {
    let form = "\(quoted(key)) is a place such as 1.5 s or 1:30, or -5 s for 5 s before the end"
    guard case .scalar(let text, _) = node.content else {
      add("\(form), not \(node.kindName)", at: node.position)
      return nil
    }
    var rest = trimmingSpaces(text)
    let isFromEnd = rest.hasPrefix("-")
    if isFromEnd { rest = trimmingSpaces(String(rest.dropFirst())) }
    guard !rest.hasPrefix("-"), let seconds = clockTime(rest) ?? plainTime(rest) else {
      add("\(form), not \(quoted(text))", at: node.position)
      return nil
    }
    guard seconds <= 1e6 else {
      add("\(quoted(key)) lies within 1000000 s; \(quoted(text)) is outside", at: node.position)
      return nil
    }
    return OutputSettings.Place(seconds: seconds, isFromEnd: isFromEnd)
  }

  private func plainTime(_ text: String) -> Double? {
    guard case .quantity(let quantity) = Quantity.read(text),
      quantity.unit == nil || quantity.unit?.kind == .time
    else { return nil }
    return quantity.basicValue
  }

  /// `1:30` or `0:01:30.5`, in seconds.
  private func clockTime(_ text: String) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) else { return nil }
    var total = 0.0
    for (place, part) in parts.enumerated() {
      let isLast = place == parts.count - 1
      guard !part.isEmpty, part.allSatisfy({ $0.isASCII && $0.isNumber || isLast && $0 == "." }),
        let number = Double(part), place == 0 || number < 60
      else { return nil }
      total = total * 60 + number
    }
    return total
  }

  /// Bits a second: `192000`, `192k`, `192 kbit/s`; `nil` for `none`.
  mutating func bitRate(_ node: PresetNode) -> Int? {
    let form = "'bit rate' is none, or bits a second such as 192k"
    guard case .scalar(let text, _) = node.content else {
      add("\(form), not \(node.kindName)", at: node.position)
      return nil
    }
    var rest = trimmingSpaces(text).lowercased()
    if rest == PresetKeys.noneWord { return nil }
    var scale = 1.0
    for (unit, factor) in [
      ("kbit/s", 1000.0), ("kbps", 1000), ("k", 1000), ("bit/s", 1), ("bps", 1),
    ] where rest.hasSuffix(unit) {
      rest = trimmingSpaces(String(rest.dropLast(unit.count)))
      scale = factor
      break
    }
    guard let number = parseNumber(rest), (1...1e8).contains(number * scale) else {
      add("\(form), not \(quoted(text))", at: node.position)
      return nil
    }
    return Int((number * scale).rounded())
  }
}
