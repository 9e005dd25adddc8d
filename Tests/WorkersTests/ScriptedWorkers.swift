// Workers that follow a test's script, and a clock that goes as fast as they need: no processes.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import CHostSystem
import FileRendering
import Glibc
import PlugInGuard
import RunLedgers
import Workers

/// The deed of a scripted worker with a job, or with its setup.
enum Deed {
  /// It does the job.
  case finish
  /// It says that it failed.
  case fail(FailedFile)
  /// It reports more bytes than it wrote.
  case lie
  /// It answers a job that it was not sent.
  case answerAnother
  /// It ends in this phase of its unit.
  case die(WorkPhase, WorkerEnd)
  /// It shows no sign of life any more, in this phase of its unit.
  case hang(WorkPhase)
  /// All processes are stopped for this time while it renders; then it does the job.
  case pause(Duration)
  /// The chain cannot be made.
  case refuse(String)
  /// It does the job, and ends before the next.
  case finishAndDie(WorkPhase)
  /// It leaves the job to another process.
  case leave(JobAnswer.Reason)
  /// It sends a message that no worker sends.
  case babble
}

/// The deed of a scripted worker that is to compare chains.
enum ProbeDeed {
  /// It reports this.
  case report([ProbeAnswer])
  /// It ends while a unit is instantiated.
  case die(WorkerEnd)
}

/// A clock that a test moves.
final class ScriptedClock: SupervisorClock {
  private(set) var now = ContinuousClock.now
  func advance(_ duration: Duration) { now += duration }
}

/// A worker that follows a script.
final class ScriptedWorker: WorkerHandle {
  let id: Int32
  private(set) var reading = AuricleHeartbeatReading()
  private var inputs: [WorkerInput] = []
  private var ended: WorkerEnd?
  private var isGone = false
  private let launcher: ScriptedLauncher
  let lastLine: String? = nil

  init(id: Int32, launcher: ScriptedLauncher) {
    self.id = id
    self.launcher = launcher
    reading.unit = -1
    reading.blamed = -1
    reading.phase = WorkPhase.prepare.rawValue
  }

  var hasInput: Bool { !inputs.isEmpty }

  func send(_ message: WorkerMessage, descriptors: [Int32]) -> Bool {
    switch message {
    case .setup:
      inputs.append(.message(.units(launcher.hasUnits ? [launcher.unit] : [], sideFiles: [])))
      switch launcher.atSetup() {
      case .finish:
        reading.phase = WorkPhase.idle.rawValue
        inputs.append(.message(.ready(sandbox: SandboxState(text: "none"), figures: nil)))
      case let deed: perform(deed, nil, [])
      }
    case .job(let job):
      launcher.begun.append(job.input)
      reading.job = UInt64(job.number)
      inputs.append(.message(.started(job: job.number)))
      perform(launcher.atJob(job.input), job, descriptors)
    case .probe(let probe):
      launcher.probed.append(probe.stage)
      switch launcher.atProbe(probe.stage) {
      case .report(let answers): inputs += answers.map { .message(.probed($0)) }
      case .die(let end): perform(.die(.instantiate, end), nil, [])
      }
    default: break
    }
    return true
  }

  private func perform(_ deed: Deed, _ job: JobMessage?, _ files: [Int32]) {
    let number = job?.number ?? 0
    switch deed {
    case .finish: finish(number, files, isTrue: true)
    case .lie: finish(number, files, isTrue: false)
    case .answerAnother: finish(number + 7, files, isTrue: true)
    case .fail(let failure):
      inputs.append(.message(.finished(JobAnswer(job: number, .failed(failure)))))
    case .refuse(let text):
      inputs.append(.message(.refused(WorkerRefusal(text: text, category: .unavailable))))
    case .leave(let reason):
      var answer = JobAnswer(job: number, .notBegun(reason))
      answer.format = launcher.format
      inputs.append(.message(.finished(answer)))
    case .babble: inputs.append(.senseless)
    case .hang(let phase): enter(phase)
    case .pause(let time):
      enter(.render)
      // The supervisor sees the worker's progress before the pause, and checks it once behind it.
      launcher.later = [
        { [launcher] in launcher.clock.advance(time) },
        { [self] in finish(number, files, isTrue: true) },
      ]
    case .die(let phase, let end):
      enter(phase)
      die(end)
    case .finishAndDie(let phase):
      finish(number, files, isTrue: true)
      enter(phase)
      die(.signalled(SIGSEGV))
    }
  }

