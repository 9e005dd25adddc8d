// Entries of a chain: units, parallel branches, and sources of side chains.
// SPDX-License-Identifier: Apache-2.0

public import ResultSettings

/// One entry of a chain: a unit, or branches that are mixed.
public enum ChainEntry: Sendable, Equatable {
  /// A unit with its settings.
  case unit(UnitEntry)
  /// Branches that receive the same signal, and whose sum continues.
  case parallel(ParallelEntry)
  /// Noise that is added to the signal.
  case noise(NoiseEntry)

  /// The units of the entry in the order they are written.
  ///
  /// Context: any.
  public var units: [UnitEntry] {
    switch self {
    case .unit(let unit): [unit]
    case .parallel(let parallel): parallel.branches.flatMap { $0.entries.flatMap(\.units) }
    case .noise: []
    }
  }

  /// The noises of the entry in the order they are written.
  ///
  /// Context: any.
  public var noises: [NoiseEntry] {
    switch self {
    case .unit: []
    case .parallel(let parallel): parallel.branches.flatMap { $0.entries.flatMap(\.noises) }
    case .noise(let noise): [noise]
    }
  }
}

extension ChainEntry {
  /// Whether something of the entry besides its units is drawn for each variant. The place where noise
  /// begins in its file always is.
  var drawsRouting: Bool {
    switch self {
    case .unit: false
    case .noise: true
    case .parallel(let parallel):
      parallel.bypassProbability != nil
        || parallel.branches.contains { branch in
          branch.randomGain != nil || branch.entries.contains(where: \.drawsRouting)
        }
    }
  }
}

/// Parallel branches.
public struct ParallelEntry: Sendable, Equatable {
  /// The most parallel branches.
  public static let maximumBranchCount = 64
  /// The deepest nesting of `parallel`.
  public static let maximumDepth = 6

  /// The label of the sum, or `nil`.
  public var label: Located<String>?
  /// The branches, at least one.
  public var branches: [BranchEntry]
  /// Whether the branches are bypassed.
  public var isBypassed: Bool
  /// The probability of a bypass, 0 to 1, where it is drawn for each variant.
  public var bypassProbability: Double?

  /// Makes an entry in code.
  ///
  /// Context: any.
  public init(branches: [BranchEntry], label: Located<String>? = nil, isBypassed: Bool = false) {
    self.label = label
    self.branches = branches
    self.isBypassed = isBypassed
  }
}

/// A branch: a separate chain, or empty for the dry signal.
public struct BranchEntry: Sendable, Equatable {
  /// The range of a branch's gain (dB).
  public static let gainRange = -120.0...24.0

  /// The label of the branch, or `nil`.
  public var label: Located<String>?
  /// Its gain in dB.
  public var gainDecibels: Double
  /// The distribution of the gain for each variant, in dB.
  public var randomGain: RandomNumber?
  /// Its pan: −1 is left, 0 the middle, 1 right.
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

/// A side chain: the source of a further input bus of a unit.
public struct SideChainEntry: Sendable, Equatable {
  /// The source of a side chain.
  public enum Source: Sendable, Equatable {
    /// The input of the whole chain.
    case input
    /// The stage, the branch (before its gain) or the sum of branches of this name.
    case stage(String)
    /// An audio file; a relative path is relative to the preset's folder.
    case file(String)
  }

  /// The range of a side chain's gain (dB).
  public static let gainRange = -120.0...60.0

  /// The source, with its position.
  public var source: Located<Source>
  /// The input bus it feeds, by number or name; `nil` for the second one, bus 1.
  public var bus: Located<String>?
  /// The output bus of the source stage, by number or name; `nil` for its main output.
  public var output: Located<String>?
  /// Its gain in dB.
  public var gainDecibels: Double
  /// Whether a file loops; otherwise silence follows its end.
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
