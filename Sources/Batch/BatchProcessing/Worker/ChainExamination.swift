// Looks whether anything of a file's sound is left for the next one: in a chain, or in the process.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph
import AudioTypes
import Glibc
import PlugInGuard
import RealtimeSupport

/// Which of the looks at a chain a process is to take; each is taken by a process of its own.
enum ChainLook: String, Sendable {
  /// Do new chains sound as the first of a fresh process?
  case new
  /// The same in short for a further format, where static memory does not change after the first use.
  case another
  /// They do not: is that chance, and does resetting help?
  case differing
  /// They do: does a chain that was reset sound the same, too?
  case reset
}

/// Compares chains with the first one of a fresh process, sample by sample.
///
/// The first chain renders a test signal, which is the measure. Then it, and chains of all other
/// formats of the run that are known, hear loud noise, and a new chain renders the same signal: what
/// units keep outside of their instances shows, whatever they were opened for. The others, too, have to
/// sound as they do in processes of their own.
struct ChainExamination {
  let request: ChainRequest
  /// The other formats of the run whose chains were looked at before.
  let others: [OtherFormat]
  let makeChain: BatchRun.ChainMaker
  /// Told what is found, as soon as it is.
  let tell: (ChainAnswer) -> Void
  /// Seconds of work until this process was ready to look.
  private let startSeconds = Self.workSeconds

  /// Making a chain takes long enough for resetting to be worth it.
  private static let longMaking = 0.01
  /// The test signal lasts so many seconds: always the same, so that every look finds the same.
  private static let length = 2.0
  /// The first part of the test signal, which is all that chains are given when another format is
  /// looked at, in seconds.
  static let opening = 0.25
  /// Files of so many frames more than a slice are heard before a chain counts as without a past:
  /// that one comparison holds may be chance, as a unit may count, and stand where it began.
  static let otherLengths = [1, 230, 1501, 2047, 3010, 333]
  /// The longest memory that is looked for, in seconds; what is told of a tail may shorten it.
  private static let longest = 12.0

  /// The first look, in a process that has made no chain: do new chains sound as the first?
  func compareNewChains() {
    tell(withMemory(lookAtNewChains))
  }

  /// The first look at a further format, where no chain changes static memory but the first of a
  /// process: does it matter of which format that was?
  func compareAnother() {
    tell(
      withMemory {
        do throws(AuricleError) {
          let first = try opening(of: makeChain(request))
          tell(
            .first(checksum: first, blocks: request.blocks(of: Self.opening), opening: first))
          LibraryMemory.settle()
          let company = OtherChains(others, besides: request, makeChain: makeChain, inShort: true)
          guard company.soundAsKnown else { return .disturbed }
          let (second, making) = try timeMaking()
          let work = Self.workSeconds
          let isSame = try opening(of: second) == first
          let perBlock = (Self.workSeconds - work) / Double(request.blocks(of: Self.opening))
          return opened(isSame, memory: .settled, making: making, perBlock: perBlock, of: second)
        } catch { return .failed }
      })
  }

  /// An answer with what is left in memory now that all chains are closed.
  private func withMemory(_ look: () -> ChainAnswer) -> ChainAnswer {
    let answer = look()
    guard case .opened(let isSame, _, let making, let looking) = answer,
      !LibraryMemory.isUntouched
    else { return answer }
    return .opened(isSame: isSame, memory: .changing, making: making, looking: looking)
  }

  private func lookAtNewChains() -> ChainAnswer {
    do throws(AuricleError) {
      // The first chain goes before the second comes, as between files.
      let measure = try measure()
      let memory = LibraryMemory.isUntouched ? ChainMemory.untouched : .settled
      if memory == .settled { LibraryMemory.settle() }
      let company = OtherChains(others, besides: request, makeChain: makeChain)
      guard company.soundAsKnown else { return .disturbed }
      let stranger = hearStranger()
      let (second, making) = try timeMaking()
      var signal = ExaminationSignal(request)
      try signal.render(second, blocks: measure.blocks)
      // What is kept for chains of another format alone, that one hears.
      var isSame = signal.sum(second) == measure.checksum && hearStranger() == stranger
      if isSame, !LibraryMemory.isUntouched {
        isSame = try soundSameAfterOthers(as: measure.opening)
      }
      guard company.soundAsKnownOnceReset() else { return .disturbed }
      return opened(
        isSame, memory: memory, making: making, perBlock: measure.secondsPerBlock, of: second)
    } catch {
      // The files themselves are to meet what is wrong.
      return .failed
    }
  }

