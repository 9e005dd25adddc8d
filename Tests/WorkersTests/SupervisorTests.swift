// The supervisor with scripted workers: crashes, hangs, lies, full disks, refusals, the end of a run.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import FileRendering
import Foundation
import Glibc
import PlugInGuard
import ResultSettings
import RunLedgers
import TestSupport
import Testing
import Workers

@Suite struct SupervisorTests {
  let folder: TemporaryFolder
  let launcher = ScriptedLauncher()

  init() throws { folder = try TemporaryFolder("auricle-supervisor") }

  /// The outcome of a run.
  struct Outcome {
    var summary = RunSummary()
    var records: [FileRecord] = []
    var retried: [FileRecord] = []
    var notes: [String] = []
    var verdicts: [ReuseVerdict] = []

    func record(_ name: String) -> FileRecord? { records.first { $0.input.hasSuffix(name) } }
  }

  func run(
    _ count: Int, workerCount: Int = 1, _ change: (inout SupervisorOptions) -> Void = { _ in },
    shouldStop: (Outcome) -> Bool = { _ in false }
  ) throws -> Outcome {
    let entries = try (0..<count).map { index in
      let name = "\(index).wav"
      try folder.write("sound \(index)", to: name)
      return PlanEntry(index: index, input: folder(name), output: name)
    }
    let setup = WorkerSetup(
      chain: .units(""), settings: JobSettings(), sandbox: SandboxRequest())
    var options = SupervisorOptions(program: "", arguments: [], setup: setup, run: "test")
    options.outputRoot = folder("out")
    options.workerCount = workerCount
    change(&options)
    let supervisor = try Supervisor(
      options: options, source: ListedJobs(entries), launcher: launcher, clock: launcher.clock)
    launcher.isCommitting = { [unowned supervisor] in !supervisor.committing.work.isEmpty }
    var outcome = Outcome()
    outcome.summary = supervisor.run(shouldStop: { shouldStop(outcome) }) {
      (event) throws(AuricleError) in
      switch event {
      case .recorded(let record): outcome.records.append(record)
      case .retried(let record): outcome.retried.append(record)
      case .note(let text): outcome.notes.append(text)
      case .reuse(let verdict): outcome.verdicts.append(verdict)
      default: break
      }
    }
    #expect(launcher.aliveCount == 0, "workers are left")
    let left = try names().filter { $0.hasSuffix(".part") }
    #expect(left.isEmpty, "unfinished files are left: \(left)")
    return outcome
  }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder("out")).sorted()
  }

  @Test(arguments: [1, 3])
  func filesThatGoWellGetTheirNames(workerCount: Int) throws {
    let outcome = try run(5, workerCount: workerCount)
    #expect(outcome.summary.exitCode == 0)
    #expect(outcome.summary.count(.done) == 5)
    #expect(try names() == (0..<5).map { "\($0).wav" })
    #expect(launcher.count <= workerCount)
  }

  @Test(
    "a worker that dies or hangs while it renders costs that file alone",
    arguments: [
      (Deed.die(.render, .signalled(SIGSEGV)), "SIGSEGV"),
      (.die(.render, .exited(0)), "exit 0"), (.hang(.render), "hang"),
    ])
  func deedsWhileRendering(deed: Deed, signal: String) throws {
    launcher.atJob = { $0.hasSuffix("1.wav") ? deed : .finish }
    let outcome = try run(4)
    #expect(outcome.summary.exitCode == 1)
    let bad = try #require(outcome.record("1.wav"))
    #expect(bad.status == .quarantined)
    #expect(bad.blame == FileRecord.Blame(unit: launcher.title, phase: "render", signal: signal))
    #expect(bad.attempts == 2)
    #expect(outcome.retried.map(\.input) == [bad.input])
    #expect(try names() == ["0.wav", "2.wav", "3.wav"])
  }

  @Test(
    "a worker that lies is ended, and its unit is named",
    arguments: [Deed.lie, .answerAnother, .babble])
  func lies(deed: Deed) throws {
    launcher.atJob = { $0.hasSuffix("0.wav") ? deed : .finish }
    let outcome = try run(2)
    let bad = try #require(outcome.record("0.wav"))
    #expect(bad.status == .quarantined)
    #expect(bad.blame?.unit == launcher.title)
    #expect(bad.blame?.signal == "an answer that makes no sense")
    #expect(try names() == ["1.wav"])
  }

  @Test("a unit that ships is not suspected of other units' faults")
  func shippedUnits() throws {
    launcher.unit.isShipped = true
    launcher.atJob = { _ in .die(.write, .signalled(SIGSEGV)) }
    let outcome = try run(1)
    #expect(outcome.record("0.wav")?.blame == nil)
    launcher.unit.isShipped = false
    let other = try run(1, { $0.existing = .overwrite })
    #expect(other.record("0.wav")?.blame?.unit == launcher.title)
  }

  @Test("a worker that is killed from outside costs no file")
  func kills() throws {
    var isFirst = true
    launcher.atJob = { _ in
      defer { isFirst = false }
      return isFirst ? .die(.render, .signalled(SIGKILL)) : .finish
    }
    let outcome = try run(2)
    #expect(outcome.summary.exitCode == 0)
    #expect(outcome.record("0.wav")?.attempts == 2)
    #expect(try names() == ["0.wav", "1.wav"])
  }

  @Test("a machine that sleeps, or processes that are stopped for a while, cost no file")
  func pauses() throws {
    launcher.atJob = { $0.hasSuffix("0.wav") ? .pause(.seconds(3 * WorkLimits().stall)) : .finish }
    let outcome = try run(2)
    #expect(outcome.summary.exitCode == 0 && outcome.retried.isEmpty)
    #expect(try names() == ["0.wav", "1.wav"])
  }

  @Test("a worker that ends between two files costs none")
  func exitsBetweenFiles() throws {
    launcher.atJob = { $0.hasSuffix("0.wav") ? .finishAndDie(.close) : .finish }
    let outcome = try run(3)
    #expect(outcome.summary.exitCode == 0)
    #expect(try names() == ["0.wav", "1.wav", "2.wav"])
    #expect(outcome.notes.contains { $0.contains("every file is processed in a separate process") })
  }

  @Test("workers that keep ending between two files end the run")
  func exitsWithoutEnd() throws {
    launcher.atJob = { _ in .finishAndDie(.idle) }
    let outcome = try run(30)
    // Each has done its file, so that they are not in a row.
    #expect(outcome.summary.exitCode == 0)
    #expect(outcome.summary.count(.done) == 30)
  }

  @Test("a full disk stops the run, and the file is left for later")
  func fullDisk() throws {
    launcher.unit.isShipped = true
    let error = AuricleError(.temporary, "cannot write x: no space", cause: .errno(ENOSPC))
    launcher.atJob = {
      $0.hasSuffix("1.wav") ? .fail(FailedFile(kind: .output, error: error)) : .finish
    }
    let outcome = try run(3)
    #expect(outcome.summary.exitCode == AuricleError.Category.temporary.rawValue)
    #expect(outcome.record("1.wav") == nil)
    #expect(try names() == ["0.wav"])
  }

  @Test("a disk that is full for a worker alone is a unit's doing")
  func pretendedFullDisk() throws {
    let error = AuricleError(
      .inputOutput, "cannot write x", cause: .frameCount(expected: 2, found: 1))
    launcher.atJob = { _ in .fail(FailedFile(kind: .output, error: error)) }
    let outcome = try run(1)
    #expect(outcome.record("0.wav")?.status == .quarantined)
    #expect(outcome.record("0.wav")?.blame?.unit == launcher.title)
    #expect(outcome.record("0.wav")?.attempts == 2)
  }

  @Test func aChainThatCannotBeMadeEndsTheRun() throws {
    launcher.atSetup = { .refuse("no such unit") }
    let outcome = try run(2)
    #expect(outcome.summary.exitCode == AuricleError.Category.unavailable.rawValue)
    #expect(outcome.records.isEmpty)
    #expect(launcher.begun.isEmpty)
  }

  @Test("a binary that cannot be loaded is no fault of a file")
  func unloadable() throws {
    let error = AuricleError(.unavailable, "cannot be loaded", cause: .binaryCannotLoad)
    launcher.atJob = { _ in
      .fail(FailedFile(kind: .unit, error: error, unit: 0, phase: .initialize))
    }
    let outcome = try run(2)
    #expect(outcome.summary.exitCode == AuricleError.Category.unavailable.rawValue)
    #expect(outcome.records.isEmpty)
  }

  @Test func anInterruptionLeavesWhatIsNotDone() throws {
    launcher.atJob = { $0.hasSuffix("1.wav") ? .hang(.render) : .finish }
    let outcome = try run(3, shouldStop: { $0.records.count == 1 })
    #expect(outcome.summary.exitCode == AuricleError.Category.interrupted.rawValue)
    #expect(outcome.records.map(\.status) == [.done])
    #expect(try names() == ["0.wav"])
  }

  @Test("a unit that costs one file after the other ends the run")
  func breaker() throws {
    launcher.atJob = { _ in .die(.render, .signalled(SIGABRT)) }
    let outcome = try run(9, { $0.limits.failuresInRow = 3 })
    #expect(outcome.summary.exitCode == RunSummary.breakerCode)
    #expect(outcome.summary.count(.quarantined) == 3)
    #expect(outcome.summary.end.reason?.contains("too many files in a row") == true)
  }

  // MARK: Units that cannot be used at all

  @Test(
    "a unit that ends or hangs its worker before any file twice ends the run, and no file is to blame",
    arguments: [
      Deed.hang(.instantiate), .hang(.initialize), .die(.load, .signalled(SIGSEGV)),
      .die(.initialize, .exited(3)),
    ])
  func unusableUnits(deed: Deed) throws {
    launcher.atSetup = { deed }
    let before = launcher.clock.now
    let outcome = try run(12)
    #expect(outcome.summary.exitCode == RunSummary.breakerCode)
    #expect(outcome.records.isEmpty)
    #expect(launcher.count == 2)
    #expect(launcher.clock.now - before < .seconds(70))
    #expect(outcome.summary.end.reason?.contains("no file is to blame") == true)
    #expect(outcome.summary.end.reason?.hasPrefix(launcher.title) == true)
  }

  @Test(
    "the same where it does so for files",
    arguments: [Deed.hang(.initialize), .die(.load, .exited(1))],
    [1, 12])
  func unusableForFiles(deed: Deed, fileCount: Int) throws {
    launcher.atJob = { _ in deed }
    let outcome = try run(fileCount)
    #expect(outcome.summary.exitCode == RunSummary.breakerCode)
    #expect(outcome.records.isEmpty)
    #expect(launcher.begun.count == 2)
  }

  @Test(
    "a file that alone makes a unit crash before it renders is tried after others, and set aside")
  func oneFileThatCannotBeDone() throws {
    launcher.atJob = { $0.hasSuffix("1.wav") ? .die(.initialize, .signalled(SIGSEGV)) : .finish }
    let outcome = try run(4)
    #expect(outcome.summary.exitCode == 1)
    #expect(outcome.record("1.wav")?.status == .quarantined)
    #expect(outcome.record("1.wav")?.blame?.phase == "initialize")
    #expect(try names() == ["0.wav", "2.wav", "3.wav"])
    let order = launcher.begun.compactMap { $0.split(separator: "/").last }
    #expect(order == ["0.wav", "1.wav", "2.wav", "3.wav", "1.wav"])
  }

  @Test("a unit that fails now and then before it renders costs no file")
  func failsNowAndThen() throws {
    var count = 0
    launcher.atSetup = {
      count += 1
      return count % 2 == 1 ? .die(.instantiate, .signalled(SIGSEGV)) : .finish
    }
    launcher.atJob = { $0.hasSuffix("1.wav") ? .finishAndDie(.idle) : .finish }
    let outcome = try run(4)
    #expect(outcome.summary.exitCode == 0)
    #expect(try names() == (0..<4).map { "\($0).wav" })
  }
}
