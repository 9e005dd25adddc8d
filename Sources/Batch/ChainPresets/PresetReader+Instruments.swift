// Reads the instruments of a preset that plays songs.
// SPDX-License-Identifier: Apache-2.0

import ResultSettings

extension PresetReader {
  /// Reads `instruments`.
  mutating func instruments(_ node: PresetNode) -> [InstrumentEntry] {
    guard case .sequence(let items) = node.content else {
      add(
        "'instruments' must be a list, each entry '- unit: NAME', not \(node.kindName)",
        at: node.position)
      return []
    }
    if items.isEmpty { add("'instruments' is empty: name at least one", at: node.position) }
    if items.count > InstrumentEntry.maximumCount {
      add(
        "'instruments' has \(items.count) entries; there may be \(InstrumentEntry.maximumCount)",
        at: node.position)
      return []
    }
    return items.compactMap { instrument($0) }
  }

  private mutating func instrument(_ node: PresetNode) -> InstrumentEntry? {
    guard case .mapping(let pairs) = node.content else {
      add(
        "an entry of 'instruments' is written '- unit: NAME', not as \(node.kindName)",
        at: node.position)
      return nil
    }
    requireKeys(PresetKeys.requiredInInstrument, in: pairs, of: "the instrument", at: node.position)
    var entry = InstrumentEntry(unit: UnitEntry(unit: ""))
    for (key, value) in pairs {
      switch key.value {
      case "unit": entry.unit.unit = Located(line(value, key: "unit") ?? "", at: value.position)
      case "name": entry.unit.name = located(value, key: "name")
      case "preset":
        entry.unit.preset = setting(value, key: "preset").map { Located($0, at: value.position) }
      case "set":
        entry.unit.parameters = entries(
          value, form: "'set' must be a mapping such as {volume: -3 dB}"
        ) { $0.parameter($1, $2) }
      case "channels":
        entry.channels = numbers(value, key: "channels", within: InstrumentEntry.channelRange)
      case "tracks":
        entry.tracks = numbers(value, key: "tracks", within: InstrumentEntry.trackRange)
      case "effects": entry.effects = entries(value, depth: 0)
      default: unknown(key, among: PresetKeys.instrument, in: "an instrument")
      }
    }
    return entry
  }

  /// One whole number, a range such as `1-4`, or a list of both.
  private mutating func numbers(
    _ node: PresetNode, key: String, within range: ClosedRange<Int>
  ) -> [Int] {
    let items = if case .sequence(let list) = node.content { list } else { [node] }
    var found: [Int] = []
    for item in items {
      guard case .scalar(let text, _) = item.content, let span = Self.span(text),
        range.contains(span.lowerBound), range.contains(span.upperBound)
      else {
        add(
          "\(quoted(key)) takes numbers from \(range.lowerBound) to \(range.upperBound), or ranges such as 1-4",
          at: item.position)
        continue
      }
      found += span.filter { !found.contains($0) }
    }
    return found
  }

  private static func span(_ text: String) -> ClosedRange<Int>? {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map {
      Int(trimmingSpaces(String($0)))
    }
    guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2, first <= last
    else { return nil }
    return first...last
  }

  /// Refuses settings that exclude instruments, and checks the connections of each part.
  mutating func checkInstruments(of preset: ChainPreset, at position: SourcePosition) {
    guard !preset.instruments.isEmpty else {
      if !preset.bus.isEmpty {
        add("'bus' needs 'instruments', and there are none", at: position)
      }
      return
    }
    if !preset.entries.isEmpty || !preset.render.isEmpty {
      add(
        "a preset with 'instruments' has no 'units' and no 'render': effects go into 'effects' of "
          + "an instrument, or in 'bus'", at: position)
    }
    let parts = preset.instruments.map(\.effects) + [preset.bus]
    for part in parts {
      for problem in preset.part(part).structureProblems()
      where diagnostics.count < PresetErrors.maximumCount {
        diagnostics.append(problem)
      }
    }
  }
}
