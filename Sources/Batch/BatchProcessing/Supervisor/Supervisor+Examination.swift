// Finds out, once a run and format, what has to be done so that no file hears the one before it.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CHostSystem
import Glibc
import PlugInGuard
import RealtimeSupport

extension Supervisor {
  /// Formats that are looked into; files of more get a process each.
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
      examine()
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
    chains.wanted.append((format, chains.nextLook))
    examine()
  }

  /// A file was done with a chain of a format. Whether resetting would do is looked into when
  /// making chains has cost as much as looking would, and may cost as much again.
  func noteFile(_ format: ChainFormat) {
    chains.fileCounts[format, default: 0] += 1
    guard chains.mayReset, let finding = chains[format], finding.habit == .reopen,
      finding.reopensCleanly, finding.costs.making > 0,
      Double(chains.fileCounts[format, default: 0]) * finding.costs.making >= finding.costs.looking,
      chains.resetFormats.count < Self.mostFormats,
      !isReadToEnd
        || Double(ahead.count + returned.count) * finding.costs.making >= finding.costs.looking,
      chains.resetFormats.insert(format).inserted
    else { return }
    chains.wanted.append((format, .reset))
  }

  /// Begins with the next format, when nothing else is looked into.
  func examine() {
    guard examination == nil, mayStay, end == nil, !chains.wanted.isEmpty, !chains.needsProcesses
    else { return }
    var (format, look) = chains.wanted.removeFirst()
    // What was found meanwhile may hold for it.
    guard look == .reset || chains[format] == nil else { return examine() }
    if look != .reset { look = chains.nextLook }
    if let worker = startExaminer() { examination = Examination(format, look, worker) }
  }

  private func startExaminer() -> WorkerProcess? {
    do throws(AuricleError) {
      let worker = try WorkerProcess(
        program: options.program, arguments: options.arguments + ["\(getpid())"])
      var setup = options.setup
      setup.pictures = nil
      setup.tellsUnits = false
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
      let others = chains.others(for: examination.look).map(\.json)
      _ = examination.worker.channel.send(
        WorkerMessage(
          kind: .examine,
          body: .members(
            examination.format.members
              + [
                ("look", .string(examination.look.rawValue)), ("blocks", blocks),
                ("others", .array(others)),
              ])))
    case .examined:
      guard let answer = ChainAnswer(json: message.body) else { return conclude(.process) }
      take(answer, &examination)
    case .refused: conclude(.process)
    default: conclude(.process)
    }
  }

  private func take(_ answer: ChainAnswer, _ examination: inout Examination) {
    switch answer {
    case .first(let checksum, let blocks, let opening):
      examination.first = (checksum, blocks)
      examination.opening = opening
      self.examination = examination
      guard let expected = examination.expected else { return }
      if expected.checksum != checksum {
        // Two fresh processes do not agree: nothing is won by more of them.
        conclude(.reopen, isRandom: true)
      } else if !examination.mayReset {
        conclude(.process)
      }
    case .opened(let isSame, let memory, let making, let looking):
      guard isSame else { return lookAgain(examination, mayReset: true) }
      if examination.look == .another, memory == .changing { return lookAnew(examination) }
      // What was kept in a worker was not met here.
      guard !chains.isDoubted else { return conclude(.process) }
      let isKnown = making.isFinite && looking.isFinite
      conclude(
        .reopen, opensCleanly: true, memory: memory,
        costs: isKnown ? (max(making, 0), max(looking, 0)) : (0, 0))
    case .reset(let isClean):
      guard examination.look == .reset else { return conclude(isClean ? .reset : .process) }
      conclude(isClean ? .reset : .reopen, opensCleanly: true)
    case .disturbed: lookAgain(examination, mayReset: false)
    case .failed: conclude(.reopen)
    }
  }

  /// Chains of this format leave more in memory than others: it is looked at beside all of them.
  private func lookAnew(_ before: Examination) {
    examination = nil
    guard let worker = startExaminer() else { return }
    examination = Examination(before.format, .new, worker)
  }

  /// New chains do not sound as the first: another fresh process tells whether that is chance, and
  /// whether resetting helps.
  private func lookAgain(_ before: Examination, mayReset: Bool) {
    guard before.look == .new || before.look == .another, let first = before.first else {
      return conclude(.process)
    }
    examination = nil
    guard let worker = startExaminer() else { return }
    var next = Examination(before.format, .differing, worker)
    next.expected = first
    next.mayReset = mayReset
    next.killCount = before.killCount
    examination = next
  }

  /// The process that compares chains ended, or is to.
  func examinerEnds(cause: String?) {
    guard let ended = examination else { return }
    let worker = ended.worker
    let signs = worker.signs
    let end = worker.end(afterWaiting: cause == nil ? .milliseconds(500) : .zero)
    let signal = cause ?? end?.name ?? "unknown"
    if cause == nil, Self.outsideSignals.contains(signal), ended.killCount < 3 {
      // It has told nothing of the unit.
      examination = nil
      guard let worker = startExaminer() else { return }
      var next = Examination(ended.format, ended.look, worker)
      next.expected = ended.expected
      next.mayReset = ended.mayReset
      next.killCount = ended.killCount + 1
      examination = next
      return
    }
    if ended.look == .reset {
      // Resetting is what it did not withstand.
      conclude(.reopen, opensCleanly: true)
      return
    }
    let unit = signs.phase.isOfUnit ? signs.unit ?? "a unit" : "a unit"
    conclude(.process, because: "\(unit) does not withstand being tried (\(signal))")
  }

  private func conclude(
    _ habit: ChainHabit, opensCleanly: Bool = false, memory: ChainMemory = .changing,
    isRandom: Bool = false, costs: (making: Double, looking: Double) = (0, 0),
    because reason: String? = nil
  ) {
    guard let examination else { return }
    self.examination = nil
    var finding = ChainFinding(
      examination.format, habit, reopensCleanly: opensCleanly, isRandom: isRandom)
    finding.costs = costs
    finding.opening = examination.opening ?? chains.findings[finding.format]?.opening
    // How resetting went says nothing of it.
    finding.memory =
      examination.look == .reset ? chains[finding.format]?.memory ?? .changing : memory
    if chains.isDoubted { finding.memory = .changing }
    let findings = chains.findings
    chains.findings[finding.format] = finding
    if examination.look != .reset { chains.last = finding.format }
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

  /// A worker found that something was kept.
  func doubtChains() {
    for finding in chains.doubt() { tell(.chains(finding)) }
  }
}
