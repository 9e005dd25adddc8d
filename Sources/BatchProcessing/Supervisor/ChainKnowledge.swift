// What a run knows of its chains, and what it is about to find out.
// SPDX-License-Identifier: Apache-2.0

/// Chains of a format that are being compared, in processes that do nothing else.
struct Examination {
  let format: ChainFormat
  let look: ChainLook
  let worker: WorkerProcess
  let start = ContinuousClock.now
  /// What the first process heard, in the second one.
  var expected: (checksum: UInt64, blocks: Int)?
  /// What this process heard of its first chain.
  var first: (checksum: UInt64, blocks: Int)?
  /// What it heard of the opening.
  var opening: UInt64?
  /// Whether resetting might help, if that is not chance which makes chains differ.
  var mayReset = true
  /// How often its process was ended from outside.
  var killCount = 0

  init(_ format: ChainFormat, _ look: ChainLook, _ worker: WorkerProcess) {
    self.format = format
    self.look = look
    self.worker = worker
  }
}

/// What is known of the chains of a run.
struct ChainKnowledge {
  /// What was found out, by what chains are made for.
  var findings: [ChainFormat: ChainFinding] = [:]
  /// What is to be looked at.
  var wanted: [(format: ChainFormat, look: ChainLook)] = []
  /// Formats for which it was looked whether resetting would do, or is to be.
  var resetFormats: Set<ChainFormat> = []
  /// Whether chains may be reset at all.
  var mayReset = true
  /// How many files of a format had a chain made for them.
  var fileCounts: [ChainFormat: Int] = [:]

  /// The finding for a format: its own, or that chance is at work, which holds for all.
  subscript(format: ChainFormat) -> ChainFinding? {
    if let finding = findings[format] { return finding }
    guard findings.values.contains(where: \.isRandom) else { return nil }
    return ChainFinding(format, .reopen, reopensCleanly: false, isRandom: true)
  }

  /// Whether a file can be heard in the next one whatever is done to chains.
  var needsProcesses: Bool { findings.values.contains { $0.habit == .process } }
}
