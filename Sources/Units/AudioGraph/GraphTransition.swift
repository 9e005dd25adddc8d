// The transition from one state of the graph to the next: inputs that fade, nodes that sound on meanwhile.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox

/// One stage of a change: the topology that is rendered while its inputs fade.
struct GraphTransition {
  var topology: PlannedTopology
  var frames: Int
}

extension GraphTransition {
  /// Plans the way from one state to another.
  ///
  /// Every input whose source changes fades from the old one to the new one, so nodes that go away
  /// are rendered until then. Where both sources at once would make a cycle (two units change
  /// places), the input first fades to silence, and from silence in a second stage.
  ///
  /// - Parameters:
  ///   - fadeFrames: Frames of a fade.
  ///   - longestWait: Most frames that a fade waits for a new branch to be filled.
  /// - Returns: The stages in their order; none if nothing that sounds changes.
  static func stages(
    from old: PlannedTopology, to new: PlannedTopology, fadeFrames: Int, longestWait: Int
  ) -> [GraphTransition] {
    var (first, middle) = stage(
      from: old, to: new, fadeFrames: fadeFrames, longestWait: longestWait)
    guard var middle else { return first.map { [$0] } ?? [] }
    middle.prune()
    first?.topology.prune()
    let (second, _) = stage(
      from: middle, to: new, fadeFrames: fadeFrames, longestWait: longestWait)
    return [first, second].compactMap { $0 }
  }

  /// One stage; also the state it leads to, if that is not yet the one wanted.
  private static func stage(
    from old: PlannedTopology, to new: PlannedTopology, fadeFrames: Int, longestWait: Int
  ) -> (GraphTransition?, middle: PlannedTopology?) {
    var mixed = PlannedTopology(head: new.head)
    mixed.entries = old.entries
    var changes: [(node: GraphNode, bus: UInt32, from: PlannedFeed?, to: PlannedFeed?)] = []
    for (key, entry) in new.entries {
      guard let before = old.entries[key] else {
        mixed.entries[key] = entry
        continue
      }
      var ports: [(bus: UInt32, port: PlannedPort)] = []
      let buses = Set(entry.ports.map(\.bus)).union(before.ports.map(\.bus)).sorted()
      for bus in buses {
        let from = before.port(bus)?.steadyFeed
        let to = entry.port(bus)?.steadyFeed
        if PlannedFeed.isSame(from, to) || !canFade(entry.node, bus) {
          ports.append((bus, to.map { .steady($0) } ?? .silent))
        } else {
          changes.append((entry.node, bus, from, to))
          ports.append((bus, .fade(from: from, to: nil, wait: 0)))
        }
      }
      mixed.entries[key] = PlannedTopology.Entry(node: entry.node, ports: ports)
    }
    guard !changes.isEmpty else { return (nil, nil) }
    // The same edit must sound the same every time, in any order of a dictionary.
    changes.sort { ($0.node.number, $0.bus) < ($1.node.number, $1.bus) }
    var middle: PlannedTopology?
    for change in changes {
      guard let to = change.to else { continue }
      if let source = to.source.node, mixed.isUpstream(change.node, of: source) {
        if middle == nil { middle = new }
        middle?.setPort(change.node, change.bus, .silent)
      } else {
        mixed.setPort(change.node, change.bus, .fade(from: change.from, to: to, wait: 0))
      }
    }
    let longest = mixed.setWaits(
      knownIn: old, changes: changes.map { ($0.node, $0.bus) }, longestWait)
    mixed.prune()
    return (GraphTransition(topology: mixed, frames: longest + fadeFrames), middle)
  }

  private static func canFade(_ node: GraphNode, _ bus: UInt32) -> Bool {
    (try? node.format(kAudioUnitScope_Input, bus))?.isCanonical ?? true
  }
}

extension PlannedTopology {
  mutating func setPort(_ node: GraphNode, _ bus: UInt32, _ port: PlannedPort) {
    guard var entry = self[node], let index = entry.ports.firstIndex(where: { $0.bus == bus })
    else { return }
    entry.ports[index].port = port
    self[node] = entry
  }

  /// Whether a node is another one, or feeds it by any way.
  func isUpstream(_ node: GraphNode, of other: GraphNode) -> Bool {
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(other)]
    var waiting = [other]
    while let next = waiting.popLast() {
      if next === node { return true }
      for (_, port) in self[next]?.ports ?? [] {
        for feed in port.feeds {
          if let source = feed.source.node, seen.insert(ObjectIdentifier(source)).inserted {
            waiting.append(source)
          }
        }
      }
    }
    return false
  }

  /// Makes every fade wait until its target is filled with sound.
  ///
  /// - Returns: The longest wait in frames.
  fileprivate mutating func setWaits(
    knownIn old: PlannedTopology, changes: [(node: GraphNode, bus: UInt32)], _ limit: Int
  ) -> Int {
    var fill: [ObjectIdentifier: Int] = [:]
    func frames(_ feed: PlannedFeed) -> Int {
      feed.source.node.map { fill[ObjectIdentifier($0)] ?? 0 } ?? 0
    }
    for node in sorted() ?? [] where old[node] == nil {
      var longest = 0
      for (_, port) in self[node]?.ports ?? [] {
        if let feed = port.steadyFeed {
          longest = max(longest, frames(feed) + (feed.line?.frames ?? 0))
        }
      }
      fill[ObjectIdentifier(node)] = min(limit, node.latencyFrames + longest)
    }
    var longest = 0
    for (node, bus) in changes {
      guard case .fade(let from, .some(let to), _) = self[node]?.port(bus) else { continue }
      let isNewLine = to.line != nil && to.line !== from?.line
      let wait = min(limit, frames(to) + (isNewLine ? to.line?.frames ?? 0 : 0))
      setPort(node, bus, .fade(from: from, to: to, wait: wait))
      longest = max(longest, wait)
    }
    return longest
  }
}
