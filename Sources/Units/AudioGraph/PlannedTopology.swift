// The topology of a plan: the nodes that participate, and the sources of their inputs.
// SPDX-License-Identifier: Apache-2.0

/// The source of an input bus when nothing changes.
struct PlannedFeed {
  var source: GraphSource
  /// The delay line on the edge; nil where nothing must be aligned.
  var line: DelayLine?

  static func isSame(_ one: PlannedFeed?, _ other: PlannedFeed?) -> Bool {
    GraphSource.isSame(one?.source, other?.source) && one?.line === other?.line
  }
}

/// The source of an input bus in a plan.
enum PlannedPort {
  case steady(PlannedFeed)
  /// Nothing, where there was a source before.
  case silent
  /// From one feed to another, silence where there is none; `wait` frames before it begins.
  case fade(from: PlannedFeed?, to: PlannedFeed?, wait: Int)

  /// The source where nothing changes.
  var steadyFeed: PlannedFeed? {
    if case .steady(let feed) = self { return feed }
    return nil
  }

  /// All feeds: two in a fade.
  var feeds: [PlannedFeed] {
    switch self {
    case .steady(let feed): [feed]
    case .silent: []
    case .fade(let from, let to, _): [from, to].compactMap { $0 }
    }
  }
}

/// The nodes that participate, and the sources of their inputs.
struct PlannedTopology {
  struct Entry {
    var node: GraphNode
    /// In the order of the buses.
    var ports: [(bus: UInt32, port: PlannedPort)] = []

    func port(_ bus: UInt32) -> PlannedPort? { ports.first { $0.bus == bus }?.port }
  }

  var head: GraphNode
  var entries: [ObjectIdentifier: Entry] = [:]

  init(head: GraphNode) { self.head = head }

  subscript(node: GraphNode) -> Entry? {
    get { entries[ObjectIdentifier(node)] }
    set { entries[ObjectIdentifier(node)] = newValue }
  }

  /// The nodes that reach the head, each behind its feeds; the head comes last.
  ///
  /// - Returns: nil if there is a cycle.
  func sorted() -> [GraphNode]? {
    var result: [GraphNode] = []
    var state: [ObjectIdentifier: Bool] = [:]
    var stack: [(node: GraphNode, sources: [GraphNode], next: Int)] = []
    func enter(_ node: GraphNode) {
      state[ObjectIdentifier(node)] = false
      let sources = (self[node]?.ports ?? []).flatMap { $0.port.feeds.compactMap(\.source.node) }
      stack.append((node, sources, 0))
    }
    enter(head)
    while let top = stack.indices.last {
      if stack[top].next < stack[top].sources.count {
        let source = stack[top].sources[stack[top].next]
        stack[top].next += 1
        switch state[ObjectIdentifier(source)] {
        case nil: enter(source)
        case .some(false): return nil
        case .some(true): break
        }
      } else {
        let node = stack.removeLast().node
        state[ObjectIdentifier(node)] = true
        result.append(node)
      }
    }
    return result
  }

  /// Removes nodes that do not reach the head.
  mutating func prune() {
    guard let nodes = sorted() else { return }
    let reached = Set(nodes.map { ObjectIdentifier($0) })
    entries = entries.filter { reached.contains($0.key) }
  }
}