  private func enter(_ phase: WorkPhase) {
    reading.phase = phase.rawValue
    reading.unit = phase.isOfUnit ? 0 : -1
    reading.progress += 1
    if phase == .render {
      inputs.append(.message(.rendering(RenderingMessage(job: Int(reading.job)))))
    }
  }

  private func die(_ end: WorkerEnd) {
    ended = end
    inputs.append(.closed)
  }

  /// Writes four bytes into each result, and reports them or others.
  private func finish(_ number: Int, _ files: [Int32], isTrue: Bool) {
    let bytes: [UInt8] = [1, 2, 3, 4]
    for file in files.dropFirst() { _ = unsafe write(file, bytes, bytes.count) }
    let format = AudioFileFormat(
      container: .wav, encoding: .pcm16, sampleRate: 48_000, channelCount: 1)
    let result = FileResult(
      input: "", output: "", inputFormat: format, outputFormat: format, inputFrameCount: 1,
      outputFrameCount: 1)
    var rendering = RenderingMessage(job: number)
    rendering.format = launcher.format
    inputs.append(.message(.rendering(rendering)))
    let stored = StoredFile(byteCount: isTrue ? bytes.count : 5, checksum: 1)
    var answer = JobAnswer(job: number, .done(FinishedFile(result: result, stored: stored)))
    answer.format = launcher.format
    inputs.append(.message(.finished(answer)))
    reading.job = 0
    reading.phase = WorkPhase.idle.rawValue
    reading.progress += 1
  }

  func receive() -> WorkerInput {
    guard let next = inputs.first else { return .nothing }
    // A closed worker stays closed.
    if case .closed = next { return .closed }
    inputs.removeFirst()
    return next
  }

  func unitName(_ number: Int32) -> String? { number == 0 ? launcher.title : nil }
  var refusals: [RefusedPath] { [] }
  func readOutput() -> [String] { [] }
  func forgetOutput() {}
  func usesMemory(above limit: Int) -> Bool { false }

  func end(afterWaiting graceTime: Duration) -> WorkerEnd? {
    guard !isGone else { return nil }
    isGone = true
    launcher.aliveCount -= 1
    return ended ?? .signalled(SIGKILL)
  }
}

/// Starts scripted workers.
final class ScriptedLauncher: WorkerLauncher {
  let title = "Maker: Unit (aufx:unit:Make)"
  var unit = UnitIdentity(
    identity: "aufx:unit:Make", name: "Maker: Unit", version: "1", path: "", checksum: 0)
  /// Whether the chain has that unit, or none.
  var hasUnits = true
  let clock = ScriptedClock()
  /// The deed of a worker before its first job; `finish` makes it ready.
  var atSetup: () -> Deed = { .finish }
  /// Its deed with a job, by the input.
  var atJob: (String) -> Deed = { _ in .finish }
  /// The format of its chains; nil if it does not report one.
  var format: ChainFormat?
  /// Its deed when it is to compare chains.
  var atProbe: (ProbeStage) -> ProbeDeed = { _ in .report([.failed]) }
  /// The comparisons that were begun, in their order.
  var probed: [ProbeStage] = []
  /// The number of workers started.
  private(set) var count = 0
  /// The number of running workers.
  var aliveCount = 0
  /// Whether files are finished that are not recorded yet.
  var isCommitting: () -> Bool = { false }
  /// Events of the next rounds in which no worker has input.
  var later: [() -> Void] = []
  /// The inputs of the jobs that were begun, in their order.
  var begun: [String] = []

  func launch() throws(AuricleError) -> any WorkerHandle {
    count += 1
    aliveCount += 1
    return ScriptedWorker(id: Int32(count), launcher: self)
  }

  func wait(
    for workers: [any WorkerHandle], or pipe: WakeUpPipe, atMost limit: Duration
  ) -> WorkerActivityList {
    var activity = WorkerActivityList()
    activity.speaking = workers.indices.filter {
      (workers[$0] as? ScriptedWorker)?.hasInput == true
    }
    if activity.speaking.isEmpty, !later.isEmpty {
      later.removeFirst()()
    } else if activity.speaking.isEmpty {
      // Only the committer works in real time; the clock stops until it has recorded finished files.
      if isCommitting() {
        pipe.wait(atMost: .seconds(1800))
      } else {
        pipe.wait(atMost: .milliseconds(2))
        clock.advance(limit)
      }
    }
    activity.isWokenUp = true
    return activity
  }

  func cleanUp(sparing workers: [any WorkerHandle]) {}
  func finish() {}
}
