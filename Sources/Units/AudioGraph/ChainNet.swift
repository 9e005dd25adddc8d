// A net of stages as its owner tells it: what hears what, before any unit is opened.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes

/// Stages, branches and side chains that become a graph of units.
public struct ChainNet {
  /// A signal: the place that makes it, and the output bus of its unit.
  public struct Signal {
    /// The place, counted from 0.
    public var place: Int
    /// The output bus; nil for the one that the stage plays on.
    public var output: Int?

    /// Names a signal.
    public init(place: Int, output: Int? = nil) {
      self.place = place
      self.output = output
    }
  }

  /// What feeds a further input bus of a stage.
  public struct SideChain {
    /// Where it comes from.
    public enum Source {
      /// A place of the net.
      case place(Signal)
      /// An audio file.
      case file(String, loops: Bool)
    }

    /// The input bus, from 1.
    public var bus: Int
    /// Where it comes from.
    public var source: Source
    /// How much louder or softer it is fed in (a factor).
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
    /// Where its sound comes from.
    public var place: Int
    /// Its gain (a factor).
    public var gain: Float
    /// −1 is left, 0 the middle, 1 right.
    public var pan: Float

    /// Describes a branch.
    public init(place: Int, gain: Float = 1, pan: Float = 0) {
      self.place = place
      self.gain = gain
      self.pan = pan
    }
  }

  /// A place of the net.
  public enum Place {
    /// What comes into the whole net.
    case input
    /// A unit, the place it hears, and its side chains.
    case stage(ChainStage, source: Int, sideChains: [SideChain])
    /// The sum of branches.
    case sum(label: String, branches: [Branch])
    /// The signal of another place under a name of its own.
    case same(source: Int)
  }

  /// The places; a stage may hear one that stands behind it.
  public var places: [Place]
  /// The place whose signal is the result.
  public var end: Int
  /// Frames at the start of each side chain's file that are passed over: as many as the input begins
  /// behind the start of its file.
  public var sideFileStart = 0

  /// Describes a net; there must be no circle in it.
  public init(places: [Place], end: Int) {
    self.places = places
    self.end = end
  }

  /// Stages in a row.
  public init(stages: [ChainStage]) {
    places = [.input]
    for stage in stages {
      places.append(.stage(stage, source: places.count - 1, sideChains: []))
    }
    end = places.count - 1
  }
}

/// An audio file that feeds a side chain, read from its start.
public protocol SideFile: AnyObject {
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

/// Opens the file of a side chain: path, sample rate (Hz), channels. Context: control.
///
/// The second result says how the file was adapted, or is nil.
public typealias SideFileOpener =
  (String, Double, Int) throws(AuricleError) -> (file: any SideFile, note: String?)
