// Chains of the other formats of a run, while those of one format are compared.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import FileRendering
import RunLedgers

extension OtherFormat {
  /// Renders the first part of the probe signal with a new chain, and loud noise after it; whether
  /// the chain sounded as the first of a fresh process does.
  func soundsAsKnown(
    besides request: ChainRequest, makeChain: ChainMaker
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

extension ChainRequest {
  /// The same for another format, and an input of ten seconds, which are as good as any.
  func probed(in format: ChainFormat) -> Self {
    var request = self
    request.sampleRate = format.sampleRate
    request.channelCount = format.channelCount
    request.inputFrameCount = Int(10 * format.sampleRate)
    return request
  }

  /// Blocks of the probe signal, which lasts two seconds.
  var signalBlocks: Int { blocks(of: 2) }
  /// Blocks of its first part, a quarter of a second.
  var prefixBlocks: Int { blocks(of: 0.25) }

  private func blocks(of seconds: Double) -> Int {
    max(1, Int((seconds * sampleRate / Double(maximumFrameCount)).rounded(.up)))
  }
}