  /// Whether new chains sound as the first after files of other lengths, too.
  private func soundSameAfterOthers(as opening: UInt64) throws(AuricleError) -> Bool {
    for frames in Self.otherLengths {
      try hearFile(makeChain(request), frames: frames)
      guard try self.opening(of: makeChain(request)) == opening else { return false }
    }
    return true
  }

  /// A new chain, and how many seconds that took.
  private func timeMaking() throws(AuricleError) -> (any RenderChain, Double) {
    let start = ContinuousClock.now
    let chain = try makeChain(request)
    return (chain, (ContinuousClock.now - start) / .seconds(1))
  }

  /// The answer, with what a chain costs and what it would to look whether resetting does.
  private func opened(
    _ isSame: Bool, memory: ChainMemory, making: Double, perBlock: Double,
    of chain: any RenderChain
  ) -> ChainAnswer {
    // Each variant is another chain: none is used again.
    let mayReset = isSame && making >= Self.longMaking && request.variant == nil
    let rendering = 3 * perBlock * Double(request.blocks(of: tailLength(chain)))
    return .opened(
      isSame: isSame, memory: memory, making: mayReset ? making : 0,
      looking: startSeconds + 2 * making + rendering)
  }

  private struct Measure {
    var checksum: UInt64
    var opening: UInt64
    var blocks: Int
    var secondsPerBlock: Double
  }

  /// What the first chain makes of the test signal; then it hears something else.
  private func measure() throws(AuricleError) -> Measure {
    let first = try makeChain(request)
    let early = request.blocks(of: Self.opening)
    let count = request.blocks(of: Self.length)
    let work = Self.workSeconds
    var signal = ExaminationSignal(request)
    try signal.render(first, blocks: early)
    let opening = signal.sum(first)
    try signal.render(first, blocks: count - early)
    let seconds = (Self.workSeconds - work) / Double(count)
    let checksum = signal.sum(first)
    tell(.first(checksum: checksum, blocks: count, opening: opening))
    try hearNoise(first, blocks: count)
    return Measure(
      checksum: checksum, opening: opening, blocks: count, secondsPerBlock: seconds)
  }

  /// Seconds that the processor has worked for this process.
  private static var workSeconds: Double {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return 0 }
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  // MARK: Signals

  func tailLength(_ chain: any RenderChain) -> Double {
    let told = chain.tailSeconds.map { $0.isFinite ? $0 + 1 : Self.longest } ?? Self.longest
    return max(2, min(told, Self.longest))
  }

  /// Where no other format is known: noise through a chain of another sample rate and number of
  /// channels, or of another rate alone where units do not take other channels.
  ///
  /// - Returns: What became of it; nil where others are known, or no such chain can be made.
  private func hearStranger() -> UInt64? {
    guard others.isEmpty else { return nil }
    let rate = request.sampleRate == 48_000 ? 44_100.0 : 48_000
    for channelCount in [request.channelCount == 1 ? 2 : 1, request.channelCount] {
      let other = request.examined(in: ChainFormat(sampleRate: rate, channelCount: channelCount))
      guard let chain = try? makeChain(other) else { continue }
      var noise = ExaminationSignal.noise(other)
      try? noise.render(chain, blocks: other.blocks(of: Self.opening))
      try? noise.renderEnd(chain, frameCounts: ExaminationSignal.lastSlices)
      return noise.sum(chain)
    }
    return nil
  }

  /// What a chain makes of the first part of the test signal.
  func opening(of chain: any RenderChain) throws(AuricleError) -> UInt64 {
    var signal = ExaminationSignal(request)
    try signal.render(chain, blocks: request.blocks(of: Self.opening))
    return signal.sum(chain)
  }

  /// A short file of noise: a slice, and so many frames.
  func hearFile(_ chain: any RenderChain, frames: Int) throws(AuricleError) {
    var noise = ExaminationSignal.noise(request)
    try noise.render(chain, blocks: chain.wantsWholeSlices ? 1 + frames % 7 : 1)
    try noise.renderEnd(chain, frameCounts: [frames])
  }

  func hearNoise(_ chain: any RenderChain, blocks: Int) throws(AuricleError) {
    var noise = ExaminationSignal.noise(request)
    try noise.render(chain, blocks: blocks)
    try noise.renderEnd(chain, frameCounts: ExaminationSignal.lastSlices)
  }
}
