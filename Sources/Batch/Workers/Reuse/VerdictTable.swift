// What a run knows of the reuse of its processes, by the formats that chains are made for.
// SPDX-License-Identifier: Apache-2.0

import RunLedgers

/// The verdicts of a run.
struct VerdictTable {
  private var verdicts: [ChainFormat: ReuseVerdict] = [:]

  /// The verdict on a format: its own, or one that follows from others: that chance is at work, or that
  /// units keep nothing outside of their instances.
  subscript(format: ChainFormat) -> ReuseVerdict? {
    if let verdict = verdicts[format] { return verdict }
    guard isRandom || memory == .unchanged else { return nil }
    var verdict = ReuseVerdict(format, .reopen)
    verdict.isRandom = isRandom
    verdict.memory = memory
    return verdict
  }

  var count: Int { verdicts.count }
  /// Whether chains sound different in every process.
  var isRandom: Bool { verdicts.values.contains(where: \.isRandom) }
  /// Whether every file needs a process of its own, whatever its format.
  var needsProcesses: Bool { verdicts.values.contains { $0.policy == .process } }

  /// What chains of every format leave in static memory, as far as they were probed.
  private var memory: StaticMemory {
    let found = Set(verdicts.values.map(\.memory))
    return found.count == 1 ? found.first ?? .changing : .changing
  }

  /// The formats that another one is compared beside.
  var otherFormats: [OtherFormat] { verdicts.values.compactMap(OtherFormat.init) }

  /// What workers are allowed.
  var permission: ReusePermission {
    ReusePermission(
      formats: Set(verdicts.filter { $1.policy == .reopen }.keys),
      isForAll: isRandom || memory == .unchanged, memory: memory)
  }

  mutating func insert(_ verdict: ReuseVerdict) { verdicts[verdict.format] = verdict }

  /// A worker saw static memory change against what was found: files get a process each.
  ///
  /// - Returns: The verdicts that hold instead.
  mutating func refute() -> [ReuseVerdict] {
    let refuted = verdicts.values.filter { $0.memory != .changing && !$0.isRandom }
    return refuted.map {
      var verdict = $0
      verdict.policy = .process
      verdict.memory = .changing
      insert(verdict)
      return verdict
    }
  }
}
