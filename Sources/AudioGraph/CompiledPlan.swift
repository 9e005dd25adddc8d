// The owner of a plan: its memory, and whatever must live as long as it is rendered.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// Memory that is freed as a whole. Context: control.
@safe final class PlanArena {
  private var blocks: [UnsafeMutableRawPointer] = unsafe []
  private var free: UnsafeMutableRawPointer?
  private var room = 0
  private static let blockSize = 1 << 17

  deinit { unsafe blocks.forEach { unsafe $0.deallocate() } }

  /// Samples of a channel: an odd number of cache lines from one to the next, as equal places of many
  /// buffers a power of two apart would push each other out of the cache. Behind them a guard lies.
  func samples(_ byteCount: Int) -> UnsafeMutableRawPointer {
    let lines = (BufferGuard.place(byteCount) + BufferGuard.size + 63) / 64
    let memory = unsafe bytes((lines | 1) * 64)
    unsafe BufferGuard.set(memory + BufferGuard.place(byteCount))
    return unsafe memory
  }

  /// Zeroed bytes on an alignment of 64; small ones lie beside each other.
  func bytes(_ count: Int, alignment: Int = 64) -> UnsafeMutableRawPointer {
    let size = (max(count, 1) + alignment - 1) & ~(alignment - 1)
    if size > Self.blockSize / 4 { return unsafe block(size) }
    let skipped = unsafe free.map { -Int(bitPattern: $0) & (alignment - 1) } ?? 0
    if let start = unsafe free, size + skipped <= room {
      unsafe free = unsafe start + skipped + size
      room -= skipped + size
      return unsafe start + skipped
    }
    let start = unsafe block(Self.blockSize)
    unsafe free = unsafe start + size
    room = Self.blockSize - size
    return unsafe start
  }

  private func block(_ size: Int) -> UnsafeMutableRawPointer {
    let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
    unsafe block.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    unsafe blocks.append(block)
    return unsafe block
  }

  /// Room for values, which the caller initialises.
  func room<Value>(for count: Int, of type: Value.Type) -> UnsafeMutablePointer<Value> {
    unsafe bytes(
      max(count, 1) * MemoryLayout<Value>.stride, alignment: max(16, MemoryLayout<Value>.alignment)
    ).bindMemory(to: type, capacity: max(count, 1))
  }
}

/// What an input bus hears when nothing changes.
struct PlannedFeed {
  var source: GraphSource
  /// The delay line on the edge; nil where nothing must be aligned.
  var line: DelayLine?

  static func isSame(_ one: PlannedFeed?, _ other: PlannedFeed?) -> Bool {
    GraphSource.isSame(one?.source, other?.source) && one?.line === other?.line
  }
}

/// What an input bus hears in a plan.
enum PlannedPort {
  case steady(PlannedFeed)
  /// Nothing, where something was heard before.
  case silent
  /// From one feed to another, silence where there is none; `wait` frames before it begins.
  case fade(from: PlannedFeed?, to: PlannedFeed?, wait: Int)

  /// What is heard where nothing changes.
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

/// Which nodes take part, and what their inputs hear.
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

  /// The nodes that are heard at the head, each behind those that feed it; the head comes last.
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

  /// Leaves out what is not heard at the head.
  mutating func prune() {
    guard let nodes = sorted() else { return }
    let heard = Set(nodes.map { ObjectIdentifier($0) })
    entries = entries.filter { heard.contains($0.key) }
  }
}

/// A plan with everything it needs. Freed by a control thread once a later one is in force.
@safe final class CompiledPlan {
  let plan: UnsafeMutablePointer<GraphPlan>
  let serial: UInt64
  let arena: PlanArena
  /// What the render structs point at.
  let nodes: [GraphNode]
  let slots: [InputSlot]
  let callbacks: [InputCallback]
  let lines: [DelayLine]

  init(
    plan: UnsafeMutablePointer<GraphPlan>, arena: PlanArena, nodes: [GraphNode],
    slots: [InputSlot], callbacks: [InputCallback], lines: [DelayLine]
  ) {
    unsafe self.plan = unsafe plan
    serial = unsafe plan.pointee.serial
    self.arena = arena
    self.nodes = nodes
    self.slots = slots
    self.callbacks = callbacks
    self.lines = lines
  }
}
