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
  /// Whether a worker has found that something was kept, against what was found out.
  private(set) var isDoubted = false
  /// The format that was looked at last in a process that began with it.
  var last: ChainFormat?
  /// What is to be looked at.
  var wanted: [(format: ChainFormat, look: ChainLook)] = []
  /// Formats for which it was looked whether resetting would do, or is to be.
  var resetFormats: Set<ChainFormat> = []
  /// Whether chains may be reset at all.
  var mayReset = true
  /// How many files of a format had a chain made for them.
  var fileCounts: [ChainFormat: Int] = [:]

  /// The finding for a format: its own, or one that follows from others: that chance is at work, that
  /// units keep nothing outside of their instances, or nothing that depends on what they are opened for.
  subscript(format: ChainFormat) -> ChainFinding? {
    if let finding = findings[format] { return finding }
    if isRandom { return ChainFinding(format, .reopen, reopensCleanly: false, isRandom: true) }
    let memory = memory
    guard memory == .untouched || memory == .settled && isCrossing(format) else { return nil }
    var finding = ChainFinding(format, .reopen, reopensCleanly: true)
    finding.memory = memory
    finding.costs = costs
    return finding
  }

  /// Whether the sample rate of a format was looked at, and its number of channels too, though in
  /// other formats: what the first use leaves behind may depend on either, not on both together.
  private func isCrossing(_ format: ChainFormat) -> Bool {
    findings.values.contains { $0.sampleRate == format.sampleRate }
      && findings.values.contains { $0.channelCount == format.channelCount }
  }

  private var isRandom: Bool { findings.values.contains(where: \.isRandom) }

  /// What chains of every format leave in static memory, as far as they were looked at.
  var memory: ChainMemory {
    guard !isDoubted else { return .changing }
    let found = Set(findings.values.map(\.memory))
    return found.count == 1 ? found.first ?? .changing : .changing
  }

  /// The formats that one is looked at beside: all, or, where memory does not change, the last one.
  func others(for look: ChainLook) -> [OtherFormat] {
    let known = findings.values.compactMap(OtherFormat.init)
    guard look != .new, memory == .settled else { return known }
    return (known.first { $0.format == last } ?? known.first).map { [$0] } ?? []
  }

  /// How to look at a format that nothing is known of.
  var nextLook: ChainLook { memory == .settled ? .another : .new }

  /// What making a chain costs, and looking whether resetting does, where that was measured.
  var costs: (making: Double, looking: Double) {
    findings.values.first { $0.costs.making > 0 }?.costs ?? (0, 0)
  }

  /// Whether a file can be heard in the next one whatever is done to chains.
  var needsProcesses: Bool { findings.values.contains { $0.habit == .process } }

  /// Takes over what was found out before.
  mutating func take(_ found: [ChainFinding]) {
    for finding in found { findings[finding.format] = finding }
    resetFormats.formUnion(found.filter { $0.costs.making == 0 }.map(\.format))
  }

  /// What workers are told.
  var habits: JSONValue? {
    guard !findings.isEmpty else { return nil }
    var told = findings.values.map { JSONValue.members($0.members) }
    let between = ("between", JSONValue?.some(.string(ChainHabit.reopen.rawValue)))
    if isRandom || memory == .untouched {
      told.append(.members([between]))
    } else if memory == .settled {
      for rate in Set(findings.keys.map(\.sampleRate)) {
        for channels in Set(findings.keys.map(\.channelCount)) {
          let format = ChainFormat(sampleRate: rate, channelCount: channels)
          if findings[format] == nil { told.append(.members(format.members + [between])) }
        }
      }
    }
    return .array(told)
  }

  /// In a worker something was kept after all: every format is looked at anew, beside all others.
  ///
  /// - Returns: What was known, which does not hold any more.
  mutating func doubt() -> [ChainFinding] {
    isDoubted = true
    let doubted = findings.values.filter { $0.memory != .changing && !$0.isRandom }
    return doubted.map { finding in
      findings[finding.format] = nil
      var finding = finding
      finding.memory = .changing
      // Without it the finding is not read back.
      finding.opening = nil
      return finding
    }
  }
}
