// How late a chain is and how long it rings on, for those who want to know before a run.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import FileRendering
import HostSystem
import UnitChains

/// What a chain made for stereo at 48 kHz tells of itself.
public struct ChainFigures: Sendable, Equatable {
  /// How late its output is, in seconds.
  public let latency: Double
  /// How long it rings on, in seconds; infinite for ever, nil where a unit does not tell.
  public let tail: Double?

  /// Makes a chain and asks it; nil where none can be made for this format.
  ///
  /// - Throws: That a unit's binary cannot be loaded.
  init?(trying makeChain: ChainMaker, seed: UInt64?) throws(WorkerRefusal) {
    let request = ChainRequest(
      sampleRate: 48_000, channelCount: 2, maximumFrameCount: 4096,
      variant: seed.map { VariantRequest(index: 1, seed: $0, key: "") })
    let chain: UnitChain
    do throws(AuricleError) { chain = try makeChain(request) } catch {
      if let refusal = WorkerRefusal(binaryOf: error) { throw refusal }
      return nil
    }
    latency = Double(chain.latencyFrames) / request.sampleRate
    tail = chain.tailSeconds
  }

  /// Reads what a worker tells.
  init?(_ json: JSONValue?) {
    guard let latency = json?["latency"]?.number else { return nil }
    self.latency = latency
    tail = json?["tail"]?.number ?? (json?["isEndless"]?.boolean == true ? .infinity : nil)
  }

  /// What `init(_:)` reads.
  var json: JSONValue {
    .members([
      ("latency", JSONValue(latency)),
      ("tail", tail.flatMap { $0.isFinite ? JSONValue($0) : nil }),
      ("isEndless", .boolean(tail == .infinity)),
    ])
  }
}
