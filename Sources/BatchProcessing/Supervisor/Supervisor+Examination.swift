// Finds out, once a run and format, what has to be done so that no file hears the one before it.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CSystemSupport
import Glibc
import RealtimeSupport

/// Chains of a format that are being compared, in processes that do nothing else.
struct Examination {
  let format: ChainFormat
  let worker: WorkerProcess
  /// What the first process heard, in the second one.
  var expected: (checksum: UInt64, blocks: Int)?
  /// What this process heard of its first chain.
  var first: (checksum: UInt64, blocks: Int)?
  /// Whether new chains were found to sound as the first.
  var opensCleanly = false
  /// How often its process was ended from outside.
  var killCount = 0

  init(_ format: ChainFormat, _ worker: WorkerProcess) {
    self.format = format
    self.worker = worker
  }
}

extension Supervisor {
  /// Formats that are looked into; files of others get a process each.
  private static let mostFormats = 32
  private static let longestExamination = Duration.seconds(120)

  /// Whether a worker may do one more file: not when what it has done could be heard.
  func mayGoOn(_ worker: WorkerProcess) -> Bool {
    guard mayStay else { return worker.formats.isEmpty }
    guard !findings.values.contains(where: { $0.habit == .process }) else {
      return worker.formats.isEmpty
    }
    for format in worker.formats where findings[format] == nil {
      want(format)
      return false
    }
    return true
  }

  /// Has a format looked into.
  func want(_ format: ChainFormat) {
    guard findings[format] == nil, !wantedFormats.contains(format),
      examination?.format != format, findings.count + wantedFormats.count < Self.mostFormats
    else { return }
    wantedFormats.append(format)
  }

  /// Begins with the next format, when nothing else is looked into.
  func examine() {
    guard examination == nil, mayStay, end == nil, !wantedFormats.isEmpty,
      !findings.values.contains(where: { $0.habit == .process })
    else { return }
    let format = wantedFormats.removeFirst()
    if let worker = startExaminer() { examination = Examination(format, worker) }
  }

  private func startExaminer() -> WorkerProcess? {
    do throws(AuricleError) {
      let worker = try WorkerProcess(
        program: options.program, arguments: options.arguments + ["\(getpid())"])
      var setup = options.setup
      if !units.isEmpty, let chain = options.laterChain { setup.chain = chain }
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
          body: .members(examination.format.members + [("blocks", blocks)])))
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
    case .opened(let isSame, let mayReset):
      guard isSame else {
        lookAgain(examination)
        return
      }
      examination.opensCleanly = true
      self.examination = examination
      if !mayReset { conclude(.reopen) }
    case .reset(let isClean):
      conclude(isClean ? .reset : examination.opensCleanly ? .reopen : .process)
    case .failed: conclude(.reopen)
    }
  }

  /// New chains do not sound as the first: another fresh process tells whether that is chance, and
  /// whether resetting helps.
  private func lookAgain(_ before: Examination) {
    guard before.expected == nil, let first = before.first else { return conclude(.process) }
    examination = nil
    guard let worker = startExaminer() else { return }
    var next = Examination(before.format, worker)
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
      var next = Examination(ended.format, worker)
      next.expected = ended.expected
      next.killCount = ended.killCount + 1
      examination = next
      return
    }
    if ended.opensCleanly {
      // Resetting is what it did not withstand.
      conclude(.reopen)
      return
    }
    let unit = phase.isOfUnit ? worker.unitName(worker.reading.unit) ?? "a unit" : "a unit"
    conclude(.process, because: "\(unit) does not withstand being tried (\(signal))")
  }

  private func conclude(
    _ habit: ChainHabit, isRandom: Bool = false, because reason: String? = nil
  ) {
    guard let examination else { return }
    self.examination = nil
    let finding = ChainFinding(
      examination.format, habit,
      reopensCleanly: examination.opensCleanly || habit == .reopen, isRandom: isRandom)
    findings[finding.format] = finding
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
    guard findings.values.contains(where: { $0.habit == .reset }) else { return }
    for (format, finding) in findings where finding.habit == .reset {
      findings[format]?.habit = finding.reopensCleanly ? .reopen : .process
      findings[format].map { tell(.chains($0)) }
    }
    tell(.note("a unit does not withstand being reset: it is opened anew for every file"))
  }

  /// What workers are told of formats.
  var habits: JSONValue? {
    guard !findings.isEmpty else { return nil }
    return .array(findings.values.map { .members($0.members) })
  }
}
