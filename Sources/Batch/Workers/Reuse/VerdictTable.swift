// The verdicts of a run on reusing its processes, by chain format.
// SPDX-License-Identifier: Apache-2.0

import RunLedgers

/// The verdicts of a run.
struct VerdictTable {
  private var verdicts: [ChainFormat: ReuseVerdict] = [:]

  /// The verdict on a format: its own, or one that follows from others (the chain is random, or its units
  /// keep nothing outside of their instances).
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
  /// Whether every file, in any format, needs a separate process.
  var needsProcesses: Bool { verdicts.values.contains { $0.policy == .process } }

  /// The changes of static memory by chains, over all probed formats.
  private var memory: StaticMemory {
    let found = Set(verdicts.values.map(\.memory))
    return found.count == 1 ? found.first ?? .changing : .changing
  }

  /// The probed formats that further ones are compared with.
  var otherFormats: [OtherFormat] { verdicts.values.compactMap(OtherFormat.init) }

  /// The permission of workers.
  var permission: ReusePermission {
    ReusePermission(
      formats: Set(verdicts.filter { $1.policy == .reopen }.keys),
      isForAll: isRandom || memory == .unchanged, memory: memory)
  }

  mutating func insert(_ verdict: ReuseVerdict) { verdicts[verdict.format] = verdict }

  /// Withdraws verdicts after a worker saw static memory change against them: files get a process each.
  ///
  /// - Returns: The verdicts that replace them.
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
