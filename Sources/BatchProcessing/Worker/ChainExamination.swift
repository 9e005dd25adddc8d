// Looks whether anything of a file's sound is left for the next one: in a chain, or in the process.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph
import AudioTypes
import CSystemSupport
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
/// same signal: what units keep outside of their instances shows, whatever they were opened for.
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
      disturb()
      let start = ContinuousClock.now
      let second = try makeChain(request)
      let making = (ContinuousClock.now - start) / .seconds(1)
      var signal = TestSignal(request)
      try signal.render(second, blocks: measure.blocks)
      let isSame = signal.sum(second) == measure.checksum
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
    var signal = TestSignal(request)
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
      var first = TestSignal(request)
      var second = TestSignal(request)
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
      var signal = TestSignal(request)
      try signal.render(first, blocks: blocks)
      tell(.first(checksum: signal.sum(first), blocks: blocks))
      let all = max(blocks, self.blocks(of: tailLength(first)))
      try signal.render(first, blocks: all - blocks)
      let expected = signal.sum(first)
      guard request.variant == nil else { return tell(.reset(isClean: false)) }
      try hearNoise(first, blocks: all)
      disturb()
      try first.reset()
      var second = TestSignal(request)
      try second.render(first, blocks: all)
      guard second.sum(first) == expected else { return tell(.reset(isClean: false)) }
      try hearNoise(first, blocks: all)
      let new = try makeChain(request)
      try new.reset()
      var third = TestSignal(request)
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
    var noise = TestSignal(request, seed: 0x9E37_79B9_7F4A_7C15, amplitude: 0.9)
    try noise.render(chain, blocks: blocks)
  }

  /// A chain of another sample rate and number of channels comes and goes, as files of other
  /// formats do; of another rate alone where units do not take other channels.
  private func disturb() {
    var other = request
    other.sampleRate = request.sampleRate == 48_000 ? 44_100 : 48_000
    other.channelCount = request.channelCount == 1 ? 2 : 1
    for request in [other, ChainRequest(other, channelCount: request.channelCount)] {
      guard let chain = try? makeChain(request) else { continue }
      var noise = TestSignal(request, seed: 0x9E37_79B9_7F4A_7C15, amplitude: 0.9)
      try? noise.render(chain, blocks: blocks(of: Self.disturbance))
      return
    }
  }
}

extension ChainRequest {
  /// The same for another number of channels.
  fileprivate init(_ other: ChainRequest, channelCount: Int) {
    self = other
    self.channelCount = channelCount
  }
}

/// What a worker tells of the chains it compares.
enum ChainAnswer {
  /// What the first chain made of the test signal, and how long that was.
  case first(checksum: UInt64, blocks: Int)
  /// Whether a new chain sounds the same; how many seconds of work it takes to make one, 0 where
  /// resetting is not worth it; and how many to find out whether a chain that was reset would do.
  case opened(isSame: Bool, making: Double, looking: Double)
  /// Whether a chain that was reset sounds the same.
  case reset(isClean: Bool)
  /// A chain could not be made, or gave an error.
  case failed

  var members: [(String, JSONValue?)] {
    switch self {
    case .first(let checksum, let blocks):
      [("xxh64", .string(Hexadecimal.text(checksum))), ("blocks", JSONValue(blocks))]
    case .opened(let isSame, let making, let looking):
      [
        ("same", .boolean(isSame)), ("making", JSONValue(making)), ("looking", JSONValue(looking)),
      ]
    case .reset(let isClean): [("clean", .boolean(isClean))]
    case .failed: [("failed", true)]
    }
  }

  init?(json: JSONValue) {
    if let checksum = json["xxh64"]?.text.flatMap(Hexadecimal.number),
      let blocks = json["blocks"]?.integer, (1...1 << 24).contains(blocks)
    {
      self = .first(checksum: checksum, blocks: blocks)
    } else if let isSame = json["same"]?.boolean {
      self = .opened(
        isSame: isSame, making: json["making"]?.number ?? 0, looking: json["looking"]?.number ?? 0)
    } else if let isClean = json["clean"]?.boolean {
      self = .reset(isClean: isClean)
    } else if json["failed"]?.boolean == true {
      self = .failed
    } else {
      return nil
    }
  }
}

/// Noise and silence in turn, the same every time, and the checksum of what a chain makes of it.
private struct TestSignal {
  private let input: PlanarBuffer
  private let output: PlanarBuffer
  private let amplitude: Float
  private let blocksInBurst: Int
  private var state: UInt64
  private var blockIndex = 0
  private var checksum: UInt64 = 0

  init(
    _ request: ChainRequest, seed: UInt64 = 0x5851_F42D_4C95_7F2D, amplitude: Float = 0.5
  ) {
    let frames = request.maximumFrameCount
    input = PlanarBuffer(channelCount: request.channelCount, frameCapacity: frames)
    output = PlanarBuffer(channelCount: request.channelCount, frameCapacity: frames)
    self.amplitude = amplitude
    state = seed
    blocksInBurst = max(1, Int(request.sampleRate / 8) / frames)
  }

  /// Goes on with the signal.
  mutating func render(_ chain: any RenderChain, blocks: Int) throws(AuricleError) {
    let frames = input.frameCapacity
    for _ in 0..<blocks {
      if blockIndex / blocksInBurst % 2 == 0 { fill() } else { input.clear(from: 0) }
      blockIndex += 1
      try unsafe chain.render(
        input: UnsafePointer(input.rows), output: output.rows, frameCount: frames)
      for channel in 0..<output.channelCount {
        let row = unsafe UnsafeRawPointer(output.rows[channel])
        checksum = unsafe checksum &* 0x9E37_79B9_7F4A_7C15 &+ AuricleXXH64(row, frames * 4)
      }
    }
  }

  /// The checksum of all that was rendered; of the delay and the tail that the chain tells, too.
  func sum(_ chain: any RenderChain) -> UInt64 {
    checksum ^ UInt64(bitPattern: Int64(chain.latencyFrames)) &* 0xD134_2543_DE82_EF95
      ^ (chain.tailSeconds ?? -1).bitPattern &* 0xA24B_AED4_963E_E407
  }

  private mutating func fill() {
    for channel in 0..<input.channelCount {
      for frame in 0..<input.frameCapacity {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let value = Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
        unsafe input.rows[channel][frame] = value * amplitude
      }
    }
  }
}
