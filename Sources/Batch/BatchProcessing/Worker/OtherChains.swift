// Chains of the other formats of a run, while those of one format are looked at.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph
import AudioTypes

/// A format of the run that was looked at before.
struct OtherFormat {
  let format: ChainFormat
  /// What the first chain of a fresh process makes of the opening of the test signal.
  let opening: UInt64
  /// Whether its chains are reset before each file.
  let isReset: Bool

  init?(_ finding: ChainFinding) {
    guard let opening = finding.opening, !finding.isRandom, finding.habit != .process else {
      return nil
    }
    format = finding.format
    self.opening = opening
    isReset = finding.habit == .reset
  }

  var json: JSONValue {
    .members(
      format.members + [
        ("opening", .string(Hexadecimal.text(opening))), ("reset", .boolean(isReset)),
      ])
  }

  init?(json: JSONValue) {
    guard let format = ChainFormat(json: json),
      let opening = json["opening"]?.text.flatMap(Hexadecimal.number)
    else { return nil }
    self.format = format
    self.opening = opening
    isReset = json["reset"]?.boolean ?? false
  }
}

/// Chains of other formats: they render the opening of the test signal, then hear loud noise.
struct OtherChains {
  private var chains: [(other: OtherFormat, request: ChainRequest, chain: any RenderChain)] = []
  /// Whether each sounded as the first of a fresh process does.
  private(set) var soundAsKnown = true

  /// - Parameter inShort: Leaves the noise out.
  init(
    _ others: [OtherFormat], besides request: ChainRequest, makeChain: BatchRun.ChainMaker,
    inShort: Bool = false
  ) {
    for other in others where other.format != ChainFormat(request) {
      let request = request.examined(in: other.format)
      do throws(AuricleError) {
        let chain = try makeChain(request)
        if other.isReset { try chain.reset() }
        if try !Self.isKnown(chain, other, request) { soundAsKnown = false }
        guard !inShort else { continue }
        var noise = ExaminationSignal.noise(request)
        try noise.render(chain, blocks: request.blocks(of: ChainExamination.opening))
        try noise.renderEnd(chain, frameCounts: ExaminationSignal.lastSlices)
        chains.append((other, request, chain))
      } catch { soundAsKnown = false }
    }
  }

  /// Resets those that are kept from file to file; whether they sound as known after that.
  func soundAsKnownOnceReset() -> Bool {
    chains.allSatisfy { other, request, chain in
      guard other.isReset else { return true }
      return (try? chain.reset()) != nil && (try? Self.isKnown(chain, other, request)) == true
    }
  }

  private static func isKnown(
    _ chain: any RenderChain, _ other: OtherFormat, _ request: ChainRequest
  ) throws(AuricleError) -> Bool {
    var signal = ExaminationSignal(request)
    try signal.render(chain, blocks: request.blocks(of: ChainExamination.opening))
    return signal.sum(chain) == other.opening
  }
}

extension ChainRequest {
  /// The same for another format, and an input of ten seconds, which are as good as any.
  func examined(in format: ChainFormat) -> Self {
    var request = self
    request.sampleRate = format.sampleRate
    request.channelCount = format.channelCount
    request.inputFrameCount = Int(10 * format.sampleRate)
    return request
  }

  /// Blocks of the test signal that last so many seconds.
  func blocks(of seconds: Double) -> Int {
    max(1, Int((seconds * sampleRate / Double(maximumFrameCount)).rounded(.up)))
  }
}
