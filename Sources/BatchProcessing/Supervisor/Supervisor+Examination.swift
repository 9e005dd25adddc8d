// Finds out, once a run and format, what has to be done so that no file hears the one before it.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CSystemSupport
import Glibc
import RealtimeSupport

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

  /// The finding for a format: its own, or one that holds for all.
  subscript(format: ChainFormat) -> ChainFinding? {
    if let finding = findings[format] { return finding }
    guard let other = findings.values.first(where: \.holdsForAll) else { return nil }
    var finding = ChainFinding(
      format, .reopen, reopensCleanly: other.reopensCleanly, isRandom: other.isRandom)
    finding.costs = other.costs
    return finding
  }

  /// Whether a file can be heard in the next one whatever is done to chains.
  var needsProcesses: Bool { findings.values.contains { $0.habit == .process } }
}

extension Supervisor {
  /// Formats that are looked into; files of others get a process each.
  private static let mostFormats = 32
  private static let longestExamination = Duration.seconds(120)
  /// How long workers wait to be told what they may do with their chains.
  private static let longestWait = Duration.seconds(1)
  /// Where so few files are left, processes of their own are cheaper than finding out more.
  private static let fewFiles = 2

  /// Whether a worker may do one more file: not when what it has done could be heard. Nil while that
  /// is being found out, and will be known soon.
  func mayGoOn(_ worker: WorkerProcess) -> Bool? {
    guard mayStay, !chains.needsProcesses else { return worker.formats.isEmpty }
    for format in worker.formats where chains[format] == nil {
      want(format)
      guard let examination, examination.look != .reset else { return false }
      return ContinuousClock.now - examination.start < Self.longestWait ? nil : false
    }
    return true
  }

  /// Has a format looked into, where enough files are left for that to pay.
  func want(_ format: ChainFormat) {
    guard chains[format] == nil, !chains.wanted.contains(where: { $0.format == format }),
      examination?.format != format,
      chains.findings.count + chains.wanted.count < Self.mostFormats,
      !isReadToEnd || ahead.count + returned.count > Self.fewFiles
    else { return }
    chains.wanted.append((format, .new))
    examine()
  }

  /// A file was done with a chain of a format. Whether resetting would do is looked into when
  /// making chains has cost as much as looking would.
  func noteFile(_ format: ChainFormat) {
    chains.fileCounts[format, default: 0] += 1
    guard chains.mayReset, let finding = chains[format], finding.habit == .reopen,
      finding.reopensCleanly, finding.costs.making > 0,
      Double(chains.fileCounts[format, default: 0]) * finding.costs.making >= finding.costs.looking,
      chains.resetFormats.count < Self.mostFormats,
      !isReadToEnd || ahead.count + returned.count > Self.fewFiles,
      chains.resetFormats.insert(format).inserted
    else { return }
    chains.wanted.append((format, .reset))
  }

  /// Begins with the next format, when nothing else is looked into.
  func examine() {
    guard examination == nil, mayStay, end == nil, !chains.wanted.isEmpty, !chains.needsProcesses
    else { return }
    let (format, look) = chains.wanted.removeFirst()
    // What was found meanwhile may hold for it.
    guard look == .reset || chains[format] == nil else { return examine() }
    if let worker = startExaminer() { examination = Examination(format, look, worker) }
  }

  private func startExaminer() -> WorkerProcess? {
    do throws(AuricleError) {
      let worker = try WorkerProcess(
        program: options.program, arguments: options.arguments + ["\(getpid())"])
      var setup = options.setup
      setup.pictures = nil
      worker.jobStart = .now
      worker.jobLimit = Self.longestExamination
      _ = worker.channel.send(WorkerMessage(kind: .setup, body: setup.json))
      return worker
    } catch {
      stop(error)
      return nil
    }
  }

  /// Takes a message of the process that compares chains.
  func handleExaminer(_ message: WorkerMessage) {
    guard var examination else { return }
    switch message.kind {
    case .units: break
    case .ready:
      examination.worker.state = .ready
      let blocks = examination.expected.map { JSONValue($0.blocks) }
      _ = examination.worker.channel.send(
        WorkerMessage(
          kind: .examine,
          body: .members(
            examination.format.members
              + [("look", .string(examination.look.rawValue)), ("blocks", blocks)])))
    case .examined:
      guard let answer = ChainAnswer(json: message.body) else { return conclude(.process) }
      take(answer, &examination)
    case .refused: conclude(.process)
    default: conclude(.process)
    }
  }

