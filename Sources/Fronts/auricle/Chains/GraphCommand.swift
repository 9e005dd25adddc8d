// `auricle graph`: the graph of units that a preset becomes.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioComponents
import AudioGraph
import AudioTypes
import AudioUnits
import AuricleHost
import CAudioToolbox
import ChainPresets
import CommandOutput
import FileRendering
import RunReports
import UnitChains
import Workers

/// The parent of the commands about graphs.
struct GraphCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "graph",
    abstract: "Show the audio graph of a preset.",
    discussion: """
      EXAMPLES:
        auricle graph show ducked-reverb
        auricle graph show ducked-reverb --format dot | dot -Tpng > graph.png
      """,
    subcommands: [GraphShow.self])
}

/// Shows the graph of a preset.
struct GraphShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print nodes, connections and state of a preset's graph.",
    discussion: """
      The graph is the one that renders: splitters where a signal has several readers, a mixer \
      where branches meet, and the output that files are pulled from. Parameters are shown where \
      they differ from those of a new unit. The dot format is a picture for Graphviz, with labels, \
      latencies, and the delays that align branches.

      EXAMPLES:
        auricle graph show ducked-reverb
        auricle graph show mine.yaml --channels 1 --sample-rate 44100
        auricle graph show ducked-reverb --format dot | dot -Tpng > graph.png
      """)

  /// The format of a graph.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text
    case dot
    case json
  }

  @Option(
    help: ArgumentHelp(
      "Print text, a Graphviz source, or JSON.", valueName: "text|dot|json"))
  var format = Format.text

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Channels of the input. Default: 2.", valueName: "number"),
    transform: NumberRange.whole(1...1024))
  var channels = 2

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Sample rate of the input. Default: 48000.", valueName: "Hz"),
    transform: { text throws(ValidationError) in
      guard let rate = SignalArguments.hertz(text) else {
        throw ValidationError("--sample-rate takes 1000 to 768000 Hz, not '\(text)'.")
      }
      return rate
    })
  var sampleRate = 48_000.0

  @Argument(
    help: ArgumentHelp("The preset's name, or its file.", valueName: "name|file"),
    completion: .presets)
  var preset: String

  func run() throws {
    try SandboxedCommand.run(PlugInProcessFiles(presets: [preset]), show)
  }

  private func show() throws {
    let host = HostPlaces()
    let registry = host.makeRegistry()
    let written: ChainPreset
    do throws(PresetErrors) {
      written = try host.presets.preset(preset)
    } catch { throw error.joined(with: registry, formats: .files) }
    let resolved = try ResolvedChain(written, in: registry, formats: .files)
    let chain = try resolved.makeUnitChain(sampleRate: sampleRate, channelCount: channels)
    switch format {
    case .text:
      let names = Dictionary(
        registry.components.map { ($0.triple, $0.name) }, uniquingKeysWith: { first, _ in first })
      StandardStreams.writeResult(
        TerminalText.lines(try GraphText(chain: chain, names: names).text()))
    case .dot:
      for part in chain.partsBeforeWholeSounds {
        StandardStreams.writeResult(TerminalText.lines(part.chain.graph.dot))
      }
      StandardStreams.writeResult(TerminalText.lines(chain.graph.dot))
    case .json: try JSONResult.write(GraphRecord(chain))
    }
    for note in chain.notes { StandardStreams.writeMessage("note: \(TerminalText.plain(note))") }
  }
}

/// A graph, as `graph show --format json` prints it.
private struct GraphRecord: Encodable {
  struct Place: Encodable {
    var node: Int
    var bus: Int
  }

  struct Node: Encodable {
    var node: Int
    var type: String
    var subtype: String
    var manufacturer: String
    var label: String
    var latencyFrames: Int
  }

  /// The graph of the part that makes the input of an offline unit.
  struct Part: Encodable {
    var label: String
    var graph: GraphRecord
  }

  struct Connection: Encodable {
    /// Nil for the input file.
    var from: Place?
    var to: Place
    var channels: Int?
    var sampleRate: Double?
    var delayFrames: Int
  }

  var channels: Int
  var sampleRate: Double
  var latencyFrames: Int
  var tailSeconds: Double?
  var nodes: [Node] = []
  var connections: [Connection] = []
  var notes: [String]
  /// The graphs that are rendered before this one, one for each offline unit; nil for none.
  var before: [Part]?

  init(_ chain: UnitChain) throws {
    let graph = chain.graph
    channels = chain.channelCount
    sampleRate = chain.sampleRate
    latencyFrames = chain.latencyFrames
    tailSeconds = chain.tailSeconds
    notes = chain.notes
    if chain.worksOnWholeSounds {
      before = try chain.partsBeforeWholeSounds.map {
        Part(label: $0.label, graph: try GraphRecord($0.chain))
      }
    }
    for number in graph.nodeNumbers {
      let codes = try graph.description(of: number)
      let latency = try graph.unit(of: number)?.latency ?? 0
      nodes.append(
        Node(
          node: Int(number), type: codes.type.description, subtype: codes.subtype.description,
          manufacturer: codes.manufacturer.description, label: try graph.label(of: number),
          latencyFrames: Int(min(latency * sampleRate, 1e15).rounded())))
    }
    for interaction in graph.interactions {
      switch interaction {
      case .connection(let source, let output, let destination, let input):
        connections.append(
          try Self.connection(
            chain, Place(node: Int(source), bus: Int(output)), destination, input))
      case .inputCallback(let destination, let input, _):
        connections.append(try Self.connection(chain, nil, destination, input))
      }
    }
  }

  private static func connection(
    _ chain: UnitChain, _ source: Place?, _ destination: AudioUnitGraph.Node, _ input: UInt32
  ) throws -> Connection {
    let unit = try chain.graph.unit(of: destination)
    let format = try? unit?.streamFormat(scope: kAudioUnitScope_Input, element: input)
    return Connection(
      from: source, to: Place(node: Int(destination), bus: Int(input)),
      channels: format?.channelCount, sampleRate: format?.sampleRate,
      delayFrames: chain.graph.alignmentFrames(of: destination, input: input))
  }
}
