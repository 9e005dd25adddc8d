// The latency and tail of a chain, measured before a run.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import FileRendering
import HostSystem
import UnitChains

/// Latency and tail that a chain reports when it is made for stereo at 48 kHz.
public struct ChainFigures: Sendable, Equatable {
  /// Its latency in seconds.
  public let latency: Double
  /// Its tail in seconds: infinite when it never ends, nil when a unit reports none.
  public let tail: Double?

  /// Makes a chain and reads both; nil when none can be made for this format.
  ///
  /// - Throws: A refusal when a unit's binary cannot be loaded.
  init?(trying makeChain: ChainMaker, seed: UInt64?) throws(WorkerRefusal) {
    let request = ChainSpecification(
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

  /// Reads the figures from a worker's message.
  init?(_ json: JSONValue?) {
    guard let latency = json?["latency"]?.number else { return nil }
    self.latency = latency
    tail = json?["tail"]?.number ?? (json?["isEndless"]?.boolean == true ? .infinity : nil)
  }

  /// The figures in the form that `init(_:)` reads.
  var json: JSONValue {
    .members([
      ("latency", JSONValue(latency)),
      ("tail", tail.flatMap { $0.isFinite ? JSONValue($0) : nil }),
      ("isEndless", .boolean(tail == .infinity)),
    ])
  }
}
