// From a resolved preset to a chain that renders.
// SPDX-License-Identifier: Apache-2.0

public import AudioGraph
public import AudioTypes
public import ChainPresets

extension ResolvedChain {
  /// Opens every unit anew and sets it.
  ///
  /// - Throws: The first unit's failure, with the stage's label.
  ///
  /// Context: control.
  public func makeChain(_ request: ChainRequest) throws(AuricleError) -> any RenderChain {
    try UnitChain(
      stages: stages.map(Self.chainStage), sampleRate: request.sampleRate,
      channelCount: request.channelCount, maximumFrames: request.maximumFrameCount)
  }

  private static func chainStage(_ stage: ResolvedStage) -> ChainStage {
    ChainStage(
      label: stage.label, mix: Float(stage.mix), isBypassed: stage.isBypassed,
      makeUnit: { () throws(AuricleError) in try stage.makeUnit() },
      configure: { unit throws(AuricleError) in
        do throws(AuricleError) {
          try stage.configure(unit)
        } catch {
          // The chain puts the label in front, too.
          var error = error
          let prefix = stage.label + ": "
          if error.message.hasPrefix(prefix) { error.message.removeFirst(prefix.count) }
          throw error
        }
      })
  }
}
