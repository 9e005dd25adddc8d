// The connections of a preset: names, side chains, and cycles.
// SPDX-License-Identifier: Apache-2.0

/// The stages of a preset as a graph.
struct ChainStructure: Sendable {
  /// The role of a node.
  enum Role: Sendable {
    /// The input of the whole chain.
    case input
    /// The unit with this number, counted as `ChainPreset.units` counts.
    case unit(Int)
    /// The noise with this number, counted as `ChainPreset.noises` counts.
    case noise(Int)
    /// The end of a branch.
    case branch
    /// The sum of branches.
    case sum
  }

  /// A node, its sources, and its names.
  struct Node: Sendable {
    var role: Role
    /// Its label in the preset.
    var label: Located<String>?
    /// Its name in messages.
    var text: String
    /// Its sources: the previous node, or the branches of a sum.
    var sources: [Int]
    /// The source of each side chain of a unit; nil for a file.
    var sideSources: [Int?] = []
    /// Gain (dB) and pan of a branch.
    var gainDecibels = 0.0
    var pan = 0.0
    /// Whether the branches of a sum are bypassed.
    var isBypassed = false
  }

  private(set) var nodes: [Node] = [Node(role: .input, text: "the input", sources: [])]
  /// The last node of the signal.
  private(set) var end = 0
  /// The sum whose branches are kept; nil for none.
  private(set) var tappedSum: Int?
  /// The diagnostics.
  private(set) var problems: [PresetDiagnostic] = []
  private var unitCount = 0
  private var noiseCount = 0
  private var places: [String: [Int]] = [:]
  private let source: PresetSource?

  /// Joins structures: rows side by side, and one behind their sum.
  init(rows: [[ChainStructure]], behind: ChainStructure?, isTapped: Bool) {
    source = nil
    let ends = rows.map { row in row.reduce(0) { add($1, behind: $0) } }
    end = append(Node(role: .sum, text: "the sum of the instruments", sources: ends))
    if isTapped { tappedSum = end }
    if let behind { end = add(behind, behind: end) }
  }

  init(_ preset: ChainPreset) {
    source = preset.source
    end = add(preset.entries, behind: 0)
    for (index, node) in nodes.enumerated() {
      if let label = node.label { places[label.value, default: []].append(index) }
    }
    let units = preset.units
    for index in nodes.indices {
      guard case .unit(let number) = nodes[index].role else { continue }
      nodes[index].sideSources = units[number].sideChains.map { place(of: $0, for: index) }
    }
    refuseCircles(units)
  }

  private mutating func append(_ node: Node) -> Int {
    nodes.append(node)
    return nodes.count - 1
  }

  /// Adds a structure, whose input is then a node; returns its last node.
  private mutating func add(_ other: ChainStructure, behind start: Int) -> Int {
    let first = nodes.count
    for var node in other.nodes {
      node.sources = node.sources.map { $0 + first }
      node.sideSources = node.sideSources.map { $0.map { $0 + first } }
      switch node.role {
      case .input: (node.role, node.sources) = (.branch, [start])
      case .unit(let number): node.role = .unit(number + unitCount)
      case .noise(let number): node.role = .noise(number + noiseCount)
      case .branch, .sum: break
      }
      nodes.append(node)
    }
    unitCount += other.unitCount
    noiseCount += other.noiseCount
    return first + other.end
  }

  /// Adds a chain; returns its last node.
  private mutating func add(_ entries: [ChainEntry], behind start: Int) -> Int {
    var last = start
    for entry in entries {
      switch entry {
      case .unit(let unit):
        last = append(
          Node(
            role: .unit(unitCount), label: unit.name, text: quoted(unit.label ?? unit.unit.value),
            sources: [last]))
        unitCount += 1
      case .noise(let noise):
        last = append(
          Node(
            role: .noise(noiseCount), label: noise.label,
            text: noise.label.map { quoted($0.value) } ?? "the noise", sources: [last]))
        noiseCount += 1
      case .parallel(let parallel):
        var ends: [Int] = []
        var names: Set<String> = []
        for (number, branch) in parallel.branches.enumerated() {
          let inside = add(branch.entries, behind: last)
          if let label = branch.label, !names.insert(label.value).inserted {
            refuse("\(quoted(label.value)) is the name of two branches", at: label.position)
          }
          let text = branch.label.map { quoted($0.value) } ?? "branch \(number + 1)"
          ends.append(
            append(
              Node(
                role: .branch, label: branch.label, text: text, sources: [inside],
                gainDecibels: branch.gainDecibels, pan: branch.pan)))
        }
        // When bypassed, the branches serve side chains only.
        if parallel.isBypassed { ends = [last] }
        last = append(
          Node(
            role: .sum, label: parallel.label,
            text: parallel.label.map { quoted($0.value) } ?? "the sum of the branches",
            sources: ends.isEmpty ? [last] : ends, isBypassed: parallel.isBypassed))
      }
    }
    return last
  }

