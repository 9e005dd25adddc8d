// Renders with chains of a run's other formats while one format is probed.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
package import FileRendering
import RunLedgers

extension OtherFormat {
  /// Renders the first part of the probe signal with a new chain, then loud noise; true if the chain sounds
  /// like the first of a fresh process.
  func soundsAsKnown(
    besides request: ChainSpecification, makeChain: ChainMaker
  ) -> Bool {
    let request = request.probed(in: format)
    do throws(AuricleError) {
      let chain = try makeChain(request)
      var signal = ProbeSignal(request)
      try signal.render(chain, blocks: request.prefixBlocks)
      let checksum = signal.checksum(chain)
      var noise = ProbeSignal.noise(request)
      try noise.render(chain, blocks: request.prefixBlocks)
      try noise.renderEnd(chain, frameCounts: ProbeSignal.lastSlices)
      return checksum == prefix
    } catch { return false }
  }
}

extension ChainSpecification {
  /// A request for a format, with an input of ten seconds, which is as good as any.
  func probed(in format: ChainFormat) -> Self {
    var request = self
    request.sampleRate = format.sampleRate
    request.channelCount = format.channelCount
    request.inputFrameCount = Int(10 * format.sampleRate)
    return request
  }

  /// Blocks of the probe signal, which lasts two seconds.
  package var signalBlocks: Int { blocks(of: 2) }
  /// Blocks of its first part, which lasts a quarter of a second.
  var prefixBlocks: Int { blocks(of: 0.25) }

  private func blocks(of seconds: Double) -> Int {
    max(1, Int((seconds * sampleRate / Double(maximumFrameCount)).rounded(.up)))
  }
}
