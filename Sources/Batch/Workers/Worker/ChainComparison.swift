// Compares chains: does sound of one file reach the next file of the same process?
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import FileRendering
import PlugInGuard
import RunLedgers
import UnitChains

/// Compares new chains with the first one of a fresh process, sample by sample.
///
/// The first chain renders the probe signal as the reference. Then it, and chains of all other known formats
/// of the run, render loud noise, and a new chain renders the probe signal again: state that units keep
/// outside of their instances becomes audible. Chains of the other formats, too, have to sound as in
/// processes of their own.
struct ChainComparison {
  let request: ChainSpecification
  /// The formats of the run that were probed earlier.
  let others: [OtherFormat]
  let makeChain: ChainMaker
  /// Receives results as soon as they are known.
  let report: (ProbeAnswer) -> Void

  /// Files this many frames longer than a slice are rendered between comparisons: one match may be chance,
  /// since a unit may count files and be back where it began.
  private static let otherLengths = [1, 230, 1501, 2047, 3010, 333]

  /// Runs a stage, in a process that has made no chain.
  func run(_ stage: ProbeStage) {
    switch stage {
    case .compare:
      let answer = compare()
      // All chains are closed by now.
      if case .same = answer, !LibraryMemory.isUntouched {
        report(.same(memory: .changing))
      } else {
        report(answer)
      }
    case .confirm:
      do throws(AuricleError) { _ = try renderFirst() } catch { report(.failed) }
    }
  }

  private func compare() -> ProbeAnswer {
    do throws(AuricleError) {
      // The first chain is closed before the second is opened, as between files.
      let first = try renderFirst()
      let memory = LibraryMemory.isUntouched ? StaticMemory.unchanged : .initialized
      if memory == .initialized { LibraryMemory.settle() }
      for other in others where other.format != ChainFormat(request) {
        guard other.soundsAsKnown(besides: request, makeChain: makeChain) else { return .differs }
      }
      let unlisted = renderUnlistedFormat()
      let second = try makeChain(request)
      var signal = ProbeSignal(request)
      try signal.render(second, blocks: request.signalBlocks)
      // State that units keep for one format only reaches chains of that format.
      guard signal.checksum(second) == first.checksum, renderUnlistedFormat() == unlisted else {
        return .differs
      }
      if !LibraryMemory.isUntouched {
        for frames in Self.otherLengths {
          try renderFile(makeChain(request), frames: frames)
          guard try prefix(of: makeChain(request)) == first.prefix else { return .differs }
        }
      }
      return .same(memory: memory)
    } catch {
      // The error is left for the files themselves to report.
      return .failed
    }
  }

  /// Renders the probe signal with the first chain, reports that, and renders noise.
  private func renderFirst() throws(AuricleError) -> (checksum: UInt64, prefix: UInt64) {
    let first = try makeChain(request)
    var signal = ProbeSignal(request)
    try signal.render(first, blocks: request.prefixBlocks)
    let prefix = signal.checksum(first)
    try signal.render(first, blocks: request.signalBlocks - request.prefixBlocks)
    let checksum = signal.checksum(first)
    report(.first(checksum: checksum, prefix: prefix))
    var noise = ProbeSignal.noise(request)
    try noise.render(first, blocks: request.signalBlocks)
    try noise.renderEnd(first, frameCounts: ProbeSignal.lastSlices)
    return (checksum, prefix)
  }

  /// If no other format is known: renders noise through a chain of another sample rate and channel count, or
  /// of another rate alone if units do not accept other channels.
  ///
  /// - Returns: The checksum of the result; nil if other formats are known, or no such chain can be made.
  private func renderUnlistedFormat() -> UInt64? {
    guard others.isEmpty else { return nil }
    let rate = request.sampleRate == 48_000 ? 44_100.0 : 48_000
    for channelCount in [request.channelCount == 1 ? 2 : 1, request.channelCount] {
      let other = request.probed(in: ChainFormat(sampleRate: rate, channelCount: channelCount))
      guard let chain = try? makeChain(other) else { continue }
      var noise = ProbeSignal.noise(other)
      try? noise.render(chain, blocks: other.prefixBlocks)
      try? noise.renderEnd(chain, frameCounts: ProbeSignal.lastSlices)
      return noise.checksum(chain)
    }
    return nil
  }

  /// The checksum of the first part of the probe signal through a chain.
  private func prefix(of chain: UnitChain) throws(AuricleError) -> UInt64 {
    var signal = ProbeSignal(request)
    try signal.render(chain, blocks: request.prefixBlocks)
    return signal.checksum(chain)
  }

  /// Renders a short file of noise: a slice and this many frames.
  private func renderFile(_ chain: UnitChain, frames: Int) throws(AuricleError) {
    var noise = ProbeSignal.noise(request)
    try noise.render(chain, blocks: chain.wantsWholeSlices ? 1 + frames % 7 : 1)
    try noise.renderEnd(chain, frameCounts: [frames])
  }
}
