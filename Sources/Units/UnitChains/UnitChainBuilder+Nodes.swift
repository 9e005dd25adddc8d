// Which nodes of a chain graph reach its output, in which order, and how many readers each has.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox

extension UnitChainBuilder {
  /// The nodes that reach the output, sources before their readers.
  func audibleNodes() -> [Int] {
    var isAudible = Set([layout.outputNode])
    var waiting = [layout.outputNode]
    while let index = waiting.popLast() {
      for source in sources(of: index) where isAudible.insert(source).inserted {
        waiting.append(source)
      }
    }
    // Sources first, in the order of the graph otherwise.
    var done: Set<Int> = []
    var order: [Int] = []
    for start in layout.nodes.indices where isAudible.contains(start) {
      var stack = [start]
      while let index = stack.last {
        let open = sources(of: index).filter { !done.contains($0) }
        if open.isEmpty || done.contains(index) {
          stack.removeLast()
          if done.insert(index).inserted { order.append(index) }
        } else if let next = open.first {
          // A cycle, which only a caller's mistake can make, would never end.
          guard stack.count <= layout.nodes.count else { return order }
          stack.append(next)
        }
      }
    }
    return order
  }

  func sources(of index: Int) -> [Int] {
    switch layout.nodes[index] {
    case .input: return []
    case .same(let source): return [source]
    case .sum(_, let branches): return branches.map(\.node)
    case .noise(_, let source): return [source]
    case .stage(let stage, let source, let sides):
      if Self.isPassedBy(stage) { return [source] }
      // It plays sound that was rendered before.
      if isOffline(index) { return [] }
      return [source]
        + sides.compactMap {
          if case .node(let signal) = $0.source { signal.node } else { nil }
        }
    }
  }

  static func isPassedBy(_ stage: ChainStage) -> Bool { stage.isBypassed || stage.mix <= 0 }

  /// Follows nodes that become no unit to the source of their signal.
  func findOrigins() -> [Origin] {
    var found: [Origin?] = Array(repeating: nil, count: layout.nodes.count)
    for start in layout.nodes.indices {
      var path: [Int] = []
      var index = start
      var origin: Origin?
      while origin == nil, path.count <= layout.nodes.count {
        if let known = found[index] {
          origin = known
          break
        }
        path.append(index)
        switch layout.nodes[index] {
        case .input: origin = .input
        case .same(let source): index = source
        case .noise: origin = Origin(index: index, output: 0)
        case .stage(let stage, let source, _):
          if Self.isPassedBy(stage) {
            index = source
          } else {
            origin = Origin(index: index, output: stage.outputBus)
          }
        case .sum(_, let branches):
          if branches.count == 1, branches[0].gain == 1, branches[0].pan == 0,
            index != layout.tappedSum
          {
            index = branches[0].node
          } else {
            origin = Origin(index: index, output: 0)
          }
        }
      }
      for index in path { found[index] = origin }
    }
    return found.map { $0 ?? .input }
  }

  func origin(of signal: ChainGraph.Signal) -> Origin {
    var origin = origins[signal.node]
    if let output = signal.output, origin.index == signal.node { origin.output = output }
    return origin
  }

  /// Counts the readers of each signal.
  mutating func count(_ order: [Int]) {
    readers[origins[layout.outputNode], default: 0] += 1
    for index in order where origins[index].index == index {
      switch layout.nodes[index] {
      case .stage(_, let source, let sides):
        if isOffline(index) { continue }
        readers[origins[source], default: 0] += 1
        for side in sides {
          if case .node(let signal) = side.source { readers[origin(of: signal), default: 0] += 1 }
        }
      case .noise(_, let source): readers[origins[source], default: 0] += 1
      case .sum(_, let branches):
        for branch in branches { readers[origins[branch.node], default: 0] += 1 }
      default: break
      }
    }
  }
}
