// Looks whether anything of a file's sound is left for the next one: in a chain, or in the process.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph
import AudioTypes
import Glibc

/// Which of the looks at a chain a process is to take; each is taken by a process of its own.
enum ChainLook: String, Sendable {
  /// Do new chains sound as the first of a fresh process?
  case new
  /// They do not: is that chance, and does resetting help?
  case differing
  /// They do: does a chain that was reset sound the same, too?
  case reset
}

/// Compares chains with the first one of a fresh process, sample by sample.
///
/// The first chain renders a test signal, which is the measure. Then it, and one of another sample
/// rate and another number of channels, hear loud noise and are closed, and a new chain renders the
/// same signal: what units keep outside of their instances shows, whatever they were opened for. The other
/// chain comes a second time, too.
struct ChainExamination {
  let request: ChainRequest
  let makeChain: BatchRun.ChainMaker
  /// Told what is found, as soon as it is.
  let tell: (ChainAnswer) -> Void

  /// Making a chain takes long enough for resetting to be worth it.
  private static let longMaking = 0.01
  /// The test signal lasts so many seconds, and longer while it is rendered in this time.
  private static let shortest = 1.0
  private static let patience = Duration.milliseconds(30)
  /// What a chain of another format hears in between, in seconds.
  private static let disturbance = 0.25
  /// The longest memory that is looked for, in seconds; what is told of a tail may shorten it.
  private static let longest = 12.0

  /// The first look, in a process that has made no chain: do new chains sound as the first?
  func compareNewChains() {
    do throws(AuricleError) {
      // The first chain goes before the second comes, as between files.
      let measure = try measure()
      let other = disturb()
      let start = ContinuousClock.now
      let second = try makeChain(request)
      let making = (ContinuousClock.now - start) / .seconds(1)
      var signal = ExaminationSignal(request)
      try signal.render(second, blocks: measure.blocks)
      // What is kept for the other format alone, that one hears.
      let isSame = signal.sum(second) == measure.checksum && disturb() == other
      // Each variant is another chain: none is used again.
      let mayReset = isSame && making >= Self.longMaking && request.variant == nil
      let looking =
        2 * making + 3 * measure.secondsPerBlock * Double(blocks(of: tailLength(second)))
      tell(.opened(isSame: isSame, making: mayReset ? making : 0, looking: looking))
    } catch {
      // The files themselves are to meet what is wrong.
      tell(.failed)
    }
  }

  private struct Measure {
    var checksum: UInt64
    var blocks: Int
    var secondsPerBlock: Double
  }

  /// What the first chain makes of the test signal; then it hears something else.
  private func measure() throws(AuricleError) -> Measure {
    let first = try makeChain(request)
    let limit = blocks(of: tailLength(first))
    let least = blocks(of: Self.shortest)
    let start = ContinuousClock.now
    let work = Self.workSeconds
    var signal = ExaminationSignal(request)
    var count = 0
    while count < least || count < limit && ContinuousClock.now - start < Self.patience {
      try signal.render(first, blocks: 1)
      count += 1
    }
    let seconds = (Self.workSeconds - work) / Double(count)
    let checksum = signal.sum(first)
    tell(.first(checksum: checksum, blocks: count))
    try hearNoise(first, blocks: count)
    return Measure(checksum: checksum, blocks: count, secondsPerBlock: seconds)
  }

  /// Seconds that the processor has worked for this process.
  private static var workSeconds: Double {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return 0 }
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// Where new chains sound as the first: does one that was used and reset, too?
  func compareReset() {
    do throws(AuricleError) {
      let used = try makeChain(request)
      let all = blocks(of: tailLength(used))
      try hearNoise(used, blocks: all)
      disturb()
      try used.reset()
      var first = ExaminationSignal(request)
      var second = ExaminationSignal(request)
      try first.render(used, blocks: all)
      let fresh = try makeChain(request)
      try second.render(fresh, blocks: all)
      tell(.reset(isClean: first.sum(used) == second.sum(fresh)))
    } catch {
      tell(.reset(isClean: false))
    }
  }

  /// The second look, in another fresh process, where new chains differ from the first: is it by
  /// chance, and does resetting help?
  ///
  /// - Parameter blocks: How long the signal of the first look was.
  func compareResetChains(blocks: Int) {
    do throws(AuricleError) {
      let first = try makeChain(request)
      var signal = ExaminationSignal(request)
      try signal.render(first, blocks: blocks)
      tell(.first(checksum: signal.sum(first), blocks: blocks))
      let all = max(blocks, self.blocks(of: tailLength(first)))
      try signal.render(first, blocks: all - blocks)
      let expected = signal.sum(first)
      guard request.variant == nil else { return tell(.reset(isClean: false)) }
      try hearNoise(first, blocks: all)
      disturb()
      try first.reset()
      var second = ExaminationSignal(request)
      try second.render(first, blocks: all)
      guard second.sum(first) == expected else { return tell(.reset(isClean: false)) }
      try hearNoise(first, blocks: all)
      let new = try makeChain(request)
      try new.reset()
      var third = ExaminationSignal(request)
      try third.render(new, blocks: all)
      tell(.reset(isClean: third.sum(new) == expected))
    } catch {
      tell(.reset(isClean: false))
    }
  }

  // MARK: Signals

  private func tailLength(_ chain: any RenderChain) -> Double {
    let told = chain.tailSeconds.map { $0.isFinite ? $0 + 1 : Self.longest } ?? Self.longest
    return max(2, min(told, Self.longest))
  }

  /// Blocks of the test signal that last so long.
  private func blocks(of seconds: Double) -> Int {
    max(1, Int((seconds * request.sampleRate / Double(request.maximumFrameCount)).rounded(.up)))
  }

  private func hearNoise(_ chain: any RenderChain, blocks: Int) throws(AuricleError) {
    var noise = ExaminationSignal(request, seed: 0x9E37_79B9_7F4A_7C15, amplitude: 0.9)
    try noise.render(chain, blocks: blocks)
  }

  /// A chain of another sample rate and number of channels comes and goes, as files of other
  /// formats do; of another rate alone where units do not take other channels.
  ///
  /// - Returns: What became of the noise; nil where no such chain can be made.
  @discardableResult private func disturb() -> UInt64? {
    var other = request
    other.sampleRate = request.sampleRate == 48_000 ? 44_100 : 48_000
    other.channelCount = request.channelCount == 1 ? 2 : 1
    for request in [other, ChainRequest(other, channelCount: request.channelCount)] {
      guard let chain = try? makeChain(request) else { continue }
      var noise = ExaminationSignal(request, seed: 0x9E37_79B9_7F4A_7C15, amplitude: 0.9)
      try? noise.render(chain, blocks: blocks(of: Self.disturbance))
      return noise.sum(chain)
    }
    return nil
  }
}

extension ChainRequest {
  /// The same for another number of channels.
  fileprivate init(_ other: ChainRequest, channelCount: Int) {
    self = other
    self.channelCount = channelCount
  }
}
