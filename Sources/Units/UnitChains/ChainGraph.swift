// The structure of a chain: stages, branches and side chains, before any unit is opened.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes

/// Stages, branches and side chains that become a graph of units.
public struct ChainGraph {
  /// A signal: the node that makes it, and the output bus of its unit.
  public struct Signal {
    /// The node, counted from 0.
    public var node: Int
    /// The output bus; nil for the one that the stage plays on.
    public var output: Int?

    /// Names a signal.
    public init(node: Int, output: Int? = nil) {
      self.node = node
      self.output = output
    }
  }

  /// The feed of a further input bus of a stage.
  public struct SideChain {
    /// Where it comes from.
    public enum Source {
      /// A node of the graph.
      case node(Signal)
      /// An audio file.
      case file(String, loops: Bool)
    }

    /// The input bus, from 1.
    public var bus: Int
    /// Where it comes from.
    public var source: Source
    /// The gain it is fed in with (a factor).
    public var gain: Float

    /// Describes a side chain.
    public init(bus: Int, source: Source, gain: Float = 1) {
      self.bus = bus
      self.source = source
      self.gain = gain
    }
  }

  /// A branch of a sum.
  public struct Branch {
    /// The node its sound comes from.
    public var node: Int
    /// Its gain (a factor).
    public var gain: Float
    /// −1 is left, 0 the middle, 1 right.
    public var pan: Float

    /// Describes a branch.
    public init(node: Int, gain: Float = 1, pan: Float = 0) {
      self.node = node
      self.gain = gain
      self.pan = pan
    }
  }

  /// Noise from a file, which is repeated as long as needed.
  public struct Noise {
    /// Its name.
    public var label: String
    /// The audio file.
    public var path: String
    /// Where in the file it begins, as a part of its length.
    public var start: Double
    /// By how much the signal is louder, in dB: the ratio of the mean powers, over the whole sound.
    public var ratioDecibels: Double

    /// Describes noise.
    public init(label: String, path: String, start: Double, ratioDecibels: Double) {
      self.label = label
      self.path = path
      self.start = start
      self.ratioDecibels = ratioDecibels
    }
  }

  /// A node of the graph.
  public enum Node {
    /// The input of the whole chain.
    case input
    /// A unit, the node it gets its input from, and its side chains.
    case stage(ChainStage, source: Int, sideChains: [SideChain])
    /// The sum of branches.
    case sum(label: String, branches: [Branch])
    /// The signal of another node, with noise added.
    case noise(Noise, source: Int)
    /// The signal of another node under another number.
    case same(source: Int)
  }

  /// The nodes, in any order.
  public var nodes: [Node]
  /// The node whose signal is the result.
  public var outputNode: Int
  /// Frames at the start of each side chain's file that are passed over: as many as the input begins
  /// behind the start of its file.
  public var sideFileStart = 0
  /// The sum whose branches are kept as they meet, for `UnitChain.tap`; nil for none.
  public var tappedSum: Int?
  /// Sentences about changes in the stages by the sample rate.
  public var notes: [String] = []

  /// Describes a graph, which must have no cycle.
  public init(nodes: [Node], outputNode: Int) {
    self.nodes = nodes
    self.outputNode = outputNode
  }

  /// Stages in a row.
  public init(stages: [ChainStage]) {
    nodes = [.input]
    for stage in stages {
      nodes.append(.stage(stage, source: nodes.count - 1, sideChains: []))
    }
    outputNode = nodes.count - 1
  }
}

/// An audio file that feeds a side chain, read from its start.
public protocol SideFile: AnyObject {
  /// Frames at the chain's sample rate; nil where the file does not declare them.
  var frameCount: Int? { get }
  /// Reads the next frames at the chain's sample rate.
  ///
  /// - Parameters:
  ///   - channels: A pointer for each channel asked for when the file was opened.
  ///   - frameCount: How many frames to read.
  /// - Returns: How many there were; fewer only at the end.
  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(AuricleError) -> Int
  /// Starts again at the first frame.
  func rewind() throws(AuricleError)
}

extension SideFile {
  /// An unknown length.
  public var frameCount: Int? { nil }
}

/// Opens the file of a side chain: path, sample rate (Hz), channels. Context: control.
///
/// The second result says how the file was adapted, or is nil.
public typealias SideFileOpener =
  (String, Double, Int) throws(AuricleError) -> (file: any SideFile, note: String?)
