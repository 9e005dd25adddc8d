// What a chain is made of besides single units: branches side by side, and what feeds a side chain.
// SPDX-License-Identifier: Apache-2.0

/// One entry of a chain: a unit, or branches that are heard together.
public enum ChainEntry: Sendable, Equatable {
  /// A unit with its settings.
  case unit(UnitEntry)
  /// Branches that all hear the same signal, and whose sum goes on.
  case parallel(ParallelEntry)

  /// The units of the entry in the order they are written.
  ///
  /// Context: any.
  public var units: [UnitEntry] {
    switch self {
    case .unit(let unit): [unit]
    case .parallel(let parallel): parallel.branches.flatMap { $0.entries.flatMap(\.units) }
    }
  }
}

/// Branches side by side.
public struct ParallelEntry: Sendable, Equatable {
  /// So many branches may stand side by side.
  public static let maximumBranchCount = 64
  /// So deep may `parallel` stand within `parallel`.
  public static let maximumDepth = 6

  /// What to call the sum of the branches, or `nil`.
  public var label: Located<String>?
  /// The branches, at least one.
  public var branches: [BranchEntry]
  /// Whether the signal passes by all branches.
  public var isBypassed: Bool

  /// Makes an entry in code.
  ///
  /// Context: any.
  public init(branches: [BranchEntry], label: Located<String>? = nil, isBypassed: Bool = false) {
    self.label = label
    self.branches = branches
    self.isBypassed = isBypassed
  }
}

/// One of the branches side by side: a chain of its own, or nothing, which is the dry signal.
public struct BranchEntry: Sendable, Equatable {
  /// The gain of a branch lies within this range (dB).
  public static let gainRange = -120.0...24.0

  /// What to call the branch, or `nil`.
  public var label: Located<String>?
  /// How much louder or softer it is heard, in dB.
  public var gainDecibels: Double
  /// Where it is heard: −1 is left, 0 the middle, 1 right.
  public var pan: Double
  /// Its chain; empty for the dry signal.
  public var entries: [ChainEntry]

  /// Makes a branch in code.
  ///
  /// Context: any.
  public init(
    entries: [ChainEntry] = [], gainDecibels: Double = 0, pan: Double = 0,
    label: Located<String>? = nil
  ) {
    self.label = label
    self.gainDecibels = gainDecibels
    self.pan = pan
    self.entries = entries
  }
}

/// What feeds a further input bus of a unit.
public struct SideChainEntry: Sendable, Equatable {
  /// Where the sound comes from.
  public enum Source: Sendable, Equatable {
    /// What comes into the whole chain.
    case input
    /// The stage, the branch (before its gain) or the sum of branches of this name.
    case stage(String)
    /// An audio file; a relative path counts from the preset's folder.
    case file(String)
  }

  /// The gain of a side chain lies within this range (dB).
  public static let gainRange = -120.0...60.0

  /// Where the sound comes from, and where that is written.
  public var source: Located<Source>
  /// The input bus it feeds, by number or name; `nil` for the second one, bus 1.
  public var bus: Located<String>?
  /// The output bus of the source stage, by number or name; `nil` for the one it plays on.
  public var output: Located<String>?
  /// How much louder or softer it is fed in, in dB.
  public var gainDecibels: Double
  /// Whether a file starts again at its end; else there is silence.
  public var loops: Bool

  /// Makes a side chain in code.
  ///
  /// Context: any.
  public init(
    _ source: Located<Source>, bus: Located<String>? = nil, output: Located<String>? = nil,
    gainDecibels: Double = 0, loops: Bool = false
  ) {
    self.source = source
    self.bus = bus
    self.output = output
    self.gainDecibels = gainDecibels
    self.loops = loops
  }
}
