// A graph as text: units with their parameters and delays, and the connections.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph
import AudioTypes
import AudioUnits
import CAudioToolbox
import ChainPresets
import Foundation
import RunReports
import UnitChains

/// Lays the graph of a chain out for reading.
struct GraphText {
  let chain: UnitChain
  /// The name of an installed component by its `type:subtype:manufacturer`.
  let names: [String: String]

  private var graph: AudioUnitGraph { chain.graph }

  /// Parameters that are shown of one unit.
  private static let mostParameters = 40

  /// The lines.
  func text() throws(AuricleError) -> String {
    var text = ""
    for part in chain.partsBeforeWholeSounds {
      text += "Before \(part.label), which works on the whole sound\n\n"
      text += try GraphText(chain: part.chain, names: names).text() + "\n"
    }
    text += "Units\n"
    for number in graph.nodeNumbers { text += try unit(number) }
    return text + "\nConnections\n" + (try connections()) + "\n" + summary
  }

  private func unit(_ number: AudioUnitGraph.Node) throws(AuricleError) -> String {
    let identity = try graph.description(of: number).triple
    let label = try graph.label(of: number)
    var line = "  \(number)  "
    if let name = names[identity] {
      line += "\(name) (\(identity))"
      if label != identity, label != name { line += " “\(label)”" }
    } else {
      // An internal unit of the graph, which splits, mixes or outputs.
      line += label == identity ? identity : label
    }
    guard let unit = try graph.unit(of: number) else { return line + "\n" }
    let frames = Int(min(unit.latency * chain.sampleRate, 1e15).rounded())
    if frames > 0 { line += ", " + delay(frames) }
    let values = parameters(of: unit)
    return line + "\n" + values.map { "       \($0)\n" }.joined()
  }

  /// The parameters that are not as in a new unit.
  private func parameters(of unit: AudioUnit) -> [String] {
    var texts: [String] = []
    for scope in [kAudioUnitScope_Global, kAudioUnitScope_Input, kAudioUnitScope_Output] {
      let elementCount = scope == kAudioUnitScope_Global ? 1 : unit.busCount(scope: scope)
      for element in 0..<UInt32(clamping: min(elementCount, 64)) {
        let found = (try? unit.parameters(scope: scope, element: element)) ?? []
        for parameter in found where parameter.isWritable {
          guard let value = try? unit.parameter(parameter.id, scope: scope, element: element),
            value != parameter.defaultValue
          else { continue }
          let side = scope == kAudioUnitScope_Input ? "input" : "output"
          let place = scope == kAudioUnitScope_Global ? "" : " of \(side) \(element)"
          texts.append("\(parameter.name)\(place) \(parameter.text(for: value))")
        }
      }
    }
    let values = unit.textValues
    for setting in unit.textProperties {
      guard let parameter = setting.parameter, let text = values[setting.symbol],
        Float(text) != parameter.defaultValue
      else { continue }
      texts.append("\(setting.name) \(setting.shown(text))")
    }
    guard texts.count > Self.mostParameters else { return texts }
    return texts.prefix(Self.mostParameters) + ["and \(texts.count - Self.mostParameters) more"]
  }

  private func connections() throws(AuricleError) -> String {
    var table = TextTable([.left, .left, .left, .left])
    for interaction in graph.interactions {
      switch interaction {
      case .connection(let source, let output, let destination, let input):
        table.add(
          [place(source, output), "→"] + (try end(destination, input)))
      case .inputCallback(let destination, let input, _):
        table.add(["file", "→"] + (try end(destination, input)))
      }
    }
    return table.text(indent: "  ")
  }

  private func end(
    _ node: AudioUnitGraph.Node, _ input: UInt32
  ) throws(AuricleError) -> [String] {
    let format = try? graph.unit(of: node)?.streamFormat(
      scope: kAudioUnitScope_Input, element: input)
    var text = format.map { "\(Figures.count($0.channelCount, "channel", "channels"))" } ?? ""
    let frames = graph.alignmentFrames(of: node, input: input)
    if frames > 0 { text += ", delayed by \(frames) frames to meet the others" }
    return [place(node, input), text]
  }

  private func place(_ node: AudioUnitGraph.Node, _ bus: UInt32) -> String {
    bus == 0 ? "\(node)" : "\(node) bus \(bus)"
  }

  private var summary: String {
    let latency = chain.latencyFrames > 0 ? delay(chain.latencyFrames) : "no latency"
    let tail =
      switch chain.tailSeconds {
      case nil: "a tail that shows when it runs"
      case .some(let seconds) where seconds == .infinity: "an endless tail"
      case .some(let seconds) where seconds > 0: "a tail of \(Figures.duration(seconds))"
      case .some: "no tail"
      }
    return "The whole at \(Figures.plain(chain.sampleRate)) Hz: \(latency), \(tail)\n"
  }

  private func delay(_ frames: Int) -> String {
    let milliseconds = String(format: "%.1f", Double(frames) / chain.sampleRate * 1000)
    return "latency \(Figures.count(frames, "frame", "frames")) (\(milliseconds) ms)"
  }
}
