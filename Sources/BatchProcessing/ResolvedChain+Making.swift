// From a resolved preset to a chain that renders.
// SPDX-License-Identifier: Apache-2.0

public import AudioGraph
public import AudioTypes
public import ChainPresets

extension ResolvedChain {
  /// Opens every unit anew and sets it, and connects them as the preset says.
  ///
  /// - Throws: The first unit's failure, with the stage's label.
  ///
  /// Context: control.
  public func makeChain(_ request: ChainRequest) throws(AuricleError) -> any RenderChain {
    try makeGraphChain(
      sampleRate: request.sampleRate, channelCount: request.channelCount,
      maximumFrameCount: request.maximumFrameCount)
  }

  /// The same with its graph, to be looked at.
  ///
  /// - Parameters:
  ///   - sampleRate: Frames per second (Hz).
  ///   - channelCount: Channels in and out.
  ///   - maximumFrameCount: The most frames rendered at once.
  /// - Throws: The first unit's failure, with the stage's label.
  ///
  /// Context: control.
  public func makeGraphChain(
    sampleRate: Double, channelCount: Int, maximumFrameCount: Int = 4096
  ) throws(AuricleError) -> GraphChain {
    try GraphChain(
      net: net(sampleRate: sampleRate), sampleRate: sampleRate, channelCount: channelCount,
      maximumFrames: maximumFrameCount,
      openFile: { (path, rate, channels) throws(AuricleError) in
        try SideFileReader.open(path, rate, channels)
      })
  }
}
