// Reads entries of `units`: units and parallel branches.
// SPDX-License-Identifier: Apache-2.0

import ResultSettings

extension PresetReader {
  /// Reads a list of entries, which may be empty; `depth` counts the `parallel` around it.
  mutating func entries(_ node: PresetNode, depth: Int) -> [ChainEntry] {
    guard case .sequence(let items) = node.content else {
      add(
        "'units' must be a list, each entry '- unit: NAME', not \(node.kindName)", at: node.position
      )
      return []
    }
    return items.compactMap { entry($0, depth: depth) }
  }

  private mutating func entry(_ node: PresetNode, depth: Int) -> ChainEntry? {
    if case .mapping(let pairs) = node.content,
      let pair = pairs.first(where: { $0.key.value == "parallel" })
    {
      return parallel(pairs, branches: pair.value, key: pair.key, depth: depth + 1)
    }
    if case .mapping(let pairs) = node.content,
      let pair = pairs.first(where: { $0.key.value == "noise" })
    {
      return noise(pairs, source: pair.value, at: node.position)
    }
    return unit(node).map(ChainEntry.unit)
  }

  private mutating func parallel(
    _ pairs: [(key: Located<String>, value: PresetNode)], branches: PresetNode,
    key: Located<String>, depth: Int
  ) -> ChainEntry? {
    var entry = ParallelEntry(branches: [])
    for (key, value) in pairs {
      switch key.value {
      case "parallel": break
      case "name": entry.label = located(value, key: "name")
      case "bypass": (entry.isBypassed, entry.bypassProbability) = bypass(value)
      case "unit":
        if let position = key.position {
          add("an entry is either a unit or 'parallel', not both", at: position)
        }
      default: unknown(key, among: PresetKeys.parallel, in: "an entry with 'parallel'")
      }
    }
    guard depth <= ParallelEntry.maximumDepth else {
      if let position = key.position {
        add(
          "'parallel' is nested more than \(ParallelEntry.maximumDepth) levels deep", at: position)
      }
      return nil
    }
    guard case .sequence(let items) = branches.content else {
      add(
        "'parallel' must be a list of branches such as [{gain: -6 dB}, {units: [{unit: NAME}]}], "
          + "not \(branches.kindName)", at: branches.position)
      return nil
    }
    if items.isEmpty {
      add("'parallel' is empty; it has at least one branch", at: branches.position)
    }
    if items.count > ParallelEntry.maximumBranchCount {
      add(
        "'parallel' has \(items.count) branches; there may be "
          + "\(ParallelEntry.maximumBranchCount)", at: branches.position)
      return nil
    }
    entry.branches = items.compactMap { branch($0, depth: depth) }
    return .parallel(entry)
  }

  private mutating func branch(_ node: PresetNode, depth: Int) -> BranchEntry? {
    guard case .mapping(let pairs) = node.content else {
      add(
        "a branch is a mapping such as {gain: -6 dB, units: [{unit: NAME}]}, not \(node.kindName)",
        at: node.position)
      return nil
    }
    var branch = BranchEntry()
    for (key, value) in pairs {
      switch key.value {
      case "name": branch.label = located(value, key: "name")
      case "gain":
        let gain = number(value) { $0.decibels($1, key: "gain", within: BranchEntry.gainRange) }
        branch.gainDecibels = gain?.value ?? 0
        branch.randomGain = gain?.random
      case "pan": branch.pan = pan(value) ?? 0
      case "units": branch.entries = entries(value, depth: depth)
      default: unknown(key, among: PresetKeys.branch, in: "a branch")
      }
    }
    return branch
  }

  /// A text on one line with its position.
  mutating func located(_ node: PresetNode, key: String) -> Located<String>? {
    line(node, key: key).map { Located($0, at: node.position) }
  }

  private mutating func pan(_ node: PresetNode) -> Double? {
    let form = "'pan' lies between -1 (left) and 1 (right), or between -100 % and 100 %"
    guard case .scalar(let text, _) = node.content else {
      add("\(form), not \(node.kindName)", at: node.position)
      return nil
    }
    switch Quantity.read(text) {
    case .quantity(let quantity) where quantity.unit == nil || quantity.unit?.kind == .percent:
      let pan = quantity.unit == nil ? quantity.value : quantity.value / 100
      if (-1...1).contains(pan) { return pan }
      add("\(form); \(quantity.description) is outside", at: node.position)
    default: add("\(form), not \(quoted(text))", at: node.position)
    }
    return nil
  }
}
