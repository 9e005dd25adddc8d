// Reading `automation`: the breakpoints of each parameter.
// SPDX-License-Identifier: Apache-2.0

import ResultSettings

extension PresetReader {
  /// Reads a mapping of parameters to breakpoints.
  mutating func automation(_ node: PresetNode) -> [AutomationEntry] {
    entries(
      node, form: "'automation' must be a mapping such as {gain: [[0 s, 0 dB], [2 s, -6 dB]]}"
    ) { reader, key, value in
      let points = reader.points(value, of: key.value)
      return points.isEmpty ? nil : AutomationEntry(name: key, points: points)
    }
  }

  private mutating func points(_ node: PresetNode, of name: String) -> [AutomationPoint] {
    guard case .sequence(let items) = node.content else {
      add(
        "\(quoted(name)) takes a list of breakpoints such as [[0 s, 0 dB], [2 s, -6 dB]], not "
          + node.kindName, at: node.position)
      return []
    }
    if items.isEmpty { add("\(quoted(name)) has no breakpoints", at: node.position) }
    let points = items.compactMap { point($0) }
    for (earlier, later) in zip(points, points.dropFirst()) {
      checkOrder(earlier.time, later.time)
    }
    return points
  }

  private mutating func checkOrder(
    _ earlier: Located<AutomationTime>, _ later: Located<AutomationTime>
  ) {
    guard let position = later.position else { return }
    switch (earlier.value, later.value) {
    case (.seconds(let first), .seconds(let second)), (.frames(let first), .frames(let second)),
      (.part(let first), .part(let second)):
      if second == first {
        add(
          "two breakpoints at \(later.value.text): a jump is one breakpoint with the curve 'step'",
          at: position)
      } else if second < first {
        add(
          "breakpoints are in the order of time, and \(later.value.text) comes after "
            + earlier.value.text, at: position)
      }
    default:
      add(
        "the times of one parameter are all in seconds, all in frames or all in percent",
        at: position)
    }
  }

  private mutating func point(_ node: PresetNode) -> AutomationPoint? {
    let form = "a breakpoint is [TIME, VALUE], [TIME, VALUE, CURVE] or {at: TIME, value: VALUE}"
    switch node.content {
    case .scalar:
      add("\(form), not \(node.kindName)", at: node.position)
      return nil
    case .sequence(let items):
      guard (2...3).contains(items.count) else {
        let count = items.count == 1 ? "1 value" : "\(items.count) values"
        add("\(form), not \(count)", at: node.position)
        return nil
      }
      return point(at: items[0], value: items[1], curve: items.count == 3 ? items[2] : nil)
    case .mapping(let pairs):
      for (key, _) in pairs where !PresetKeys.automationPoint.contains(key.value) {
        unknown(key, among: PresetKeys.automationPoint, in: "a breakpoint")
      }
      func value(_ name: String) -> PresetNode? { pairs.first { $0.key.value == name }?.value }
      guard let time = value("at"), let level = value("value") else {
        add("a breakpoint has the keys 'at' and 'value'", at: node.position)
        return nil
      }
      return point(at: time, value: level, curve: value("curve"))
    }
  }

  private mutating func point(
    at time: PresetNode, value: PresetNode, curve: PresetNode?
  ) -> AutomationPoint? {
    let when = automationTime(time)
    let level = setting(value, key: "value")
    let shape = curve.flatMap { self.curve($0) }
    guard let when, let level else { return nil }
    return AutomationPoint(
      time: Located(when, at: time.position), value: Located(level, at: value.position),
      curve: shape)
  }

  private mutating func automationTime(_ node: PresetNode) -> AutomationTime? {
    let form =
      "a time is a number of seconds, or written such as 2.5 s, 300 ms, 1:30, 480 frames or 25 %"
    guard case .scalar(let text, _) = node.content else {
      add("\(form), not \(node.kindName)", at: node.position)
      return nil
    }
    guard case .quantity(let quantity) = Quantity.read(text) else {
      if let clock = TimePosition.clockTime(text), clock <= 1e12 {
        return .seconds(clock)
      }
      add("\(form), not \(quoted(text))", at: node.position)
      return nil
    }
    let time: AutomationTime
    switch quantity.unit?.kind {
    case nil, .time: time = .seconds(quantity.basicValue)
    case .frames: time = .frames(quantity.basicValue)
    case .percent where quantity.basicValue <= 100: time = .part(quantity.basicValue / 100)
    case .percent:
      add("100 % is the end of the file; \(quoted(text)) is after it", at: node.position)
      return nil
    default:
      add("\(form), not \(quoted(text))", at: node.position)
      return nil
    }
    guard quantity.basicValue >= 0, quantity.basicValue <= 1e12 else {
      add("a time counts from the start of the file; \(time.text) is outside", at: node.position)
      return nil
    }
    return time
  }

  private mutating func curve(_ node: PresetNode) -> Located<AutomationPoint.Curve>? {
    let form = "a curve is \(alternatives(PresetKeys.curveWords))"
    guard case .scalar(let text, _) = node.content else {
      add("\(form), not \(node.kindName)", at: node.position)
      return nil
    }
    let word = text == "stepped" ? AutomationPoint.Curve.step.rawValue : text
    if let curve = AutomationPoint.Curve(rawValue: word) {
      return Located(curve, at: node.position)
    }
    let near = suggestion(for: text, in: PresetKeys.curveWords)
    add("\(form), not \(quoted(text))\(near)", at: node.position)
    return nil
  }
}
