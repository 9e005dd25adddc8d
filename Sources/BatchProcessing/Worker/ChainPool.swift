// Chains for one file after the other: made anew, or reset where that is worth it and leaves nothing behind.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph
import AudioTypes

/// Makes the chains of a worker, and keeps from file to file those that may serve again.
///
/// No file may hear the one before it. So chains are made anew for every file, and before a process
/// does its second file of a format, it looks whether a new chain still depends on what an older one
/// did (`FreshnessProbe`): then a process does one file only. Where making chains has taken long in
/// all, a chain is compared with a new one after a reset (`ResetProbe`), and kept when no sample
/// differs.
final class ChainPool {
  /// How chains of a format are used again.
  private enum Habit {
    case unknown
    case resets
    case reopens
  }

  private struct Experience {
    var habit = Habit.unknown
    /// Whether new chains were seen not to depend on older ones.
    var isIndependent = false
    var madeCount = 0
    var making = Duration.zero
  }

  private struct Key: Hashable {
    var sampleRate: Double
    var channelCount: Int
  }

  private let makeChain: BatchRun.ChainMaker
  private let mayReset: Bool
  /// Told when plug-ins begin to be tried rather than used, and when that is over.
  var isProbing: (Bool) -> Void = { _ in }
  private var experience: [Key: Experience] = [:]
  private var kept: [(key: Key, chain: any RenderChain)] = []
  private var hasServed = false
  /// Whether this process is of no more use: what was done in it is heard in what follows.
  private(set) var isSpent = false
  /// Formats whose chains are kept at once.
  private static let mostKept = 4
  /// Resetting is looked into once so many chains took so long to be made.
  private static let manyChains = 16
  private static let longMaking = Duration.seconds(1)

  /// A pool; without `mayReset` every file gets a chain of its own.
  init(mayReset: Bool, makeChain: @escaping BatchRun.ChainMaker) {
    self.mayReset = mayReset
    self.makeChain = makeChain
  }

  /// A chain without a past.
  ///
  /// - Throws: What making it throws; anything when `isSpent` has become true.
  func take(_ request: ChainRequest) throws(AuricleError) -> any RenderChain {
    let key = Key(sampleRate: request.sampleRate, channelCount: request.channelCount)
    if let place = kept.firstIndex(where: { $0.key == key }) {
      let used = kept.remove(at: place).chain
      if (try? used.reset()) != nil { return used }
    }
    var known = experience[key] ?? Experience()
    if hasServed, !known.isIndependent {
      isProbing(true)
      let isIndependent = FreshnessProbe.isIndependent(request, makeChain: makeChain)
      isProbing(false)
      guard isIndependent else {
        isSpent = true
        throw AuricleError(.temporary, "a unit remembers what was done before it was opened")
      }
      known.isIndependent = true
      experience[key] = known
    }
    hasServed = true
    // Each variant is another chain.
    if mayReset, request.variant == nil, known.habit == .unknown,
      known.madeCount >= Self.manyChains,
      known.making > Self.longMaking
    {
      isProbing(true)
      defer { isProbing(false) }
      known.habit = try isClean(request) ? .resets : .reopens
    }
    let start = ContinuousClock.now
    let chain = try makeChain(request)
    known.making += ContinuousClock.now - start
    known.madeCount += 1
    experience[key] = known
    return chain
  }

  private func isClean(_ request: ChainRequest) throws(AuricleError) -> Bool {
    let used = try makeChain(request)
    return ResetProbe.isClean(used: used, fresh: try makeChain(request), request)
  }

  /// Takes a chain back after a file that went well.
  func giveBack(_ chain: any RenderChain, for request: ChainRequest) {
    let key = Key(sampleRate: request.sampleRate, channelCount: request.channelCount)
    guard request.variant == nil, experience[key]?.habit == .resets else { return }
    if kept.count >= Self.mostKept { kept.removeFirst() }
    kept.append((key, chain))
  }
}
