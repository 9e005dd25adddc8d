// A graph in words, as Core Audio shows it, and as a picture for Graphviz.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

extension AudioUnitGraph: CustomStringConvertible {
  /// Nodes, connections with their formats, and the state, in the layout of `CAShow`, ending with a
  /// line feed; the address is that of the graph.
  public var description: String { description(address: nil) }

  /// The description with an address to show for the graph; nil for the object's.
  public func description(address: UInt?) -> String {
    reading {
      var lines = ["AudioUnitGraph \(Self.hexadecimal(address ?? Self.address(of: self))):"]
      lines.append("  Member Nodes:")
      for number in order {
        guard let node = nodes[number] else { continue }
        lines.append(memberLine(node))
        if let subgraph = node.subgraph {
          let inner = subgraph.description.split(separator: "\n", omittingEmptySubsequences: false)
          lines.append(contentsOf: inner.dropLast().map { "      " + $0 })
        }
      }
      let connections = connectionLines
      lines.append("  Connections:")
      lines.append(contentsOf: connections.connections)
      if !connections.callbacks.isEmpty {
        lines.append("  Input Callbacks:")
        lines.append(contentsOf: connections.callbacks)
      }
      lines.append("  CurrentState:")
      lines.append(
        "    mLastUpdateError=\(lastUpdateError), eventsToProcess=\(hasPendingChanges && isInitializedNow ? "T" : "F"), "
          + "isRunning=\(startCount > 0 ? "T" : "F")")
      return lines.joined(separator: "\n") + "\n"
    }
  }

  private func memberLine(_ node: GraphNode) -> String {
    let state = (node.unit == nil ? "" : " O") + (node.isInitialized ? " I" : "")
    guard let subgraph = node.subgraph else {
      let codes = [
        node.description.type, node.description.subtype, node.description.manufacturer,
      ].map(\.quoted).joined(separator: " ")
      let name = node.label == node.description.triple ? "" : " \"\(node.label)\""
      let instance = node.unit.map { unsafe UInt(bitPattern: $0.instance) } ?? 0
      return
        "    node \(node.number): \(codes)\(name), instance 0x\(String(instance, radix: 16))\(state)"
    }
    return
      "    node \(node.number): subgraph \(Self.hexadecimal(Self.address(of: subgraph)))\(state)"
  }

  private var connectionLines: (connections: [String], callbacks: [String]) {
    var connections: [String] = []
    var callbacks: [String] = []
    for interaction in interactions {
      switch interaction {
      case .connection(let source, let output, let destination, let input):
        let format = nodes[source].flatMap { try? $0.format(kAudioUnitScope_Output, output) }
        connections.append(
          "    \(Self.place(source, output)) => \(Self.place(destination, input))  "
            + "[\(format?.columnDescription ?? "not open")]")
      case .inputCallback(let destination, let input, let callback):
        let format = nodes[destination].flatMap { try? $0.format(kAudioUnitScope_Input, input) }
        let address = unsafe unsafeBitCast(callback.inputProc, to: UInt.self)
        let reference = unsafe UInt(bitPattern: callback.inputProcRefCon)
        callbacks.append(
          "    {\(Self.hexadecimal(address)), \(Self.hexadecimal(reference))} => "
            + "\(Self.place(destination, input))  [\(format?.columnDescription ?? "not open")]")
      }
    }
    return (connections, callbacks)
  }

  /// The graph as a digraph in the DOT language: a box a node, an edge a connection, with its format
  /// and, where it is delayed to align branches, by how many frames.
  public var dot: String {
    reading {
      var lines = ["digraph AudioUnitGraph {", "  rankdir=LR;", "  node [shape=box];"]
      for number in order {
        guard let node = nodes[number] else { continue }
        let codes = node.subgraph == nil ? node.description.triple : "subgraph"
        let latency = node.latencyFrames > 0 ? "\\nlatency \(node.latencyFrames)" : ""
        let name = node.label == codes ? "" : "\\n" + Self.escaped(node.label)
        lines.append("  n\(number) [label=\"\(number): \(Self.escaped(codes))\(name)\(latency)\"];")
      }
      var callbacks = 0
      for interaction in interactions {
        switch interaction {
        case .connection(let source, let output, let destination, let input):
          lines.append(
            "  n\(source) -> n\(destination) [label=\"\(edgeLabel(destination, input))\", "
              + "taillabel=\"\(output)\", headlabel=\"\(input)\"];")
        case .inputCallback(let destination, let input, _):
          callbacks += 1
          lines.append("  c\(callbacks) [label=\"callback\", shape=ellipse];")
          lines.append(
            "  c\(callbacks) -> n\(destination) [label=\"\(edgeLabel(destination, input))\", "
              + "headlabel=\"\(input)\"];")
        }
      }
      return (lines + ["}"]).joined(separator: "\n") + "\n"
    }
  }

  /// Frames by which an input is delayed so that it meets the others of its node in time; 0 where it
  /// is not.
  public func alignmentFrames(of number: Node, input: UInt32 = 0) -> Int {
    reading {
      guard let node = nodes[number] else { return 0 }
      return settled?[node]?.port(input)?.steadyFeed?.line?.frames ?? 0
    }
  }

  private func edgeLabel(_ destination: Node, _ input: UInt32) -> String {
    guard let node = nodes[destination] else { return "" }
    let format = try? node.format(kAudioUnitScope_Input, input)
    let text = format.map { "\($0.channelCount) ch, \(Int($0.sampleRate)) Hz" } ?? ""
    let frames = settled?[node]?.port(input)?.steadyFeed?.line?.frames ?? 0
    return frames > 0 ? "\(text)\\ndelayed by \(frames)" : text
  }

  private static func place(_ node: Node, _ bus: UInt32) -> String {
    "node \(padded(String(node), 3)) bus \(padded(String(bus), 3))"
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if character == "\"" || character == "\\" { result.append("\\") }
      result.append(character == "\n" ? " " : character)
    }
  }

  static func address(of object: AnyObject) -> UInt {
    unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
  }

  private static func hexadecimal(_ number: UInt) -> String {
    "0x" + String(number, radix: 16, uppercase: true)
  }
}
