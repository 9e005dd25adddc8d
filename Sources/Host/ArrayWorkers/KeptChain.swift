// The chain of short sounds in memory: the one before, where a reset makes it sound like a new one.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import FileRendering
import RunLedgers
import UnitChains
import Workers

/// Makes a new chain for each sound, until a comparison shows that the last one sounds the same after a reset.
///
/// A new chain costs more than a short sound. Comparing costs some seconds of sound: it comes after a number of
/// sounds of a format, for chains of which nothing but the units has a past. Context: control.
final class KeptChain {
  /// Sounds after which a comparison pays.
  private static let fewSounds = 32

  private let makeChain: ChainMaker
  /// The chain of the last sound, and its format.
  private var kept: (chain: UnitChain, format: ChainFormat)?
  private var soundCount = 0
  /// Whether a reset is enough; nil while that is unknown.
  private var canReset: Bool?

  init(makeChain: @escaping ChainMaker) { self.makeChain = makeChain }

  /// A chain without a past.
  ///
  /// - Throws: The failure of a unit that cannot be opened or reset.
  func chain(for request: ChainSpecification) throws(AuricleError) -> UnitChain {
    let format = ChainFormat(request)
    guard let last = kept, last.format == format,
      last.chain.maximumFrames == request.maximumFrameCount
    else {
      (soundCount, canReset) = (0, nil)
      return try make(request, format)
    }
    soundCount += 1
    if canReset == nil, soundCount >= Self.fewSounds {
      canReset = try soundsNew(last.chain, request)
    }
    guard canReset == true else { return try make(request, format) }
    try last.chain.reset()
    return last.chain
  }

  /// Forgets the chain, whose units have failed.
  func forget() { kept = nil }

  private func make(
    _ request: ChainSpecification, _ format: ChainFormat
  ) throws(AuricleError) -> UnitChain {
    // Closed before the next one is opened, as between files.
    kept = nil
    let chain = try makeChain(request)
    kept = (chain, format)
    return chain
  }

  /// Whether a chain that was used sounds like a new one after a reset, before and after loud noise.
  private func soundsNew(
    _ used: UnitChain, _ request: ChainSpecification
  ) throws(AuricleError) -> Bool {
    guard !used.followsFile, used.wholeSoundCount == 0, !used.reportsLatencyLate else {
      return false
    }
    let after = try checksumAfterReset(used, request)
    var noise = ProbeSignal.noise(request)
    try noise.render(used, blocks: request.signalBlocks)
    try noise.renderEnd(used, frameCounts: ProbeSignal.lastSlices)
    guard try checksumAfterReset(used, request) == after else { return false }
    let new = try makeChain(request)
    var signal = ProbeSignal(request)
    try signal.render(new, blocks: request.signalBlocks)
    return signal.checksum(new) == after
  }

  private func checksumAfterReset(
    _ chain: UnitChain, _ request: ChainSpecification
  ) throws(AuricleError) -> UInt64 {
    try chain.reset()
    var signal = ProbeSignal(request)
    try signal.render(chain, blocks: request.signalBlocks)
    return signal.checksum(chain)
  }
}
