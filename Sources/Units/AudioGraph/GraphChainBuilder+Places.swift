// Which places of a net are heard, in which order, and by how many.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox

extension GraphChainBuilder {
  /// The places that are heard, sources before what hears them.
  func heardPlaces() -> [Int] {
    var isHeard = Set([net.end])
    var waiting = [net.end]
    while let place = waiting.popLast() {
      for source in sources(of: place) where isHeard.insert(source).inserted {
        waiting.append(source)
      }
    }
    // Sources first, in the order of the net otherwise.
    var done: Set<Int> = []
    var order: [Int] = []
    for start in net.places.indices where isHeard.contains(start) {
      var stack = [start]
      while let place = stack.last {
        let open = sources(of: place).filter { !done.contains($0) }
        if open.isEmpty || done.contains(place) {
          stack.removeLast()
          if done.insert(place).inserted { order.append(place) }
        } else if let next = open.first {
          // A circle would never end; nets have none, but for a fault of the caller's.
          guard stack.count <= net.places.count else { return order }
          stack.append(next)
        }
      }
    }
    return order
  }

  func sources(of place: Int) -> [Int] {
    switch net.places[place] {
    case .input: return []
    case .same(let source): return [source]
    case .sum(_, let branches): return branches.map(\.place)
    case .stage(let stage, let source, let sides):
      if Self.isPassedBy(stage) { return [source] }
      return [source]
        + sides.compactMap {
          if case .place(let signal) = $0.source { signal.place } else { nil }
        }
    }
  }

  static func isPassedBy(_ stage: ChainStage) -> Bool { stage.isBypassed || stage.mix <= 0 }

  /// Follows places without a node of their own to what they hear.
  func findOrigins() -> [Origin] {
    var found: [Origin?] = Array(repeating: nil, count: net.places.count)
    for start in net.places.indices {
      var path: [Int] = []
      var place = start
      var origin: Origin?
      while origin == nil, path.count <= net.places.count {
        if let known = found[place] {
          origin = known
          break
        }
        path.append(place)
        switch net.places[place] {
        case .input: origin = Origin(place: -1, output: 0)
        case .same(let source): place = source
        case .stage(let stage, let source, _):
          if Self.isPassedBy(stage) {
            place = source
          } else {
            origin = Origin(place: place, output: stage.outputBus)
          }
        case .sum(_, let branches):
          if branches.count == 1, branches[0].gain == 1, branches[0].pan == 0 {
            place = branches[0].place
          } else {
            origin = Origin(place: place, output: 0)
          }
        }
      }
      for place in path { found[place] = origin }
    }
    return found.map { $0 ?? Origin(place: -1, output: 0) }
  }

  func origin(of signal: ChainNet.Signal) -> Origin {
    var origin = origins[signal.place]
    if let output = signal.output, origin.place == signal.place { origin.output = output }
    return origin
  }

  /// Counts who reads what.
  mutating func count(_ order: [Int]) {
    readers[origins[net.end], default: 0] += 1
    for place in order where origins[place].place == place {
      switch net.places[place] {
      case .stage(_, let source, let sides):
        readers[origins[source], default: 0] += 1
        for side in sides {
          if case .place(let signal) = side.source { readers[origin(of: signal), default: 0] += 1 }
        }
      case .sum(_, let branches):
        for branch in branches { readers[origins[branch.place], default: 0] += 1 }
      default: break
      }
    }
  }
}