  private func take(_ answer: ChainAnswer, _ examination: inout Examination) {
    switch answer {
    case .first(let checksum, let blocks):
      examination.first = (checksum, blocks)
      self.examination = examination
      if let expected = examination.expected, expected.checksum != checksum {
        // Two fresh processes do not agree: nothing is won by more of them.
        conclude(.reopen, isRandom: true)
      }
    case .opened(let isSame, let making, let looking):
      guard isSame else {
        lookAgain(examination)
        return
      }
      guard making.isFinite, looking.isFinite else { return conclude(.reopen, opensCleanly: true) }
      conclude(.reopen, opensCleanly: true, costs: (max(making, 0), max(looking, 0)))
    case .reset(let isClean):
      guard examination.look == .reset else { return conclude(isClean ? .reset : .process) }
      conclude(isClean ? .reset : .reopen, opensCleanly: true)
    case .failed: conclude(.reopen)
    }
  }

  /// New chains do not sound as the first: another fresh process tells whether that is chance, and
  /// whether resetting helps.
  private func lookAgain(_ before: Examination) {
    guard before.look == .new, let first = before.first else { return conclude(.process) }
    examination = nil
    guard let worker = startExaminer() else { return }
    var next = Examination(before.format, .differing, worker)
    next.expected = first
    next.killCount = before.killCount
    examination = next
  }

  /// The process that compares chains ended, or is to.
  func examinerEnds(cause: String?) {
    guard let ended = examination else { return }
    let worker = ended.worker
    let phase = WorkPhase(rawValue: worker.reading.phase) ?? .idle
    let end = worker.end(afterWaiting: cause == nil ? .milliseconds(500) : .zero)
    let signal = cause ?? end?.name ?? "unknown"
    if cause == nil, Self.outsideSignals.contains(signal), ended.killCount < 3 {
      // It has told nothing of the unit.
      examination = nil
      guard let worker = startExaminer() else { return }
      var next = Examination(ended.format, ended.look, worker)
      next.expected = ended.expected
      next.killCount = ended.killCount + 1
      examination = next
      return
    }
    if ended.look == .reset {
      // Resetting is what it did not withstand.
      conclude(.reopen, opensCleanly: true)
      return
    }
    let unit = phase.isOfUnit ? worker.unitName(worker.reading.unit) ?? "a unit" : "a unit"
    conclude(.process, because: "\(unit) does not withstand being tried (\(signal))")
  }

  private func conclude(
    _ habit: ChainHabit, opensCleanly: Bool = false, isRandom: Bool = false,
    costs: (making: Double, looking: Double) = (0, 0), because reason: String? = nil
  ) {
    guard let examination else { return }
    self.examination = nil
    var finding = ChainFinding(
      examination.format, habit, reopensCleanly: opensCleanly, isRandom: isRandom)
    finding.costs = costs
    let findings = chains.findings
    chains.findings[finding.format] = finding
    tell(.chains(finding))
    if isRandom, !findings.values.contains(where: { $0.isRandom && $0 != finding }) {
      tell(
        .note(
          "the chain sounds different in every process, as units with chance in them do: a file "
            + "done again is not the same"))
    }
    guard habit == .process,
      !findings.values.contains(where: { $0.habit == .process && $0 != finding })
    else { return }
    let why = reason ?? "a unit remembers what was done before it was opened"
    tell(.note("\(why): every file is done by a process of its own"))
  }

  /// A unit did not withstand being reset while it worked: no chain is reset any more.
  func giveUpResetting() {
    chains.mayReset = false
    chains.wanted.removeAll { $0.look == .reset }
    guard chains.findings.values.contains(where: { $0.habit == .reset }) else { return }
    for (format, finding) in chains.findings where finding.habit == .reset {
      chains.findings[format]?.habit = finding.reopensCleanly ? .reopen : .process
      chains.findings[format].map { tell(.chains($0)) }
    }
    tell(.note("a unit does not withstand being reset: it is opened anew for every file"))
  }

  /// What workers are told of formats.
  var habits: JSONValue? {
    guard !chains.findings.isEmpty else { return nil }
    var told = chains.findings.values.map { JSONValue.members($0.members) }
    if chains.findings.values.contains(where: \.holdsForAll) {
      told.append(.members([("between", .string(ChainHabit.reopen.rawValue))]))
    }
    return .array(told)
  }
}
