// Builds a chain from a resolved preset.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import ChainPresets
public import UnitChains

extension ResolvedChain {
  /// Opens, sets and connects new units as the preset says.
  ///
  /// - Throws: The first unit's failure, with the stage's label.
  ///
  /// Context: control.
  public func makeChain(_ request: ChainSpecification) throws(AuricleError) -> UnitChain {
    let chain =
      request.variant.map {
        variant($0.index, seed: $0.seed, key: $0.key, sampleRate: request.sampleRate)
      } ?? self
    if dependsOnLength, request.inputFrameCount == nil {
      throw AuricleError(
        .badData,
        "the file has no known length, which breakpoints in percent need: write their times in "
          + "seconds")
    }
    return try chain.makeUnitChain(
      sampleRate: request.sampleRate, channelCount: request.channelCount,
      maximumFrameCount: request.maximumFrameCount, inputFrameCount: request.inputFrameCount,
      inputStart: request.inputStart)
  }

  /// The random values of a variant.
  ///
  /// Context: control.
  public func drawnFigures(_ request: VariantRequest) -> [DrawnFigure] {
    variant(request.index, seed: request.seed, key: request.key, sampleRate: request.sampleRate)
      .drawnFigures
  }

  /// The random values that were drawn.
  ///
  /// Context: any.
  public var drawnFigures: [DrawnFigure] {
    drawnValues.map {
      DrawnFigure(
        stage: $0.stageLabel, parameter: $0.parameter, value: Double($0.value), text: $0.text)
    }
  }

  /// Opens, sets and connects new units without a request for a file.
  ///
  /// - Parameters:
  ///   - sampleRate: Frames per second (Hz).
  ///   - channelCount: Channels in and out.
  ///   - maximumFrameCount: The most frames rendered at once.
  ///   - inputFrameCount: Frames of the file, for breakpoints in percent.
  ///   - inputStart: The frame of the file that the sound begins with, for all other breakpoints.
  /// - Throws: The first unit's failure, with the stage's label.
  ///
  /// Context: control.
  public func makeUnitChain(
    sampleRate: Double, channelCount: Int, maximumFrameCount: Int = 4096,
    inputFrameCount: Int? = nil, inputStart: Int = 0
  ) throws(AuricleError) -> UnitChain {
    try UnitChain(
      chainGraph(sampleRate: sampleRate, length: inputFrameCount, start: inputStart),
      sampleRate: sampleRate, channelCount: channelCount,
      maximumFrames: maximumFrameCount,
      openFile: { (path, rate, channels) throws(AuricleError) in
        try SideFileReader.open(path, rate, channels)
      })
  }
}