  private mutating func refuse(_ message: String, at position: SourcePosition?) {
    guard problems.count < 100 else { return }
    let kind: PresetDiagnostic.Kind = source == nil ? .usage : .preset
    problems.append(PresetDiagnostic(message, kind: kind, at: position, in: source))
  }

  /// The node that a side chain names; nil for a file, or when there is none.
  private mutating func place(of sideChain: SideChainEntry, for index: Int) -> Int? {
    let position = sideChain.source.position
    switch sideChain.source.value {
    case .file: return nil
    case .input:
      if let other = places[PresetKeys.inputWord]?.first {
        refuse(
          "'input' is both the input of the chain and the name of a stage"
            + "\(line(of: other)); give the stage another name", at: position)
      }
      return 0
    case .stage(let name):
      let found = places[name] ?? []
      if found.count == 1, let place = found.first {
        if place != index { return place }
        refuse("\(nodes[index].text) cannot be its own side chain", at: position)
        return nil
      }
      if found.isEmpty {
        let hint = suggestion(for: name, in: places.keys.sorted() + [PresetKeys.inputWord])
        let names = places.keys.sorted().prefix(12).map(quoted)
        let known =
          names.isEmpty
          ? "; no stage has a 'name'"
          : "; there are \(alternatives(["'input'"] + names, joinedBy: "and"))"
        refuse(
          "there is no stage with the name \(quoted(name))\(hint.isEmpty ? known : hint)",
          at: position)
      } else {
        let lines = found.compactMap { nodes[$0].label?.position.map { "\($0.line)" } }
        let at = lines.isEmpty ? "" : " (lines \(alternatives(lines, joinedBy: "and")))"
        refuse(
          "\(quoted(name)) is the name of \(found.count) stages\(at); give each its own",
          at: position)
      }
      return nil
    }
  }

  private func line(of index: Int) -> String {
    nodes[index].label?.position.map { " (line \($0.line))" } ?? ""
  }

  /// The direct inputs of a node.
  private func inputs(of index: Int) -> [Int] {
    nodes[index].sources + nodes[index].sideSources.compactMap { $0 }
  }

  /// Refuses each side chain whose source depends on the unit itself.
  private mutating func refuseCircles(_ units: [UnitEntry]) {
    guard hasCircle else { return }
    for index in nodes.indices {
      guard case .unit(let number) = nodes[index].role else { continue }
      for (side, place) in nodes[index].sideSources.enumerated() {
        guard let place, problems.count < 20, let path = path(from: index, to: place) else {
          continue
        }
        var names = path.compactMap { step -> String? in
          switch nodes[step].role {
          case .branch where nodes[step].label == nil, .sum where nodes[step].label == nil: nil
          default: nodes[step].text
          }
        }
        if names.count > 8 { names.replaceSubrange(4..<(names.count - 3), with: ["…"]) }
        names.append(nodes[index].text)
        refuse(
          "the side chain of \(nodes[index].text) comes from \(nodes[place].text), which itself "
            + "depends on \(nodes[index].text): \(names.joined(separator: " → "))",
          at: units[number].sideChains[side].source.position)
      }
    }
  }

  /// Whether there is a cycle (Kahn's algorithm).
  private var hasCircle: Bool {
    var waiting = nodes.indices.map { inputs(of: $0).count }
    var consumers: [[Int]] = Array(repeating: [], count: nodes.count)
    for index in nodes.indices { for place in inputs(of: index) { consumers[place].append(index) } }
    var ready = nodes.indices.filter { waiting[$0] == 0 }
    var done = 0
    while let place = ready.popLast() {
      done += 1
      for consumer in consumers[place] {
        waiting[consumer] -= 1
        if waiting[consumer] == 0 { ready.append(consumer) }
      }
    }
    return done < nodes.count
  }

  /// The shortest path from one node to another, or nil when there is none.
  private func path(from start: Int, to end: Int) -> [Int]? {
    // Backwards, from the consumer to its inputs.
    var next: [Int: Int] = [end: end]
    var queue = [end]
    var head = 0
    while head < queue.count, next[start] == nil {
      for place in inputs(of: queue[head]) where next[place] == nil {
        next[place] = queue[head]
        queue.append(place)
      }
      head += 1
    }
    guard next[start] != nil else { return nil }
    var path = [start]
    while let last = path.last, last != end, let step = next[last] { path.append(step) }
    return path
  }
}

extension ChainPreset {
  /// Diagnostics of stage names and sources of side chains.
  func structureProblems() -> [PresetDiagnostic] { ChainStructure(self).problems }
}
