// The specification of a chain: format, length, variant.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import UnitChains

/// Makes a new chain for a file, so that no file affects the next.
public typealias ChainMaker = (ChainSpecification) throws(AuricleError) -> UnitChain

/// The specification of a chain.
public struct ChainSpecification: Sendable {
  /// Frames a second.
  public var sampleRate: Double
  /// Channels of the input.
  public var channelCount: Int
  /// The most frames rendered at once.
  public var maximumFrameCount: Int
  /// The variant to make; nil without random values.
  public var variant: VariantRequest?
  /// Frames of the input; nil if unknown.
  public var inputFrameCount: Int?
  /// The frame of the file that the sound begins with.
  public var inputStart = 0

  /// Makes a request.
  ///
  /// Context: any.
  public init(
    sampleRate: Double, channelCount: Int, maximumFrameCount: Int, variant: VariantRequest? = nil,
    inputFrameCount: Int? = nil, inputStart: Int = 0
  ) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.maximumFrameCount = maximumFrameCount
    self.variant = variant
    self.inputFrameCount = inputFrameCount
    self.inputStart = inputStart
  }
}

/// The variant of a file to make.
public struct VariantRequest: Sendable, Equatable {
  /// Its number, from 1.
  public var index: Int
  /// The seed of the whole run.
  public var seed: UInt64
  /// The key of the file: its path within the folder that was named.
  public var key: String
  /// The rate of the file (Hz), where it is known: frequencies are drawn within it.
  public var sampleRate: Double?

  /// Names a variant.
  public init(index: Int, seed: UInt64, key: String) {
    self.index = index
    self.seed = seed
    self.key = key
  }
}
